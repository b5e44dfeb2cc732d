/**
 * Faults on demand and on a schedule: `devnet.faults`. Each fault is planned under an id, happens at its trigger,
 * emits the event `fault` or `requestFault`, and can be removed. Under the manual clock, the same faults and the same
 * commands give the same chain.
 *
 * No fault makes a sealed block that another node would reject.
 */

import type { Hash, Hex } from '../bytes/hex.ts'
import { type Moment, tooDeepText } from '../chain/moment.ts'
import { attributedNow, callSite } from '../model/api/callSite.ts'
import type { RpcContext } from '../rpc/context.ts'
import type { CommandName } from '../rpc/observer.ts'
import { InvalidValue, type Parser } from '../wire/parser.ts'
import type { LogProvider, Span } from './fault.ts'
import { type FaultForm, type PlannedForm, parseCut, parseFault, parseReorg, type When } from './faultJson.ts'
import type { FaultPlanner } from './faultPlanner.ts'

/** An error for an invalid fault. The message names the member, the expected and the received value. */
export class InvalidFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'InvalidFault'
  }
}

/** The blocks of a reorg: how many are removed, and which transactions the new blocks have. */
export interface ReorgForm {
  /**
   * Number of the newest sealed blocks to remove. Final blocks are never removed, so that it is at most
   * `finalizedDistance`.
   */
  readonly depth: number
  /**
   * The raw transactions of each new block; or `keep`: the removed transactions stay in their blocks, `wait`: they
   * return to the pool, `drop`: they are removed.
   */
  readonly transactions: 'keep' | 'wait' | 'drop' | readonly (readonly Hex[])[]
  /** Number of new blocks; by default the number of removed ones. */
  readonly blocks?: number
}

export class Faults {
  readonly #planner: FaultPlanner
  readonly #context: RpcContext

  /** @internal Use `devnet.faults`. */
  constructor(planner: FaultPlanner, context: RpcContext) {
    this.#planner = planner
    this.#context = context
  }

  /**
   * Plans a fault given as JSON and returns its id. The other methods plan one kind each. Rejects with
   * `InvalidFault`.
   */
  async add(form: FaultForm): Promise<number> {
    const requested = attributedNow(callSite(Faults.prototype.add), () =>
      parsed(this.#planner.parser, form, 'fault'),
    )
    this.#note('addFault', form)
    return this.#planner.plan(requested)
  }

  /**
   * Leaves a pre-confirmed transaction, the given one or the last, out of the sealed block: it is included in the
   * next block, or never. Transactions that depend on it wait.
   *
   * A pre-confirmation is only a promise of the sequencer: if another sequencer takes over, or the block of the
   * fallback wins, the full block lacks the transaction (web3.okx.com, X Layer's Flashblocks FAQ: "Flashblock
   * reorgs"; docs.base.org, Flashblocks, "Architecture"). A client that has reported the transaction as done must
   * notice.
   */
  dropTransaction(
    drop: { readonly hash?: Hash; readonly lands: 'next' | 'never' },
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'dropTransaction', ...drop, when })
  }

  /**
   * Never publishes a slice, as when a node misses a Flashblock: `pending` is unchanged, then absent (equals
   * `latest`) until the next block begins. The transactions of the slice are sealed all the same.
   */
  omitSlice(when?: When): Promise<number> {
    return this.add({ kind: 'omitSlice', when })
  }

  /** Publishes a slice twice, as after a reconnection to the stream: each pending log is emitted again. */
  duplicateSlice(when?: When): Promise<number> {
    return this.add({ kind: 'duplicateSlice', when })
  }

  /**
   * Publishes a slice and those after it only after the given number of further slices, then all at once, as when a
   * connection stalls. If the block is sealed first, they are never published.
   */
  delaySlice(delay: { readonly slices: number }, when?: When): Promise<number> {
    return this.add({ kind: 'delaySlice', ...delay, when })
  }

  /**
   * Makes `pending` equal to `latest` for the given number of slices, as on a node that has lost the stream of
   * Flashblocks or never had it, and on all nodes if pre-confirmations are disabled (docs.base.org, Flashblocks FAQ:
   * "confirmations fall back to standard 2-second blocks"). Receipts and logs of pre-confirmed transactions are
   * absent.
   */
  absentPending(absence: { readonly slices: number }, when?: When): Promise<number> {
    return this.add({ kind: 'absentPending', ...absence, when })
  }

  /**
   * Keeps `pending` unchanged for the given number of slices while the chain continues, as when a load balancer sends
   * requests to a node that hangs. `pending` may then be behind `latest`: nonces decrease, balances disagree.
   */
  stalePending(staleness: { readonly slices: number }, when?: When): Promise<number> {
    return this.add({ kind: 'stalePending', ...staleness, when })
  }

  /**
   * Seals a block that differs from the pre-confirmed one: senders in the reverse order, another timestamp, or
   * another prevRandao. Indices change, and so do logs and results that depend on these values or on the order.
   */
  sealDifferently(
    difference: { readonly order?: 'reversed'; readonly laterSeconds?: number; readonly prevRandao?: Hash },
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'sealDifferently', ...difference, when })
  }

  /**
   * Removes the newest sealed blocks from the chain and seals others in their place. Returns the removed blocks, the
   * oldest first. Subscriptions and filters report their logs again with `removed: true`; the blocks can still be
   * requested by hash. Pre-confirmed transactions return to the pool. Rejects with `InvalidFault`.
   *
   * A layer 2 has no uncles, but it removes blocks when a sequencer fails over, or when a reorg of layer 1
   * invalidates an unsafe head.
   */
  async reorg(form: ReorgForm): Promise<readonly Moment[]> {
    const request = parsed(parseReorg, form, 'reorg')
    this.#note('reorg', form)
    const outcome = await this.#context.sequencer.blocks.reorg(request)
    if (outcome.kind === 'reorged') return outcome.removed
    throw new InvalidFault(tooDeepText(request.depth, outcome.room))
  }

  /** Plans a reorg right after the next sealed block, or after the given one, if enough blocks can be removed. */
  planReorg(form: ReorgForm, when?: When): Promise<number> {
    return this.add({ kind: 'reorg', ...form, when })
  }

  /**
   * Makes calls on `pending` use the number, time and base fee of an earlier block, until the fault is removed: by
   * the given number of blocks, or by a random number in the given range (seed 4.3: "several behind the tip"; Base
   * showed 1 to 5).
   */
  contextLag(blocks: Span, when?: When): Promise<number> {
    return this.add({ kind: 'contextLag', blocks, when })
  }

  /**
   * Delays responses by the given number of milliseconds, or by a random number in the given range, until the fault
   * is removed. Requests are run at once. `method`: one method, or a prefix (`eth_*`); by default all.
   */
  latency(
    latency: { readonly method?: string; readonly ms: Span; readonly seed?: number },
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'latency', ...latency, when })
  }

  /**
   * Leaves a request without a response: the connection stays open until the client gives up. By default the request
   * is run and its response is lost, so that a transaction that seems to have failed is in the pool; with `lost:
   * 'request'` it is not run.
   */
  timeout(
    lost: { readonly method?: string; readonly lost?: 'answer' | 'request' } = {},
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'timeout', ...lost, when })
  }

  /**
   * Refuses a request with an HTTP status: 429 with `Retry-After`, 503 and others, with the JSON-RPC error of Base's
   * public nodes (429 is -32016 `over rate limit`), or with `body`, like the page of a proxy. As on these nodes, a
   * batch is answered with 200 and the error in place of each response; over WebSocket and in process there is only
   * the error.
   */
  httpStatus(
    refusal: {
      readonly method?: string
      readonly status: number
      readonly retryAfterSeconds?: number
      readonly code?: number
      readonly message?: string
      readonly body?: string
    },
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'httpStatus', ...refusal, when })
  }

  /** Refuses a request with the given JSON-RPC error. */
  rpcError(
    error: {
      readonly method?: string
      readonly code: number
      readonly message: string
      readonly data?: unknown
    },
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'rpcError', ...error, when })
  }

  /**
   * Refuses eth_getLogs over more blocks than `blocks` (by default the limit of the provider), or with more than
   * `results` logs, with the code, message and HTTP status of a real provider, until the fault is removed. The
   * messages differ so much that a client which narrows the range must recognise many of them, or halve the range.
   */
  logRange(
    limit: { readonly provider: LogProvider; readonly blocks?: number; readonly results?: number },
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'logRange', ...limit, when })
  }

  /**
   * Closes all WebSocket connections now and returns their number. By default without a close frame, which clients
   * see as code 1006, as when a provider restarts a gateway or drops idle connections; with `code`, with a close
   * frame. Subscriptions end: a client has to connect and subscribe again, and request what it missed.
   */
  cutWebSockets(cut: { readonly code?: number } = {}): number {
    return this.#planner.cut(parsed(parseCut, cut, 'cut'))
  }

  /** Plans to close all WebSocket connections after the next slice is published, or after the given one. */
  planCut(cut: { readonly code?: number } = {}, when?: When): Promise<number> {
    return this.add({ kind: 'cutWebSockets', ...cut, when })
  }

  /** Returns the planned faults: those that have not happened yet or may happen again. */
  list(): readonly PlannedForm[] {
    return this.#planner.list()
  }

  /**
   * Removes a fault: it does not happen again, and the data that it hid becomes visible. Transactions and blocks that
   * it has changed stay so. Returns whether there was anything to remove.
   */
  async remove(id: number): Promise<boolean> {
    this.#note('removeFault', id)
    return this.#planner.remove(id)
  }

  /** Removes all faults. */
  async clear(): Promise<void> {
    this.#note('clearFaults')
    await this.#planner.clear()
  }

  /** Reports the call to the observer of the devnet, before the command runs. */
  #note(name: CommandName, ...given: readonly unknown[]): void {
    this.#context.observer?.onCommand(name, ...given)
  }
}

/** Throws `InvalidFault`, with `path` in the message, unless `value` is a fault as JSON. */
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
