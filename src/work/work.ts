/**
 * The work of one request or command. It pauses so that other work has its turn (`eventLoop.ts`), and ends at its time
 * limit or when it is cancelled.
 *
 * Every loop whose length a client determines calls `pause`. The end is thrown, because every function up to the caller
 * would pass this outcome on in the same way, as with an `AbortSignal`.
 */
import { type EventLoop, processLoop } from './eventLoop.ts'

/** What a time limit is that of: a whole request or batch, or the runs of code of one call. */
export type Limited = 'request' | 'call'

/** Thrown by `pause` when the time limit of the work has passed. */
export class TimeLimitExceeded extends Error {
  readonly limitMs: number
  readonly limited: Limited

  constructor(limitMs: number, limited: Limited = 'request') {
    super(`not done within ${limitMs} ms`)
    this.name = 'TimeLimitExceeded'
    this.limitMs = limitMs
    this.limited = limited
  }
}

/** Thrown by an engine when a run of code takes more memory than its work allows. */
export class MemoryLimitExceeded extends Error {
  readonly limitBytes: number

  constructor(limitBytes: number) {
    super(`takes more than ${limitBytes} bytes`)
    this.name = 'MemoryLimitExceeded'
    this.limitBytes = limitBytes
  }
}

/**
 * The memory in bytes that one run of code may take if nothing else is said. No block of 60 million gas needs a third of it:
 * a run takes most for what it writes to transient storage, 180 bytes for 100 gas, and for the memory of 1,024 open frames.
 */
export const MOST_MEMORY = 1024 * 1024 * 1024

/** Thrown by `pause` when the work was cancelled because its devnet was closed. */
export class WorkCancelled extends Error {
  constructor() {
    super('the devnet is closed')
    this.name = 'WorkCancelled'
  }
}

/** The owner of work: closing it ends all its work. */
export interface WorkOwner {
  readonly isClosed: boolean
}

export interface WorkOptions {
  /** The time limit in milliseconds from now; by default, and for 0, there is none. */
  readonly limitMs?: number
  /** What the limit is that of; by default the request. */
  readonly limited?: Limited
  /** The memory in bytes that one run of code may take; by default `MOST_MEMORY`. */
  readonly memoryLimit?: number
  /** Whether the work continues before other waiting work, as the sequencer's does. */
  readonly isUrgent?: boolean
  readonly owner?: WorkOwner | undefined
  readonly loop?: EventLoop
  /** When the time is over, where that is known; by default `limitMs` from now. */
  readonly endMs?: number
}

/** The limits of a call. */
export interface CallLimits {
  /** The time in milliseconds; 0: no limit. */
  readonly timeMs: number
  /** The memory in bytes. */
  readonly memoryBytes: number
}

/** The gas of instructions between two looks at the time: some milliseconds of EthereumJS. */
const GAS_BETWEEN = 20_000

/** The work of one request or command, with its time limit and owner. */
export class Work {
  /** 0: no limit. */
  readonly limitMs: number
  /** The memory in bytes that one run of code may take. */
  readonly memoryLimit: number
  readonly #limited: Limited
  #endMs: number
  readonly #isUrgent: boolean
  readonly #owner: WorkOwner | undefined
  readonly #loop: EventLoop
  /** The work that this one is a call of. */
  #whole: Work | undefined
  #pauses = true
  #gasLeft = GAS_BETWEEN

  constructor({
    limitMs = 0,
    limited = 'request',
    memoryLimit = MOST_MEMORY,
    isUrgent = false,
    owner,
    loop = processLoop,
    endMs,
  }: WorkOptions = {}) {
    this.limitMs = limitMs
    this.#limited = limited
    this.memoryLimit = memoryLimit
    this.#endMs = endMs ?? (limitMs === 0 ? Number.POSITIVE_INFINITY : loop.nowMs + limitMs)
    this.#isUrgent = isUrgent
    this.#owner = owner
    this.#loop = loop
  }

  /** Returns the work of a call that begins now and is a part of this work. It ends no later than this work does. */
  ofCall({ timeMs, memoryBytes }: CallLimits): Work {
    const loop = this.#loop
    const endMs = timeMs === 0 ? Number.POSITIVE_INFINITY : loop.nowMs + timeMs
    const endsEarlier = endMs < this.#endMs
    const work = new Work({
      limitMs: endsEarlier ? timeMs : this.limitMs,
      limited: endsEarlier ? 'call' : this.#limited,
      memoryLimit: memoryBytes,
      isUrgent: this.#isUrgent,
      owner: this.#owner,
      loop,
      endMs: endsEarlier ? endMs : this.#endMs,
    })
    work.#whole = this
    return this.#pauses ? work : work.withoutPauses()
  }

  /**
   * Returns a promise to await before the next piece, or `undefined` if it can be done at once. Throws
   * `TimeLimitExceeded` or `WorkCancelled`.
   */
  pause(): Promise<void> | undefined {
    const { nowMs } = this.#loop
    this.#requireTime(nowMs)
    if (!this.#pauses) return undefined
    const waiting = this.#loop.pause(this.#isUrgent, nowMs)
    return waiting?.then(() => this.#requireTime(this.#loop.nowMs))
  }

  /**
   * The same for an EVM, which calls it before each instruction. Looks at the time only after some gas was used since
   * the last look.
   */
  pauseAfter(gas: number): Promise<void> | undefined {
    this.#gasLeft -= gas
    if (this.#gasLeft > 0) return undefined
    this.#gasLeft = GAS_BETWEEN
    return this.pause()
  }

  /**
   * Awaits `promise`, for what is done elsewhere. The time that it takes does not count: a limit is one of computing.
   * Rejects as `promise` does, and with `WorkCancelled` if the work was cancelled meanwhile.
   */
  waiting<T>(promise: Promise<T>): Promise<T> {
    const startMs = this.#loop.nowMs
    const end = (): void => {
      this.#extend(this.#loop.nowMs - startMs)
      if (this.#owner?.isClosed === true) throw new WorkCancelled()
    }
    return promise.then(
      (value) => {
        end()
        return value
      },
      (error) => {
        end()
        throw error
      },
    )
  }

  #extend(ms: number): void {
    this.#endMs += ms
    if (this.#whole !== undefined) this.#whole.#extend(ms)
  }

  /**
   * Makes this work run in one piece until it ends or its time is over. A recording needs this: where work pauses
   * depends on the speed of the machine, and other requests would be answered at another place when it is replayed.
   */
  withoutPauses(): this {
    this.#pauses = false
    return this
  }

  #requireTime(nowMs: number): void {
    if (this.#owner?.isClosed === true) throw new WorkCancelled()
    if (nowMs >= this.#endMs) throw new TimeLimitExceeded(this.limitMs, this.#limited)
  }
}

/** Work without a limit that continues before all other: the sequencer's, for which a tick may wait. */
export const URGENT: Work = new Work({ isUrgent: true })

/** The gas of instructions that take about as long as handling one item. */
const ITEM_GAS = 50

/** Calls `piece` for each of `items`, one after the other. Resolves when all are done. */
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
