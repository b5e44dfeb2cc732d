/** Writes a recording into a file, as it comes. Requests do not wait for the disk. */

import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Devnet } from '../devnet.ts'
import type { Recording } from '../index.ts'
import { fail } from './chainFiles.ts'

/** Pieces of this many characters are written at once, others together with what else comes in the same turn. */
const PIECE = 65_536

export class RecordFile {
  readonly #devnet: Devnet
  readonly #file: string
  readonly #onFailure: (error: unknown) => void
  #stream: WriteStream | undefined
  #recording: Recording | undefined
  #text = ''

  /** `onFailure` learns why the file could not be written, then or at the end. The devnet goes on. */
  constructor(devnet: Devnet, file: string, onFailure: (error: unknown) => void) {
    this.#devnet = devnet
    this.#file = file
    this.#onFailure = onFailure
  }

  /** Records from now on. Throws `ChainFileFailed` where the file cannot be written. */
  async begin(): Promise<void> {
    const stream = createWriteStream(this.#file)
    await once(stream, 'open').catch((error) => fail('--record', this.#file, error))
    stream.on('error', (error) => this.#giveUp(error))
    this.#stream = stream
    this.#recording = await this.#devnet.record((text) => this.#write(text))
  }

  /** Ends the recording; all of it is in the file then. */
  async end(): Promise<void> {
    const stream = this.#stream
    if (stream === undefined) return
    this.#recording?.end()
    this.#flush()
    stream.end()
    // Of what goes wrong here, `error` has told.
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
