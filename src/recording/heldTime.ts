/**
 * The machine's time while a devnet records, or plays a recording. It changes only when an input from outside
 * arrives, and when a command begins or does its next step. So every time that is read follows from the recording.
 */
export class HeldTime {
  /** Milliseconds since 1970. */
  nowMs: number
  #latestMs: number

  constructor(nowMs: number) {
    this.nowMs = nowMs
    this.#latestMs = nowMs
  }

  /** Calls `input` at the time `ms` at which it arrived from outside. A running command does not see this time yet. */
  receive<T>(ms: number, isRunning: boolean, input: () => T): T {
    const before = this.nowMs
    this.nowMs = ms
    this.#latestMs = ms
    try {
      return input()
    } finally {
      if (isRunning) this.nowMs = before
    }
  }

  /** Sets the time to that of the newest input, when a command begins or does its next step. */
  catchUp(): void {
    this.nowMs = this.#latestMs
  }
}
