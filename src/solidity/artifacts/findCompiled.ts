/**
 * A compiled contract by its name, from the folders that Foundry (`out`) and Hardhat (`artifacts`) write, or whatever else a devnet was
 * told of. Loaded when a contract is first deployed by name.
 */
import { nearest } from '../../model/text.ts'
import { type Compiled, type Parsed, parseCompiled } from './compiled.ts'
import { artifactFiles, contractIn, type Disk, diskHere } from './disk.ts'
import type { KnownContract } from './knownContract.ts'
import { configurationsIn } from './project.ts'

/** Where compilers write unless they are told otherwise, in the working folder. */
const USUAL_FOLDERS = ['out', 'artifacts']

/** What a contract is looked for in. */
export interface Searched {
  /** The paths that were given; `undefined`: nothing was. */
  readonly folders: readonly string[] | undefined
  /** Resolves to the contracts of all artifacts, read as build info and standard JSON. */
  contracts(): Promise<readonly KnownContract[]>
}

/**
 * Returns the contract called `name`, which is `Token` or, with its source file, `src/Token.sol:Token`. Searches the folders, by
 * default those of the working folder, and then the compilers' whole output, which has contracts of packages, too. Throws a `TypeError`
 * for what is no name, and an `Error` that lists what was searched where there is no such contract or there are several.
 */
export async function findCompiled(name: string, searched: Searched, what: string): Promise<Compiled> {
  const wanted = parsedName(name, what)
  const disk = diskHere()
  const inFolders =
    disk === undefined ? noDisk(what) : await inFiles(disk, name, wanted, searched.folders, what)
  if (typeof inFolders !== 'string') return inFolders
  const contracts = await searched.contracts()
  const others = contracts
    .filter((contract) => contract.name === wanted.name)
    .map((contract) => ({ file: 'build info', compiled: compiledOf(contract) }))
  const [first, ...more] = distinct(
    others.filter(({ compiled, file }) => isFrom(wanted.source, compiled.sourceName, file)),
  )
  if (first === undefined && searched.folders?.length === 0) {
    const hint = advice(
      wanted.name,
      others.map(({ compiled }) => qualified(compiled)),
      contracts.map(({ name }) => name),
    )
    throw new Error(`${what}: there is no contract ${name} in the artifacts that were given; ${hint}`)
  }
  if (first === undefined) throw new Error(inFolders)
  if (more.length > 0) throw new Error(severalText(name, [first, ...more], what))
  return first.compiled
}

/** Returns the contract in a file of the folders, or why there is none. Throws where there are several. */
async function inFiles(
  disk: Disk,
  name: string,
  wanted: Wanted,
  folders: readonly string[] | undefined,
  what: string,
): Promise<Compiled | string> {
  const searched = (folders ?? usualFolders(disk)).map((folder) => disk.path.resolve(process.cwd(), folder))
  const listed = await Promise.all(
    searched.map(async (folder) => ({ folder, files: await artifactFiles(disk, folder) })),
  )
  const absent = listed.filter(({ files }) => files === undefined).map(({ folder }) => folder)
  if (absent.length > 0 && (folders !== undefined || absent.length === listed.length)) {
    const usual = 'compile first (forge build, npx hardhat compile), or set the option artifacts'
    const hint = folders === undefined ? usual : 'set the option artifacts to folders that exist'
    return `${what}: ${name}: there is no folder ${absent.join(' and no folder ')}; ${hint}`
  }
  const files = listed.flatMap(({ files = [] }) => files)
  const read = await Promise.all(
    files
      .filter((file) => contractIn(file) === wanted.name)
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
  const elsewhere = all.map(({ compiled }) => qualified(compiled))
  const hint = advice(wanted.name, elsewhere, files.map(contractIn))
  return `${what}: there is no contract ${name} in ${present.join(', ')}; ${hint}${skipped.join('')}`
}

/** The folders that the project in the working folder names, and the usual ones. */
function usualFolders(disk: Disk): readonly string[] {
  const configured = configurationsIn(disk, process.cwd()).map(({ artifacts }) => artifacts)
  const usual = USUAL_FOLDERS.map((folder) => disk.path.resolve(process.cwd(), folder))
  return [...new Set([...configured, ...usual])]
}

function severalText(name: string, found: readonly Found[], what: string): string {
  const candidates = found.map(({ compiled, file }) => `${qualified(compiled)} (${file})`).join(', ')
  const hint = 'give the source file too, or the option artifacts one folder'
  return `${what}: ${name} is ${found.length} contracts: ${candidates}; ${hint}`
}

function compiledOf({ name, sourceName, abi, output }: KnownContract): Compiled {
  const { bytecode, deployedBytecode } = output.evm ?? {}
  return {
    contractName: name,
    sourceName,
    abi,
    bytecode: { object: bytecode?.object ?? '', linkReferences: bytecode?.linkReferences },
    deployedBytecode: deployedBytecode && { object: deployedBytecode.object },
  }
}

function noDisk(what: string): string {
  return `${what}: a contract is found by name on a disk, which is not here; give { abi, bytecode }`
}

interface Found {
  readonly file: string
  readonly compiled: Compiled
}

interface Wanted {
  readonly name: string
  readonly source: string | undefined
}

/** Returns a contract's name, and its source file if that was given. */
function parsedName(name: string, what: string): Wanted {
  const [, source, contract] = /^(?:(.+):)?([A-Za-z_$][\w$]*)$/.exec(name) ?? []
  if (contract !== undefined) return { name: contract, source }
  throw new TypeError(
    `${what}: expected the name of a contract, such as Token or src/Token.sol:Token, got "${name}"`,
  )
}

/** Whether a contract is of the source file that was named: all of its path, or its end. */
function isFrom(wanted: string | undefined, source: string | undefined, file: string): boolean {
  if (wanted === undefined) return true
  if (source !== undefined) return source === wanted || source.endsWith(`/${wanted}`)
  // Compilers name the folder after the source file.
  return file.split(/[/\\]/).at(-2) === wanted.split('/').at(-1)
}

/** Without those that are the same source compiled to the same code. */
function distinct(found: readonly Found[]): readonly Found[] {
  const keyOf = ({ compiled, file }: Found) => `${compiled.sourceName ?? file} ${compiled.bytecode.object}`
  return [...new Map(found.map((one) => [keyOf(one), one])).values()]
}

function qualified({ sourceName, contractName }: Compiled): string {
  return sourceName === undefined ? contractName : `${sourceName}:${contractName}`
}

/** What to do where nothing was found. */
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

/** What was parsed of each file, until it is written again: fixtures and tests deploy the same contract many times. */
const known = new Map<string, { readonly version: string; readonly parsed: Parsed }>()

async function parsedFile({ fs }: Disk, file: string): Promise<Parsed> {
  const { mtimeMs, size } = await fs.promises.stat(file)
  const version = `${mtimeMs} ${size}`
  const before = known.get(file)
  if (before?.version === version) return before.parsed
  const parsed = parseCompiled(await fs.promises.readFile(file, 'utf8'), contractIn(file))
  known.set(file, { version, parsed })
  return parsed
}
