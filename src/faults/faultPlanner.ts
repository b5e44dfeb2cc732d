/** Plans faults and takes them back, for `devnet.faults` and for the methods of JSON-RPC. Each kind goes to whoever carries it out. */
import type { Moment } from '../chain/moment.ts'
import { toHex } from '../model/bytes/hex.ts'
import type { CutFault, Fault, Planned, RequestFault } from '../model/fault.ts'
import { parseFault } from '../wire/fault.ts'
import type { Parser } from '../wire/parser.ts'
import { encodeWhen, type Requested, type When } from '../wire/when.ts'
import type { PlannedFault } from './dueFaults.ts'
import type { RequestFaults } from './requestFaults.ts'

/** A fault as JSON: what `--faults` and `preseal_addFault` take, too. */
export interface FaultForm {
  readonly kind: Planned['fault']['kind']
  readonly when?: When | undefined
  readonly [member: string]: unknown
}

/** A fault that is planned. */
export interface PlannedForm extends FaultForm {
  readonly id: number
  readonly when: When
}

/** The commands that plan faults of the chain: those of the sequencer, in its queue. */
export interface ChainFaultCommands {
  /** What has not happened yet, or may happen again. */
  readonly planned: readonly PlannedFault[]
  plan(fault: PlannedFault): Promise<void>
  /** Takes a fault back, and what readers do not see because of it. Returns whether there was anything to take back. */
  remove(id: number): Promise<boolean>
  /** Takes all back. */
  clear(): Promise<void>
}

/** What a reorg did: the removed blocks, the oldest first, or how many could be removed at most. */
export type ReorgOutcome =
  | { readonly kind: 'reorged'; readonly removed: readonly Moment[] }
  | { readonly kind: 'tooDeep'; readonly limit: number }

export class FaultPlanner {
  readonly #chainFaults: ChainFaultCommands
  readonly #requestFaults: RequestFaults
  #lastId = 0

  constructor(chainFaults: ChainFaultCommands, requestFaults: RequestFaults) {
    this.#chainFaults = chainFaults
    this.#requestFaults = requestFaults
  }

  /** Reads the next fault that is given as JSON: what chance decides follows from its id, where it names no seed. */
  get parser(): Parser<Requested> {
    return parseFault(this.#lastId + 1)
  }

  /** Plans what `parser` read. Returns the fault's id. */
  async plan({ fault, trigger }: Requested): Promise<number> {
    const id = ++this.#lastId
    const planned = { id, fault, trigger }
    if (isOf<RequestFault>(planned, REQUEST_FAULTS)) this.#requestFaults.planRequest(planned)
    else if (isOf<CutFault>(planned, CUT_FAULTS)) this.#requestFaults.planCut(planned)
    else await this.#chainFaults.plan(planned as Planned<Fault>)
    return id
  }

  /** Takes a fault back. Returns whether there was anything to take back. */
  async remove(id: number): Promise<boolean> {
    return this.#requestFaults.remove(id) || this.#chainFaults.remove(id)
  }

  /** Takes all faults back. */
  async clear(): Promise<void> {
    this.#requestFaults.clear()
    await this.#chainFaults.clear()
  }

  /** Closes all WebSocket connections now. Returns how many there were. */
  cut(code: number | undefined): number {
    return this.#requestFaults.cut(code)
  }

  /** Returns what has not happened yet, or may happen again, in the order in which it was planned. */
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

/** The fault as JSON has it: transactions as their bytes. */
export function encodeFault(fault: Planned['fault']): FaultForm {
  if (fault.kind !== 'reorg' || typeof fault.transactions === 'string') return { ...fault }
  return { ...fault, transactions: fault.transactions.map((block) => block.map(({ raw }) => toHex(raw))) }
}

/** Why blocks cannot be taken off. */
export function tooDeepText(depth: number, limit: number): string {
  return `depth: expected at most ${limit} blocks, which are not final yet, got ${depth}`
}
