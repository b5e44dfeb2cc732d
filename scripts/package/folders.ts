/** The package as npm would publish it, and empty folders to install it in. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Whether `dist` was made of these sources, so that it need not be built again. */
export const IS_BUILT = process.env.PRESEAL_BUILT === '1'

/** Returns an empty folder, whose path begins with `prefix`. Disposing of it deletes it with its content. */
export async function emptyFolder(
  prefix = join(tmpdir(), 'preseal-'),
): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(prefix)
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

export interface Packed {
  readonly file: string
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

/** Makes a package of `folder`, and installs others there: names, or tarballs. */
export async function begin(
  folder: string,
  packages: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const install = ['npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', ...packages]
  await output(folder, install, environment)
}

/** Returns the path of `file` in `folder`, where `begin` installs `name`, such as `solc@0.8.35`, at the first use. */
export async function fetched(folder: string, name: string, file: string): Promise<string> {
  const path = join(folder, 'node_modules', file)
  if (!existsSync(path)) {
    await mkdir(folder, { recursive: true })
    await begin(folder, [name])
  }
  return path
}

/** A command that failed, with its output. */
export class CommandFailed extends Error {}

/** Returns the output of `command` in `folder`, with `environment` added to ours. Throws `CommandFailed`. */
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
