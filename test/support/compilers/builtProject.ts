/** A project of somebody who uses the package: an empty folder in which the built package, vitest and Playwright are found. */
import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePackage } from '../../../scripts/build/dist.ts'
import { copyBuilt } from '../../../scripts/build/install.ts'
import { IS_BUILT } from '../../../scripts/package/folders.ts'
import { type Ended, Running } from '../processes/process.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export class BuiltProject {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /** Puts the code of the package where the project finds it. */
  static async begin(): Promise<BuiltProject> {
    const folder = await mkdtemp(join(tmpdir(), 'preseal-project-'))
    const home = join(folder, 'node_modules/preseal')
    await mkdir(home, { recursive: true })
    const dist = join(home, 'dist')
    await (IS_BUILT ? copyBuilt(dist, 'code') : bundlePackage(dist))
    await copyFile(join(ROOT, 'package.json'), join(home, 'package.json'))
    await symlink(join(ROOT, 'node_modules'), join(home, 'node_modules'), 'junction')
    await mkdir(join(folder, 'node_modules/@playwright'))
    for (const runner of ['node_modules/vitest', 'node_modules/@playwright/test']) {
      await symlink(join(ROOT, runner), join(folder, runner), 'junction')
    }
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    return new BuiltProject(folder)
  }

  end(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true })
  }

  /** Writes files, by their paths in the project. */
  async write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, path)), { recursive: true })
      await writeFile(join(this.folder, path), text)
    }
  }

  /** The text of a file of the project. */
  read(path: string): Promise<string> {
    return readFile(join(this.folder, path), 'utf8')
  }

  /** Starts Node in the project. */
  start(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Running {
    const env = { ...usersEnvironment(), ...environment }
    return new Running(spawn(process.execPath, args, { cwd: this.folder, env }))
  }

  /**
   * Runs commands in a shell, as a user types them in a folder of the project. `npx` knows vitest and the package. `npm`, `mkdir` and
   * `cd` do nothing: folder and packages are there.
   */
  shell(commands: string, folder: string): Promise<Ended> {
    const program = (path: string) => `"${process.execPath}" "${join(this.folder, path)}"`
    const prelude = [
      'npm() { :; }; mkdir() { :; }; cd() { :; }',
      `node() { "${process.execPath}" "$@"; }`,
      'npx() { local program=$1; shift; "npx_$program" "$@"; }',
      `npx_vitest() { ${program(VITEST)} "$@" ${PATIENTLY.join(' ')}; }`,
      `npx_preseal() { ${program('node_modules/preseal/dist/cli.js')} "$@"; }`,
    ]
    const args = ['-ec', `${prelude.join('\n')}\n${commands}`]
    const place = { cwd: join(this.folder, folder), env: usersEnvironment() }
    return new Running(spawn('bash', args, place)).ended
  }

  /** Runs vitest once. */
  vitest(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.start([VITEST, 'run', ...PATIENTLY, ...args], environment).ended
  }

  /** Runs Playwright's tests once. */
  playwright(args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.start([PLAYWRIGHT, 'test', '--timeout=300000', ...args], environment).ended
  }

  /** Starts vitest in watch mode. */
  watchVitest(args: readonly string[] = []): Running {
    return this.start([VITEST, 'watch', ...args])
  }
}

/** The environment of a user: what vitest tells its workers would be told to those of the project. */
function usersEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _context, ...ours } = process.env
  const inherited = Object.entries(ours).filter(([name]) => !/^(VITEST|(TEST|CI|FORCE_COLOR)$)/.test(name))
  return { ...Object.fromEntries(inherited), NODE_OPTIONS: '', NO_COLOR: '1' }
}

/** Five seconds, as without, are too little on a machine that has other things to do. */
const PATIENTLY = ['--testTimeout=300000', '--hookTimeout=300000']

const VITEST = 'node_modules/vitest/vitest.mjs'
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'
