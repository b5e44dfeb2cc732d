/** Commands that plan what is to go wrong, on purpose, and that take it back. Each goes through the sequencer's queue. */
import type { BlockMaker } from './blockMaker.ts'
import type { PlannedFault } from './faults.ts'
import type { CommandQueue } from './queue.ts'

export class Misfortune {
  readonly #queue: CommandQueue
  readonly #maker: BlockMaker

  constructor(queue: CommandQueue, maker: BlockMaker) {
    this.#queue = queue
    this.#maker = maker
  }

  /** What has not happened yet, or may happen again. */
  get planned(): readonly PlannedFault[] {
    return this.#maker.faults
  }

  plan(fault: PlannedFault): Promise<void> {
    return this.#queue.add(async () => {
      this.#maker.faults = [...this.#maker.faults, fault]
    })
  }

  /** Takes a fault back, and what readers do not see because of it. Answers whether there was anything to take back. */
  remove(id: number): Promise<boolean> {
    return this.#queue.add(async () => {
      const { faults } = this.#maker
      this.#maker.faults = faults.filter((one) => one.id !== id)
      const isUnveiled = this.#maker.unveil(id)
      return isUnveiled || this.#maker.faults.length < faults.length
    })
  }

  /** Takes all back. */
  clear(): Promise<void> {
    return this.#queue.add(async () => {
      this.#maker.faults = []
      this.#maker.unveil()
    })
  }
}
