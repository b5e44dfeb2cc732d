/** Coverage of Solidity of a whole test run: of what its processes left. */
import { resolve } from 'node:path'
import { Abis } from '../solidity/abi/abis.ts'
import { Artifacts } from '../solidity/artifacts/artifacts.ts'
import type { ArtifactSource } from '../solidity/artifacts/solcJson.ts'
import { readHits } from '../solidity/coverage/codeHits.ts'
import type { FileCoverage } from '../solidity/coverage/coverage.ts'
import { coverageOf } from '../solidity/coverage/coverage.ts'
import { type LeftRun, leftCode } from './coverageOfProcess.ts'

/** Where the sources of what ran are. */
export interface CoverageOptions {
  /** `undefined`: what the devnets were given, or else the projects in the working folder. */
  readonly artifacts: readonly ArtifactSource[] | undefined
  /** Returns whether a source file counts, by its path relative to the working folder. */
  counts(path: string): boolean
  /** Called with a sentence for each thing that could not be read. */
  onProblem(text: string): void
}

/** What was found. */
export interface RunCoverage {
  /** By the absolute path of the source file. */
  readonly files: Readonly<Record<string, FileCoverage>>
  /** The texts of these files, as they were compiled. */
  readonly texts: ReadonlyMap<string, string>
  /** Whether there are artifacts with syntax trees, without which nothing can be counted. */
  readonly hasSources: boolean
}

/** Resolves to the coverage of `runs`, whose codes are in `folder`. */
export async function coverageOfRun(
  runs: readonly LeftRun[],
  folder: string,
  { artifacts: given, counts, onProblem }: CoverageOptions,
): Promise<RunCoverage> {
  const told = [...new Set(runs.flatMap(({ artifacts }) => artifacts))]
  const configured = given ?? (told.length === 0 ? undefined : told)
  const artifacts = new Artifacts({ configured, abis: new Abis(), onProblem })
  const compilations = new Set((await artifacts.contracts()).map(({ compilation }) => compilation))
  const codes = readHits(
    runs.map(({ hits }) => hits),
    (key) => leftCode(folder, key),
  )
  const found = coverageOf(codes, {
    compilations,
    find: artifacts.find,
    counts,
  })
  const files: Record<string, FileCoverage> = {}
  const texts = new Map<string, string>()
  let hasSources = Object.keys(found).length > 0
  for (const { input, output, pathOf } of compilations) {
    for (const name of Object.keys(output.sources ?? {})) {
      hasSources ||= output.sources![name]?.ast !== undefined
      const text = input.sources[name]?.content
      if (text !== undefined && found[pathOf(name)] !== undefined) texts.set(resolve(pathOf(name)), text)
    }
  }
  for (const [path, coverage] of Object.entries(found)) {
    files[resolve(path)] = { ...coverage, path: resolve(path) }
  }
  return { files, texts, hasSources }
}
