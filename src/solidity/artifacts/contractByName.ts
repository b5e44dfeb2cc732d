/** Finds a compiled contract by its name. This module is loaded when a contract is first deployed by name. */

import { jsonIn, nearest } from '../../model/api/text.ts'
import type { Abi } from '../abi/contract.ts'
import type { KnownContract } from './compilation.ts'
import { namesIn, solcContractOf } from './contractJson.ts'
import { JsonValue } from './jsonSlice.ts'
import type { LinkReferences } from './link.ts'
import { artifactFiles, configurationsIn, contractNameIn, type Disk, diskHere } from './project.ts'

/** Default output folders of Foundry and Hardhat. */
const USUAL_FOLDERS = ['out', 'artifacts']

export interface Searched {
  /** The configured paths; `undefined` if none are configured. */
  readonly folders: readonly string[] | undefined
  /** Resolves to the contracts of all artifacts, including build info. */
  contracts(): Promise<readonly KnownContract[]>
}

/**
 * Returns the contract named `name`, such as `Token` or `src/Token.sol:Token`. Searches artifact files in the folders
 * (default: those of the working folder), then build info, which includes contracts of packages. Throws a `TypeError`
 * for an invalid name, and an `Error` that lists the folders unless exactly one contract matches.
 */
export async function contractByName(
  name: string,
  searched: Searched,
  what: string,
): Promise<CompiledArtifact> {
  const wanted = parsedName(name, what)
  const disk = diskHere()
  const folders = searched.folders?.filter((path) => disk === undefined || !isFile(disk, path))
  const inFolders = disk === undefined ? NO_DISK : await inFiles(disk, name, wanted, folders, what)
  if ('bytecode' in inFolders) return inFolders
  const contracts = await searched.contracts()
  const others = contracts
    .filter((contract) => contract.name === wanted.name)
    .map((contract) => ({ file: 'build info', compiled: compiledOf(contract) }))
  const [first, ...more] = distinct(
    others.filter(({ compiled, file }) => isFrom(wanted.source, compiled.sourceName, file)),
  )
  if (first === undefined) {
    const { reason, hint, elsewhere = [], names = [], skipped = '' } = inFolders
    const all = [...elsewhere, ...others.map(({ compiled }) => compiled)].map(qualified)
    const known = contracts.length > 0 ? contracts.map((contract) => contract.name) : names
    throw new Error(`${what}: ${reason}; ${hint ?? advice(wanted.name, all, known)}${skipped}`)
  }
  if (more.length > 0) throw new Error(severalText(name, [first, ...more], what))
  return first.compiled
}

/** The reason why no artifact file has the contract. */
interface NotInFiles {
  readonly reason: string
  /** By default, the hint lists contracts: those of the same name in other source files, or all. */
  readonly hint?: string
  readonly elsewhere?: readonly CompiledArtifact[]
  /** The names of the files, which are contract names in folders of Foundry and Hardhat. */
  readonly names?: readonly string[]
  readonly skipped?: string
}

const NO_DISK: NotInFiles = {
  reason: 'contract names are looked up on disk, and this environment has no disk',
  hint: 'pass { abi, bytecode }',
}

/** Returns the contract in the folders, or the reason why it is missing. Throws an `Error` if several match. */
async function inFiles(
  disk: Disk,
  name: string,
  wanted: Wanted,
  folders: readonly string[] | undefined,
  what: string,
): Promise<CompiledArtifact | NotInFiles> {
  if (folders?.length === 0)
    return { reason: `there is no contract ${name} in the artifacts that were given` }
  const searched = (folders ?? usualFolders(disk)).map((folder) => disk.path.resolve(process.cwd(), folder))
  const listed = await Promise.all(
    searched.map(async (folder) => ({ folder, files: await artifactFiles(disk, folder) })),
  )
  const absent = listed.filter(({ files }) => files === undefined).map(({ folder }) => folder)
  if (absent.length > 0 && (folders !== undefined || absent.length === listed.length)) {
    const usual = 'compile first (forge build, npx hardhat compile), or set the option artifacts'
    const hint = folders === undefined ? usual : 'set the option artifacts to folders that exist'
    return { reason: `${name}: there is no folder ${absent.join(' and no folder ')}`, hint }
  }
  const files = listed.flatMap(({ files = [] }) => files)
  const read = await Promise.all(
    files
      .filter((file) => contractNameIn(file) === wanted.name)
      .map(async (file) => ({ file, parsed: await parsedFile(disk, file) })),
  )
  const all = read.flatMap(({ file, parsed }) => (parsed.kind === 'compiled' ? [{ file, ...parsed }] : []))
  const fitting = distinct(all.filter((one) => isFrom(wanted.source, one.compiled.sourceName, one.file)))
  if (fitting.length === 1) return fitting[0]!.compiled
  if (fitting.length > 1) throw new Error(severalText(name, fitting, what))
  const present = listed.filter(({ files }) => files !== undefined).map(({ folder }) => folder)
  const skipped = read.flatMap(({ file, parsed }) =>
    parsed.kind === 'foreign' ? [`; ${file} was skipped: ${parsed.reason}`] : [],
  )
  return {
    reason: `there is no contract ${name} in ${present.join(', ')}`,
    elsewhere: all.map(({ compiled }) => compiled),
    names: files.map(contractNameIn),
    skipped: skipped.join(''),
  }
}

/** Returns the artifact folders that the project configures, and the default folders. */
function usualFolders(disk: Disk): readonly string[] {
  const configured = configurationsIn(disk, process.cwd()).map(({ artifacts }) => artifacts)
  const usual = USUAL_FOLDERS.map((folder) => disk.path.resolve(process.cwd(), folder))
  return [...new Set([...configured, ...usual])]
}

function severalText(name: string, found: readonly Found[], what: string): string {
  const candidates = found.map(({ compiled, file }) => `${qualified(compiled)} (${file})`).join(', ')
  const hint = 'name the source file too, or set the option artifacts to one folder'
  return `${what}: ${found.length} contracts are named ${name}: ${candidates}; ${hint}`
}

function compiledOf({ name, sourceName, abi, output }: NamedContract): CompiledArtifact {
  const { bytecode, deployedBytecode } = output.evm ?? {}
  return {
    contractName: name,
    sourceName,
    abi,
    bytecode: { object: bytecode?.object ?? '', linkReferences: bytecode?.linkReferences },
    deployedBytecode: deployedBytecode && { object: deployedBytecode.object },
  }
}

type NamedContract = Pick<KnownContract, 'name' | 'abi' | 'output'> & {
  readonly sourceName: string | undefined
}

function isFile({ fs, path }: Disk, given: string): boolean {
  return fs.statSync(path.resolve(process.cwd(), given), { throwIfNoEntry: false })?.isFile() === true
}

interface Found {
  readonly file: string
  readonly compiled: CompiledArtifact
}

interface Wanted {
  readonly name: string
  readonly source: string | undefined
}

function parsedName(name: string, what: string): Wanted {
  const [, source, contract] = /^(?:(.+):)?([A-Za-z_$][\w$]*)$/.exec(name) ?? []
  if (contract !== undefined) return { name: contract, source }
  throw new TypeError(
    `${what}: expected the name of a contract, such as Token or src/Token.sol:Token, got "${name}"`,
  )
}

/** Returns whether a contract's source file is `wanted`, which is a path or the end of a path. */
function isFrom(wanted: string | undefined, source: string | undefined, file: string): boolean {
  if (wanted === undefined) return true
  if (source !== undefined) return source === wanted || source.endsWith(`/${wanted}`)
  // Compilers name the folder of an artifact after the source file.
  return file.split(/[/\\]/).at(-2) === wanted.split('/').at(-1)
}

/** Returns one of each group of contracts that have the same source and code. */
function distinct(found: readonly Found[]): readonly Found[] {
  const keyOf = ({ compiled, file }: Found) => `${compiled.sourceName ?? file} ${compiled.bytecode.object}`
  return [...new Map(found.map((one) => [keyOf(one), one])).values()]
}

function qualified({ sourceName, contractName }: CompiledArtifact): string {
  return sourceName === undefined ? contractName : `${sourceName}:${contractName}`
}

function advice(name: string, elsewhere: readonly string[], present: readonly string[]): string {
  if (elsewhere.length > 0) return `there is ${elsewhere.join(', ')}`
  const names = [...new Set(present)]
  if (names.length === 0) return 'it holds no artifacts; compile first (forge build, npx hardhat compile)'
  const close = nearest(name, names)
  if (close !== undefined && close !== name) return `did you mean ${close}?`
  const shown = names.slice(0, MAX_SHOWN).join(', ')
  return `there are ${shown}${names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : ''}`
}

const MAX_SHOWN = 10

/** Parsed files by path. Cached until a file changes, because test suites deploy the same contract many times. */
const known = new Map<string, { readonly version: string; readonly parsed: Parsed }>()

async function parsedFile({ fs }: Disk, file: string): Promise<Parsed> {
  const { mtimeMs, size } = await fs.promises.stat(file)
  const version = `${mtimeMs} ${size}`
  const before = known.get(file)
  if (before?.version === version) return before.parsed
  const parsed = parseCompiled(await fs.promises.readFile(file, 'utf8'), contractNameIn(file))
  known.set(file, { version, parsed })
  return parsed
}

/** A compiled contract, in a form that `deploy` accepts. */
export interface CompiledArtifact {
  readonly contractName: string
  /** The compiler's name of the source file, such as `src/Token.sol`, if the artifact has it. */
  readonly sourceName: string | undefined
  readonly abi: Abi
  /** The creation code, which may contain placeholders of unlinked libraries. */
  readonly bytecode: { readonly object: string; readonly linkReferences?: LinkReferences | undefined }
  readonly deployedBytecode: { readonly object: string } | undefined
}

type Parsed =
  | { readonly kind: 'compiled'; readonly compiled: CompiledArtifact }
  | { readonly kind: 'foreign'; readonly reason: string }

/** Parses an artifact. `name` is the contract's name if the artifact has none. */
function parseCompiled(text: string, name: string): Parsed {
  const json = jsonIn(text)
  if (json === undefined) return { kind: 'foreign', reason: 'it is not JSON, or was cut off' }
  const { abi, evm } = solcContractOf(json)
  if (!Array.isArray(abi)) return { kind: 'foreign', reason: 'it has no abi' }
  if (typeof evm?.bytecode?.object !== 'string') return { kind: 'foreign', reason: 'it has no bytecode' }
  const { name: contractName = name, source } = namesIn(new JsonValue(json))
  return {
    kind: 'compiled',
    compiled: compiledOf({ name: contractName, sourceName: source, abi, output: { evm } }),
  }
}
