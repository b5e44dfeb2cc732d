/**
 * A compiled contract by its name, from the folders that Foundry (`out`) and Hardhat (`artifacts`) write. Loaded when a contract
 * is first deployed by name.
 */
import { nearest } from '../model/nearest.ts'
import { type Compiled, type Parsed, parseCompiled } from './compiled.ts'
import { artifactFiles, contractIn, type Disk, diskHere } from './disk.ts'

/** Where compilers write unless they are told otherwise, in the working folder. */
const USUAL_FOLDERS = ['out', 'artifacts']
/**
 * Returns the contract called `name`, which is `Token` or, with its source file, `src/Token.sol:Token`. Searches `folders`, by
 * default `out` and `artifacts` in the working folder. Throws a `TypeError` for what is no name, and an `Error` that lists
 * what was searched where there is no such contract or there are several.
 */
export async function findCompiled(
  name: string,
  folders: readonly string[] | undefined,
  what: string,
): Promise<Compiled> {
  const wanted = parsedName(name, what)
  const disk = requiredDisk(what)
  const searched = (folders ?? USUAL_FOLDERS).map((folder) => disk.path.resolve(process.cwd(), folder))
  const listed = await Promise.all(
    searched.map(async (folder) => ({ folder, files: await artifactFiles(disk, folder) })),
  )
  const absent = listed.filter(({ files }) => files === undefined).map(({ folder }) => folder)
  if (absent.length > 0 && (folders !== undefined || absent.length === listed.length)) {
    const usual = 'compile first (forge build, npx hardhat compile), or set the option artifacts'
    const hint = folders === undefined ? usual : 'set the option artifacts to folders that exist'
    throw new Error(`${what}: ${name}: there is no folder ${absent.join(' and no folder ')}; ${hint}`)
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
  if (fitting.length > 1) {
    const candidates = fitting.map(({ compiled, file }) => `${qualified(compiled)} (${file})`).join(', ')
    const advice = 'give the source file too, or the option artifacts one folder'
    throw new Error(`${what}: ${name} is ${fitting.length} contracts: ${candidates}; ${advice}`)
  }
  const present = listed.filter(({ files }) => files !== undefined).map(({ folder }) => folder)
  const skipped = read.flatMap(({ file, parsed }) =>
    parsed.kind === 'foreign' ? [`; ${file} was skipped: ${parsed.reason}`] : [],
  )
  const elsewhere = all.map(({ compiled }) => qualified(compiled))
  throw new Error(
    `${what}: there is no contract ${name} in ${present.join(', ')}; ${advice(wanted.name, elsewhere, files)}${skipped.join('')}`,
  )
}

interface Found {
  readonly file: string
  readonly compiled: Compiled
}

/** Returns a contract's name, and its source file if that was given. */
function parsedName(name: string, what: string): { name: string; source: string | undefined } {
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
function advice(name: string, elsewhere: readonly string[], files: readonly string[]): string {
  if (elsewhere.length > 0) return `there is ${elsewhere.join(', ')}`
  const names = [...new Set(files.map(contractIn))]
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

function requiredDisk(what: string): Disk {
  const disk = diskHere()
  if (disk !== undefined) return disk
  throw new Error(`${what}: a contract is found by name on a disk, which is not here; give { abi, bytecode }`)
}
