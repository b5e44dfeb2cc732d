/**
 * The machine's time while a devnet is recorded, or plays a recording: it stands, but for those who come from outside, and but for
 * commands when they begin, and before their steps. So what is read from it follows from what stands in the recording.
 */
export class HeldTime {
  /** Milliseconds since 1970. */
  nowMs: number
  #latestMs: number

  constructor(nowMs: number) {
    this.nowMs = nowMs
    this.#latestMs = nowMs
  }

  /** Lets somebody in who comes at `ms`. A command that runs meanwhile does not see it yet. */
  letIn<T>(ms: number, isRunning: boolean, come: () => T): T {
    const before = this.nowMs
    this.nowMs = ms
    this.#latestMs = ms
    try {
      return come()
    } finally {
      if (isRunning) this.nowMs = before
    }
  }

  /** A command begins, or does its next step: it is as late as it was for who came last. */
  catchUp(): void {
    this.nowMs = this.#latestMs
  }
}
