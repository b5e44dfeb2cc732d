/** Plans and removes faults, for `devnet.faults` and JSON-RPC. */

import type { RpcContext } from '../rpc/context.ts'
import { InvalidValue, type Parser } from '../wire/parser.ts'
import type { ChainFaults } from './chainFaults.ts'
import { isL1Fault } from './dueFaults.ts'
import type { Planned } from './fault.ts'
import {
  encodeFault,
  encodeWhen,
  type FaultRequest,
  isOfRequests,
  type PlannedForm,
  parseFault,
} from './faultJson.ts'
import type { RequestFaults } from './requestFaults.ts'

export class FaultPlanner {
  readonly #context: RpcContext
  readonly #chainFaults: ChainFaults
  readonly #requestFaults: RequestFaults
  #lastId = 0

  constructor(context: RpcContext, chainFaults: ChainFaults, requestFaults: RequestFaults) {
    this.#context = context
    this.#chainFaults = chainFaults
    this.#requestFaults = requestFaults
  }

  /** The parser of the next fault. The id of the fault is the default seed of its random choices. */
  get parser(): Parser<FaultRequest> {
    const parse = parseFault(this.#lastId + 1)
    return (value, path) => {
      const requested = parse(value, path)
      const { fault } = requested
      if (isL1Fault(fault) && this.#context.chain.finality === undefined) {
        throw new InvalidValue(
          `${path}.kind`,
          'a fault that needs no L1, because this devnet has none (option l1)',
          fault.kind,
        )
      }
      return requested
    }
  }

  async plan({ fault, trigger }: FaultRequest): Promise<number> {
    const id = ++this.#lastId
    if (fault.kind === 'cutWebSockets') this.#requestFaults.planCut({ id, fault, trigger })
    else if (isOfRequests(fault)) this.#requestFaults.planRequest({ id, fault, trigger })
    else await this.#context.sequencer.queue.add(async () => this.#chainFaults.add({ id, fault, trigger }))
    return id
  }

  async remove(id: number): Promise<boolean> {
    if (this.#requestFaults.remove(id)) return true
    return this.#context.sequencer.queue.add(async () => {
      const isRemoved = this.#chainFaults.remove(id)
      return this.#reveal(id) || isRemoved
    })
  }

  async clear(): Promise<void> {
    this.#requestFaults.clear()
    await this.#context.sequencer.queue.add(async () => {
      this.#chainFaults.clear()
      this.#reveal()
    })
  }

  /**
   * Stops hiding the slices that the fault `id` hides; by default, the slices that any fault hides. Publishes delayed
   * slices. Returns whether slices were hidden.
   */
  #reveal(id?: number): boolean {
    const held = this.#chainFaults.reveal(id)
    if (held === undefined) return false
    const { chain, listeners } = this.#context
    const { open } = chain
    chain.preconfirm(open, open)
    if (open !== undefined) listeners.emit('revealed', open)
    for (const { open: slice, added } of held) listeners.emit('preconfirmed', slice, added)
    return true
  }

  /** Closes all WebSocket connections now. Returns the number of closed connections. */
  cut(code: number | undefined): number {
    return this.#requestFaults.cut(code)
  }

  /** Returns the planned faults that can still happen, ordered by id. */
  list(): readonly PlannedForm[] {
    const planned: Planned[] = [...this.#chainFaults.faults, ...this.#requestFaults.planned]
    return planned
      .sort((one, other) => one.id - other.id)
      .map(({ id, fault, trigger }) => ({ id, ...encodeFault(fault), when: encodeWhen(trigger) }))
  }
}
