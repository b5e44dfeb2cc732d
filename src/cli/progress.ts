/**
 * Shows how work gets on that takes more than a moment: a line that moves on a terminal, a plain line every few seconds where
 * there is none, JSON lines for programs, nothing where silence was asked for.
 */
import { createReadStream } from 'node:fs'
import pc from 'picocolors'

/** How far work is: in words, and as the members of a JSON line. */
export interface Stand {
  readonly text: string
  readonly fields?: Readonly<Record<string, number>>
}

/** Where progress is shown, and how. */
export interface ProgressManner {
  /** For people, as JSON lines, or not at all. */
  readonly report: 'text' | 'json' | 'silent'
  readonly print: (line: string) => void
  readonly terminal?: Terminal
}

/** As much of a terminal as is written to here. */
export type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>

/** When it is shown for the first time: before that nobody has begun to wonder. */
const FIRST_MS = { terminal: 500, text: 1_000, json: 1_000 } as const
/** How often it is shown from then on. */
const EVERY_MS = { terminal: 100, text: 5_000, json: 1_000 } as const

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export class Progress {
  readonly #way: keyof typeof EVERY_MS | 'silent'
  readonly #work: string
  readonly #print: (line: string) => void
  readonly #terminal: Terminal
  readonly #startMs = performance.now()
  readonly #stand: () => Stand
  #nextMs = Number.POSITIVE_INFINITY
  #frame = 0
  #timer: ReturnType<typeof setInterval> | undefined

  /** Shows `work` (a name such as `import chain.rlp`) until `end` is called; `stand` says how far it is. */
  constructor(
    work: string,
    { report, print, terminal = process.stderr }: ProgressManner,
    stand: () => Stand = () => ({ text: '' }),
  ) {
    this.#way = report === 'text' && isTerminal(terminal) ? 'terminal' : report
    this.#work = work
    this.#print = print
    this.#terminal = terminal
    this.#stand = stand
    if (this.#way === 'silent') return
    this.#nextMs = this.#startMs + FIRST_MS[this.#way]
    this.#timer = setInterval(() => this.look(), EVERY_MS.terminal).unref()
  }

  /**
   * Shows how far the work is, if it is time for that. Work that leaves the event loop no turns calls it at each of its steps:
   * that costs a look at the clock.
   */
  look(): void {
    const nowMs = performance.now()
    if (nowMs < this.#nextMs || this.#way === 'silent') return
    this.#nextMs = nowMs + EVERY_MS[this.#way]
    const { text, fields } = this.#stand()
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
        // What is longer than the terminal is wide would leave its beginning behind in the line above.
        const room = Math.max(0, this.#terminal.columns - 3)
        this.#terminal.write(`\r${pc.cyan(FRAMES[this.#frame]!)} ${shown.slice(0, room)}\u001B[K`)
      }
    }
  }

  /** The work is over: what moved on the terminal is wiped away. */
  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.#frame > 0) this.#terminal.write('\r\u001B[K')
    this.#frame = 0
  }
}

/** Whether lines can move on `stream`: one of 0 columns (some CIs have such) is no terminal that anybody looks at. */
export function isTerminal({ isTTY, columns }: Pick<Terminal, 'isTTY' | 'columns'>): boolean {
  return isTTY === true && columns > 0
}

/** `1,234 blocks`, `1 block`. */
export function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}

/** `file` as a stream, and the progress of whoever reads it: how much of it is read by now. */
export function progressOfReading(
  work: string,
  file: string,
  totalBytes: number,
  manner: ProgressManner,
): { source: AsyncIterable<Uint8Array>; progress: Progress } {
  let bytes = 0
  const progress = new Progress(work, manner, () => {
    const percent = totalBytes === 0 ? 100 : Math.floor((bytes * 100) / totalBytes)
    return { text: `${percent} %`, fields: { percent } }
  })
  const source = countedBytes(createReadStream(file) as AsyncIterable<Buffer>, (length) => {
    bytes += length
    progress.look()
  })
  return { source, progress }
}

/** `stream`'s chunks, counted: `add` learns of the length of each. */
export async function* countedBytes<T extends { readonly length: number }>(
  stream: Iterable<T> | AsyncIterable<T>,
  add: (length: number) => void,
): AsyncGenerator<T> {
  for await (const chunk of stream) {
    add(chunk.length)
    yield chunk
  }
}
