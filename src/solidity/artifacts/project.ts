/** A project of Foundry or Hardhat: where its sources are, and where its compiler writes. */
import { keccakHash } from '../../crypto/keccak.ts'
import type { Disk } from './disk.ts'

/** Files by which a project is known, and what is compiled with. */
const CONFIGURATIONS: readonly { readonly file: string; readonly tool: 'foundry' | 'hardhat' }[] = [
  { file: 'foundry.toml', tool: 'foundry' },
  ...['ts', 'js', 'cjs', 'mjs', 'mts', 'cts'].map((ending) => ({
    file: `hardhat.config.${ending}`,
    tool: 'hardhat' as const,
  })),
]

/** The configurations of a folder, as far as they say where artifacts are. */
export interface FoundConfiguration {
  /** The file's name, such as `foundry.toml`. */
  readonly file: string
  /** The folder of artifacts, absolute. */
  readonly artifacts: string
}

/** Returns the configurations in `folder`; none where it is no project. */
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

/** The bytes of a file; `undefined` where it cannot be read. */
function readBytes({ fs }: Disk, file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file)
  } catch {
    return undefined
  }
}

/**
 * Returns `out` of the profile that is in force, as forge does: FOUNDRY_OUT, the profile that FOUNDRY_PROFILE names, the default one,
 * `out`. Reads lines `out = "…"` below `[profile.…]`, which is how the key is written; no other TOML.
 */
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

/**
 * Returns `paths.artifacts` of a configuration of Hardhat if it is a plain string, and `artifacts` otherwise: the file is a program,
 * which is not run for this.
 */
function artifactsOfConfig(text: string): string {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')
  const paths = /\bpaths["']?\s*:\s*\{([^}]*)\}/.exec(code)?.[1] ?? ''
  return /(?:^|[\s,{])["']?artifacts["']?\s*:\s*["'`]([^"'`$]+)["'`]/.exec(paths)?.[1] ?? 'artifacts'
}

/** Where the sources of compilations are. */
export class Project {
  readonly #disk: Disk
  readonly root: string
  readonly #tell: (problem: string) => void
  readonly #paths = new Map<string, string>()

  /** `tell` is called for each source file that is not as it was compiled, when it is asked for. */
  constructor(disk: Disk, root: string, tell: (problem: string) => void) {
    this.#disk = disk
    this.root = root
    this.#tell = tell
  }

  /** Returns the project of a folder or file of artifacts: the nearest folder above it that has a configuration or a package. */
  static around(disk: Disk, place: string, tell: (problem: string) => void): Project {
    const { fs, path } = disk
    const parent = path.dirname(place)
    for (let folder = parent; ; folder = path.dirname(folder)) {
      const files = [...CONFIGURATIONS.map(({ file }) => file), 'package.json', '.git']
      if (files.some((file) => fs.existsSync(path.join(folder, file)))) return new Project(disk, folder, tell)
      if (folder === path.dirname(folder)) return new Project(disk, parent, tell)
    }
  }

  /**
   * Returns the path of a source file relative to the working folder, for terminals that open what is clicked; the source name itself
   * where there is no such file.
   */
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

  /** Returns the text of a source file if it has the hash that its compiler noted. */
  sourceOnDisk(sourceName: string, keccak256: string | undefined): string | undefined {
    const file = this.#fileOf(sourceName)
    const bytes = file === undefined ? undefined : readBytes(this.#disk, file)
    if (bytes !== undefined && keccakHash(bytes) === keccak256) return bytes.toString('utf8')
    const why = bytes === undefined ? 'it is not there' : 'it is not as it was compiled'
    this.#tell(`${sourceName}: ${why}, so its lines are not shown; compile again`)
    return undefined
  }

  /** The file of a source: below the project's folder, or of a package in `node_modules` there. */
  #fileOf(sourceName: string): string | undefined {
    const { fs, path } = this.#disk
    // Hardhat 3: project/contracts/Token.sol, npm/@openzeppelin/contracts@5.0.0/access/Ownable.sol.
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
