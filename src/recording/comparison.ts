/** Compares actual with recorded responses, in whichever order the two become known. */
import { GivenIds } from './givenIds.ts'
import type { RecordedAnswer } from './recordedEvent.ts'
import { type Difference, type PlayedRequest, type Tolerance, verdict } from './verdict.ts'

/** A request that is being repeated. */
interface PendingComparison {
  readonly asked: PlayedRequest
  recorded: RecordedAnswer | undefined
  answered: RecordedAnswer | undefined
}

export class Comparison {
  readonly #tolerance: Tolerance
  /** Open comparisons by the number of the request. */
  readonly #open = new Map<number, PendingComparison>()
  #difference: Difference | undefined

  /** `isSameVersion`: the recording is from the same version of preseal. */
  constructor(isSameVersion: boolean) {
    this.#tolerance = { ids: new GivenIds(), isSameVersion }
  }

  /** The difference with the lowest line among those found. */
  get difference(): Difference | undefined {
    return this.#difference
  }

  /** The ids that were assigned here. */
  get ids(): GivenIds {
    return this.#tolerance.ids
  }

  /** Whether every recorded response has arrived here. */
  get isComplete(): boolean {
    return this.#missing === undefined
  }

  /** Registers a request that is being repeated. */
  ask(asked: PlayedRequest): void {
    const { number, answer } = asked.request
    this.#open.set(number, { asked, recorded: answer, answered: undefined })
  }

  /** Registers the recorded response of a request, if it is on a later line. */
  expect(number: number, recorded: RecordedAnswer): void {
    const open = this.#open.get(number)
    if (open === undefined) return
    open.recorded = recorded
    this.#compare(number, open)
  }

  /** Registers the response here. */
  answer(number: number, answered: RecordedAnswer): void {
    const open = this.#open.get(number)
    if (open === undefined) return
    open.answered = answered
    this.#compare(number, open)
  }

  /** Treats missing responses as differences. */
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
