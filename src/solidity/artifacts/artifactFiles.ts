/** The JSON files of Foundry, Hardhat and solc: their formats, and the compilations in them. */

import type { LoadedArtifacts } from './artifactIndex.ts'
import type { KnownContract } from './compilation.ts'
import { type JsonSlice, type Shape, sliceJson } from './jsonSlice.ts'
import {
  CODE_SHAPE,
  compilationOfSlices,
  INPUT_SHAPE,
  type LazyCompilation,
  namesOnlyProblem,
  OUTPUT_SHAPE,
} from './lazyCompilation.ts'
import { artifactFiles, contractIn, type Disk, type Project } from './project.ts'
import { compilationsOfArtifacts } from './singleArtifacts.ts'

/** Resolves to the contracts in a folder of artifacts. */
export async function readFolder(disk: Disk, folder: string, project: Project): Promise<LoadedArtifacts> {
  const listed = await artifactFiles(disk, folder)
  if (listed === undefined) return { contracts: [], problems: [`${folder} was skipped: it cannot be read`] }
  const infos = await readFiles(disk, await buildInfoFiles(disk, folder))
  const whole = wholeCompilations(infos, project)
  // Foundry's build info has full output only for the last compilation: other contracts have artifacts.
  const known = new Set(
    whole.flatMap(({ contracts }) => contracts.map((one) => shortName(one.sourceName, one.name))),
  )
  const rest = listed.filter((file) => !known.has(shortName(disk.path.dirname(file), contractIn(file))))
  const artifacts = await readFiles(disk, rest)
  const runs = [
    ...whole,
    ...compilationsOfArtifacts(disk, artifacts.filter(isArtifact), infos.filter(isSourceIds), project),
  ]
  return readingOf(runs, [...infos, ...artifacts])
}

/** Resolves to the contracts in a file: build info, output of solc, or an artifact. */
export async function readFile(disk: Disk, file: string, project: Project): Promise<LoadedArtifacts> {
  const files = [...(await readFiles(disk, [file]))]
  const [one] = files
  if (one?.kind === 'input' || one?.kind === 'output') {
    const [, base] = /^(.*?)(?:\.output)?\.json$/.exec(file) ?? []
    files.push(...(await readFiles(disk, [one.kind === 'input' ? `${base}.output.json` : `${base}.json`])))
  }
  const runs = [
    ...wholeCompilations(files, project),
    ...compilationsOfArtifacts(disk, files.filter(isArtifact), [], project),
  ]
  return readingOf(runs, files)
}

const isArtifact = (one: ReadFile): one is OfKind<'artifact'> => one.kind === 'artifact'

const isSourceIds = (one: ReadFile): one is OfKind<'sourceIds'> => one.kind === 'sourceIds'

/** Returns the source file's base name, all that paths of Foundry's artifacts have, and the contract. */
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

/** Returns the compilations of files with a whole input or output, newest first. */
function wholeCompilations(files: readonly ReadFile[], project: Project): readonly LazyCompilation[] {
  const outputs = new Map(files.flatMap((one) => (one.kind === 'output' ? [[one.id, one] as const] : [])))
  return [...files]
    .sort((a, b) => b.writtenMs - a.writtenMs)
    .flatMap((one) => {
      switch (one.kind) {
        case 'run':
          return [compilationOfSlices(one.input, one.output, contextOf(one, project))]
        case 'input': {
          const output = outputs.get(one.id)?.root.at('output')
          return output === undefined
            ? []
            : [compilationOfSlices(one.root.at('input'), output, contextOf(one, project))]
        }
        case 'solcOutput':
          return [compilationOfSlices(undefined, one.root, contextOf(one, project))]
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

function readingOf(runs: readonly LazyCompilation[], files: readonly ReadFile[]): LoadedArtifacts {
  return {
    contracts: runs.flatMap(({ contracts }): readonly KnownContract[] => contracts),
    problems: [
      ...files.flatMap((one) => (one.kind === 'foreign' ? [`${one.file} was skipped: ${one.reason}`] : [])),
      ...runs.flatMap(namesOnlyProblem),
    ],
  }
}

/** A JSON file by format. */
type JsonFile =
  /** Build info of Hardhat 2, Foundry and similar tools, or an object `{ input, output }`. */
  | { readonly kind: 'run'; readonly input: JsonSlice; readonly output: JsonSlice; readonly root: JsonSlice }
  /** Build info of Hardhat 3, whose output is another file with the same id. */
  | { readonly kind: 'input'; readonly id: string; readonly root: JsonSlice }
  | { readonly kind: 'output'; readonly id: string; readonly root: JsonSlice }
  /** Foundry's build info without input and output. */
  | { readonly kind: 'sourceIds'; readonly id: string; readonly root: JsonSlice }
  /** Standard JSON output or input of solc. */
  | { readonly kind: 'solcOutput'; readonly root: JsonSlice }
  | { readonly kind: 'solcInput'; readonly root: JsonSlice }
  /** An artifact of one contract. */
  | { readonly kind: 'artifact'; readonly root: JsonSlice }
  | { readonly kind: 'foreign'; readonly reason: string }

type ReadFile = JsonFile & { readonly file: string; readonly writtenMs: number }

type OfKind<Kind extends JsonFile['kind']> = Extract<ReadFile, { kind: Kind }>

const SHAPE: Shape = {
  id: true,
  _format: true,
  solcVersion: true,
  solcLongVersion: true,
  // Members of standard JSON input and output.
  language: true,
  sources: { '*': true },
  contracts: (OUTPUT_SHAPE as { contracts: Shape }).contracts,
  settings: true,
  input: INPUT_SHAPE,
  output: OUTPUT_SHAPE,
  source_id_to_path: true,
  // Members of artifacts.
  abi: true,
  contractName: true,
  sourceName: true,
  bytecode: CODE_SHAPE,
  deployedBytecode: CODE_SHAPE,
  evm: { bytecode: CODE_SHAPE, deployedBytecode: CODE_SHAPE },
  linkReferences: true,
  deployedLinkReferences: true,
  immutableReferences: true,
  inputSourceName: true,
  rawMetadata: true,
  metadata: { settings: { compilationTarget: { '*': true } } },
  ast: { absolutePath: true },
}

function jsonFileOf(bytes: Uint8Array): JsonFile {
  const root = sliceJson(bytes, SHAPE)
  if (root === undefined) return { kind: 'foreign', reason: 'it is not JSON, or was cut off' }
  const has = (...path: readonly string[]) => root.at(...path) !== undefined
  const id = () => String(root.at('id')?.parse() ?? '')
  const input = root.at('input')
  const output = root.at('output')
  if (input !== undefined && output !== undefined) return { kind: 'run', input, output, root }
  if (input !== undefined && has('input', 'sources')) return { kind: 'input', id: id(), root }
  if (output !== undefined) return { kind: 'output', id: id(), root }
  if (has('source_id_to_path')) return { kind: 'sourceIds', id: id(), root }
  if (has('abi')) return { kind: 'artifact', root }
  if (has('contracts')) return { kind: 'solcOutput', root }
  if (has('sources') && has('language')) return { kind: 'solcInput', root }
  return { kind: 'foreign', reason: 'it is neither build info nor an artifact nor JSON of solc' }
}
