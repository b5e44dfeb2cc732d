/** The package as npm would publish it, and folders in which somebody begins with it. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { IS_BUILT } from '../build/built.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs `work` with an empty folder, which is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What npm would publish. */
export interface Packed {
  /** The tarball. */
  readonly file: string
  /** Its paths, from its top. */
  readonly files: readonly string[]
  readonly unpackedSize: number
}

/** Builds the package, unless it is built, and packs it into `folder`. */
export async function pack(folder: string): Promise<Packed> {
  const flags = IS_BUILT ? ['--ignore-scripts'] : []
  const printed = await output(ROOT, ['npm', 'pack', '--json', ...flags, '--pack-destination', folder])
  const [{ filename, files, unpackedSize }] = JSON.parse(printed)
  return {
    file: join(folder, filename),
    files: files.map(({ path }: { path: string }) => path),
    unpackedSize,
  }
}

/** Makes a package of `folder`, and installs others there: names, or files that were packed. */
export async function begin(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await output(folder, ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...packages])
}

/** A command that failed, with all that it printed. */
export class CommandFailed extends Error {}

/** What `command` prints in `folder`, where `environment` is added to ours. Throws `CommandFailed`. */
export async function output(
  folder: string,
  [file, ...args]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: '0', ...environment }
  // npm is a script on Windows, which only a shell can start.
  const options = { cwd: folder, env, shell: process.platform === 'win32', maxBuffer: 2 ** 26 }
  try {
    const { stdout } = await promisify(execFile)(file!, args, options)
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    throw new CommandFailed(`${[file, ...args].join(' ')}: ${stdout}${stderr || message}`, { cause: error })
  }
}
