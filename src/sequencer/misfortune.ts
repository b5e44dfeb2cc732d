/** Commands that plan what is to go wrong, on purpose, and that take it back. Each goes through the sequencer's queue. */

import type { Publisher } from './block/publisher.ts'
import type { PlannedFault } from './faults.ts'
import type { Fortune } from './fortune.ts'
import type { CommandQueue } from './queue.ts'

export class Misfortune {
  readonly #queue: CommandQueue
  readonly #fortune: Fortune
  readonly #publisher: Publisher

  constructor(queue: CommandQueue, fortune: Fortune, publisher: Publisher) {
    this.#queue = queue
    this.#fortune = fortune
    this.#publisher = publisher
  }

  /** What has not happened yet, or may happen again. */
  get planned(): readonly PlannedFault[] {
    return this.#fortune.planned
  }

  plan(fault: PlannedFault): Promise<void> {
    return this.#queue.add(async () => {
      this.#fortune.planned = [...this.#fortune.planned, fault]
    })
  }

  /** Takes a fault back, and what readers do not see because of it. Answers whether there was anything to take back. */
  remove(id: number): Promise<boolean> {
    return this.#queue.add(async () => {
      const { planned } = this.#fortune
      this.#fortune.planned = planned.filter((one) => one.id !== id)
      const isUnveiled = this.#publisher.unveil(id)
      return isUnveiled || this.#fortune.planned.length < planned.length
    })
  }

  /** Takes all back. */
  clear(): Promise<void> {
    return this.#queue.add(async () => {
      this.#fortune.planned = []
      this.#publisher.unveil()
    })
  }
}
