/** Holds what is answered against what was recorded, whichever of the two comes first. */
import { GivenIds } from './givenIds.ts'
import type { RecordedAnswer } from './recordedEvent.ts'
import { type Difference, type PlayedRequest, type Tolerance, verdict } from './verdict.ts'

/** A request that was asked again. */
interface PendingComparison {
  readonly asked: PlayedRequest
  recorded: RecordedAnswer | undefined
  answered: RecordedAnswer | undefined
}

export class Comparison {
  readonly #tolerance: Tolerance
  /** By the numbers of the requests. */
  readonly #open = new Map<number, PendingComparison>()
  #difference: Difference | undefined

  /** Whether the same version of preseal recorded. */
  constructor(isSameVersion: boolean) {
    this.#tolerance = { ids: new GivenIds(), isSameVersion }
  }

  /** The difference that stands first in the recording, of those that were found. */
  get difference(): Difference | undefined {
    return this.#difference
  }

  /** The ids that were given here. */
  get ids(): GivenIds {
    return this.#tolerance.ids
  }

  /** Whether no answer is missing that the recording has. */
  get isComplete(): boolean {
    return this.#missing === undefined
  }

  /** A request is asked now. */
  ask(asked: PlayedRequest): void {
    const { number, answer } = asked.request
    this.#open.set(number, { asked, recorded: answer, answered: undefined })
  }

  /** What was answered then, later. */
  expect(number: number, recorded: RecordedAnswer): void {
    const open = this.#open.get(number)
    if (open === undefined) return
    open.recorded = recorded
    this.#compare(number, open)
  }

  /** What is answered here. */
  answer(number: number, answered: RecordedAnswer): void {
    const open = this.#open.get(number)
    if (open === undefined) return
    open.answered = answered
    this.#compare(number, open)
  }

  /** An answer that is missing does not come any more. */
  giveUp(): void {
    const { asked, recorded } = this.#missing ?? {}
    if (asked !== undefined && recorded !== undefined) this.#judge(asked, recorded, undefined)
  }

  get #missing(): PendingComparison | undefined {
    for (const open of this.#open.values()) if (open.recorded !== undefined) return open
    return undefined
  }

  #compare(number: number, { asked, recorded, answered }: PendingComparison): void {
    if (recorded === undefined || answered === undefined) return
    this.#open.delete(number)
    this.#judge(asked, recorded, answered)
  }

  #judge(asked: PlayedRequest, recorded: RecordedAnswer, answered: RecordedAnswer | undefined): void {
    const found = verdict(asked, recorded, answered, this.#tolerance)
    if (found === undefined || (this.#difference !== undefined && this.#difference.line < found.line)) return
    this.#difference = found
  }
}
