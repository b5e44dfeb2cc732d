/** The EVM of a hardfork: an engine, and the `Work` that limits its runs. A devnet and its forks share engines. */
import { type BlockPosition, type ForkSchedule, withChainId } from '../model/hardfork/forkSchedule.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import type { StateView } from '../state/view.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import { URGENT, type Work } from '../work/work.ts'
import type { BlockContext } from './blockContext.ts'
import { BothEngines } from './both/bothEngines.ts'
import type { Engine, Execution, Message, Watcher } from './engine.ts'
import { FetchingEngine } from './fetchingEngine.ts'
import { type HitCollector, hitCollector } from './hits.ts'
import { WasmEngine } from './wasm/wasmEngine.ts'

export class Evm {
  /** The `Work` whose limits and pauses apply to the runs. Default: `URGENT`, the sequencer's work. */
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

  get isSynchronous(): boolean {
    return this.#engine.isSynchronous === true
  }

  for(work: Work): Evm {
    return new Evm(this.#engine, work, this.#hits)
  }

  /** Returns this EVM with code coverage (`hits.ts`), for runs that users request. Internal runs are not counted. */
  get withCoverage(): Evm {
    const hits = hitCollector()
    return hits === undefined ? this : new Evm(this.#engine, this.work, hits)
  }

  /** Runs `message` on `state`. The caller has checked nonce, balance and intrinsic gas. */
  run(state: StateView, context: BlockContext, message: Message, watcher?: Watcher): MaybePromise<Execution> {
    return this.#engine.transact({ state, context, message, work: this.work, watcher, hits: this.#hits })
  }
}

export class Evms {
  readonly schedule: ForkSchedule
  readonly #create: CreateEngine
  readonly #evms = new Map<Rules, Evm>()
  /** The `Evms` of the same hardforks, keyed by chain id, including this object. All of them share this map. */
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

  /** Returns the `Evms` of the same hardforks with another chain id; this object if `chainId` is `undefined`. */
  withChainId(chainId: bigint | undefined): Evms {
    if (chainId === undefined) return this
    const known = this.#byChainId.get(chainId)
    return known ?? new Evms(withChainId(this.schedule, chainId), this.#create, this.#byChainId)
  }

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

/**
 * - `wasm`: preseal's own engine, in WebAssembly.
 * - `ethereumjs`: the published EthereumJS, many times slower.
 * - `both`: each message runs in both engines, which must agree.
 */
export const ENGINE_NAMES = ['wasm', 'ethereumjs', 'both'] as const
export type EngineName = (typeof ENGINE_NAMES)[number]

export type CreateEngine = (rules: Rules) => Engine

export const createEngine: CreateEngine = (rules) => new WasmEngine(rules)

export async function loadEngine(name: EngineName): Promise<CreateEngine> {
  if (name === 'wasm') return createEngine
  const { EthereumjsEngine } = await import('./ethereumjs/ethereumjsEngine.ts')
  if (name === 'ethereumjs') return (rules) => new EthereumjsEngine(rules)
  return (rules) => new BothEngines(new WasmEngine(rules), new EthereumjsEngine(rules))
}
