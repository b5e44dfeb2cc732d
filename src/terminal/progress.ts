/** Progress of long work: a rewritten line on a terminal, otherwise lines of text or JSON. `--silent` prints none. */
import { createReadStream } from 'node:fs'
import pc from 'picocolors'

/** The current progress, as text and as members of a JSON line. */
export interface State {
  readonly text: string
  readonly fields?: Readonly<Record<string, number>>
}

export type Format = 'text' | 'json' | 'silent'

export interface Output {
  readonly format: Format
  readonly print: (line: string) => void
  readonly terminal?: Terminal
}

export type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>

/** Milliseconds until the first line, so that short work prints none. */
const FIRST_MS = { terminal: 500, text: 1_000, json: 1_000 } as const
/** Milliseconds between two lines. */
const EVERY_MS = { terminal: 100, text: 5_000, json: 1_000 } as const

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export class Progress {
  readonly #way: keyof typeof EVERY_MS | 'silent'
  readonly #work: string
  readonly #print: (line: string) => void
  readonly #terminal: Terminal
  readonly #startMs = performance.now()
  readonly #state: () => State
  #nextMs = Number.POSITIVE_INFINITY
  #frame = 0
  #timer: ReturnType<typeof setInterval> | undefined

  /** Shows what `state` returns until `end` is called. `work` names the work, such as `import chain.rlp`. */
  constructor(
    work: string,
    { format, print, terminal = process.stderr }: Output,
    state: () => State = () => ({ text: '' }),
  ) {
    this.#way = format === 'text' && isTerminal(terminal) ? 'terminal' : format
    this.#work = work
    this.#print = print
    this.#terminal = terminal
    this.#state = state
    if (this.#way === 'silent') return
    this.#nextMs = this.#startMs + FIRST_MS[this.#way]
    this.#timer = setInterval(() => this.update(), EVERY_MS.terminal).unref()
  }

  /** Prints the progress if a line is due. Long synchronous work must call `update`, because the timer cannot run. */
  update(): void {
    const nowMs = performance.now()
    if (nowMs < this.#nextMs || this.#way === 'silent') return
    this.#nextMs = nowMs + EVERY_MS[this.#way]
    const { text, fields } = this.#state()
    const seconds = Math.floor((nowMs - this.#startMs) / 1_000)
    const shown = [`${this.#work}${text === '' ? '' : `: ${text}`}`, `${seconds} s`].join(', ')
    switch (this.#way) {
      case 'json':
        this.#print(JSON.stringify({ event: 'progress', work: this.#work, seconds, ...fields }))
        break
      case 'text':
        this.#print(shown)
        break
      case 'terminal': {
        this.#frame = (this.#frame + 1) % FRAMES.length
        // A longer line would wrap, and its first row would then stay on the terminal.
        const room = Math.max(0, this.#terminal.columns - 3)
        this.#terminal.write(`\r${pc.cyan(FRAMES[this.#frame]!)} ${shown.slice(0, room)}\u001B[K`)
      }
    }
  }

  /** Clears the rewritten line so that another line can be printed. The next update shows the progress again. */
  hide(): void {
    if (this.#frame > 0) this.#terminal.write('\r\u001B[K')
  }

  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.hide()
    this.#frame = 0
  }
}

/** Returns whether lines can be rewritten. Some CI systems have terminals of 0 columns. */
export function isTerminal({ isTTY, columns }: Pick<Terminal, 'isTTY' | 'columns'>): boolean {
  return isTTY === true && columns > 0
}

/** Returns the content of `file` as a stream, and a progress line that shows how much of the stream was read. */
export function progressOfReading(
  work: string,
  file: string,
  totalBytes: number,
  output: Output,
): { source: AsyncIterable<Uint8Array>; progress: Progress } {
  let bytes = 0
  const progress = new Progress(work, output, () => {
    const percent = totalBytes === 0 ? 100 : Math.floor((bytes * 100) / totalBytes)
    return { text: `${percent} %`, fields: { percent } }
  })
  const source = countedBytes(createReadStream(file) as AsyncIterable<Buffer>, (length) => {
    bytes += length
    progress.update()
  })
  return { source, progress }
}

/** Yields the chunks of `stream`, and calls `add` with the length of each. */
export async function* countedBytes<T extends { readonly length: number }>(
  stream: Iterable<T> | AsyncIterable<T>,
  add: (length: number) => void,
): AsyncGenerator<T> {
  for await (const chunk of stream) {
    add(chunk.length)
    yield chunk
  }
}
