/** Reports the Solidity coverage of a test run with istanbul's reporters, and checks thresholds. */
import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import picomatch from 'picomatch'
import type { DevnetOptions } from '../../../options/options.ts'
import { parseOptions } from '../../../options/parseOptions.ts'
import { Abis } from '../../../solidity/abi/abis.ts'
import { Artifacts } from '../../../solidity/artifacts/artifacts.ts'
import type { ArtifactSource } from '../../../solidity/artifacts/solcJson.ts'
import { readHits } from '../../../solidity/coverage/codeHits.ts'
import { coverageOf, type FileCoverage } from '../../../solidity/coverage/coverage.ts'
import { shown } from '../../../wire/parser.ts'
import { codeIn, type ProcessHits } from '../../coverage.ts'

/** Minimum coverage of the whole project, in percent. */
export interface CoverageThresholds {
  readonly lines?: number
  readonly statements?: number
  readonly branches?: number
  readonly functions?: number
}

/** Options of the coverage reporters. */
export interface CoverageReportOptions {
  /**
   * Artifacts with sources and syntax trees, given like the option `artifacts` of a devnet. By default, the reporter
   * uses the artifacts of the devnets in the run, or of the projects in the working folder.
   */
  readonly artifacts?: DevnetOptions['artifacts']
  /** Globs of source files to report, relative to the working folder. By default, all source files that exist. */
  readonly include?: readonly string[] | undefined
  /** Globs of sources to omit. By default `node_modules`, `lib`, `test`, `tests`, `script`, `*.t.sol`, `*.s.sol`. */
  readonly exclude?: readonly string[] | undefined
  /** Names of reporters of `istanbul-reports`, with their options. By default `text`, `lcov` (with HTML) and `json`. */
  readonly reporter?: readonly (string | readonly [name: string, options: object])[] | undefined
  /** The folder to which files are written. By default `coverage/solidity`. */
  readonly reportsDirectory?: string | undefined
  /** Minimum coverage. The run fails if the coverage is lower. */
  readonly thresholds?: CoverageThresholds | undefined
}

const EXCLUDED = ['**/node_modules/**', 'lib/**', '{test,tests,script}/**', '**/*.{t,s}.sol']
const REPORTERS = ['text', 'lcov', 'json']

/** Writes the reports. Resolves to failures, such as thresholds that are not met. `folder` stores the executed code. */
export async function writeCoverage(
  runs: readonly ProcessHits[],
  folder: string,
  options: CoverageReportOptions,
  log: (text: string) => void,
): Promise<readonly string[]> {
  const {
    include,
    exclude = EXCLUDED,
    reporter = REPORTERS,
    reportsDirectory = 'coverage/solidity',
  } = options
  const packages = await istanbul()
  if (typeof packages === 'string') return [packages]
  const { libCoverage, libReport, reports } = packages
  const isIncluded = include === undefined ? isInProject : picomatch([...include], { dot: true })
  const isExcluded = picomatch([...exclude], { dot: true })
  const { files, texts, hasSources, unrecognized } = await coverageOfRun(runs, folder, {
    artifacts: parseOptions({ artifacts: options.artifacts }).artifacts,
    counts(path) {
      const name = relative('', resolve(path)).replaceAll('\\', '/')
      return isIncluded(name) && !isExcluded(name)
    },
    onProblem: log,
  })
  const failures = unrecognized.map(
    (source) => `Coverage of Solidity: option artifacts: no contract was found in ${shown(source)}`,
  )
  if (!hasSources) {
    log(NO_SOURCES)
    return [...failures, ...thresholdFailures({}, options.thresholds)]
  }
  const coverageMap = libCoverage.createCoverageMap(files as never)
  const context = libReport.createContext({
    dir: resolve(reportsDirectory),
    coverageMap,
    sourceFinder: (path) => texts.get(path) ?? readFileSync(path, 'utf8'),
  })
  for (const one of reporter) {
    const [name, own] = typeof one === 'string' ? [one, {}] : one
    // istanbul's type lists only its own reporters. Names of other packages are valid, too.
    reports.create(name as 'text', { projectRoot: process.cwd(), ...own } as object).execute(context)
  }
  return [...failures, ...thresholdFailures(coverageMap.getCoverageSummary().data, options.thresholds)]
}

const NO_SOURCES =
  'Coverage of Solidity: there are no artifacts with sources and syntax trees. Expected those of Hardhat, or of `forge build --build-info`, in the working folder or in the option `artifacts`.'

const isInProject = (path: string): boolean => !path.startsWith('../') && existsSync(path)

type Percentages = Partial<Record<keyof CoverageThresholds, { readonly pct: number | string }>>

function thresholdFailures(summary: Percentages, thresholds: CoverageThresholds = {}): string[] {
  const wanted = Object.entries(thresholds) as [keyof CoverageThresholds, number | undefined][]
  return wanted.flatMap(([name, want]) => {
    // istanbul has `Unknown` in place of a percentage if there is nothing to cover.
    const have = Number(summary[name]?.pct ?? 0) || 0
    return want === undefined || have >= want
      ? []
      : [`Coverage of Solidity: ${have}% of ${name} are covered, expected at least ${want}%`]
  })
}

/** Resolves to istanbul's packages in the user's project; to a message if they are not installed. */
async function istanbul() {
  try {
    const [libCoverage, libReport, reports] = await Promise.all([
      import('istanbul-lib-coverage'),
      import('istanbul-lib-report'),
      import('istanbul-reports'),
    ])
    return { libCoverage: libCoverage.default, libReport: libReport.default, reports: reports.default }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return NOT_INSTALLED
  }
}

const NOT_INSTALLED =
  'Coverage of Solidity requires istanbul, which is not installed: npm install -D istanbul-lib-coverage istanbul-lib-report istanbul-reports'

function distinct(sources: readonly ArtifactSource[]): readonly ArtifactSource[] {
  return [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()]
}

/** Resolves to coverage and source texts by absolute path, and to whether artifacts have syntax trees. */
export async function coverageOfRun(
  runs: readonly ProcessHits[],
  folder: string,
  {
    artifacts: given,
    counts,
    onProblem,
  }: {
    readonly artifacts: readonly ArtifactSource[] | undefined
    counts(path: string): boolean
    onProblem(text: string): void
  },
) {
  const ofDevnets = distinct(runs.flatMap(({ artifacts }) => artifacts))
  const configured = given ?? (ofDevnets.length === 0 ? undefined : ofDevnets)
  const artifacts = new Artifacts({ configured, abis: new Abis(), onProblem })
  const unrecognized = given === undefined ? [] : await artifacts.unrecognized()
  const compilations = new Set((await artifacts.contracts()).map(({ compilation }) => compilation))
  const codes = readHits(
    runs.map(({ hits }) => hits),
    (key) => codeIn(folder, key),
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
  return { files, texts, hasSources, unrecognized }
}
