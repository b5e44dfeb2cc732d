/** Projects of Foundry and Hardhat on disk: configuration, artifact folders, source files. */

import { keccakHash } from '../../crypto/keccak.ts'

const CONFIGURATIONS: readonly { readonly file: string; readonly tool: 'foundry' | 'hardhat' }[] = [
  { file: 'foundry.toml', tool: 'foundry' },
  ...['ts', 'js', 'cjs', 'mjs', 'mts', 'cts'].map((ending) => ({
    file: `hardhat.config.${ending}`,
    tool: 'hardhat' as const,
  })),
]

interface FoundConfiguration {
  /** The name of the configuration file, such as `foundry.toml`. */
  readonly file: string
  /** Absolute path of the artifact folder. */
  readonly artifacts: string
}

/** Returns the configurations in `folder`; an empty list if the folder is no project of Foundry or Hardhat. */
export function configurationsIn(disk: Disk, folder: string): readonly FoundConfiguration[] {
  const { fs, path } = disk
  return CONFIGURATIONS.flatMap(({ file, tool }) => {
    const place = path.join(folder, file)
    if (!fs.existsSync(place)) return []
    const text = readBytes(disk, place)?.toString('utf8') ?? ''
    const written = tool === 'foundry' ? outOfToml(text) : artifactsOfConfig(text)
    return [{ file, artifacts: path.resolve(folder, written) }]
  })
}

function readBytes({ fs }: Disk, file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file)
  } catch {
    return undefined
  }
}

/** Returns forge's output folder, set by environment or `foundry.toml`. Reads only lines of the form `out = "…"`. */
export function outOfToml(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  const values = new Map<string, string>()
  let table = ''
  for (const line of text.split('\n')) {
    table = /^\s*\[\s*([\w."'-]+)\s*\]\s*(#.*)?$/.exec(line)?.[1]?.replace(/["']/g, '') ?? table
    const [, key, , value] = /^\s*([\w.-]+)\s*=\s*(["'])(.*?)\2\s*(#.*)?$/.exec(line) ?? []
    if (key !== undefined) values.set(table === '' ? key : `${table}.${key}`, value!)
  }
  const profile = environment.FOUNDRY_PROFILE || 'default'
  return (
    environment.FOUNDRY_OUT ||
    (values.get(`profile.${profile}.out`) ?? values.get('profile.default.out') ?? 'out')
  )
}

/** Returns `paths.artifacts` if a Hardhat configuration has it as a plain string, else `artifacts`. Runs no code. */
function artifactsOfConfig(text: string): string {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')
  const paths = /\bpaths["']?\s*:\s*\{([^}]*)\}/.exec(code)?.[1] ?? ''
  return /(?:^|[\s,{])["']?artifacts["']?\s*:\s*["'`]([^"'`$]+)["'`]/.exec(paths)?.[1] ?? 'artifacts'
}

export class Project {
  readonly #disk: Disk
  readonly root: string
  readonly #tell: (problem: string) => void
  readonly #paths = new Map<string, string>()

  readonly names = {
    pathOf: (name: string) => this.pathOf(name),
    sourceOnDisk: (name: string, keccak256: string | undefined) => this.sourceOnDisk(name, keccak256),
    tell: (problem: string) => this.#tell(problem),
  }

  /** Calls `tell` with a message if a requested source file is missing or has changed since the compilation. */
  constructor(disk: Disk, root: string, tell: (problem: string) => void) {
    this.#disk = disk
    this.root = root
    this.#tell = tell
  }

  /** Returns the project around `place`: the nearest parent folder with a configuration, `package.json` or `.git`. */
  static around(disk: Disk, place: string, tell: (problem: string) => void): Project {
    const { fs, path } = disk
    const parent = path.dirname(place)
    for (let folder = parent; ; folder = path.dirname(folder)) {
      const files = [...CONFIGURATIONS.map(({ file }) => file), 'package.json', '.git']
      if (files.some((file) => fs.existsSync(path.join(folder, file)))) return new Project(disk, folder, tell)
      if (folder === path.dirname(folder)) return new Project(disk, parent, tell)
    }
  }

  /** Returns a source file's path relative to the working folder; for a file that is not on disk, the source name. */
  pathOf(sourceName: string): string {
    let path = this.#paths.get(sourceName)
    if (path === undefined) {
      const file = this.#fileOf(sourceName)
      path =
        file === undefined ? sourceName : this.#disk.path.relative(process.cwd(), file).replaceAll('\\', '/')
      this.#paths.set(sourceName, path)
    }
    return path
  }

  /** Returns a source file's text on disk if its hash `keccak256` shows that it is the compiled text. */
  sourceOnDisk(sourceName: string, keccak256: string | undefined): string | undefined {
    if (keccak256 === undefined) {
      this.#tell(NO_HASHES)
      return undefined
    }
    const file = this.#fileOf(sourceName)
    const bytes = file === undefined ? undefined : readBytes(this.#disk, file)
    if (bytes !== undefined && keccakHash(bytes) === keccak256) return bytes.toString('utf8')
    const why = bytes === undefined ? 'the file does not exist' : 'the file changed after it was compiled'
    this.#tell(`${sourceName}: ${why}, so its lines are not shown; compile again`)
    return undefined
  }

  /** Finds a source file below the project's folder or in its `node_modules`. */
  #fileOf(sourceName: string): string | undefined {
    const { fs, path } = this.#disk
    // Source names of Hardhat 3: project/contracts/Token.sol, npm/@openzeppelin/contracts@5.0.0/access/Ownable.sol.
    const [, ofProject] = /^project\/(.*)$/.exec(sourceName) ?? []
    const [, name, rest] = /^npm\/((?:@[^/]+\/)?[^/@]+)@[^/]+\/(.*)$/.exec(sourceName) ?? []
    const candidates = [
      sourceName,
      ...(ofProject === undefined ? [] : [ofProject]),
      path.join('node_modules', name === undefined ? sourceName : path.join(name, rest!)),
    ]
    return candidates.map((one) => path.resolve(this.root, one)).find((file) => fs.existsSync(file))
  }
}

const NO_HASHES =
  "source lines are not shown: solc's output alone does not say which text was compiled; pass solc's input too, or add metadata to outputSelection"

export type Disk = NonNullable<ReturnType<typeof diskHere>>

/** Returns Node's modules; `undefined` in browsers. Uses no `import`, because bundlers for browsers would follow it. */
export function diskHere() {
  const modules = globalThis.process?.getBuiltinModule
  const fs = modules?.('node:fs')
  const path = modules?.('node:path')
  return fs && path && { fs, path }
}

/** Returns a description of the expected file if a path leads to no JSON. Reads no file. `undefined` in browsers. */
export function expectedAt(given: string): string | undefined {
  const disk = diskHere()
  if (disk === undefined) return undefined
  const { fs, path } = disk
  const place = path.resolve(process.cwd(), given)
  const stat = fs.statSync(place, { throwIfNoEntry: false })
  if (stat === undefined) return `an existing folder or file at ${place} (compile first)`
  if (!stat.isDirectory()) return undefined
  const configured = configurationsIn(disk, place).map(({ artifacts }) => artifacts)
  const folders = configured.length === 0 ? [place] : configured
  if (folders.some((folder) => hasJson(disk, folder))) return undefined
  return `JSON files of Foundry, Hardhat or solc in ${folders.join(' or ')} (compile first)`
}

function hasJson({ fs, path }: Disk, folder: string): boolean {
  if (!fs.existsSync(folder)) return false
  const entries = fs.readdirSync(folder, { withFileTypes: true })
  if (entries.some((entry) => entry.isFile() && entry.name.endsWith('.json'))) return true
  const inner = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  return inner.some(({ name }) => hasJson({ fs, path }, path.join(folder, name)))
}

/** Names of folders that are not searched for artifacts. */
const OTHER_FOLDERS = new Set(['build-info', 'node_modules'])

/** Matches the names of JSON files that compilers write next to artifacts. */
const OTHER_FILES = /\.(dbg|metadata|abi)\.json$/

/** Resolves to the sorted paths of artifacts in and below a folder; `undefined` if the folder does not exist. */
export async function artifactFiles({ fs, path }: Disk, folder: string): Promise<string[] | undefined> {
  const list = async (folder: string): Promise<string[] | undefined> => {
    const entries = await fs.promises.readdir(folder, { withFileTypes: true }).catch(() => undefined)
    const nested = entries?.map(async (entry) => {
      const place = path.join(folder, entry.name)
      if (entry.isDirectory()) return OTHER_FOLDERS.has(entry.name) ? [] : ((await list(place)) ?? [])
      return entry.name.endsWith('.json') && !OTHER_FILES.test(entry.name) ? [place] : []
    })
    return nested && (await Promise.all(nested)).flat().sort()
  }
  return list(folder)
}

/** Returns the contract's name from `Token.json`, or from Foundry's `Token.0.8.20.json`. */
export function contractNameIn(file: string): string {
  return file.split(/[/\\]/).at(-1)!.split('.')[0]!
}
