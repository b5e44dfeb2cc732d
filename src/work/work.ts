/**
 * The work of one request or command. The work pauses for other work (`eventLoop.ts`), and ends with an exception at
 * its time limit or when it is cancelled. Every loop whose length a client determines calls `pause`.
 */
import { type EventLoop, processLoop } from './eventLoop.ts'

export type LimitScope = 'request' | 'call' | 'trace'

/** Thrown by `Work.pause` after the time limit of the request or call. */
export class TimeLimitExceeded extends Error {
  readonly limitMs: number
  readonly limited: LimitScope
  /** The part of the work that was done and stays done, such as `3 of 10 blocks`. */
  done: string | undefined

  constructor(limitMs: number, limited: LimitScope = 'request') {
    super(`not finished within ${limitMs} ms`)
    this.name = 'TimeLimitExceeded'
    this.limitMs = limitMs
    this.limited = limited
  }
}

/** Thrown by an engine for a run that exceeds the memory limit of its work. */
export class MemoryLimitExceeded extends Error {
  readonly limitBytes: number

  constructor(limitBytes: number) {
    super(`needs more than ${limitBytes} bytes of memory`)
    this.name = 'MemoryLimitExceeded'
    this.limitBytes = limitBytes
  }
}

/**
 * The default memory limit of one run, in bytes: more than three times the memory that a block of 60 million gas can
 * use. Transient storage (180 bytes per 100 gas) and the memory of 1,024 frames take the most memory per gas.
 */
export const DEFAULT_MEMORY_LIMIT = 1024 * 1024 * 1024

/** Thrown by `Work.pause` after the devnet was closed. */
export class WorkCancelled extends Error {
  constructor() {
    super('the devnet is closed')
    this.name = 'WorkCancelled'
  }
}

/** The owner of work. Work is cancelled when its owner is closed. */
export interface WorkOwner {
  readonly isClosed: boolean
}

export interface WorkOptions {
  /** The time limit in milliseconds from now; 0 for no limit. Default: 0. */
  readonly limitMs?: number
  /** Whether the time limit is that of a request, of a call or of a trace, for error messages. Default: `request`. */
  readonly limited?: LimitScope
  /** The memory limit of one run in bytes. Default: `DEFAULT_MEMORY_LIMIT`. */
  readonly memoryLimit?: number
  /** Whether the work continues before other waiting work, like the work of the sequencer. */
  readonly isUrgent?: boolean
  readonly owner?: WorkOwner | undefined
  readonly loop?: EventLoop
  /** The time at which the limit is reached, on the clock of `loop.nowMs`. Default: `limitMs` from now. */
  readonly endMs?: number
}

export interface CallLimits {
  /** The time limit in milliseconds; 0 for no limit. */
  readonly timeMs: number
  readonly memoryBytes: number
}

/** Gas between two reads of the clock. EthereumJS uses this amount in a few milliseconds. */
const GAS_BETWEEN = 20_000

export class Work {
  readonly limitMs: number
  readonly memoryLimit: number
  readonly #limited: LimitScope
  #endMs: number
  readonly #isUrgent: boolean
  readonly #owner: WorkOwner | undefined
  readonly #loop: EventLoop
  /** For work made by `forCall`: the work that it is a part of. Otherwise `undefined`. */
  #whole: Work | undefined
  #pauses = true
  #gasLeft = GAS_BETWEEN

  constructor({
    limitMs = 0,
    limited = 'request',
    memoryLimit = DEFAULT_MEMORY_LIMIT,
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

  /** Returns the work of a call or a trace that begins now and ends no later than this work. */
  forCall({ timeMs, memoryBytes }: CallLimits, limited: LimitScope = 'call'): Work {
    const loop = this.#loop
    const endMs = timeMs === 0 ? Number.POSITIVE_INFINITY : loop.nowMs + timeMs
    const endsEarlier = endMs < this.#endMs
    const work = new Work({
      limitMs: endsEarlier ? timeMs : this.limitMs,
      limited: endsEarlier ? limited : this.#limited,
      memoryLimit: memoryBytes,
      isUrgent: this.#isUrgent,
      owner: this.#owner,
      loop,
      endMs: endsEarlier ? endMs : this.#endMs,
    })
    work.#whole = this
    return this.#pauses ? work : work.withoutPauses()
  }

  /** Returns a promise to await, or `undefined` to continue at once. Throws `TimeLimitExceeded` or `WorkCancelled`. */
  pause(): Promise<void> | undefined {
    const { nowMs } = this.#loop
    this.#requireTime(nowMs)
    if (!this.#pauses) return undefined
    const waiting = this.#loop.pause(this.#isUrgent, nowMs)
    return waiting?.then(() => this.#requireTime(this.#loop.nowMs))
  }

  /** Like `pause`, but cheap enough for each instruction: reads the clock only once per `GAS_BETWEEN` gas. */
  pauseAfter(gas: number): Promise<void> | undefined {
    this.#gasLeft -= gas
    if (this.#gasLeft > 0) return undefined
    this.#gasLeft = GAS_BETWEEN
    return this.pause()
  }

  /** Awaits `promise` without counting towards the time limit. Rejects with `WorkCancelled` if the owner is closed. */
  untimed<T>(promise: Promise<T>): Promise<T> {
    const startMs = this.#loop.nowMs
    return promise.finally(() => {
      this.#extend(this.#loop.nowMs - startMs)
      if (this.#owner?.isClosed === true) throw new WorkCancelled()
    })
  }

  #extend(ms: number): void {
    this.#endMs += ms
    if (this.#whole !== undefined) this.#whole.#extend(ms)
  }

  /** Disables pauses, for recordings: pauses depend on the speed of the machine, so a replay could not repeat them. */
  withoutPauses(): this {
    this.#pauses = false
    return this
  }

  #requireTime(nowMs: number): void {
    if (this.#owner?.isClosed === true) throw new WorkCancelled()
    if (nowMs >= this.#endMs) throw new TimeLimitExceeded(this.limitMs, this.#limited)
  }
}

/** The sequencer's work: it has no time limit and continues before all other work. */
export const URGENT: Work = new Work({ isUrgent: true })

/** Processing one item takes about as long as instructions that use this much gas. */
const ITEM_GAS = 50

export async function forEachPaused<T>(
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
