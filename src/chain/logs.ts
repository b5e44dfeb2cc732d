/** eth_getLogs: the blocks of a range (CONTRACT 3), and the matching logs in them. */
import { type Block, logAt, logsAt, type PlacedLog, transactionCount } from '../model/block/block.ts'
import { byHash, isPending, LATEST, type Selector } from '../model/block/selector.ts'
import { type LogCriteria, type LogFilter, matches } from '../model/receipt/log.ts'
import { type Chain, hasBlock } from './chain.ts'
import type { Candidates } from './logIndex.ts'
import type { Missing } from './moment.ts'

/** The limits of eth_getLogs. */
export interface LogLimits {
  /** The limit of sealed blocks in one request; 0: no limit. */
  readonly range: number
  /** The limit of logs in one response; 0: no limit. */
  readonly results: number
}

/** The matching logs, or the reason why there are none to return. */
export type LogAnswer<T = PlacedLog> = { readonly kind: 'logs'; readonly logs: readonly T[] } | LogRefused

/** The reason why there are no logs to return. */
export type LogRefused =
  | { readonly kind: 'reversedRange'; readonly from: bigint; readonly to: bigint }
  | { readonly kind: 'beyondHead'; readonly number: bigint; readonly head: bigint }
  /** `to` is the last block of a range within the limit, `last` the last block of the requested range. */
  | {
      readonly kind: 'rangeTooLarge'
      readonly limit: number
      readonly from: bigint
      readonly to: bigint
      readonly last: bigint
    }
  | { readonly kind: 'tooManyResults'; readonly limit: number; readonly from: bigint; readonly to: bigint }
  | Missing

/** Returns the log marked as removed, for blocks that a reorg removed. */
export function asRemoved(placed: PlacedLog): PlacedLog {
  return { ...placed, isRemoved: true }
}

/**
 * The sealed blocks from `from` to `to` (none if `to` is below `from`), and whether the pre-confirmed block follows
 * them.
 */
interface Span {
  readonly kind: 'span'
  readonly from: bigint
  readonly to: bigint
  readonly withPreconfirmed: boolean
}

/**
 * Returns the logs that match `filter`, in the order of the chain, each as what `shown` makes of it when it is found: of
 * an old block a log is decoded then, and not held with all others.
 */
export function queryLogs<T>(
  chain: Chain,
  filter: LogFilter,
  limits: LogLimits,
  shown: (log: PlacedLog) => T,
): LogAnswer<T> {
  if (filter.range.kind === 'block') {
    const found = chain.at(byHash(filter.range.hash))
    if (!hasBlock(found)) return found
    const logs = logsIn(found.block, filter.criteria)
    // Seed 3's third state: the logs of a block that a reorg removed are marked as removed.
    const isRemoved = chain.isRemoved(filter.range.hash)
    return { kind: 'logs', logs: logs.map((log) => shown(isRemoved ? asRemoved(log) : log)) }
  }
  const span = spanOf(chain, filter.range.from, filter.range.to)
  if (span.kind !== 'span') return span
  const { to } = span
  // No block is before the first, so that nothing is missing where a range begins there.
  const first = BigInt(chain.state.history.first)
  const from = span.from < first ? first : span.from
  return (
    rangeTooLarge(limits.range, from, to) ??
    collect(chain, filter.criteria, { ...span, from }, limits.results, shown)
  )
}

/** Returns the refusal of a range of sealed blocks; `undefined` if it has at most `limit` of them, or there is no limit. */
export function rangeTooLarge(
  limit: number,
  from: bigint,
  last: bigint,
): Extract<LogRefused, { kind: 'rangeTooLarge' }> | undefined {
  if (limit === 0 || last - from + 1n <= BigInt(limit)) return undefined
  return { kind: 'rangeTooLarge', limit, from, to: from + BigInt(limit) - 1n, last }
}

/**
 * Returns the blocks of a range. One of the two places where the tag `pending` itself matters: at the end of a range.
 */
function spanOf(
  chain: Chain,
  fromSelector: Selector | undefined,
  toSelector: Selector | undefined,
): Span | LogRefused {
  const head = chain.latest.block.header.number
  const from = fromSelector ?? LATEST
  const to = toSelector ?? (isPending(from) ? from : LATEST)
  // A range that begins after the head contains no sealed block; the block under construction follows the head.
  const nothing: Span = { kind: 'span', from: head + 1n, to: head, withPreconfirmed: false }
  if (isPending(from)) {
    // Before the first tick of a block `pending` equals `latest`, which is not pre-confirmed: there are no
    // pre-confirmed logs.
    if (isPending(to)) {
      const number = chain.preconfirmed?.block.header.number ?? head + 1n
      return { kind: 'span', from: number, to: number - 1n, withPreconfirmed: true }
    }
    const last = numberOf(chain, to)
    if (typeof last !== 'bigint') return last
    return last > head ? { kind: 'beyondHead', number: last, head } : nothing
  }
  const first = numberOf(chain, from)
  if (typeof first !== 'bigint') return first
  if (isPending(to)) {
    if (first > head + 1n) return { kind: 'beyondHead', number: first, head }
    return { kind: 'span', from: first, to: head, withPreconfirmed: true }
  }
  const last = numberOf(chain, to)
  if (typeof last !== 'bigint') return last
  if (first > head && toSelector === undefined) return nothing
  if (first > last) return { kind: 'reversedRange', from: first, to: last }
  if (last > head) return { kind: 'beyondHead', number: last, head }
  return { kind: 'span', from: first, to: last, withPreconfirmed: false }
}

/** Returns the block number of a selector, whether or not the block exists. */
function numberOf(chain: Chain, selector: Selector): bigint | Missing {
  if (selector.kind === 'number') return selector.number
  const found = chain.at(selector)
  return hasBlock(found) ? found.block.header.number : found
}

function collect<T>(
  chain: Chain,
  criteria: LogCriteria,
  span: Span,
  limit: number,
  shown: (log: PlacedLog) => T,
): LogAnswer<T> {
  const { history, preconfirmed } = chain.state
  // The first block is always kept, so a range that ends there lacks nothing.
  if (span.to > history.first && span.from <= span.to && span.from < BigInt(history.oldest)) {
    return { kind: 'prunedHistory', number: span.from, oldest: BigInt(history.oldest) }
  }
  const logs: T[] = []
  // A single block is always returned whole, as in reth: there is no narrower range to request.
  const isNarrowest = span.to - span.from + (span.withPreconfirmed ? 2n : 1n) <= 1n
  // A sealed block that a fault keeps visible as pre-confirmed has its logs among the sealed ones.
  const isNext = preconfirmed !== undefined && preconfirmed.block.header.number > span.to
  const open = span.withPreconfirmed && isNext ? preconfirmed : undefined
  const index = open?.logIndex ?? history.logIndex
  const last = Number(open?.block.header.number ?? span.to)
  for (const found of index.candidates(criteria, Number(span.from), last)) {
    const { number } = found
    const block = open !== undefined && number === last ? open.block : history.block(number)!
    for (const log of matching(block, found, criteria)) logs.push(shown(log))
    if (limit > 0 && !isNarrowest && logs.length > limit) {
      const before = BigInt(number) - 1n
      return { kind: 'tooManyResults', limit, from: span.from, to: before < span.from ? span.from : before }
    }
  }
  return { kind: 'logs', logs }
}

/**
 * Returns the block's matching logs. Objects are made only for those that match, because a block may have very many
 * logs.
 */
function logsIn(block: Block, criteria: LogCriteria): PlacedLog[] {
  const found: PlacedLog[] = []
  const count = transactionCount(block)
  for (let transactionIndex = 0; transactionIndex < count; transactionIndex++) {
    const { logs, firstLogIndex } = logsAt(block, transactionIndex)
    for (let i = 0; i < logs.length; i++) {
      const log = logs[i]!
      if (matches(log, criteria)) found.push({ log, block, transactionIndex, logIndex: firstLogIndex + i })
    }
  }
  return found
}

/** Returns the candidates that match. */
function matching(block: Block, { logs }: Candidates, criteria: LogCriteria): PlacedLog[] {
  if (logs === 'all') return logsIn(block, criteria)
  return logs.map((index) => logAt(block, index)).filter(({ log }) => matches(log, criteria))
}

/** Returns the number of the block that a selector names, whether or not there is one; those of the network included. */
export function blockNumberOf({ latest, pending, options }: Chain, selector: Selector): bigint {
  const head = latest.block.header.number
  const before = (distance: number) => (head > BigInt(distance) ? head - BigInt(distance) : 0n)
  if (selector.kind === 'number' || selector.kind === 'slice') return selector.number
  if (selector.kind === 'hash') throw new TypeError('a hash is no number')
  switch (selector.tag) {
    case 'latest':
      return head
    case 'pending':
      return pending.block.header.number
    case 'earliest':
      return 0n
    case 'safe':
      return before(options.safeDistance)
    case 'finalized':
      return before(options.finalizedDistance)
  }
}
