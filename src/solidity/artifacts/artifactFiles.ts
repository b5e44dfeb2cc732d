/** Reads the JSON files of Foundry, Hardhat and solc, and finds the compilations in them. */

import { isRecord } from '../../model/api/arguments.ts'
import { grouped } from '../../model/collections/grouped.ts'
import { ARTIFACT_SHAPE, contractIn, namesIn, textAt } from './contractJson.ts'
import { type Json, type JsonSlice, type Shape, sliceJson } from './jsonSlice.ts'
import {
  type CompilationData,
  compilationIn,
  INPUT_SHAPE,
  type LoadedArtifacts,
  lazyCompilation,
  lazyRecord,
  OUTPUT_SHAPE,
  sourceUnit,
} from './lazyCompilation.ts'
import {
  artifactFiles,
  contractNameIn,
  type Disk,
  contractNameIn as nameInPath,
  type Project,
} from './project.ts'

export async function readFolder(disk: Disk, folder: string, project: Project): Promise<LoadedArtifacts> {
  const listed = await artifactFiles(disk, folder)
  if (listed === undefined) return { contracts: [], problems: [`${folder} was skipped: it cannot be read`] }
  const infos = await readFiles(disk, await buildInfoFiles(disk, folder))
  const whole = joined(wholeCompilations(infos, project))
  // Foundry's build info has only the last compilation. Contracts compiled earlier are read from their artifacts.
  const known = new Set(whole.contracts.map((one) => shortName(one.sourceName, one.name)))
  const rest = listed.filter((file) => !known.has(shortName(disk.path.dirname(file), contractNameIn(file))))
  const artifacts = await readFiles(disk, rest)
  return joined([
    { contracts: [], problems: [...infos, ...artifacts].flatMap(problemOf) },
    whole,
    ...wholeCompilations(artifacts, project),
    ...compilationsOfArtifacts(disk, ofKind(artifacts, 'artifact'), ofKind(infos, 'sourceIds'), project),
  ])
}

export async function readFile(disk: Disk, file: string, project: Project): Promise<LoadedArtifacts> {
  const files = [...(await readFiles(disk, [file]))]
  const [one] = files
  if (one?.kind === 'input' || one?.kind === 'output') {
    const [, base] = /^(.*?)(?:\.output)?\.json$/.exec(file) ?? []
    files.push(...(await readFiles(disk, [one.kind === 'input' ? `${base}.output.json` : `${base}.json`])))
  }
  if (one?.kind === 'solcInput' || one?.kind === 'solcOutput') {
    const [from, to] = one.kind === 'solcInput' ? ['input', 'output'] : ['output', 'input']
    const other = disk.path.join(disk.path.dirname(file), disk.path.basename(file).replace(from, to))
    if (other !== file && disk.fs.existsSync(other)) files.push(...(await readFiles(disk, [other])))
  }
  const isLone = one?.kind === 'solcInput' && ofKind(files, 'solcOutput').length === 0
  const lone = `${file} was skipped: it is solc's input, and the output is not known; give both: { input, output }`
  return joined([
    { contracts: [], problems: isLone ? [lone] : files.flatMap(problemOf) },
    ...wholeCompilations(files, project),
    ...compilationsOfArtifacts(disk, ofKind(files, 'artifact'), [], project),
  ])
}

export function joined(loaded: readonly LoadedArtifacts[]): LoadedArtifacts {
  return {
    contracts: loaded.flatMap(({ contracts }) => contracts),
    problems: loaded.flatMap(({ problems }) => problems),
  }
}

function problemOf(one: ReadFile): readonly string[] {
  return one.kind === 'foreign' ? [`${one.file} was skipped: ${one.reason}`] : []
}

function ofKind<Kind extends ReadFile['kind']>(files: readonly ReadFile[], kind: Kind) {
  return files.filter((one): one is ReadFile & { readonly kind: Kind } => one.kind === kind)
}

/** Returns the file and contract name. Omits folders, because Foundry's artifact paths lack the source's folder. */
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

/** Returns the compilations in files of build info and of solc's standard JSON, newest first. */
function wholeCompilations(files: readonly ReadFile[], project: Project): readonly LoadedArtifacts[] {
  const outputs = new Map(ofKind(files, 'output').map((one) => [one.id, one.root.at('output')]))
  return [...files]
    .sort((a, b) => b.writtenMs - a.writtenMs)
    .flatMap((one) => {
      if (one.kind !== 'run' && one.kind !== 'input' && one.kind !== 'solcOutput') return []
      const { root } = one
      const output = one.kind === 'input' ? outputs.get(one.id) : (root.at('output') ?? root)
      const input = one.kind === 'solcOutput' ? inputFor(root, ofKind(files, 'solcInput')) : root.at('input')
      const solcVersion = textAt(root, 'solcLongVersion') ?? textAt(root, 'solcVersion')
      const context = { solcVersion, ...project.names }
      return output === undefined ? [] : [compilationIn(input, output, context)]
    })
}

/** Returns the standard JSON input whose sources are those of `output`; `undefined` if none or several fit. */
function inputFor(output: Json, inputs: readonly { readonly root: Json }[]): Json | undefined {
  const names = output.at('sources')?.members
  const fitting = inputs.filter(({ root }) =>
    [...(root.at('sources')?.members.keys() ?? [])].every((name) => names?.has(name)),
  )
  return fitting.length === 1 ? fitting[0]!.root : undefined
}

type JsonFile =
  /** Build info in parts: input and output in two files with one id (Hardhat 3), or only source ids (Foundry). */
  | { readonly kind: 'input' | 'output' | 'sourceIds'; readonly id: string; readonly root: JsonSlice }
  /** A `run` is build info with input and output (Hardhat 2, Foundry and others), or an object `{ input, output }`. */
  | { readonly kind: 'run' | 'solcOutput' | 'solcInput' | 'artifact'; readonly root: JsonSlice }
  | { readonly kind: 'foreign'; readonly reason: string }

type ReadFile = JsonFile & { readonly file: string; readonly writtenMs: number }

const SHAPE: Shape = {
  ...ARTIFACT_SHAPE,
  id: true,
  solcVersion: true,
  solcLongVersion: true,
  source_id_to_path: true,
  ...INPUT_SHAPE,
  ...OUTPUT_SHAPE,
  input: INPUT_SHAPE,
  output: OUTPUT_SHAPE,
}

function jsonFileOf(bytes: Uint8Array): JsonFile {
  const root = sliceJson(bytes, SHAPE)
  if (root === undefined) return { kind: 'foreign', reason: 'it is not JSON, or was cut off' }
  const has = (...path: readonly string[]) => root.at(...path) !== undefined
  const id = String(root.at('id')?.parse() ?? '')
  if (has('input') && has('output')) return { kind: 'run', root }
  if (has('input', 'sources')) return { kind: 'input', id, root }
  if (has('output')) return { kind: 'output', id, root }
  if (has('source_id_to_path')) return { kind: 'sourceIds', id, root }
  if (has('abi')) return { kind: 'artifact', root }
  if (has('contracts')) return { kind: 'solcOutput', root }
  if (has('sources') && has('language')) return { kind: 'solcInput', root }
  return { kind: 'foreign', reason: 'it is neither build info nor an artifact nor JSON of solc' }
}

interface SourceIds {
  readonly id: string
  readonly language: string | undefined
  readonly names: Readonly<Record<string, string>>
}

interface SingleArtifact {
  readonly file: string
  readonly contract: CompilationData['contracts'][number]
  /** The id of the contract's source file in the compilation, if the artifact has the id. */
  readonly sourceId: unknown
  readonly ast: Json | undefined
}

function compilationsOfArtifacts(
  disk: Disk,
  artifacts: readonly { readonly file: string; readonly root: Json }[],
  infos: readonly { readonly id: string; readonly root: Json }[],
  project: Project,
): readonly LoadedArtifacts[] {
  const known = infos.map(sourceIdsOf)
  const idOf = cachedBuildIds(disk, project.root)
  const groups = grouped(artifacts.map(singleArtifact), (artifact) =>
    sourceIdsFor(artifact, known, idOf.get(disk.path.resolve(artifact.file))),
  )
  return [...groups].map(([ids, found]) => compilationOfArtifacts(found, ids, project))
}

function singleArtifact({ file, root }: { readonly file: string; readonly root: Json }): SingleArtifact {
  const { name = nameInPath(file), source = '' } = namesIn(root)
  const sourceName = textAt(root, 'inputSourceName') ?? source
  return {
    file,
    contract: { sourceName, name, ...contractIn(root) },
    sourceId: root.at('id')?.parse(),
    ast: root.at('ast'),
  }
}

function sourceIdsOf({ id, root }: { readonly id: string; readonly root: Json }): SourceIds {
  const names = root.at('source_id_to_path')?.parse()
  return {
    id,
    language: textAt(root, 'language'),
    names: isRecord(names) ? (names as SourceIds['names']) : {},
  }
}

/** Returns the source ids for an artifact; `undefined` if ambiguous, because wrong ids would lead to wrong lines. */
function sourceIdsFor(
  { contract, sourceId }: SingleArtifact,
  known: readonly SourceIds[],
  buildId: string | undefined,
): SourceIds | undefined {
  const fitting = known.filter(
    ({ names }) => typeof sourceId === 'number' && names[sourceId] === contract.sourceName,
  )
  return fitting.find(({ id }) => id === buildId) ?? (fitting.length === 1 ? fitting[0] : undefined)
}

function compilationOfArtifacts(
  artifacts: readonly SingleArtifact[],
  ids: SourceIds | undefined,
  project: Project,
): LoadedArtifacts {
  const numbers = new Map(Object.entries(ids?.names ?? {}).map(([id, name]) => [name, Number(id)]))
  const trees = new Map(
    artifacts.flatMap(({ ast, contract }) => (ast === undefined ? [] : [[contract.sourceName, ast]])),
  )
  return lazyCompilation({
    language: ids?.language,
    solcVersion: undefined,
    sources: lazyRecord(numbers.keys(), () => undefined),
    settings: () => undefined,
    units: lazyRecord(numbers.keys(), (name) => sourceUnit(numbers.get(name)!, trees.get(name))),
    contracts: artifacts.map(({ contract }) => contract),
    hasMaps: ids !== undefined,
    ...project.names,
  })
}

/** Returns the build ids of artifact files from forge's cache. */
function cachedBuildIds({ fs, path }: Disk, root: string): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  let cache: { readonly paths?: { readonly artifacts?: string }; readonly files?: unknown }
  try {
    cache = JSON.parse(fs.readFileSync(path.join(root, 'cache/solidity-files-cache.json'), 'utf8'))
  } catch {
    return ids
  }
  // The cache nests artifacts by source file, contract, compiler version and profile.
  const collect = (value: unknown) => {
    if (!isRecord(value)) return
    if (typeof value.path === 'string' && typeof value.build_id === 'string') {
      ids.set(path.resolve(root, cache.paths?.artifacts ?? 'out', value.path), value.build_id)
    } else Object.values(value).forEach(collect)
  }
  collect(cache?.files)
  return ids
}
