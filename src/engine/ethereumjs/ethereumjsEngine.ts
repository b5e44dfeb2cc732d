/**
 * EthereumJS as an engine, unpatched: no prototype is changed, and handlers attached to an instance call the original
 * (`gasNeed.ts`, `pauses.ts`). It is the reference that other engines are compared with.
 *
 * A VM runs one thing at a time and its runs are asynchronous, so concurrent requests each get a VM of their own; free
 * ones are reused.
 */
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { StateView } from '../../state/view.ts'
import type { Work } from '../../work/work.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Engine, Execution, Message, MovedPrecompiles, Watcher } from '../engine.ts'
import type { HitCollector } from '../hits.ts'
import { MachinePool } from '../machinePool.ts'
import { Machine } from './machine.ts'
import { commonOf } from './transaction.ts'

/** Runs messages with EthereumJS. */
export class EthereumjsEngine implements Engine {
  readonly rules: Rules
  #common: ReturnType<typeof commonOf> | undefined
  readonly #machines = new MachinePool<Promise<Machine>>({
    create: () => this.#create(),
    // If a run throws, the journal of its machine may be in any state.
    isSound: (_, failure) => failure === undefined,
  })

  constructor(rules: Rules) {
    this.rules = rules
  }

  async transact(
    state: StateView,
    context: BlockContext,
    message: Message,
    work: Work,
    watcher?: Watcher,
    hits?: HitCollector,
  ): Promise<Execution> {
    return this.#machines.lend(work, async (usual) => {
      const { movedPrecompiles } = message
      const machine = await (movedPrecompiles === undefined ? usual : this.#create(movedPrecompiles))
      return machine.run(state, context, message, work, watcher, hits)
    })
  }

  /** Creates a machine with the precompiles at their addresses after `moved`. */
  #create(moved?: MovedPrecompiles): Promise<Machine> {
    this.#common ??= commonOf(this.rules)
    return Machine.create(this.rules, this.#common, moved)
  }
}
