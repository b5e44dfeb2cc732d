/** The EVM of a hardfork: an engine, and the work that its runs are a part of. All forks of a devnet share engines. */

import { type BlockPosition, type ForkSchedule, withChainId } from '../model/hardfork/forkSchedule.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import type { StateView } from '../state/view.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import { URGENT, type Work } from '../work/work.ts'
import type { BlockContext } from './blockContext.ts'
import { type CreateEngine, createEngine } from './createEngine.ts'
import type { Engine, Execution, Message, Watcher } from './engine.ts'
import { FetchingEngine } from './fetchingEngine.ts'
import { type HitCollector, hitCollector } from './hits.ts'

/** Runs messages under the rules of one chain, as a part of some work. */
export class Evm {
  /** The work that runs are a part of; by default the sequencer's. */
  readonly work: Work
  readonly #engine: Engine
  readonly #hits: HitCollector | undefined

  constructor(engine: Engine, work: Work = URGENT, hits?: HitCollector) {
    this.#engine = engine
    this.work = work
    this.#hits = hits
  }

  get rules(): Rules {
    return this.#engine.rules
  }

  /** Whether a run that does not pause, on a state that lacks nothing, returns its execution at once. */
  get isSynchronous(): boolean {
    return this.#engine.isSynchronous === true
  }

  /** Returns the same EVM with runs that are a part of `work`: they pause and end with it. */
  for(work: Work): Evm {
    return new Evm(this.#engine, work, this.#hits)
  }

  /**
   * Returns the same EVM with runs that a user asked for: if hits are collected (`hits.ts`), they count. Runs that find
   * something out (an estimate's search, a trace of what ran before) do not.
   */
  get counted(): Evm {
    const hits = hitCollector()
    return hits === undefined ? this : new Evm(this.#engine, this.work, hits)
  }

  /**
   * Runs `message` on `state`, in the block that `context` describes. The caller has checked the message (nonce,
   * balance, intrinsic gas).
   */
  run(state: StateView, context: BlockContext, message: Message, watcher?: Watcher): MaybePromise<Execution> {
    return this.#engine.transact(state, context, message, this.work, watcher, this.#hits)
  }
}

/** The EVMs of a chain, one for each hardfork. */
export class Evms {
  readonly schedule: ForkSchedule
  readonly #create: CreateEngine
  readonly #evms = new Map<Rules, Evm>()
  /** The EVMs of each chain id, this one's included. All instances share the map. */
  readonly #byChainId: Map<bigint, Evms>

  constructor(
    schedule: ForkSchedule,
    create: CreateEngine = createEngine,
    byChainId: Map<bigint, Evms> = new Map(),
  ) {
    this.schedule = schedule
    this.#create = create
    this.#byChainId = byChainId.set(schedule.chainId, this)
  }

  /** Returns the EVMs of a chain with another id and the same hardforks; without an id these. */
  withChainId(chainId: bigint | undefined): Evms {
    if (chainId === undefined) return this
    const known = this.#byChainId.get(chainId)
    return known ?? new Evms(withChainId(this.schedule, chainId), this.#create, this.#byChainId)
  }

  /** Returns the EVM for the block at `position`. */
  at(position: BlockPosition): Evm {
    const rules = this.schedule.at(position)
    let evm = this.#evms.get(rules)
    if (evm === undefined) {
      evm = new Evm(new FetchingEngine(this.#create(rules)))
      this.#evms.set(rules, evm)
    }
    return evm
  }
}
