/** Searches systematically, then randomly, and says what was covered. */
import type { Address } from '../bytes/hex.ts'
import { addressOf } from '../client/fields.ts'
import { counted } from '../model/api/text.ts'
import { whenFetched } from '../state/whenFetched.ts'
import { processMs } from '../work/eventLoop.ts'
import { URGENT } from '../work/work.ts'
import type { Action } from './action.ts'
import type { Covered, Explored, ExploreOptions, Start, Values } from './exploreOptions.ts'
import { told } from './found.ts'
import { hintsOf } from './hints.ts'
import type { Invariants } from './invariants.ts'
import { Machine } from './machine.ts'
import type { Play, Thread } from './pool.ts'
import { Random } from './random.ts'
import { type Batch, type PlayedBatch, RandomSequences } from './randomSequences.ts'
import { ReachedCode } from './reachedCode.ts'
import { RandomRounds } from './rounds.ts'
import { Plan } from './steps.ts'
import { namesIn, playSteps, RuleBroken, type ToldViolation, toldViolation } from './story.ts'
import { Systematic, type Violation } from './systematic.ts'
import type { World } from './world.ts'

const SECONDS = 3
const STATES = 200_000
const LENGTH = 50
/** The number of values that the systematic search tries for an argument that has to be drawn. */
const SAMPLES = 3
/** The number of branches that the sentence names. */
const MOST_SHOWN = 5

/** See `explore`. `threads` play random sequences from the beginning on. */
export async function exploration<V extends Values>(
  start: Start<V>,
  options: ExploreOptions<NoInfer<V>>,
  threads: readonly Thread[] = [],
): Promise<Explored> {
  const {
    seconds = SECONDS,
    states = STATES,
    depth = Number.POSITIVE_INFINITY,
    length = LENGTH,
    onProgress,
  } = options
  const searches = await searchesOf(start, options, () => onProgress?.(progressOf(systematic, random)))
  const { plans, reached, systematic, sequences, tell, values } = searches
  const begunMs = processMs()
  const random = new RandomRounds(length, begunMs + seconds * 1000)
  try {
    const running = length > 0 ? played(random, threads) : undefined
    const share = length > 0 ? 0.5 : 1
    const found = await systematic.run({ depth, states, endMs: begunMs + seconds * 1000 * share })
    const isComplete = systematic.end === 'complete' && plans.every(isListed)
    let violation = found && tell(found)
    const isRandom = running !== undefined && violation === undefined && !isComplete
    if (isRandom) {
      reached.forget()
      random.join((batch) => sequences.play(batch))
      violation = await running
      reached.note(random.signs)
    }
    const neverReached = await reached.neverReached(values.devnet)
    const done = { plans, systematic, random: isRandom ? random : NO_SEQUENCES, neverReached }
    const explored = exploredBy(done, isComplete)
    if (violation === undefined) return explored
    const { devnet } = values
    const { steps } = violation
    throw await told(new RuleBroken(violation, explored.sentence), async (begin) => {
      await begin(devnet)
      await playSteps(devnet, steps)
    })
  } finally {
    await searches.end()
  }
}

const NO_SEQUENCES = { sequences: 0, calls: 0 }

/** Begins random sequences, which wait for threads. */
function played(random: RandomRounds, threads: readonly Thread[]): Promise<ToldViolation | undefined> {
  for (const { ready, play } of threads) {
    ready.then(() => random.join(play as Play<Batch, PlayedBatch>))
  }
  const running = random.run()
  running.catch(() => {}) // The systematic search may end first.
  return running
}

/** Plays random sequences in a worker thread. */
export async function sequencesOf<V extends Values>(
  start: Start<V>,
  options: ExploreOptions<NoInfer<V>>,
): Promise<Play> {
  const { sequences } = await searchesOf(start, options, () => {})
  return (batch) => sequences.play(batch as Batch)
}

async function searchesOf<V extends Values>(
  start: Start<V>,
  options: ExploreOptions<NoInfer<V>>,
  onTurn: () => void,
) {
  const values = await start.use()
  const { devnet } = values
  const reached = new ReachedCode()
  const end = async () => {
    reached.end()
    await devnet.close()
  }
  try {
    const { seed = 1, length = LENGTH, reusesRuns = true, invariants = {} } = options
    const given = options.actors ?? devnet.accounts.slice(0, 2).map(({ address }) => address)
    const actors = given.map((address, i) => addressOf(address, `explore: actors[${i}]`))
    const plans = plansOf(options.actions(values), actors)
    const { evm, scene } = devnet.wires.context.environmentOfNext()
    const search = {
      start: scene.state,
      machine: new Machine(evm.for(URGENT).withCoverage, scene.context),
      plans,
      invariants: boundTo(values, invariants),
      onTurn,
    }
    const hints = await whenFetched(() => hintsOf(scene.state, contractsOf(plans), actors))
    const samples = new Random(seed)
    const sample = (plan: Plan, i: number) =>
      Array.from({ length: SAMPLES }, () => plan.draws[i]!.draw(samples, hints).value)
    const tell = (violation: Violation) => toldViolation(violation, namesIn(values))
    return {
      values,
      plans,
      reached,
      systematic: new Systematic({ ...search, reusesRuns, sample }),
      sequences: new RandomSequences({ ...search, seed, hints, reached, length, tell }),
      tell,
      end,
    }
  } catch (error) {
    await end()
    throw error
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
  return new Set(plans.flatMap(({ action, to }) => (action.kind === 'call' ? [to!] : [])))
}

function boundTo<V extends Values>(
  values: V,
  invariants: NonNullable<ExploreOptions<V>['invariants']>,
): Invariants {
  return Object.fromEntries(
    Object.entries(invariants).map(([name, holds]) => [name, (world: World) => holds(world, values)]),
  )
}

function progressOf(
  { states, depth, runs, known }: Systematic,
  { sequences, calls }: Pick<RandomRounds, 'sequences' | 'calls'>,
): Covered {
  return { states, depth, calls: runs, known, sequences, randomCalls: calls }
}

interface Done {
  readonly plans: readonly Plan[]
  readonly systematic: Systematic
  readonly random: Pick<RandomRounds, 'sequences' | 'calls'>
  readonly neverReached: readonly string[]
}

function exploredBy(done: Done, isComplete: boolean): Explored {
  return {
    ...progressOf(done.systematic, done.random),
    sentence: sentenceOf(done),
    isComplete,
    neverReached: done.neverReached,
  }
}

/** Returns what was covered, in one sentence. */
function sentenceOf({ plans, systematic, random, neverReached }: Done): string {
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
  const parts = [systematically]
  if (random.sequences > 0) {
    parts.push(`random: ${counted(random.sequences, 'sequence')}, ${counted(random.calls, 'call')}`)
  }
  if (neverReached.length > 0) {
    const shown = neverReached.slice(0, MOST_SHOWN).join(', ')
    const more = neverReached.length > MOST_SHOWN ? ` and ${neverReached.length - MOST_SHOWN} more` : ''
    const branches = neverReached.length === 1 ? '1 branch' : `${neverReached.length} branches`
    parts.push(`${branches} never reached: ${shown}${more}`)
  }
  return parts.join('; ')
}
