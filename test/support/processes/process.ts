/** Runs the command line as a user would: in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** What is typed for `preseal` where it is not installed. Stories of the page have no such bundle. */
export const PRESEAL = [process.execPath, join(inject('bundle') ?? '', 'cli.js')] as const

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Returns the outputs of a process without the lines that appear where something takes longer than a second. */
export function withoutProgress(ended: Ended): Ended {
  return {
    ...ended,
    stdout: ended.stdout.replaceAll(/^(\{"event":"progress",.*\}|.*, \d+ s)\n/gm, ''),
    stderr: ended.stderr.replace(/^preseal: stopping after the current work; .*\n/m, ''),
  }
}

/** A process and what it has printed so far. */
export class Running {
  readonly #child: ChildProcess
  stdout = ''
  stderr = ''
  readonly ended: Promise<Ended>

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout!.on('data', (chunk) => {
      this.stdout += chunk
    })
    child.stderr!.on('data', (chunk) => {
      this.stderr += chunk
    })
    this.ended = new Promise((resolve) => {
      child.on('close', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr }))
    })
  }

  /** The first match of `pattern` in what is printed; rejects if the process ends without it. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout)
      if (match !== null) return match
      const more = await Promise.race([
        new Promise<'data'>((resolve) => this.#child.stdout!.once('data', () => resolve('data'))),
        this.ended,
      ])
      if (more !== 'data' && pattern.exec(this.stdout) === null) {
        throw new Error(`ended with ${more.code} and without ${pattern}:\n${more.stdout}${more.stderr}`)
      }
    }
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }
}

/** Starts `preseal` with `flags`. */
export function startCli(...flags: string[]): Running {
  return startCliIn(ROOT, ...flags)
}

/** Starts it in a folder. */
export function startCliIn(cwd: string, ...flags: string[]): Running {
  const environment = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined }
  const [command, ...words] = PRESEAL
  return new Running(spawn(command, [...words, ...flags], { cwd, env: environment }))
}

/** Starts Node with these arguments, in this environment. */
export function startNode(args: readonly string[], env: NodeJS.ProcessEnv): Running {
  return new Running(spawn(process.execPath, args, { cwd: ROOT, env }))
}
