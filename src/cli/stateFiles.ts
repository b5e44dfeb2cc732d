/** State files of the command line: one to begin with, and one that is written at the end and now and then before. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Devnet } from '../devnet.ts'
import { LoadFailed } from '../index.ts'
import type { Hash } from '../model/bytes/hex.ts'
import { type DevnetOptions, IN_GENESIS } from '../options.ts'
import { stateOptions } from '../rpc/stateFile.ts'
import { ChainFileFailed, fail, writeCounted } from './chainFiles.ts'
import { flagOf, InvalidFlag, type Invocation } from './flags.ts'
import { type ProgressManner, progressOfReading } from './progress.ts'

/** A state file that is there, and the flag that names it. */
export interface StateFile {
  readonly file: string
  readonly flag: string
  readonly totalBytes: number
}

/** The state file to begin with, if there is one. Throws `ChainFileFailed` where there should be. */
export async function findStateFile({ load }: Invocation): Promise<StateFile | undefined> {
  if (load === undefined) return undefined
  const { flag, mayBeMissing } = load
  const file = await fileAt(load.file)
  try {
    const { size: totalBytes } = await stat(file)
    return { file, flag, totalBytes }
  } catch (error) {
    if (mayBeMissing && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return fail(flag, file, error)
  }
}

/** The state file at `path`: of a folder its `state.json`, as anvil has it. */
export async function fileAt(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? join(path, 'state.json') : path
}

/**
 * The options for a devnet that is to load `state`: those of the flags, and what the file says of its chain. Throws
 * `InvalidFlag` where they contradict each other, `ChainFileFailed` where the file is none.
 */
export async function optionsFor(
  { file, flag }: StateFile,
  { options, init, load }: Invocation,
): Promise<DevnetOptions> {
  const said = await reading(flag, file, () => stateOptions(createReadStream(file)))
  if (said === undefined) return options
  for (const name of ['chainId', 'hardfork'] as const) {
    if (options[name] !== undefined && options[name] !== said[name]) {
      const expected = said[name] ?? 'nothing: there are several'
      throw new InvalidFlag(`${nameOf(name)}: expected ${expected}, as ${file} has it, got ${options[name]}`)
    }
  }
  const left: Record<string, unknown> = { ...options }
  for (const name of IN_GENESIS) {
    // With `--state` the same flags make block 0 the first time, and mean nothing later.
    if (options[name] !== undefined && name !== 'chainId' && name !== 'hardfork' && !load?.mayBeMissing) {
      throw new InvalidFlag(`${nameOf(name)}: expected nothing, because ${file} decides it`)
    }
    delete left[name]
  }
  const { genesis, coinbase, randaoSeed } = said
  return { ...left, coinbase, randaoSeed, ...(init === undefined ? { genesis } : {}) }
}

function nameOf(option: keyof DevnetOptions): string | undefined {
  return flagOf(option)?.split(' ')[0]
}

/** Lets `devnet` go on from a state file, and shows how that gets on. Returns its newest block. Throws `ChainFileFailed`. */
export async function loadFile(
  devnet: Devnet,
  { file, flag, totalBytes }: StateFile,
  manner: ProgressManner,
): Promise<{ number: bigint; hash: Hash }> {
  const { source, progress } = progressOfReading(`loading ${file}`, file, totalBytes, manner)
  try {
    return await reading(flag, file, () => devnet.load(source))
  } finally {
    progress.end()
  }
}

async function reading<T>(flag: string, file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof LoadFailed) throw new ChainFileFailed(`${flag} ${file}: ${error.message}`)
    return fail(flag, file, error)
  }
}

/** Writes a devnet's state into a file: every so often, if that is asked for, and at the end. */
export class StateDump {
  readonly #devnet: Devnet
  readonly #dump: NonNullable<Invocation['dump']>
  readonly #manner: ProgressManner
  readonly #onFailure: (error: unknown) => void
  #hasBegun = false
  #hasEnded = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #last: Promise<void> = Promise.resolve()

  /** `manner`: how the last writing is shown. `onFailure` learns why a file could not be written while the devnet goes on. */
  constructor(
    devnet: Devnet,
    dump: NonNullable<Invocation['dump']>,
    manner: ProgressManner,
    onFailure: (error: unknown) => void,
  ) {
    this.#devnet = devnet
    this.#dump = dump
    this.#manner = manner
    this.#onFailure = onFailure
  }

  /** From now on what the devnet has is worth more than what the file has. */
  begin(): void {
    this.#hasBegun = true
    this.#wait()
  }

  /** Writes for the last time. Throws `ChainFileFailed`. */
  async end(): Promise<void> {
    this.#hasEnded = true
    clearTimeout(this.#timer)
    await this.#last
    if (this.#hasBegun) await this.#write(this.#manner)
  }

  #wait(): void {
    const { everyMs } = this.#dump
    if (everyMs === undefined || this.#hasEnded) return
    this.#timer = setTimeout(() => {
      this.#last = this.#write({ report: 'silent', print: () => {} }).catch(this.#onFailure)
      void this.#last.then(() => this.#wait())
    }, everyMs)
  }

  async #write(manner: ProgressManner): Promise<void> {
    const { flag } = this.#dump
    const file = await fileAt(this.#dump.file)
    await writeCounted(file, flag, this.#devnet.dump(), manner)
  }
}
