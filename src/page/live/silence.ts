/**
 * Whether the devnet answers. A process that stands still, at a breakpoint or because it was stopped, keeps its connections open: where nothing
 * comes from it for a while, it is asked whether it is there.
 */

/** So many looks without a message, and it is asked. */
const QUIET = 5
/** So many looks without an answer, and it is silent. */
const PATIENCE = 3

interface SilenceOptions {
  /** Asks the devnet for anything. Rejects where it cannot be asked. */
  readonly ask: () => Promise<unknown>
  readonly tell: (isSilent: boolean) => void
}

/** To be looked at every second. Looks are counted, not time: a page that was asleep has not waited. */
export class Silence {
  readonly #options: SilenceOptions
  #looks = 0
  #isAsked = false
  #isSilent = false

  constructor(options: SilenceOptions) {
    this.#options = options
  }

  /** Takes in that something came from the devnet. */
  hear(): void {
    this.#looks = 0
    this.#set(false)
  }

  look(): void {
    this.#looks++
    if (this.#isAsked) {
      if (this.#looks >= PATIENCE) this.#set(true)
    } else if (this.#looks >= QUIET) void this.#ask()
  }

  async #ask(): Promise<void> {
    this.#looks = 0
    this.#isAsked = true
    try {
      await this.#options.ask()
      this.hear()
    } catch {
      this.#looks = 0
      this.#set(true)
    }
    this.#isAsked = false
  }

  #set(isSilent: boolean): void {
    if (isSilent === this.#isSilent) return
    this.#isSilent = isSilent
    this.#options.tell(isSilent)
  }
}
