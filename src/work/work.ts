/**
 * The work of one request or command. The work pauses for other work (`eventLoop.ts`), and ends with an exception at
 * its time limit or when it is cancelled. Every loop whose length a client determines calls `pause`.
 */
import { type EventLoop, processLoop } from './eventLoop.ts'

export type Limited = 'request' | 'call'

/** Thrown by `pause` after the time limit. */
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

/** Thrown by an engine for a run that exceeds the memory limit of its work. */
export class MemoryLimitExceeded extends Error {
  readonly limitBytes: number

  constructor(limitBytes: number) {
    super(`takes more than ${limitBytes} bytes`)
    this.name = 'MemoryLimitExceeded'
    this.limitBytes = limitBytes
  }
}

/**
 * The default memory limit of one run in bytes: more than three times what a block of 60 million gas can use. Transient
 * storage (180 bytes per 100 gas) and the memory of 1,024 frames take the most memory per gas.
 */
export const MOST_MEMORY = 1024 * 1024 * 1024

/** Thrown by `pause` after the devnet was closed. */
export class WorkCancelled extends Error {
  constructor() {
    super('the devnet is closed')
    this.name = 'WorkCancelled'
  }
}

/** The owner of work, whose closing cancels the work. */
export interface WorkOwner {
  readonly isClosed: boolean
}

export interface WorkOptions {
  /** The time limit in milliseconds from now; 0, the default, for no limit. */
  readonly limitMs?: number
  /** Default: `request`. */
  readonly limited?: Limited
  /** The memory limit of one run in bytes. Default: `MOST_MEMORY`. */
  readonly memoryLimit?: number
  /** Whether the work continues before other waiting work, as the sequencer's does. */
  readonly isUrgent?: boolean
  readonly owner?: WorkOwner | undefined
  readonly loop?: EventLoop
  /** The time at which the limit is reached, as `loop.nowMs`. Default: `limitMs` from now. */
  readonly endMs?: number
}

export interface CallLimits {
  /** The time limit in milliseconds; 0 for no limit. */
  readonly timeMs: number
  readonly memoryBytes: number
}

/** Gas between two reads of the clock, which takes EthereumJS some milliseconds. */
const GAS_BETWEEN = 20_000

export class Work {
  readonly limitMs: number
  readonly memoryLimit: number
  readonly #limited: Limited
  #endMs: number
  readonly #isUrgent: boolean
  readonly #owner: WorkOwner | undefined
  readonly #loop: EventLoop
  /** The work that contains this call. */
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

  /** Returns the work of a call that begins now and ends no later than this work. */
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

  /** Returns a promise to await, or `undefined` to continue at once. Throws `TimeLimitExceeded` or `WorkCancelled`. */
  pause(): Promise<void> | undefined {
    const { nowMs } = this.#loop
    this.#requireTime(nowMs)
    if (!this.#pauses) return undefined
    const waiting = this.#loop.pause(this.#isUrgent, nowMs)
    return waiting?.then(() => this.#requireTime(this.#loop.nowMs))
  }

  /** Like `pause`, for an EVM that calls it before each instruction. Reads the clock only after some gas. */
  pauseAfter(gas: number): Promise<void> | undefined {
    this.#gasLeft -= gas
    if (this.#gasLeft > 0) return undefined
    this.#gasLeft = GAS_BETWEEN
    return this.pause()
  }

  /** Awaits a promise without counting the time against the limit. May reject with `WorkCancelled`. */
  waiting<T>(promise: Promise<T>): Promise<T> {
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

  /** Makes this work run without pauses, for recordings: pauses depend on the machine, and a replay would differ. */
  withoutPauses(): this {
    this.#pauses = false
    return this
  }

  #requireTime(nowMs: number): void {
    if (this.#owner?.isClosed === true) throw new WorkCancelled()
    if (nowMs >= this.#endMs) throw new TimeLimitExceeded(this.limitMs, this.#limited)
  }
}

/** The sequencer's work: without limit, and before all other work. */
export const URGENT: Work = new Work({ isUrgent: true })

/** Gas of instructions that take about as long as one item. */
const ITEM_GAS = 50

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
