/** The flag `--record` and the command `preseal replay`. Recordings are written to disk without delaying requests. */
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import type { Devnet } from '../../devnet/devnet.ts'
import { InvalidFlag } from '../../options/flags.ts'
import type { Feature, RunPart } from '../../terminal/feature.ts'
import { fail, statOf } from '../../terminal/files.ts'
import { grouped } from '../../terminal/flags.ts'
import type { Recording } from '../record.ts'
import { replayCommand } from './replay.ts'

export const recording: Feature = {
  addFlags(command, of) {
    const meaning = 'file to write all requests, responses and ticks to, for preseal replay'
    if (of === 'preseal') command.addOption(grouped('files', '--record <file>', meaning))
  },
  open({ record }, { l1 }) {
    if (record === undefined) return {}
    if (l1 === undefined) return recordingTo(record as string)
    throw new InvalidFlag('--record: cannot be combined with --l1, because an L1 cannot be recorded')
  },
  subcommand: replayCommand,
}

function recordingTo(file: string): RunPart {
  let recordFile: RecordFile | undefined
  return {
    outputs: async () => [{ flag: '--record', file, manner: 'growing' }],
    async begin(devnet, { format, print, warnOfLoss }) {
      recordFile = new RecordFile(devnet, file, warnOfLoss)
      const earlier = await recordFile.begin()
      const kept = earlier === undefined ? '' : `; the earlier one is ${earlier}`
      if (format === 'text') print(`recording to ${file}${kept} (\`preseal replay ${file}\` repeats it)`)
      else if (format === 'json') print(JSON.stringify({ event: 'recording', file, earlier }))
    },
    end: async () => recordFile?.end(),
  }
}

/** Number of characters to write in one call. Shorter pieces are collected for a turn of the event loop. */
const PIECE = 65_536

class RecordFile {
  readonly #devnet: Devnet
  readonly #file: string
  readonly #onFailure: (error: unknown) => void
  #stream: WriteStream | undefined
  #recording: Recording | undefined
  #text = ''

  /** `onFailure` is called once if the file cannot be written. The devnet continues without recording. */
  constructor(devnet: Devnet, file: string, onFailure: (error: unknown) => void) {
    this.#devnet = devnet
    this.#file = file
    this.#onFailure = onFailure
  }

  /** Starts the recording. Returns the new name of an earlier file, if it was renamed. Throws `FileFailed`. */
  async begin(): Promise<string | undefined> {
    const earlier = await keepEarlier(this.#file)
    const stream = createWriteStream(this.#file)
    await once(stream, 'open').catch((error) => fail('--record', this.#file, error))
    stream.on('error', (error) => this.#giveUp(error))
    this.#stream = stream
    this.#recording = await this.#devnet.record((text) => this.#write(text))
    return earlier
  }

  async end(): Promise<void> {
    const stream = this.#stream
    if (stream === undefined) return
    this.#recording?.end()
    this.#flush()
    stream.end()
    // The listener for `error` reports failures.
    await finished(stream).catch(() => {})
  }

  #write(text: string): void {
    if (this.#text === '') setImmediate(() => this.#flush())
    this.#text += text
    if (this.#text.length >= PIECE) this.#flush()
  }

  #flush(): void {
    if (this.#text !== '') this.#stream?.write(this.#text)
    this.#text = ''
  }

  #giveUp(error: unknown): void {
    this.#stream = undefined
    this.#recording?.end()
    try {
      fail('--record', this.#file, error)
    } catch (failed) {
      this.#onFailure(failed)
    }
  }
}

/** Renames an existing `FILE` to `FILE.old`. Returns the new name. */
async function keepEarlier(file: string): Promise<string | undefined> {
  const found = await statOf(file)
  if (found?.isFile() !== true || found.size === 0) return undefined
  const old = `${file}.old`
  await rename(file, old).catch((error) => fail('--record', file, error))
  return old
}
