/** The options of an exploration, and its result. */
import type { Address } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import type { Action } from './action.ts'
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
  /** The rules that hold in every state, by name. A rule is broken if its function returns `false` or throws. */
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
  /** Called several times a second with the numbers so far. */
  readonly onProgress?: ((covered: Covered) => void) | undefined
  /** @internal Whether the results of runs are used again. */
  readonly reusesRuns?: boolean | undefined
}

/** The numbers of an exploration that is under way. */
export type Covered = Pick<Explored, 'states' | 'depth' | 'calls' | 'known' | 'sequences' | 'randomCalls'>

/** The result of an exploration in which no rule was broken. */
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
  /** The branches of Solidity that no call reached, such as `Shop.sol:61`; empty for contracts without sources. */
  readonly neverReached: readonly string[]
}
