/** The machine for each block: one for each hardfork that blocks of this chain are under, made when first needed. */
import type { BlockPosition, ForkSchedule } from '../model/forkSchedule.ts'
import type { Rules } from '../model/hardfork.ts'
import { Evm } from './evm.ts'

export class Machines {
  readonly schedule: ForkSchedule
  readonly #create: (rules: Rules) => Evm
  readonly #machines = new Map<Rules, Evm>()

  constructor(schedule: ForkSchedule, create = (rules: Rules): Evm => new Evm(rules)) {
    this.schedule = schedule
    this.#create = create
  }

  /** The machine for the block at `position`. */
  at(position: BlockPosition): Evm {
    const rules = this.schedule.at(position)
    let machine = this.#machines.get(rules)
    if (machine === undefined) {
      machine = this.#create(rules)
      this.#machines.set(rules, machine)
    }
    return machine
  }
}
