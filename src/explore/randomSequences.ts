/**
 * Plays long random sequences of actions, in one thread. A sequence that did something new is kept, and later sequences
 * begin with the state after it: a call ended or changed slots as no earlier call did, or ran code that had never run.
 *
 * A sequence follows from the seed, its number, and the kept places that it may begin at. So each thread can play any
 * sequence, and make the state of any kept place.
 */
import { numberOfSeed } from '../model/pseudorandom.ts'
import type { State } from '../state/state.ts'
import { processMs } from '../work/eventLoop.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import type { Drawn } from './draws.ts'
import type { Break } from './invariants.ts'
import { Pace } from './pace.ts'
import { Random } from './random.ts'
import type { ReachedCode } from './reachedCode.ts'
import { SequencePlayer, type SequenceSearch } from './sequencePlayer.ts'
import { shrunkSequence } from './shrinkSequence.ts'
import type { Elapsed } from './stateSpace.ts'
import type { Step } from './steps.ts'
import type { ToldViolation } from './story.ts'
import type { Violation } from './systematic.ts'

export interface RandomSearch extends SequenceSearch {
  readonly seed: number
  readonly reached: ReachedCode
  /** Called each time that the search leaves the event loop to others. */
  onTurn(): void
  /** The maximum number of actions of a sequence. */
  readonly length: number
  tell(violation: Violation): ToldViolation
}

/** A place where later sequences can begin: after `length` steps of a sequence. */
export interface Kept {
  readonly sequence: number
  readonly length: number
  /** The number of kept places at which the sequence itself could begin. */
  readonly known: number
}

/** Something new that a sequence did. */
export interface Find {
  readonly sequence: number
  readonly length: number
  readonly signs: readonly string[]
}

/** Sequences for one thread to play, from the first number on. */
export interface Batch {
  readonly first: number
  readonly count: number
  /** The number of kept places at which the sequences can begin. */
  readonly known: number
  readonly leftMs: number
  /** The kept places and the signs since the last batch of this thread. */
  readonly kept: readonly Kept[]
  readonly signs: readonly string[]
}

export interface PlayedBatch {
  /** The number of calls of each sequence. */
  readonly calls: readonly number[]
  readonly finds: readonly Find[]
  /** The violation of the last sequence. */
  readonly violation: ToldViolation | undefined
  readonly isOver: boolean
}

/** Follows a sequence while it is played. */
interface Watch {
  isOver(): MaybePromise<boolean>
  onCall(): void
  onStep(steps: readonly Drawn<Step>[]): void
}

interface Ran {
  readonly steps: readonly Drawn<Step>[]
  readonly end: 'length' | 'time' | 'violation'
}

/** A state on the way of a sequence. */
interface Place {
  readonly state: State
  readonly elapsed: Elapsed
  readonly steps: readonly Drawn<Step>[]
}

const STEPS_BETWEEN = 64
/** The chance to begin at a kept place, if there is one, and not at the start. */
const FROM_KEPT = 0.7
/** Steps of a sequence between two looks at the code that was reached, because a look takes as long as a call. */
const STEPS_BETWEEN_LOOKS = 25
const NO_SIGNS: readonly string[] = []

export class RandomSequences {
  readonly #search: RandomSearch
  readonly #player: SequencePlayer
  readonly #seen = new Set<string>()
  readonly #kept: Kept[] = []
  /** The states of kept places, and of places that may be kept, as far as this thread has made them. */
  readonly #places = new Map<string, Place>()

  constructor(search: RandomSearch) {
    this.#search = search
    this.#player = new SequencePlayer(search)
  }

  /** Plays sequences until a violation, or until the time is over. The violation is shrunk. */
  async play({ first, count, known, leftMs, kept, signs }: Batch): Promise<PlayedBatch> {
    this.#learn(kept, signs)
    const { length, onTurn, tell } = this.#search
    const pace = new Pace(processMs() + leftMs, STEPS_BETWEEN, onTurn)
    const calls: number[] = []
    const finds: Find[] = []
    const played = { calls, finds, violation: undefined, isOver: false }
    for (let sequence = first; sequence < first + count; sequence++) {
      calls.push(0)
      const watch = {
        isOver: () => pace.isOver(),
        onCall: () => void calls[calls.length - 1]!++,
        onStep: (steps: readonly Drawn<Step>[]) => {
          const news = this.#newsIn(steps)
          if (news.length > 0) finds.push({ sequence, length: steps.length, signs: news })
          if (news.length > 0 && steps.length < length)
            this.#places.set(`${sequence} ${steps.length}`, this.#here(steps))
        },
      }
      const { steps, end } = await this.#run({ sequence, known, length }, watch)
      if (end === 'time') return { ...played, isOver: true }
      if (end === 'violation') {
        const violation = tell(await shrunkSequence(steps, (shorter) => this.#breakOf(shorter)))
        return { ...played, violation }
      }
    }
    return played
  }

  #learn(kept: readonly Kept[], signs: readonly string[]): void {
    for (const sign of signs) this.#seen.add(sign)
    this.#kept.push(...kept)
  }

  /** Plays a sequence up to a length. */
  async #run({ sequence, known, length }: Kept, watch?: Watch): Promise<Ran> {
    const random = new Random(numberOfSeed(this.#search.seed) + sequence)
    const begin = await this.#beginOf(random, known)
    const player = this.#player
    player.go(begin.state, begin.elapsed)
    const steps = [...begin.steps]
    while (steps.length < length) {
      const isOver = watch?.isOver()
      if (isOver instanceof Promise ? await isOver : isOver) return { steps, end: 'time' }
      watch?.onCall()
      const drawing = player.draw(random)
      const drawn = drawing instanceof Promise ? await drawing : drawing
      steps.push(drawn)
      const applied = player.apply(drawn.value)
      const broken = applied instanceof Promise ? await applied : applied
      if (broken !== undefined) return { steps, end: 'violation' }
      watch?.onStep(steps)
    }
    return { steps, end: 'length' }
  }

  async #beginOf(random: Random, known: number): Promise<Place> {
    if (known === 0 || !random.isLucky(FROM_KEPT)) {
      return { state: this.#search.start, elapsed: this.#player.begin, steps: [] }
    }
    const kept = this.#kept[random.below(known)]!
    const key = `${kept.sequence} ${kept.length}`
    let place = this.#places.get(key)
    if (place === undefined) {
      // Another thread has found it.
      const { steps } = await this.#run(kept)
      place = this.#here(steps)
      this.#places.set(key, place)
    }
    return place
  }

  #here(steps: readonly Drawn<Step>[]): Place {
    const { state, elapsed } = this.#player
    return { state, elapsed, steps: [...steps] }
  }

  /** Returns the signs that the last step has, and no earlier step had. */
  #newsIn(steps: readonly Drawn<Step>[]): readonly string[] {
    const { plan } = steps.at(-1)!.value
    const ending = `${plan.name} ${this.#player.lastEnding}`
    const isLook = steps.length % STEPS_BETWEEN_LOOKS === 0 || steps.length === this.#search.length
    if (!isLook && this.#seen.has(ending)) return NO_SIGNS
    const signs = isLook ? [ending, ...this.#search.reached.newBlocks()] : [ending]
    const news = signs.filter((sign) => !this.#seen.has(sign))
    for (const sign of news) this.#seen.add(sign)
    return news
  }

  async #breakOf(steps: readonly Drawn<Step>[]): Promise<(Break & { at: number }) | undefined> {
    const player = this.#player
    player.go(this.#search.start, player.begin)
    for (const [at, step] of steps.entries()) {
      const broken = await player.apply(step.value)
      if (broken !== undefined) return { ...broken, at }
    }
    return undefined
  }
}
