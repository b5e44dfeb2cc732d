/**
 * EthereumJS as an engine, unpatched: no prototype is changed, and handlers attached to an instance call the original
 * (`listeners.ts`). It is the reference that other engines are compared with.
 *
 * A VM runs one thing at a time and its runs are asynchronous, so concurrent requests each get a VM of their own; free
 * ones are reused.
 */
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { Engine, EngineRun, Execution, MovedPrecompiles } from '../engine.ts'
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

  async transact(run: EngineRun): Promise<Execution> {
    return this.#machines.lend(run.work, async (usual) => {
      const { movedPrecompiles } = run.message
      const machine = await (movedPrecompiles === undefined ? usual : this.#create(movedPrecompiles))
      return machine.run(run)
    })
  }

  /** Creates a machine with the precompiles at their addresses after `moved`. */
  #create(moved?: MovedPrecompiles): Promise<Machine> {
    this.#common ??= commonOf(this.rules)
    return Machine.create(this.rules, this.#common, moved)
  }
}
