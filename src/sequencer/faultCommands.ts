/** Reorgs, and the commands that plan and remove faults of the chain. Each runs in the sequencer's queue. */

import type { ReorgOutcome } from '../chain/moment.ts'
import type { PlannedFault } from '../faults/dueFaults.ts'
import type { ChainFaultCommands } from '../faults/faultPlanner.ts'
import type { ReorgRequest } from '../model/fault.ts'
import type { CommandContext } from './context.ts'

export class FaultCommands implements ChainFaultCommands {
  readonly #context: CommandContext

  constructor(context: CommandContext) {
    this.#context = context
  }

  get planned(): readonly PlannedFault[] {
    return this.#context.maker.chainFaults.planned
  }

  plan(fault: PlannedFault): Promise<void> {
    const { queue, maker } = this.#context
    return queue.add(async () => maker.chainFaults.add(fault))
  }

  remove(id: number): Promise<boolean> {
    const { queue, maker } = this.#context
    return queue.add(async () => {
      const isRemoved = maker.chainFaults.remove(id)
      return maker.publisher.lift(id) || isRemoved
    })
  }

  clear(): Promise<void> {
    const { queue, maker } = this.#context
    return queue.add(async () => {
      maker.chainFaults.clear()
      maker.publisher.lift()
    })
  }

  /**
   * Removes the newest `depth` sealed blocks, and seals as many others in their place (or `blocks` of them). Their
   * transactions stay in the same blocks, return to the pool, or are dropped; or the new blocks have others.
   */
  reorg(request: ReorgRequest): Promise<ReorgOutcome> {
    const { queue, maker, chain } = this.#context
    return queue.add(async () => {
      const { removable, forkBlock } = chain
      if (request.depth > removable) return { kind: 'tooDeep', room: { removable, forkBlock } }
      return { kind: 'reorged', removed: await maker.reorg(request) }
    })
  }
}
