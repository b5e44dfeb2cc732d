/** State files on the command line: one to load, and one to write at the end and at intervals. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hash } from '../../bytes/hex.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import { flagOf, InvalidFlag, nameOf } from '../../options/flags.ts'
import type { DevnetOptions } from '../../options/options.ts'
import { FIXED_BY_GENESIS } from '../../options/parseOptions.ts'
import type { ImportRules } from '../../sequencer/import/flawInHeader.ts'
import { FileFailed, fail, statOf, writeCounted } from '../../terminal/files.ts'
import { type Output, progressOfReading } from '../../terminal/progress.ts'
import { LoadFailed } from '../format/loadFailed.ts'
import { stateOptions } from '../stateOptions.ts'

export interface StateToLoad {
  readonly file: string
  readonly flag: string
  /** Whether the file may be missing, as the file of `--state` is before the first run. */
  readonly mayBeMissing: boolean
}

/** A state file to write at the end and, with `everyMs`, at intervals. */
export interface StateToDump extends Pick<StateToLoad, 'file' | 'flag'> {
  readonly everyMs: number | undefined
}

/** An existing state file, and the flag that names it. */
export interface StateFile extends Pick<StateToLoad, 'file' | 'flag'> {
  readonly totalBytes: number
}

export interface ChainFileFlags {
  /** A genesis.json for the new chain. */
  readonly init: string | undefined
  /** The file of blocks to import into the new chain. */
  readonly importFrom: string | undefined
  readonly importRules: ImportRules
  /** The file to which blocks are written at the end. */
  readonly exportTo: string | undefined
  /** The file to which the genesis.json of the blocks is written at the end. */
  readonly exportGenesisTo: string | undefined
  readonly load: StateToLoad | undefined
  readonly dump: StateToDump | undefined
}

/** Returns the state file to load, if a flag names one. Throws `FileFailed` if a required file is missing. */
export async function findStateFile(load: StateToLoad | undefined): Promise<StateFile | undefined> {
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

/** Returns the path of a state file: `path`, or `state.json` in the folder `path`, as in anvil. */
export async function fileAt(path: string): Promise<string> {
  const found = await statOf(path)
  return found?.isDirectory() ? join(path, 'state.json') : path
}

/** Returns the options from flags and state file. Throws `FileFailed`; `InvalidFlag` if flags contradict the file. */
export async function optionsFor(
  { file, flag }: StateFile,
  options: DevnetOptions,
  { init, load }: Pick<ChainFileFlags, 'init' | 'load'>,
): Promise<DevnetOptions> {
  const said = await reading(flag, file, () => stateOptions(createReadStream(file)))
  if (said === undefined) return options
  for (const name of ['chainId', 'hardfork'] as const) {
    if (options[name] !== undefined && options[name] !== said[name]) {
      const expected = said[name] ?? 'nothing: there are several'
      throw new InvalidFlag(
        `${flagNameOf(name)}: expected ${expected}, as ${file} has it, got ${options[name]}`,
      )
    }
  }
  const { genesis, coinbase, randaoSeed, fork, pair } = said
  if ((pair === undefined) !== (options.l1 === undefined)) {
    const expected = pair === undefined ? 'nothing' : 'the flag'
    throw new InvalidFlag(`--l1: expected ${expected}, because ${file} has ${pair ? 'an' : 'no'} L1`)
  }
  if (pair !== undefined && options.fork === undefined) {
    const l1 = options.l1 === true ? pair.l1 : { ...options.l1, ...pair.l1 }
    return { ...options, ...pair, l1, coinbase, randaoSeed }
  }
  const left: Record<string, unknown> = { ...options }
  for (const name of FIXED_BY_GENESIS) {
    // With `--state` these flags apply only to the first run, before the file exists.
    if (options[name] !== undefined && name !== 'chainId' && name !== 'hardfork' && !load?.mayBeMissing) {
      throw new InvalidFlag(`${flagNameOf(name)}: expected nothing, because ${file} decides it`)
    }
    if (options.fork === undefined) delete left[name]
  }
  // On a fork, the network determines the hardforks, and the file determines the fork block.
  if (options.fork !== undefined) {
    return { ...left, coinbase, randaoSeed, fork: { ...(fork && { block: fork.hash }), ...options.fork } }
  }
  return { ...left, coinbase, randaoSeed, ...(init === undefined ? { genesis } : {}) }
}

function flagNameOf(option: keyof DevnetOptions): string {
  return nameOf(flagOf(option) ?? option)
}

/** Loads a state file and shows the progress. Returns the newest block. Throws `FileFailed`. */
export async function loadFile(
  devnet: Devnet,
  { file, flag, totalBytes }: StateFile,
  output: Output,
): Promise<{ number: bigint; hash: Hash }> {
  const { source, progress } = progressOfReading(`loading ${file}`, file, totalBytes, output)
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
    if (error instanceof LoadFailed) throw new FileFailed(`${flag} ${file}: ${error.message}`)
    return fail(flag, file, error)
  }
}

/** Writes the state of a devnet to a file at the end and, if requested, at intervals. */
export class StateDump {
  readonly #devnet: Devnet
  readonly #dump: StateToDump
  readonly #output: Output
  readonly #onFailure: (error: unknown) => void
  #hasBegun = false
  #hasEnded = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #last: Promise<void> = Promise.resolve()

  /** `output` shows the progress of the last write. `onFailure` is called with the errors of earlier writes. */
  constructor(devnet: Devnet, dump: StateToDump, output: Output, onFailure: (error: unknown) => void) {
    this.#devnet = devnet
    this.#dump = dump
    this.#output = output
    this.#onFailure = onFailure
  }

  /** Starts writing at intervals. If `begin` was not called, `end` writes no file. */
  begin(): void {
    this.#hasBegun = true
    this.#wait()
  }

  /** Writes the file a last time. Returns its path, or `undefined` without `begin`. */
  async end(): Promise<string | undefined> {
    this.#hasEnded = true
    clearTimeout(this.#timer)
    await this.#last
    return this.#hasBegun ? this.#write(this.#output) : undefined
  }

  #wait(): void {
    const { everyMs } = this.#dump
    if (everyMs === undefined || this.#hasEnded) return
    this.#timer = setTimeout(() => {
      this.#last = this.#write({ format: 'silent', print: () => {} }).then(() => {}, this.#onFailure)
      void this.#last.then(() => this.#wait())
    }, everyMs)
  }

  async #write(output: Output): Promise<string> {
    const { flag } = this.#dump
    const file = await fileAt(this.#dump.file)
    await writeCounted(file, flag, this.#devnet.dump(), output)
    return file
  }
}
