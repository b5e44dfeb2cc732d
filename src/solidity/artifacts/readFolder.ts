/** What Foundry (`out`) and Hardhat (`artifacts`) write, read no further than their formats make it necessary. */

import { namesOnlyProblem, type Reading } from './compiled.ts'
import { artifactFiles, contractIn, type Disk } from './disk.ts'
import { foundryRuns } from './foundryRuns.ts'
import { jsonFileOf, type OfKind, type ReadFile } from './jsonFile.ts'
import type { KnownContract } from './knownContract.ts'
import type { Project } from './project.ts'
import type { Run } from './run.ts'
import { runOfParts } from './solcRun.ts'

/** Resolves to what a folder of artifacts holds. What cannot be read is said in `problems`. */
export async function readFolder(disk: Disk, folder: string, project: Project): Promise<Reading> {
  const listed = await artifactFiles(disk, folder)
  if (listed === undefined) return { contracts: [], problems: [`${folder} was skipped: it cannot be read`] }
  const infos = await readFiles(disk, await buildInfoFiles(disk, folder))
  const whole = wholeRuns(infos, project)
  // Foundry writes the whole run only of what it compiled last: what that lacks stands in the artifacts.
  const known = new Set(
    whole.flatMap(({ contracts }) => contracts.map((one) => shortName(one.sourceName, one.name))),
  )
  const rest = listed.filter((file) => !known.has(shortName(disk.path.dirname(file), contractIn(file))))
  const artifacts = await readFiles(disk, rest)
  const runs = [
    ...whole,
    ...foundryRuns(disk, artifacts.filter(isArtifact), infos.filter(isSourceIds), project),
  ]
  return readingOf(runs, [...infos, ...artifacts])
}

/** Resolves to what one file holds: build info, output of solc, or an artifact. */
export async function readFile(disk: Disk, file: string, project: Project): Promise<Reading> {
  const files = [...(await readFiles(disk, [file]))]
  const [one] = files
  if (one?.kind === 'input' || one?.kind === 'output') {
    const [, base] = /^(.*?)(?:\.output)?\.json$/.exec(file) ?? []
    files.push(...(await readFiles(disk, [one.kind === 'input' ? `${base}.output.json` : `${base}.json`])))
  }
  const runs = [...wholeRuns(files, project), ...foundryRuns(disk, files.filter(isArtifact), [], project)]
  return readingOf(runs, files)
}

const isArtifact = (one: ReadFile): one is OfKind<'artifact'> => one.kind === 'artifact'
const isSourceIds = (one: ReadFile): one is OfKind<'sourceIds'> => one.kind === 'sourceIds'

/** A contract by the name of its source file without folders, which is all that paths of Foundry's artifacts say. */
function shortName(source: string, contract: string): string {
  return `${source.split(/[/\\]/).at(-1)} ${contract}`
}

async function buildInfoFiles({ fs, path }: Disk, folder: string): Promise<string[]> {
  const place = path.join(folder, 'build-info')
  const names = await fs.promises.readdir(place).catch(() => [])
  return names.filter((name) => name.endsWith('.json')).map((name) => path.join(place, name))
}

async function readFiles({ fs }: Disk, files: readonly string[]): Promise<readonly ReadFile[]> {
  return Promise.all(
    files.map(async (file) => {
      try {
        const { mtimeMs } = await fs.promises.stat(file)
        return { ...jsonFileOf(await fs.promises.readFile(file)), file, writtenMs: mtimeMs }
      } catch (error) {
        const reason = `it cannot be read (${(error as NodeJS.ErrnoException).code ?? error})`
        return { kind: 'foreign', reason, file, writtenMs: 0 } as const
      }
    }),
  )
}

/** Returns the runs whose input or output is in the files, the newest first. */
function wholeRuns(files: readonly ReadFile[], project: Project): readonly Run[] {
  const outputs = new Map(files.flatMap((one) => (one.kind === 'output' ? [[one.id, one] as const] : [])))
  return [...files]
    .sort((a, b) => b.writtenMs - a.writtenMs)
    .flatMap((one) => {
      switch (one.kind) {
        case 'run':
          return [runOfParts(one.input, one.output, contextOf(one, project))]
        case 'input': {
          const output = outputs.get(one.id)?.root.at('output')
          return output === undefined
            ? []
            : [runOfParts(one.root.at('input'), output, contextOf(one, project))]
        }
        case 'solcOutput':
          return [runOfParts(undefined, one.root, contextOf(one, project))]
        default:
          return []
      }
    })
}

function contextOf({ root }: Extract<ReadFile, { root: unknown }>, project: Project) {
  const version = root.at('solcLongVersion')?.parse() ?? root.at('solcVersion')?.parse()
  return {
    solcVersion: typeof version === 'string' ? version : undefined,
    pathOf: (name: string) => project.pathOf(name),
    sourceOnDisk: (name: string, keccak256: string | undefined) => project.sourceOnDisk(name, keccak256),
  }
}

function readingOf(runs: readonly Run[], files: readonly ReadFile[]): Reading {
  return {
    contracts: runs.flatMap(({ contracts }): readonly KnownContract[] => contracts),
    problems: [
      ...files.flatMap((one) => (one.kind === 'foreign' ? [`${one.file} was skipped: ${one.reason}`] : [])),
      ...runs.flatMap(namesOnlyProblem),
    ],
  }
}
