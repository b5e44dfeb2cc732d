/**
 * Visits every state that the actions reach, breadth first, so that the first violation has the fewest actions.
 *
 * A step's result depends on the values that it reads alone, so it is run once for each combination of these values.
 * Two steps that touch different accounts and slots are thus run in one order only, and the other order gives the same
 * state.
 */
import { toHex } from '../bytes/hex.ts'
import type { Execution, Outcome } from '../engine/engine.ts'
import type { StateView } from '../state/view.ts'
import { whenFetched } from '../state/whenFetched.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import {
  type Break,
  brokenCall,
  brokenInvariant,
  type Invariants,
  NotReady,
  whenReady,
} from './invariants.ts'
import { lastingChanges, type Machine } from './machine.ts'
import { Pace } from './pace.ts'
import { ReadTree } from './readTree.ts'
import { type Effect, START, StateSpace, type StateText, TooManyValues } from './stateSpace.ts'
import type { CallStep, Plan, Step } from './steps.ts'
import { World } from './world.ts'

/** The end of a call: its changes, or that it changes nothing. */
interface Result {
  readonly effect: Effect | undefined
  readonly broken: Break | undefined
}

const UNCHANGED: Result = { effect: undefined, broken: undefined }

export interface SystematicLimits {
  readonly depth: number
  readonly states: number
  readonly endMs: number
}

export interface Violation extends Break {
  readonly steps: readonly Step[]
}

export interface SystematicSearch {
  readonly start: StateView
  readonly machine: Machine
  readonly plans: readonly Plan[]
  readonly invariants: Invariants
  /** Returns the values to try for a draw that has no list of all values. */
  sample(plan: Plan, index: number): readonly unknown[]
  /** Called each time that the search leaves the event loop to others. */
  onTurn(): void
  /** Whether results of runs are used again. Only tests set this to false. */
  readonly reusesRuns: boolean
}

/** Steps between two looks at the clock. */
const STEPS_BETWEEN = 256

type Reason = 'complete' | 'depth' | 'states' | 'time' | 'values'

export class Systematic {
  /** The number of steps that were run, and of those whose result was known. */
  runs = 0
  known = 0
  /** The number of actions within which every state was visited. */
  depth = 0
  /** Why the search ended; `undefined` if it found a violation. */
  end: Reason | undefined
  readonly #search: SystematicSearch
  readonly #space: StateSpace
  /** The number of each visited state; its predecessor and the step from there by the same number. */
  readonly #numbers = new Map<StateText, number>()
  readonly #from: number[] = []
  readonly #by: (Step | undefined)[] = []
  readonly #results = new Map<CallStep, ReadTree<Result>>()
  readonly #reads = new Map<string, ReadTree<Outcome>>()
  readonly #checked = new ReadTree<Break | undefined>()
  /** The steps of each plan; those of a plan that reads the state are made in each state. */
  readonly #steps: readonly (readonly Step[] | undefined)[]
  readonly #computed = new Map<string, CallStep>()
  readonly #world: World
  #state: StateText = START
  /** The columns that the world has read in the current state. */
  #read = new Set<number>()

  constructor(search: SystematicSearch) {
    this.#search = search
    this.#space = new StateSpace(search.start)
    this.#world = this.#createWorld()
    this.#steps = search.plans.map((plan) => (plan.readsState ? undefined : this.#stepsOf(plan)))
  }

  get states(): number {
    return this.#numbers.size
  }

  /** Searches until a violation, the last state or a limit. */
  async run(limits: SystematicLimits): Promise<Violation | undefined> {
    const broken = await this.#visit(START, -1, undefined)
    if (broken !== undefined) return broken
    try {
      return await this.#levels(limits)
    } catch (error) {
      if (!(error instanceof TooManyValues)) throw error
      this.end = 'values'
      return undefined
    }
  }

  async #levels({ depth, states, endMs }: SystematicLimits): Promise<Violation | undefined> {
    let level: StateText[] = [START]
    const pace = new Pace(endMs, STEPS_BETWEEN, this.#search.onTurn)
    for (; level.length > 0; this.depth++) {
      if (this.depth >= depth) return this.#stop('depth')
      const next: StateText[] = []
      for (const state of level) {
        const from = this.#numbers.get(state)!
        for (const step of await this.#stepsIn(state)) {
          const isOver = pace.isOver()
          if (isOver instanceof Promise ? await isOver : isOver) return this.#stop('time')
          const made = this.#apply(state, step)
          const { after, broken } = made instanceof Promise ? await made : made
          if (broken !== undefined) return { ...broken, steps: [...this.#pathTo(from), step] }
          if (after === undefined || this.#numbers.has(after)) continue
          if (this.states >= states) return this.#stop('states')
          const visited = this.#visit(after, from, step)
          const violation = visited instanceof Promise ? await visited : visited
          if (violation !== undefined) return violation
          next.push(after)
        }
      }
      level = next
    }
    return this.#stop('complete')
  }

  #stop(end: Reason): undefined {
    this.end = end
    return undefined
  }

  /** Adds a state, and checks the invariants in it. */
  #visit(state: StateText, from: number, by: Step | undefined): MaybePromise<Violation | undefined> {
    const number = this.#numbers.size
    this.#numbers.set(state, number)
    this.#from.push(from)
    this.#by.push(by)
    const known = this.#checked.find(state)
    const broken = known === undefined ? this.#check(state) : known.result
    const violationOf = (found: Break | undefined) => found && { ...found, steps: this.#pathTo(number) }
    return broken instanceof Promise ? broken.then(violationOf) : violationOf(broken)
  }

  #check(state: StateText): MaybePromise<Break | undefined> {
    return this.#inWorld(state, () => {
      const broken = brokenInvariant(this.#search.invariants, this.#world)
      if (this.#search.reusesRuns) this.#checked.add(state, [...this.#read], broken)
      return broken
    })
  }

  /** Returns the result of `act`, which reads the world in `state`. */
  #inWorld<T>(state: StateText, act: () => T): MaybePromise<T> {
    return whenReady(() => {
      this.#state = state
      this.#read = new Set()
      return act()
    })
  }

  #apply(state: StateText, step: Step): MaybePromise<{ after?: StateText; broken?: Break | undefined }> {
    if (step.kind === 'wait') return { after: this.#space.later(state, step.seconds) }
    const settled = ({ effect, broken }: Result) =>
      effect === undefined ? { broken } : { after: this.#space.after(state, effect), broken }
    const tree = this.#results.get(step) ?? new ReadTree<Result>()
    const known = tree.find(state)
    if (known !== undefined) {
      this.known++
      return settled(known.result)
    }
    this.runs++
    const ran = whenFetched(() => this.#run(state, step))
    // A run that waited, such as for values of a forked network, may have read guessed values before.
    if (ran instanceof Promise) return ran.then(settled)
    if (this.#search.reusesRuns) {
      this.#results.set(step, tree)
      tree.add(state, this.#space.read, ran)
    }
    return settled(ran)
  }

  #run(state: StateText, step: CallStep): MaybePromise<Result> {
    const space = this.#space
    space.begin(state)
    if (step.value > 0n && space.account(step.from).balance < step.value) return UNCHANGED
    const resultOf = ({ outcome, changes }: Execution): Result => {
      const broken = brokenCall(step, outcome)
      if (outcome.kind !== 'success') return broken === undefined ? UNCHANGED : { effect: undefined, broken }
      return { effect: space.effect(lastingChanges(changes, step.from)), broken }
    }
    const ran = this.#search.machine.run(space.view(), space.elapsedAt(state), step)
    return ran instanceof Promise ? ran.then(resultOf) : resultOf(ran)
  }

  #createWorld(): World {
    const { machine } = this.#search
    const space = this.#space
    const noteReads = (read: readonly number[]) => {
      for (const column of read) this.#read.add(column)
    }
    const timestamp = () => {
      space.begin(this.#state)
      const { elapsed } = space
      noteReads(space.read)
      return machine.timestampAt(elapsed)
    }
    return new World({
      timestamp,
      balance: (address) => {
        space.begin(this.#state)
        const { balance } = space.account(address)
        noteReads(space.read)
        return balance
      },
      call: (to, data, key) => {
        const state = this.#state
        let tree = this.#reads.get(key)
        if (tree === undefined) {
          tree = new ReadTree()
          this.#reads.set(key, tree)
        }
        let known = tree.find(state)
        if (known === undefined) {
          space.begin(state)
          const outcome = machine.read(space.view(), space.elapsedAt(state), to, data)
          if (outcome instanceof Promise) throw new NotReady(outcome)
          known = tree.add(state, space.read, outcome)
        }
        noteReads(known.read)
        return known.result
      },
    })
  }

  #stepsOf(plan: Plan): readonly Step[] {
    const values = plan.draws.map((draw, i) => draw.all ?? this.#search.sample(plan, i))
    return plan.steps(values, this.#world)
  }

  /** Returns all steps in a state. Equal steps of a plan that reads the state are the same object in all states. */
  #stepsIn(state: StateText): MaybePromise<readonly Step[]> {
    return this.#inWorld(state, () =>
      this.#search.plans.flatMap((plan, i) => this.#steps[i] ?? this.#stepsOf(plan).map(this.#canonical)),
    )
  }

  readonly #canonical = (step: Step): Step => {
    if (step.kind === 'wait') return step
    const { plan, from, value, data } = step
    const key = `${plan.name} ${from} ${value} ${toHex(data)}`
    const known = this.#computed.get(key)
    if (known !== undefined) return known
    this.#computed.set(key, step)
    return step
  }

  /** Returns the steps from the start to a visited state. */
  #pathTo(number: number): Step[] {
    const steps: Step[] = []
    for (let at = number; at > 0; at = this.#from[at]!) steps.unshift(this.#by[at]!)
    return steps
  }
}
