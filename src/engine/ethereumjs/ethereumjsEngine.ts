/**
 * EthereumJS as an engine: the reference for other engines. EthereumJS is not patched: no prototype is changed, and
 * handlers that are attached to an instance call the original handlers (`listeners.ts`). A VM runs one message at a
 * time, asynchronously, so concurrent requests use separate VMs from a pool.
 */
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { Engine, EngineRun, Execution, MovedPrecompiles } from '../engine.ts'
import { MachinePool } from '../machinePool.ts'
import { Machine } from './machine.ts'
import { commonOf } from './transaction.ts'

export class EthereumjsEngine implements Engine {
  readonly rules: Rules
  #common: ReturnType<typeof commonOf> | undefined
  readonly #machines = new MachinePool<Promise<Machine>>({
    create: () => this.#create(),
    isReusable: (_, failure) => failure === undefined,
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

  #create(moved?: MovedPrecompiles): Promise<Machine> {
    this.#common ??= commonOf(this.rules)
    return Machine.create(this.rules, this.#common, moved)
  }
}
