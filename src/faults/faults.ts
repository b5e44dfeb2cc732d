/**
 * Faults on demand and on a schedule: `devnet.faults`. Each is planned under an id, happens when its time has come, says so
 * with the event `fault` or `requestFault`, and can be taken back. The same faults and the same commands under the manual clock
 * give the same chain.
 *
 * None of them makes a sealed block that another node would refuse.
 */
import type { Moment } from '../chain/moment.ts'
import type { Hash, Hex } from '../model/bytes/hex.ts'
import type { LogProvider, ReorgRequest, Span } from '../model/fault.ts'
import { parseCut, parseFault, parseReorg } from '../wire/fault.ts'
import { InvalidValue, type Parser } from '../wire/parser.ts'
import type { When } from '../wire/when.ts'
import {
  type FaultForm,
  type FaultPlanner,
  type PlannedForm,
  type ReorgOutcome,
  tooDeepText,
} from './faultPlanner.ts'

/** A fault that cannot be: the message says which member, what was expected and what came. */
export class InvalidFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'InvalidFault'
  }
}

/** What becomes of the newest blocks: their transactions come back in their places, wait, or are gone; or others come. */
export interface ReorgForm {
  /** How many of the newest sealed blocks are taken off. What is final stays, so not more than `finalizedDistance`. */
  readonly depth: number
  /** The raw transactions of each new block, or what becomes of the old ones. */
  readonly transactions: 'keep' | 'wait' | 'drop' | readonly (readonly Hex[])[]
  /** How many blocks come instead; by default as many. */
  readonly blocks?: number
}

/** Removes blocks from the chain, as the sequencer does. */
export interface ReorgCommand {
  reorg(request: ReorgRequest): Promise<ReorgOutcome>
}

/** Is called before each command is carried out. */
type Note = (name: 'addFault' | 'removeFault' | 'clearFaults' | 'reorg', ...given: readonly unknown[]) => void

export class Faults {
  readonly #planner: FaultPlanner
  readonly #chain: ReorgCommand
  readonly #note: Note

  /** @internal Use `devnet.faults`. */
  constructor(planner: FaultPlanner, chain: ReorgCommand, note: Note) {
    this.#planner = planner
    this.#chain = chain
    this.#note = note
  }

  /**
   * Plans a fault that is given as JSON; answers its id. The other methods do the same with names. Rejects with
   * `InvalidFault`.
   */
  async add(form: FaultForm): Promise<number> {
    const requested = parsed(this.#planner.parser, form, 'fault')
    this.#note('addFault', form)
    return this.#planner.plan(requested)
  }

  /**
   * A pre-confirmed transaction, the given one or the last, is not in the sealed block: it lands in the next, or never. Those
   * that depend on it wait.
   *
   * A pre-confirmation is a promise of the sequencer and no more: where another takes the lead, or the fallback's block
   * wins, the full block is one without it (web3.okx.com, X Layer's Flashblocks FAQ: "Flashblock reorgs"; docs.base.org,
   * Flashblocks, "Architecture"). A client that told its user "done" has to notice.
   */
  dropTransaction(
    drop: { readonly hash?: Hash; readonly lands: 'next' | 'never' },
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'dropTransaction', ...drop, when })
  }

  /**
   * A slice never comes. Whoever follows the stream has lost it, as a node does that misses a Flashblock: `pending` is what
   * it was, then absent (equals `latest`) until the next block begins. Its transactions are sealed all the same.
   */
  omitSlice(when?: When): Promise<number> {
    return this.add({ kind: 'omitSlice', when })
  }

  /** A slice is told twice, as after a reconnection to the stream: each pending log comes again. */
  duplicateSlice(when?: When): Promise<number> {
    return this.add({ kind: 'duplicateSlice', when })
  }

  /**
   * A slice and those after it are seen so many slices later, then all at once, as when a connection stalls. If the block is
   * sealed meanwhile, they are never seen.
   */
  delaySlice(delay: { readonly slices: number }, when?: When): Promise<number> {
    return this.add({ kind: 'delaySlice', ...delay, when })
  }

  /**
   * `pending` is `latest` for so many slices: what a node answers that has lost the stream of Flashblocks, or never had
   * it, and all nodes where pre-confirmations are disabled (docs.base.org, Flashblocks FAQ: "confirmations fall back to
   * standard 2-second blocks"). Receipts and logs of what is pre-confirmed are not there.
   */
  absentPending(absence: { readonly slices: number }, when?: When): Promise<number> {
    return this.add({ kind: 'absentPending', ...absence, when })
  }

  /**
   * `pending` stays what it was for so many slices, though the chain goes on: a load balancer that asks a node which hangs.
   * It may then be behind `latest`: nonces go back, balances disagree.
   */
  stalePending(staleness: { readonly slices: number }, when?: When): Promise<number> {
    return this.add({ kind: 'stalePending', ...staleness, when })
  }

  /**
   * The sealed block differs from what was pre-confirmed: its senders in the reverse order, another time, another
   * prevRandao. Indices change, and so does each log that tells of these, and what depends on who came first.
   */
  sealDifferently(
    difference: { readonly order?: 'reversed'; readonly laterSeconds?: number; readonly prevRandao?: Hash },
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'sealDifferently', ...difference, when })
  }

  /**
   * Takes the newest sealed blocks off the chain now, and seals others in their place: answers the removed ones, the oldest
   * first. Their logs come again with `removed: true`, to subscriptions and filters; their hashes still find them. What was
   * pre-confirmed waits again. Rejects with `InvalidFault`.
   *
   * A layer 2 has no uncles, but a sequencer that fails over, or a layer 1 that reorgs below an unsafe head, takes blocks
   * back.
   */
  async reorg(form: ReorgForm): Promise<readonly Moment[]> {
    const request = parsed(parseReorg, form, 'reorg')
    this.#note('reorg', form)
    const outcome = await this.#chain.reorg(request)
    if (outcome.kind === 'reorged') return outcome.removed
    throw new InvalidFault(tooDeepText(request.depth, outcome.limit))
  }

  /** The same right after a block was sealed, or after that block; where so many can be taken off. */
  planReorg(form: ReorgForm, when?: When): Promise<number> {
    return this.add({ kind: 'reorg', ...form, when })
  }

  /**
   * Calls on `pending` see the number, time and base fee of so many blocks before, or of a number between two (seed 4.3:
   * "several behind the tip"; Base showed 1 to 5), until this is taken back.
   */
  contextLag(blocks: Span, when?: When): Promise<number> {
    return this.add({ kind: 'contextLag', blocks, when })
  }

  /**
   * Requests are answered late, by so many milliseconds or a number between two, until this is taken back. They are
   * carried out at once. `method`: one, or all that begin so (`eth_*`); by default all.
   */
  latency(
    latency: { readonly method?: string; readonly ms: Span; readonly seed?: number },
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'latency', ...latency, when })
  }

  /**
   * A request is never answered: the connection stays open until the client gives up. By default it was carried out and its
   * answer was lost, so a transaction that seems to have failed is on its way; with `lost: 'request'` it never arrived.
   */
  timeout(
    lost: { readonly method?: string; readonly lost?: 'answer' | 'request' } = {},
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'timeout', ...lost, when })
  }

  /**
   * A request is refused with this status: 429 with `Retry-After`, 503 and others, with the JSON-RPC error of Base's public
   * nodes (429 is -32016 `over rate limit`), or with `body` as a proxy's page. As there, a batch comes with 200 and the
   * error in place of the answer; over WebSocket and in process there is only the error.
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

  /** A request is refused with a JSON-RPC error of your choice. */
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
   * eth_getLogs over more blocks than `blocks` (by default the provider's own limit), or with more than `results` logs, is
   * refused with code, words and HTTP status of a real provider, until this is taken back. Their words differ so much that
   * a client which narrows its questions has to know many of them, or halve.
   */
  logRange(
    limit: { readonly provider: LogProvider; readonly blocks?: number; readonly results?: number },
    when?: When,
  ): Promise<number> {
    return this.add({ kind: 'logRange', ...limit, when })
  }

  /**
   * Cuts all WebSocket connections now; answers how many. By default without a word, which clients see as code 1006, as
   * they do where a provider restarts a gateway or ends what was idle; with `code` politely. Subscriptions are gone: a
   * client has to connect and subscribe again, and ask for what it missed.
   */
  cutWebSockets(cut: { readonly code?: number } = {}): number {
    return this.#planner.cut(parsed(parseCut, cut, 'cut'))
  }

  /** The same once the next slice was told, or that one. */
  planCut(cut: { readonly code?: number } = {}, when?: When): Promise<number> {
    return this.add({ kind: 'cutWebSockets', ...cut, when })
  }

  /** What is planned: what has not happened yet, or may happen again. */
  list(): readonly PlannedForm[] {
    return this.#planner.list()
  }

  /**
   * Takes a fault back: it happens no more, and readers see what it hid from them. What was sealed, dropped or refused stays
   * so. Answers whether there was anything to take back.
   */
  async remove(id: number): Promise<boolean> {
    this.#note('removeFault', id)
    return this.#planner.remove(id)
  }

  /** Takes all back. */
  async clear(): Promise<void> {
    this.#note('clearFaults')
    await this.#planner.clear()
  }
}

/** Looks whether `value`, which stands at `path`, is a fault as JSON. Throws `InvalidFault`. */
export function requireFault(value: unknown, path: string): asserts value is FaultForm {
  parsed(parseFault(1), value, path)
}

/** What `parse` makes of `value`. Throws `InvalidFault`. */
function parsed<T>(parse: Parser<T>, value: unknown, path: string): T {
  try {
    return parse(value, path)
  } catch (error) {
    if (error instanceof InvalidValue) throw new InvalidFault(error.message, error)
    throw error
  }
}
