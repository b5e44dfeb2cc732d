/**
 * Plays long random sequences of actions. A sequence that did something new is kept, and later sequences begin with the
 * state after it: a call ended or changed slots as no earlier call did, or ran code that had never run.
 */
import type { Execution } from '../engine/engine.ts'
import type { State } from '../state/state.ts'
import { whenFetched } from '../state/whenFetched.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import type { Drawn, Hints } from './draws.ts'
import {
  type Break,
  brokenCall,
  brokenInvariant,
  endingOf,
  type Invariants,
  NotReady,
  whenReady,
} from './invariants.ts'
import { lastingChanges, type Machine } from './machine.ts'
import { Pace } from './pace.ts'
import type { Random } from './random.ts'
import type { ReachedCode } from './reachedCode.ts'
import type { Elapsed } from './stateSpace.ts'
import type { CallStep, Plan, Step } from './steps.ts'
import type { Violation } from './systematic.ts'
import { World } from './world.ts'

export interface RandomSearch {
  readonly start: State
  readonly machine: Machine
  readonly plans: readonly Plan[]
  readonly invariants: Invariants
  readonly random: Random
  readonly hints: Hints
  readonly reached: ReachedCode
  /** Called each time that the search leaves the event loop to others. */
  onTurn(): void
  /** The maximum number of actions of a sequence. */
  readonly length: number
}

/** A state on the way of a sequence. */
interface Place {
  readonly state: State
  readonly elapsed: Elapsed
  readonly steps: readonly Drawn<Step>[]
}

const STEPS_BETWEEN = 64
/** The chance to begin at a kept state, if there is one, and not at the start. */
const FROM_KEPT = 0.7
const MOST_KEPT = 5_000
/** Calls between two looks at the code that was reached, because a look takes as long as a call. */
const CALLS_BETWEEN = 32

export class RandomSequences {
  calls = 0
  sequences = 0
  readonly #search: RandomSearch
  readonly #player: Player
  readonly #seen = new Set<string>()
  readonly #kept: Place[] = []

  constructor(search: RandomSearch) {
    this.#search = search
    this.#player = new Player(search)
  }

  /** Plays sequences until a violation, or until `endMs`. The violation is shrunk. */
  async run(endMs: number): Promise<Violation | undefined> {
    const { random, length } = this.#search
    const player = this.#player
    const pace = new Pace(endMs, STEPS_BETWEEN, this.#search.onTurn)
    for (;;) {
      this.sequences++
      const begin =
        this.#kept.length > 0 && random.isLucky(FROM_KEPT)
          ? random.pick(this.#kept)
          : { state: this.#search.start, elapsed: player.begin, steps: [] }
      player.go(begin)
      const steps = [...begin.steps]
      while (steps.length < length) {
        const isOver = pace.isOver()
        if (isOver instanceof Promise ? await isOver : isOver) return undefined
        this.calls++
        const drawing = player.draw()
        const drawn = drawing instanceof Promise ? await drawing : drawing
        steps.push(drawn)
        const applied = player.apply(drawn.value)
        const broken = applied instanceof Promise ? await applied : applied
        if (broken !== undefined) return this.#shrunk(steps)
        this.#keep(drawn.value, steps)
      }
    }
  }

  /** Keeps the place if the step did something new. */
  #keep({ plan }: Step, steps: readonly Drawn<Step>[]): void {
    const player = this.#player
    const sign = `${plan.name} ${player.lastEnding}`
    const isNew = this.calls % CALLS_BETWEEN === 0 && this.#search.reached.hasNew()
    if (this.#seen.has(sign) && !isNew) return
    this.#seen.add(sign)
    if (this.#kept.length >= MOST_KEPT || steps.length >= this.#search.length) return
    this.#kept.push({ state: player.state, elapsed: player.elapsed, steps: [...steps] })
  }

  /** Returns the violation with as few and as simple steps as can be found by leaving out and replacing steps. */
  async #shrunk(found: readonly Drawn<Step>[]): Promise<Violation> {
    const violationOf = async (
      steps: readonly Drawn<Step>[],
    ): Promise<(Break & { at: number }) | undefined> => {
      const player = this.#player
      player.go({ state: this.#search.start, elapsed: player.begin })
      for (const [i, step] of steps.entries()) {
        const broken = await player.apply(step.value)
        if (broken !== undefined) return { ...broken, at: i }
      }
      return undefined
    }
    let steps = [...found]
    let broken = (await violationOf(steps))!
    const attempt = async (next: readonly Drawn<Step>[]): Promise<boolean> => {
      const still = await violationOf(next)
      if (still === undefined) return false
      broken = still
      steps = next.slice(0, still.at + 1)
      return true
    }
    for (let size = steps.length >> 1; size > 0; size >>= 1) {
      for (let i = steps.length - size; i >= 0; i = Math.min(i, steps.length) - size) {
        await attempt([...steps.slice(0, i), ...steps.slice(i + size)])
      }
    }
    for (let isSimpler = true; isSimpler; ) {
      isSimpler = false
      for (let i = steps.length - 1; i >= 0; i--) {
        if (i >= steps.length) continue
        if (await attempt([...steps.slice(0, i), ...steps.slice(i + 1)])) isSimpler = true
        else {
          for (const next of steps[i]!.simpler()) {
            if (!(await attempt(steps.with(i, next)))) continue
            isSimpler = true
            break
          }
        }
      }
    }
    const { rule, why } = broken
    return { rule, why, steps: steps.map(({ value }) => value) }
  }
}

/** Plays steps one after the other. */
class Player {
  readonly begin: Elapsed = { seconds: 0n, blocks: 0n }
  readonly world: World
  state: State
  elapsed: Elapsed = this.begin
  /** Identifies how the last call ended and what it changed. */
  lastEnding = ''
  readonly #search: RandomSearch

  constructor(search: RandomSearch) {
    this.#search = search
    this.state = search.start
    const { machine } = search
    this.world = new World({
      timestamp: () => machine.timestampAt(this.elapsed),
      balance: (address) => this.state.account(address)?.balance ?? 0n,
      call: (to, data) => {
        const outcome = machine.read(this.state, this.elapsed, to, data)
        if (outcome instanceof Promise) throw new NotReady(outcome)
        return outcome
      },
    })
  }

  go({ state, elapsed }: Pick<Place, 'state' | 'elapsed'>): void {
    this.state = state
    this.elapsed = elapsed
  }

  draw(): MaybePromise<Drawn<Step>> {
    const { random, plans, hints } = this.#search
    const plan = random.pick(plans)
    if (!plan.readsState) return plan.draw(random, hints, this.world)
    // Repeated after reads that have to wait, with the same numbers.
    return whenReady(() => {
      const own = random.clone()
      const drawn = plan.draw(own, hints, this.world)
      random.follow(own)
      return drawn
    })
  }

  /** Plays a step, and checks the rules. */
  apply(step: Step): MaybePromise<Break | undefined> {
    if (step.kind === 'wait') {
      const { seconds, blocks } = this.elapsed
      this.elapsed = { seconds: seconds + step.seconds, blocks: blocks + 1n }
      this.lastEnding = ''
      return this.#check()
    }
    const run = () => {
      if (step.value > 0n && (this.state.account(step.from)?.balance ?? 0n) < step.value) return undefined
      return this.#search.machine.run(this.state, this.elapsed, step)
    }
    const ran = whenFetched(run)
    return ran instanceof Promise ? ran.then((done) => this.#ended(step, done)) : this.#ended(step, ran)
  }

  #ended(step: CallStep, ran: Execution | undefined): MaybePromise<Break | undefined> {
    if (ran === undefined) {
      this.lastEnding = 'without funds'
      return undefined
    }
    const { outcome, changes } = ran
    this.lastEnding = endingOf(outcome)
    if (outcome.kind !== 'success') return brokenCall(step, outcome)
    const lasting = lastingChanges(changes, step.from)
    for (const { address, storage } of lasting) {
      for (const [slot] of storage ?? []) this.lastEnding += ` ${address} ${slot}`
    }
    this.state = this.state.with(lasting)
    return this.#check()
  }

  #check(): MaybePromise<Break | undefined> {
    return whenReady(() => brokenInvariant(this.#search.invariants, this.world))
  }
}
