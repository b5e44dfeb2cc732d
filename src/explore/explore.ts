/** Explores the orders of actions on contracts, and reports the shortest story that breaks a rule. */
import type { Address } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { namesOf, requireKnown } from '../model/api/arguments.ts'
import { attributed, callSite } from '../model/api/callSite.ts'
import { counted } from '../model/api/text.ts'
import type { Action } from './action.ts'
import { hintsOf } from './hints.ts'
import type { Invariants } from './invariants.ts'
import { Machine } from './machine.ts'
import { Random } from './random.ts'
import { RandomSequences } from './randomly.ts'
import { Plan } from './steps.ts'
import { namesIn, ruleBroken } from './story.ts'
import { Systematic } from './systematic.ts'
import type { World } from './world.ts'

/** The values of a fixture, with its devnet. */
export interface Values {
  readonly devnet: Devnet
}

/** The start of an exploration: a fixture, or anything that returns a devnet and values. */
export interface Start<V extends Values> {
  use(): Promise<V>
}

export interface ExploreOptions<V extends Values> {
  /** The actions by name, from the values of the fixture. */
  actions(values: V): Readonly<Record<string, Action>>
  /** What must hold in every state, by name. A rule is broken if its function returns `false` or throws. */
  readonly invariants?: Readonly<Record<string, (world: World, values: V) => unknown>>
  /** The senders of calls without `from`. By default the first two development accounts. */
  readonly actors?: readonly Address[] | undefined
  /** The maximum number of actions of the systematic search. By default there is no maximum. */
  readonly depth?: number | undefined
  /** The maximum number of states of the systematic search. Default: 200,000. */
  readonly states?: number | undefined
  /** The time limit in seconds. Default: 3. Half of it is for the systematic search, if random sequences follow. */
  readonly seconds?: number | undefined
  /** The maximum number of actions of a random sequence; 0 for none. Default: 50. */
  readonly length?: number | undefined
  /** The seed of all drawn values. Default: 1. */
  readonly seed?: number | undefined
  /** @internal Whether the results of runs are used again. */
  readonly reusesRuns?: boolean | undefined
}

/** What an exploration covered. */
export interface Explored {
  /** The coverage in one sentence. */
  readonly sentence: string
  /** The number of different states that the systematic search visited. */
  readonly states: number
  /** The number of actions within which every state was visited. */
  readonly depth: number
  /** Whether the actions reach no other state. */
  readonly isComplete: boolean
  /** The number of calls that were run, and of those whose result followed from a call with the same reads. */
  readonly calls: number
  readonly known: number
  /** The number of random sequences, and of the calls in them. */
  readonly sequences: number
  readonly randomCalls: number
}

const OPTIONS = namesOf<ExploreOptions<Values>>({
  actions: true,
  invariants: true,
  actors: true,
  depth: true,
  states: true,
  seconds: true,
  length: true,
  seed: true,
  reusesRuns: true,
})

const SECONDS = 3
const STATES = 200_000
const LENGTH = 50
/** The number of values that the systematic search tries for an argument that has to be drawn. */
const SAMPLES = 3

/**
 * Plays the actions in every order, and then in long random sequences, on the state that `start` builds. Rejects with
 * `RuleBroken` for the shortest story found that breaks an invariant, an assertion in Solidity, or `mustSucceed`.
 * Otherwise returns what was covered.
 */
export function explore<V extends Values>(start: Start<V>, options: ExploreOptions<NoInfer<V>>): Promise<Explored> {
  return attributed(callSite(explore), () => exploreFrom(start, options))
}

async function exploreFrom<V extends Values>(start: Start<V>, options: ExploreOptions<NoInfer<V>>): Promise<Explored> {
  requireKnown('explore', options, OPTIONS)
  const {
    seconds = SECONDS,
    states = STATES,
    depth = Number.POSITIVE_INFINITY,
    length = LENGTH,
    seed = 1,
  } = options
  const values = await start.use()
  const { devnet } = values
  try {
    const actors = (options.actors ?? devnet.accounts.slice(0, 2).map(({ address }) => address)).map(lower)
    const plans = plansOf(options.actions(values), actors)
    const invariants = boundTo(values, options.invariants ?? {})
    const { evm, scene } = devnet.wires.context.environmentOfNext()
    const machine = new Machine(evm, scene.context)
    const hints = hintsOf(scene.state, contractsOf(plans), actors)
    const begunMs = performance.now()
    const endMs = begunMs + seconds * 1000
    const samples = new Random(seed)
    const systematic = new Systematic({
      start: scene.state,
      machine,
      plans,
      invariants,
      reusesRuns: options.reusesRuns ?? true,
      sample: (plan, i) => Array.from({ length: SAMPLES }, () => plan.draws[i]!.draw(samples, hints).value),
    })
    const hasRandom = length > 0
    const found = await systematic.run({ depth, states, endMs: hasRandom ? (begunMs + endMs) / 2 : endMs })
    const sequences = new RandomSequences({
      start: scene.state,
      machine,
      plans,
      invariants,
      random: new Random(seed),
      hints,
      length,
    })
    const isAll = systematic.end === 'complete' && plans.every((plan) => isListed(plan))
    const violation = found ?? (hasRandom && !isAll ? await sequences.run(endMs) : undefined)
    const explored = exploredBy({ plans, systematic, random: sequences }, isAll)
    if (violation === undefined) return explored
    throw ruleBroken(violation, namesIn(values), explored.sentence)
  } finally {
    await devnet.close()
  }
}

function plansOf(actions: Readonly<Record<string, Action>>, actors: readonly Address[]): readonly Plan[] {
  const plans = Object.entries(actions).map(([name, action]) => new Plan(name, action, actors))
  if (plans.length === 0) throw new TypeError('explore: actions: expected at least one action, got none')
  return plans
}

function isListed({ draws }: Plan): boolean {
  return draws.every(({ all }) => all !== undefined)
}

function contractsOf(plans: readonly Plan[]): Set<Address> {
  return new Set(
    plans.flatMap(({ action }) => (action.kind === 'call' ? [lower(action.contract.address)] : [])),
  )
}

function boundTo<V extends Values>(
  values: V,
  invariants: NonNullable<ExploreOptions<V>['invariants']>,
): Invariants {
  return Object.fromEntries(
    Object.entries(invariants).map(([name, holds]) => [name, (world: World) => holds(world, values)]),
  )
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address
}

interface Done {
  readonly plans: readonly Plan[]
  readonly systematic: Systematic
  readonly random: RandomSequences
}

function exploredBy(done: Done, isComplete: boolean): Explored {
  const { states, depth, runs, known } = done.systematic
  const { sequences, calls } = done.random
  return {
    sentence: sentenceOf(done),
    states,
    depth,
    isComplete,
    calls: runs,
    known,
    sequences,
    randomCalls: calls,
  }
}

/** Returns what was covered, in one sentence. */
function sentenceOf({ plans, systematic, random }: Done): string {
  const { states, depth, runs, known, end } = systematic
  const all = counted(states, 'state')
  const within = counted(depth, 'action')
  const reached: Record<NonNullable<typeof end> | 'violation', string> = {
    complete: `all ${all} that the actions reach`,
    depth: `all ${all} within ${within}`,
    states: `all states within ${within}, and ${all} in total, which is the limit`,
    time: `all states within ${within}, and ${all} in total, until the time limit`,
    values: `all states within ${within}, and ${all} in total, until a slot had more than 65,535 values`,
    violation: `all states within ${within}, and ${all} in total`,
  }
  const sampled = plans.every(isListed) ? '' : `, with ${SAMPLES} values of each drawn argument`
  const calls = `${counted(runs, 'call')} run, ${known.toLocaleString('en')} known from equal calls`
  const systematically = `systematic: ${reached[end ?? 'violation']}${sampled} (${calls})`
  if (random.sequences === 0) return systematically
  return `${systematically}; random: ${counted(random.sequences, 'sequence')}, ${counted(random.calls, 'call')}`
}
