/** The EVM for each block: one for each hardfork of the chain, made when it is first needed. */
import { type BlockPosition, type ForkSchedule, withChainId } from '../model/hardfork/forkSchedule.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import { type CreateEngine, createEngine } from './createEngine.ts'
import { Evm } from './evm.ts'
import { FetchingEngine } from './fetchingEngine.ts'

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
