/**
 * Faults on demand and on a schedule: `devnet.faults`. A fault is planned under an id and happens at its trigger.
 * When it happens, the devnet emits the event `fault` or `requestFault`. A planned fault can be removed. Under the
 * manual clock, the same faults and the same commands give the same chain.
 *
 * No fault leads to a sealed block that other nodes would reject.
 */

import type { Hex } from '../bytes/hex.ts'
import { type Moment, tooDeepText } from '../chain/moment.ts'
import { attributedNow, callSite } from '../model/api/callSite.ts'
import type { RpcContext } from '../rpc/context.ts'
import { parseReorg } from '../rpc/reorgRequest.ts'
import { InvalidValue, type Parser } from '../wire/parser.ts'
import type { AnyFault, Span } from './fault.ts'
import { type FaultForm, type PlannedForm, parseCut, parseFault, type When } from './faultJson.ts'
import type { FaultPlanner } from './faultPlanner.ts'

/** Thrown for an invalid fault. The message names the member, the expected value and the received value. */
export class InvalidFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'InvalidFault'
  }
}

/** A reorg: how many blocks are removed, and which transactions the new blocks contain. */
export interface ReorgForm {
  /** The number of newest sealed blocks to remove, at most `finalizedDistance`: final blocks cannot be removed. */
  readonly depth: number
  /**
   * The raw transactions of each new block, or what happens to the removed transactions. `keep`: they stay in their
   * blocks. `wait`: they return to the pool. `drop`: they are dropped.
   */
  readonly transactions: 'keep' | 'wait' | 'drop' | readonly (readonly Hex[])[]
  /** The number of new blocks. By default, the number of removed blocks. */
  readonly blocks?: number
}

/** The members of a kind of fault. */
type Members<K extends AnyFault['kind']> = Omit<Extract<AnyFault, { readonly kind: K }>, 'kind'>

export class Faults {
  readonly #planner: FaultPlanner
  readonly #context: RpcContext

  /** @internal Use `devnet.faults`. */
  constructor(planner: FaultPlanner, context: RpcContext) {
    this.#planner = planner
    this.#context = context
  }

  /** Plans a fault given as JSON, and returns the fault's id. Rejects with `InvalidFault`. */
  async add(form: FaultForm): Promise<number> {
    const requested = attributedNow(callSite(Faults.prototype.add), () =>
      parsed(this.#planner.parser, form, 'fault'),
    )
    this.#note('addFault', form)
    return this.#planner.plan(requested)
  }

  /**
   * Leaves a pre-confirmed transaction out of the sealed block: the given transaction, or by default the last. The
   * transaction is included in the next block, or never. Transactions that depend on it wait.
   *
   * A pre-confirmation is only a promise of the sequencer. If another sequencer takes over, or if a fallback block
   * wins, the sealed block may lack the transaction (web3.okx.com, X Layer's Flashblocks FAQ: "Flashblock reorgs";
   * docs.base.org, Flashblocks, "Architecture"). A client that has already reported success must notice this.
   */
  dropTransaction(drop: Members<'dropTransaction'>, when?: When): Promise<number> {
    return this.add({ kind: 'dropTransaction', ...drop, when })
  }

  /**
   * Never publishes a slice, as when a node misses a Flashblock. From the next slice until the next block, `pending` is
   * absent (equal to `latest`). The transactions of the slice are still sealed.
   */
  omitSlice(when?: When): Promise<number> {
    return this.add({ kind: 'omitSlice', when })
  }

  /** Publishes a slice twice, as after a reconnection to the Flashblocks stream. Each pending log is emitted twice. */
  duplicateSlice(when?: When): Promise<number> {
    return this.add({ kind: 'duplicateSlice', when })
  }

  /** Holds back slices and publishes them together `slices` slices later. A seal before that drops the held slices. */
  delaySlice(delay: Members<'delaySlice'>, when?: When): Promise<number> {
    return this.add({ kind: 'delaySlice', ...delay, when })
  }

  /**
   * Makes `pending` equal to `latest` for the given number of slices, as on nodes that have lost the stream of
   * Flashblocks, or if pre-confirmations are disabled (docs.base.org, Flashblocks FAQ: "confirmations fall back to
   * standard 2-second blocks"). Receipts and logs of pre-confirmed transactions are absent.
   */
  absentPending(absence: Members<'absentPending'>, when?: When): Promise<number> {
    return this.add({ kind: 'absentPending', ...absence, when })
  }

  /** Keeps `pending` unchanged for `slices` slices, as on a node that hangs. `pending` may then be behind `latest`. */
  stalePending(staleness: Members<'stalePending'>, when?: When): Promise<number> {
    return this.add({ kind: 'stalePending', ...staleness, when })
  }

  /**
   * Seals a block that differs from the pre-confirmed block: with the senders in reverse order, a different timestamp,
   * or a different prevRandao. Transaction indexes change, and logs and results may change.
   */
  sealDifferently(difference: Members<'sealDifferently'>, when?: When): Promise<number> {
    return this.add({ kind: 'sealDifferently', ...difference, when })
  }

  /**
   * Removes the newest sealed blocks and seals other blocks in their place. Returns the removed blocks, oldest first.
   * Subscriptions and filters report the logs of removed blocks again, with `removed: true`. Removed blocks can still
   * be requested by hash. Pre-confirmed transactions return to the pool. Rejects with `InvalidFault`.
   *
   * A layer 2 removes blocks when a sequencer fails over, or when a reorg of layer 1 invalidates an unsafe head.
   */
  async reorg(form: ReorgForm): Promise<readonly Moment[]> {
    const request = parsed(parseReorg, form, 'reorg')
    this.#note('reorg', form)
    const outcome = await this.#context.sequencer.blocks.reorg(request)
    if (outcome.kind === 'reorged') return outcome.removed
    throw new InvalidFault(tooDeepText(request.depth, outcome.room))
  }

  /** Plans a reorg after the next seal, or as `when` says. No reorg happens while too few blocks can be removed. */
  planReorg(form: ReorgForm, when?: When): Promise<number> {
    return this.add({ kind: 'reorg', ...form, when })
  }

  /**
   * Leaves the batches of the L2 out of the next `l1Blocks` blocks of the L1, as when the batcher stops. `safe` and
   * `finalized` of the L2 stay behind `latest`. If no batch of a block is on the L1 when its sequencing window ends, a
   * block with deposits only takes its place (specs.optimism.io, "Derivation"). Needs an L2 with its L1.
   */
  withholdBatches(withheld: Members<'withholdBatches'>, when?: When): Promise<number> {
    return this.add({ kind: 'withholdBatches', ...withheld, when })
  }

  /**
   * Leaves the next `slots` slots of the L1 without blocks. The L2 continues with the same L1 origin. Blocks that are
   * more than 1,800 seconds later than their L1 origin have deposits only (specs.optimism.io, "Fjord"). Needs an L2 with
   * its L1.
   */
  missL1Slots(missed: Members<'missL1Slots'>, when?: When): Promise<number> {
    return this.add({ kind: 'missL1Slots', ...missed, when })
  }

  /**
   * Runs calls on `pending` with the number, time and base fee of a block that is older by `blocks` blocks (a number,
   * or a range for a random number), until the fault is removed. On Base, 1 to 5 blocks were observed.
   */
  contextLag(blocks: Span, when?: When): Promise<number> {
    return this.add({ kind: 'contextLag', blocks, when })
  }

  /**
   * Delays responses by milliseconds (a number, or a range for a random number), until the fault is removed. Requests
   * still run immediately. `method` is a method, or a prefix such as `eth_*`; by default all methods.
   */
  latency(latency: Members<'latency'>, when?: When): Promise<number> {
    return this.add({ kind: 'latency', ...latency, when })
  }

  /**
   * Leaves a request without a response, until the client times out. By default the request runs: a transaction that
   * seems to have failed is in the pool. If `lost` is `request`, the request does not run.
   */
  timeout(lost: Members<'timeout'> = {}, when?: When): Promise<number> {
    return this.add({ kind: 'timeout', ...lost, when })
  }

  /**
   * Refuses a request with an HTTP status, such as 429 with `Retry-After`, or 503. The body is `body`, or the JSON-RPC
   * error of Base's public nodes. As on these nodes, a batch is answered with the status 200 and the error in place of
   * each response. Over WebSocket and in process, the response is the error without a status.
   */
  httpStatus(refusal: Members<'httpStatus'>, when?: When): Promise<number> {
    return this.add({ kind: 'httpStatus', ...refusal, when })
  }

  /** Refuses a request with the given JSON-RPC error. */
  rpcError(error: Members<'rpcError'>, when?: When): Promise<number> {
    return this.add({ kind: 'rpcError', ...error, when })
  }

  /**
   * Refuses eth_getLogs requests for more than `blocks` blocks (by default the limit of the provider) or `results`
   * logs, until the fault is removed. The response has the code, message and HTTP status of a real provider.
   */
  logRange(limit: Members<'logRange'>, when?: When): Promise<number> {
    return this.add({ kind: 'logRange', ...limit, when })
  }

  /**
   * Closes all WebSocket connections now, and returns their number. Sends a close frame only if `code` is given;
   * without a close frame, clients report the code 1006. Providers close idle connections, and restart gateways. All
   * subscriptions end: a client must connect and subscribe again, and request the events that the client missed.
   */
  cutWebSockets(cut: Members<'cutWebSockets'> = {}): number {
    return this.#planner.cut(parsed(parseCut, cut, 'cut'))
  }

  /** Plans to close all WebSocket connections after the next published slice, or after the slice selected by `when`. */
  planCut(cut: Members<'cutWebSockets'> = {}, when?: When): Promise<number> {
    return this.add({ kind: 'cutWebSockets', ...cut, when })
  }

  /** Returns the planned faults that have not happened yet or may happen again. */
  list(): readonly PlannedForm[] {
    return this.#planner.list()
  }

  /** Removes a planned fault, and reveals the slices that it hides. Returns whether it removed or revealed anything. */
  async remove(id: number): Promise<boolean> {
    this.#note('removeFault', id)
    return this.#planner.remove(id)
  }

  /** Removes all planned faults, and reveals the slices that they hide. */
  async clear(): Promise<void> {
    this.#note('clearFaults')
    await this.#planner.clear()
  }

  /** Reports the call to the devnet's observer before the command runs. */
  #note(name: string, ...given: readonly unknown[]): void {
    this.#context.observer?.onCommand(name, ...given)
  }
}

/** Throws `InvalidFault` unless `value` is a fault as JSON. The message contains `path`. */
export function requireFault(value: unknown, path: string): asserts value is FaultForm {
  parsed(parseFault(1), value, path)
}

function parsed<T>(parse: Parser<T>, value: unknown, path: string): T {
  try {
    return parse(value, path)
  } catch (error) {
    if (error instanceof InvalidValue) throw new InvalidFault(error.message, error)
    throw error
  }
}
