/** eth_getLogs: determines the blocks of a range, and selects the matching logs in these blocks. */
import { type Block, logAt, logsAt, type PlacedLog, transactionCount } from '../model/block/block.ts'
import { byHash, isPending, LATEST, type Selector } from '../model/block/selector.ts'
import { type LogCriteria, type LogFilter, matches } from '../model/receipt/log.ts'
import { type Chain, hasBlock } from './chain.ts'
import type { Candidates } from './logIndex.ts'
import type { Missing } from './moment.ts'

export interface LogLimits {
  /** The maximum number of sealed blocks in one request; 0 if it is unlimited. */
  readonly range: number
  /** The maximum number of logs in one response; 0 if it is unlimited. */
  readonly results: number
}

export type LogAnswer<T = PlacedLog> = { readonly kind: 'logs'; readonly logs: readonly T[] } | LogRefused

export type LogRefused =
  | { readonly kind: 'reversedRange'; readonly from: bigint; readonly to: bigint }
  | { readonly kind: 'beyondHead'; readonly number: bigint; readonly head: bigint }
  /** `last` is the last requested block. `to` is the last block of the largest allowed range that begins at `from`. */
  | {
      readonly kind: 'rangeTooLarge'
      readonly limit: number
      readonly from: bigint
      readonly to: bigint
      readonly last: bigint
    }
  | { readonly kind: 'tooManyResults'; readonly limit: number; readonly from: bigint; readonly to: bigint }
  | Missing

export function asRemoved(placed: PlacedLog): PlacedLog {
  return { ...placed, isRemoved: true }
}

/** The sealed blocks from `from` to `to` (none if `to` is lower), and the pre-confirmed block if `withPreconfirmed`. */
interface Span {
  readonly kind: 'span'
  readonly from: bigint
  readonly to: bigint
  readonly withPreconfirmed: boolean
}

/** Returns matching logs, each converted with `shown` when found, so that few decoded logs are in memory. */
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
    // If a reorg removed the block, its logs are marked as removed.
    const isRemoved = chain.isRemoved(filter.range.hash)
    return { kind: 'logs', logs: logs.map((log) => shown(isRemoved ? asRemoved(log) : log)) }
  }
  const span = spanOf(chain, filter.range.from, filter.range.to)
  if (span.kind !== 'span') return span
  const { to } = span
  // The range may begin before the first block, where no blocks exist.
  const first = BigInt(chain.state.history.first)
  const from = span.from < first ? first : span.from
  return (
    rangeTooLarge(limits.range, from, to) ??
    collect(chain, filter.criteria, { ...span, from }, limits.results, shown)
  )
}

/**
 * Returns all matching logs, newest first, with those of the pre-confirmed block. `criteria` must not be empty. `count` is their
 * number; it may be too high if keys of the log index have the same hash.
 */
export function newestLogs(
  { state: { history, preconfirmed } }: Chain,
  criteria: LogCriteria,
): { readonly count: number; readonly logs: Iterable<PlacedLog> } {
  const last = preconfirmed?.block
  // A fault may show a sealed block as pre-confirmed.
  const open = last !== undefined && last.header.number >= history.end ? last : undefined
  const index = (open && preconfirmed?.logIndex) ?? history.logIndex
  const candidates = [...index.candidates(criteria, history.first, history.end)].reverse()
  function* logs() {
    for (const found of candidates) {
      const block = found.number === history.end ? open! : history.block(found.number)!
      yield* matching(block, found, criteria).reverse()
    }
  }
  return { count: candidates.reduce((sum, found) => sum + found.logs.length, 0), logs: logs() }
}

/** Returns a refusal if a range has more than `limit` blocks. With the limit 0, ranges are unlimited. */
export function rangeTooLarge(
  limit: number,
  from: bigint,
  last: bigint,
): Extract<LogRefused, { kind: 'rangeTooLarge' }> | undefined {
  if (limit === 0 || last - from + 1n <= BigInt(limit)) return undefined
  return { kind: 'rangeTooLarge', limit, from, to: from + BigInt(limit) - 1n, last }
}

/** Returns the blocks of a range. If the range ends with the tag `pending`, it includes the pre-confirmed block. */
function spanOf(
  chain: Chain,
  fromSelector: Selector | undefined,
  toSelector: Selector | undefined,
): Span | LogRefused {
  const head = chain.latest.block.header.number
  const from = fromSelector ?? LATEST
  const to = toSelector ?? (isPending(from) ? from : LATEST)
  // A span without blocks: `to` is below `from`.
  const nothing: Span = { kind: 'span', from: head + 1n, to: head, withPreconfirmed: false }
  if (isPending(from)) {
    // Before the first tick of a block, `pending` has no logs.
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

/** Returns the block number of a selector. For a selector by number, the block may not exist. */
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
  // A range of only the first block is allowed, because the first block is always kept.
  if (span.to > history.first && span.from <= span.to && span.from < BigInt(history.oldest)) {
    return { kind: 'prunedHistory', number: span.from, oldest: BigInt(history.oldest) }
  }
  const logs: T[] = []
  // The response for a single block is not limited, as in reth, because the client cannot request a narrower range.
  const isNarrowest = span.to - span.from + (span.withPreconfirmed ? 2n : 1n) <= 1n
  // A fault may show a sealed block as pre-confirmed. The logs of such a block are read from the history.
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

/** Returns the matching logs of a block. Decodes the logs one transaction at a time, because a block may have many. */
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

function matching(block: Block, { logs }: Candidates, criteria: LogCriteria): PlacedLog[] {
  if (logs === 'all') return logsIn(block, criteria)
  return logs.map((index) => logAt(block, index)).filter(({ log }) => matches(log, criteria))
}

/** Returns the block number of a selector. The block may belong to the forked network, or may not exist. */
export function blockNumberOf(chain: Chain, selector: Selector): bigint {
  if (selector.kind === 'number' || selector.kind === 'slice') return selector.number
  if (selector.kind === 'hash') throw new TypeError('a hash has no block number')
  switch (selector.tag) {
    case 'latest':
      return chain.latest.block.header.number
    case 'pending':
      return chain.pending.block.header.number
    case 'earliest':
      return 0n
    case 'safe':
    case 'finalized': {
      const number = chain.trailing(selector.tag)
      return number > 0n ? number : 0n
    }
  }
}
