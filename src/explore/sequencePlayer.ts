/** Plays steps one after the other, from any state, and checks the rules after each. */
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
import type { Random } from './random.ts'
import type { Elapsed } from './stateSpace.ts'
import type { CallStep, Plan, Step } from './steps.ts'
import { World } from './world.ts'

export interface SequenceSearch {
  readonly start: State
  readonly machine: Machine
  readonly plans: readonly Plan[]
  readonly invariants: Invariants
  readonly hints: Hints
}

export class SequencePlayer {
  readonly begin: Elapsed = { seconds: 0n, blocks: 0n }
  state: State
  elapsed: Elapsed = this.begin
  /** Identifies how the last call ended and what it changed. */
  lastEnding = ''
  readonly #search: SequenceSearch
  readonly #world: World

  constructor(search: SequenceSearch) {
    this.#search = search
    this.state = search.start
    const { machine } = search
    this.#world = new World({
      timestamp: () => machine.timestampAt(this.elapsed),
      balance: (address) => this.state.account(address)?.balance ?? 0n,
      call: (to, data) => {
        const outcome = machine.read(this.state, this.elapsed, to, data)
        if (outcome instanceof Promise) throw new NotReady(outcome)
        return outcome
      },
    })
  }

  go(state: State, elapsed: Elapsed): void {
    this.state = state
    this.elapsed = elapsed
  }

  draw(random: Random): MaybePromise<Drawn<Step>> {
    const { plans, hints } = this.#search
    const plan = random.pick(plans)
    if (!plan.readsState) return plan.draw(random, hints, this.#world)
    // Repeated after reads that have to wait, with the same numbers.
    return whenReady(() => {
      const own = random.clone()
      const drawn = plan.draw(own, hints, this.#world)
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
    return whenReady(() => brokenInvariant(this.#search.invariants, this.#world))
  }
}
