/** The commands that plan and remove faults of the chain. Each runs in the sequencer's queue. */
import type { ChainFaults } from '../faults/chainFaults.ts'
import type { PlannedFault } from '../faults/dueFaults.ts'
import type { ChainFaultCommands } from '../faults/faultPlanner.ts'
import type { Publisher } from './block/publisher.ts'
import type { CommandQueue } from './queue.ts'

export class FaultCommands implements ChainFaultCommands {
  readonly #queue: CommandQueue
  readonly #faults: ChainFaults
  readonly #publisher: Publisher

  constructor(queue: CommandQueue, faults: ChainFaults, publisher: Publisher) {
    this.#queue = queue
    this.#faults = faults
    this.#publisher = publisher
  }

  get planned(): readonly PlannedFault[] {
    return this.#faults.planned
  }

  plan(fault: PlannedFault): Promise<void> {
    return this.#queue.add(async () => this.#faults.add(fault))
  }

  remove(id: number): Promise<boolean> {
    return this.#queue.add(async () => {
      const isRemoved = this.#faults.remove(id)
      return this.#publisher.lift(id) || isRemoved
    })
  }

  clear(): Promise<void> {
    return this.#queue.add(async () => {
      this.#faults.clear()
      this.#publisher.lift()
    })
  }
}
