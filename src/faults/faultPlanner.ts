/** Plans and removes faults, for `devnet.faults` and for JSON-RPC. Passes each to the component that runs it. */

import type { CutFault, Fault, Planned, RequestFault } from '../model/fault.ts'
import type { Parser } from '../wire/parser.ts'
import type { PlannedFault } from './dueFaults.ts'
import { encodeFault, encodeWhen, type FaultRequest, type PlannedForm, parseFault } from './faultJson.ts'
import type { RequestFaults } from './requestFaults.ts'

/** Commands of the sequencer for faults of the chain. */
export interface ChainFaultCommands {
  /** The faults that have not happened yet or may happen again. */
  readonly planned: readonly PlannedFault[]
  plan(fault: PlannedFault): Promise<void>
  /** Removes a fault, and reveals hidden slices. Returns whether there was one. */
  remove(id: number): Promise<boolean>
  clear(): Promise<void>
}

export class FaultPlanner {
  readonly #chainFaults: ChainFaultCommands
  readonly #requestFaults: RequestFaults
  #lastId = 0

  constructor(chainFaults: ChainFaultCommands, requestFaults: RequestFaults) {
    this.#chainFaults = chainFaults
    this.#requestFaults = requestFaults
  }

  /** The parser of the next fault. The default seed of its chance follows from its id. */
  get parser(): Parser<FaultRequest> {
    return parseFault(this.#lastId + 1)
  }

  /** Returns the id. */
  async plan({ fault, trigger }: FaultRequest): Promise<number> {
    const id = ++this.#lastId
    const planned = { id, fault, trigger }
    if (isOf<RequestFault>(planned, REQUEST_FAULTS)) this.#requestFaults.planRequest(planned)
    else if (isOf<CutFault>(planned, CUT_FAULTS)) this.#requestFaults.planCut(planned)
    else await this.#chainFaults.plan(planned as Planned<Fault>)
    return id
  }

  /** Returns whether there was such a fault. */
  async remove(id: number): Promise<boolean> {
    return this.#requestFaults.remove(id) || this.#chainFaults.remove(id)
  }

  async clear(): Promise<void> {
    this.#requestFaults.clear()
    await this.#chainFaults.clear()
  }

  /** Closes all WebSocket connections now. Returns their number. */
  cut(code: number | undefined): number {
    return this.#requestFaults.cut(code)
  }

  /** Returns the faults that have not happened yet or may happen again, in the order of their ids. */
  list(): readonly PlannedForm[] {
    const planned: Planned[] = [...this.#chainFaults.planned, ...this.#requestFaults.planned]
    return planned
      .sort((one, other) => one.id - other.id)
      .map(({ id, fault, trigger }) => ({ id, ...encodeFault(fault), when: encodeWhen(trigger) }))
  }
}

const REQUEST_FAULTS: ReadonlySet<string> = new Set<RequestFault['kind']>([
  'latency',
  'timeout',
  'httpStatus',
  'rpcError',
  'logRange',
  'contextLag',
])
const CUT_FAULTS: ReadonlySet<string> = new Set<CutFault['kind']>(['cutWebSockets'])

function isOf<F extends Planned['fault']>(
  planned: Planned,
  kinds: ReadonlySet<string>,
): planned is Planned<F> {
  return kinds.has(planned.fault.kind)
}
