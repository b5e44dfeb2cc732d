/**
 * The work of one request, or of one command: it pauses so that others have their turn (`eventLoop.ts`), and ends when its time is
 * over, or nobody wants it any more.
 *
 * Whatever loops over something that a client chooses the size of asks `pause` in its loop. The end is thrown, from however deep:
 * this is the one outcome that each function on the way would hand on in the same way, as with an `AbortSignal`.
 */
import { type EventLoop, processLoop } from './eventLoop.ts'

/** Thrown by `pause` when the time of a piece of work is over. */
export class TimeLimitExceeded extends Error {
  readonly limitMs: number

  constructor(limitMs: number) {
    super(`not done within ${limitMs} ms`)
    this.name = 'TimeLimitExceeded'
    this.limitMs = limitMs
  }
}

/** Thrown by `pause` when the work was cancelled: the devnet it is done for was closed. */
export class WorkCancelled extends Error {
  constructor() {
    super('the devnet is closed')
    this.name = 'WorkCancelled'
  }
}

/** Whose work it is: what closes that ends all its work. */
export interface WorkOwner {
  readonly isClosed: boolean
}

export interface WorkOptions {
  /** Milliseconds from now until it ends; by default, and for 0, it has no limit. */
  readonly limitMs?: number
  /** Whether it goes on before other work that waits: that of the one writer does. */
  readonly isUrgent?: boolean
  readonly owner?: WorkOwner
  readonly loop?: EventLoop
}

/** Gas of instructions that run between two looks at the time: some milliseconds for EthereumJS. */
const GAS_BETWEEN = 20_000

export class Work {
  /** 0: none. */
  readonly limitMs: number
  readonly #endMs: number
  readonly #isUrgent: boolean
  readonly #owner: WorkOwner | undefined
  readonly #loop: EventLoop
  #gasLeft = GAS_BETWEEN

  constructor({ limitMs = 0, isUrgent = false, owner, loop = processLoop }: WorkOptions = {}) {
    this.limitMs = limitMs
    this.#endMs = limitMs === 0 ? Number.POSITIVE_INFINITY : loop.nowMs + limitMs
    this.#isUrgent = isUrgent
    this.#owner = owner
    this.#loop = loop
  }

  /**
   * Returns what to await before the next piece, or `undefined` where it can be done at once. Throws `TimeLimitExceeded` or
   * `WorkCancelled`.
   */
  pause(): Promise<void> | undefined {
    const { nowMs } = this.#loop
    this.#requireTime(nowMs)
    const waiting = this.#loop.pause(this.#isUrgent, nowMs)
    return waiting?.then(() => this.#requireTime(this.#loop.nowMs))
  }

  /**
   * The same for machines, which ask before each instruction and may not look at the time so often: only when they have used up
   * some gas since the last look.
   */
  pauseAfter(gas: number): Promise<void> | undefined {
    this.#gasLeft -= gas
    if (this.#gasLeft > 0) return undefined
    this.#gasLeft = GAS_BETWEEN
    return this.pause()
  }

  #requireTime(nowMs: number): void {
    if (this.#owner?.isClosed === true) throw new WorkCancelled()
    if (nowMs >= this.#endMs) throw new TimeLimitExceeded(this.limitMs)
  }
}

/** Work without a limit that goes on before all other: the writer's, which a tick may wait for. */
export const URGENT: Work = new Work({ isUrgent: true })

/** What is done for an item takes about as long as instructions of so much gas. */
const ITEM_GAS = 50

/** Calls `piece` for each of `items`, one after the other; resolves when all are done. */
export async function eachOf<T>(
  work: Work,
  items: Iterable<T>,
  piece: (item: T, index: number) => void,
): Promise<void> {
  let index = 0
  for (const item of items) {
    const pause = work.pauseAfter(ITEM_GAS)
    if (pause !== undefined) await pause
    piece(item, index++)
  }
}
