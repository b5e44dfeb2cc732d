/** Any version of solc, fetched from npm at first use. Outputs are cached by the hash of the input. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { SolcInput, SolcOutput } from '../../src/solidity/artifacts/solcJson.ts'
import { fetched } from '../package/folders.ts'

/** The folder of compilers and their outputs, outside of the project. */
export const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'preseal-solc')

/** One version of solc. Compiles one input after the other, in a process of low priority. */
export class Solc {
  readonly #version: string
  readonly #cache: string
  #process: SolcProcess | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(version: string, cache = CACHE) {
    this.#version = version
    this.#cache = cache
  }

  /** Resolves to solc's output, from the cache if there is an earlier run of the same input. */
  async compile(input: SolcInput): Promise<SolcOutput> {
    const text = JSON.stringify(input)
    const hash = createHash('sha256').update(`${this.#version}\n${text}`).digest('hex')
    const folder = join(this.#cache, 'compiled', hash.slice(0, 2))
    const file = join(folder, `${hash}.json`)
    if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
    const turn = this.#last.then(() => this.#ask(text))
    this.#last = turn.catch(() => {})
    const answer = await turn
    await mkdir(folder, { recursive: true })
    // Written beside and renamed, so that an interrupted process leaves no partial file.
    await writeFile(`${file}.${process.pid}`, answer)
    await rename(`${file}.${process.pid}`, file)
    return JSON.parse(answer)
  }

  close(): void {
    this.#process?.child.stdin.end()
    this.#process = undefined
  }

  async #ask(text: string): Promise<string> {
    if (this.#process === undefined) {
      const folder = join(this.#cache, `solc-${this.#version}`)
      this.#process = started(await fetched(folder, `solc@${this.#version}`, 'solc/soljson.js'))
    }
    const { child, lines } = this.#process
    child.stdin.write(`${text}\n`)
    const { done, value } = await lines.next()
    if (done) throw new Error(`solc ${this.#version}: the process ended before it had compiled`)
    return value
  }
}

interface SolcProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, null>
  readonly lines: AsyncIterator<string>
}

function started(soljson: string): SolcProcess {
  const script = fileURLToPath(new URL('solcProcess.ts', import.meta.url))
  const command = [process.execPath, '--stack-size=8000', '--import', 'tsx', script, soljson]
  const [file, ...args] = process.platform === 'win32' ? command : ['nice', '-n', '19', ...command]
  const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}
