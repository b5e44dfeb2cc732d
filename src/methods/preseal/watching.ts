import type { Hash } from '../../bytes/hex.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { failureText, waitingText } from '../../rpc/errors/failureText.ts'
import { dropText } from '../../rpc/errors/refusals.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import type { Milestone } from '../../sequencer/timeline.ts'
import { whenFetched } from '../../state/whenFetched.ts'
import { encodeQuantity, parseHash } from '../../wire/hex.ts'
import { boolean, optional, withDefault } from '../../wire/parser.ts'
import { andThen, type MaybePromise } from '../../work/maybePromise.ts'
import { stackTraceOfIncluded } from '../solidity/solidityStackTrace.ts'

/** Returns the steps of a transaction in chronological order. `time` is the devnet's time in milliseconds. */
export const preseal_getTimeline = read(params(parseHash), timelineOf)

/**
 * Returns the reason why a transaction is not included, or why it failed. For a failed transaction, adds the place
 * in the Solidity source unless `isLocated` is false. Without a hash, describes the `pending` block.
 */
export const preseal_explain = read.long(
  params<[Hash | undefined, boolean]>(optional(parseHash), withDefault(boolean, true)),
  (context, hash, isLocated) =>
    hash === undefined ? explainPending(context) : explain(context, hash, isLocated),
)

function timelineOf(context: ReadContext, hash: Hash): unknown[] {
  const noted = context.timeline.of(hash)
  const steps = noted.map(encodeMilestone)
  const sealed = noted.findLast(({ kind }) => kind !== 'dropped')
  if (sealed?.kind !== 'sealed') return steps
  const { safeDistance, finalizedDistance } = context.chain.options
  steps.push(...trailing(context, 'safe', sealed.block, safeDistance))
  steps.push(...trailing(context, 'finalized', sealed.block, finalizedDistance))
  return steps
}

/** Returns a step `safe` or `finalized` if `block` has reached it. With an L1, no L2 block made it so. */
function trailing(
  { chain }: ReadContext,
  step: 'safe' | 'finalized',
  block: bigint,
  distance: number,
): unknown[] {
  if (block > chain.trailing(step)) return []
  return [chain.finality === undefined ? { step, since: encodeQuantity(block + BigInt(distance)) } : { step }]
}

function encodeMilestone(milestone: Milestone): unknown {
  const { kind: step, atMs: time } = milestone
  switch (milestone.kind) {
    case 'pooled':
      return { step, time }
    case 'preconfirmed': {
      const { block, slice, index } = milestone
      const place = { slice: encodeQuantity(slice), transactionIndex: encodeQuantity(index) }
      return { step, time, blockNumber: encodeQuantity(block), ...place }
    }
    case 'sealed': {
      const { block, hash, index } = milestone
      const place = { blockHash: hash, transactionIndex: encodeQuantity(index) }
      return { step, time, blockNumber: encodeQuantity(block), ...place }
    }
    case 'removed':
      return { step, time, blockNumber: encodeQuantity(milestone.block), blockHash: milestone.hash }
    case 'dropped':
      return { step, time, reason: dropText(milestone.reason) }
  }
}

function explain(context: ReadContext, hash: Hash, isLocated: boolean): unknown {
  const { chain, pool, timeline } = context
  const inclusion = chain.find(hash)
  if (inclusion !== undefined) {
    const { block, index } = inclusion
    const isOpen = block === chain.preconfirmed?.block
    const where = `block ${block.header.number}, transaction ${index}`
    const status = isOpen ? 'preconfirmed' : 'sealed'
    const placed = isOpen ? `it is pre-confirmed in ${where}` : `it is sealed in ${where}`
    if (block.receipts[index]!.status === 'success')
      return { status, reason: isOpen ? `${placed}, and sealed with it` : placed }
    const located = isLocated ? stackTraceOfIncluded(context, inclusion) : undefined
    const found = andThen(located, (late) => late?.soon())
    const hinting = hintOfPair(context, ({ refusalHint }) => refusalHint(context, inclusion))
    return Promise.all([failureText(context, inclusion), found, hinting]).then(([text, stackTrace, hint]) => {
      const failure = withHint(text, hint)
      const reason = `${placed}, and failed: ${failure}`
      return { status, reason, failure, ...(stackTrace && { stackTrace }) }
    })
  }
  const waiting = pool.get(hash) ?? chain.hidden(hash)
  if (waiting !== undefined) {
    const text = waitingText(context.whyWaiting(waiting))
    const hinting = hintOfPair(context, ({ delayHint }) => delayHint(context))
    return andThen(hinting, (hint) => ({ status: 'waiting', reason: withHint(text, hint) }))
  }
  const last = timeline.of(hash).at(-1)
  if (last?.kind === 'dropped') return { status: 'dropped', reason: dropText(last.reason) }
  return { status: 'unknown', reason: unknownText(last) }
}

/** Returns a hint about an L2 with its L1. Loads the hints on demand, because most devnets have no such pair. */
function hintOfPair(
  { pair }: ReadContext,
  hint: (hints: typeof import('../../bridge/refusals.ts')) => string | undefined,
): MaybePromise<string | undefined> {
  return pair && import('../../bridge/refusals.ts').then((hints) => whenFetched(() => hint(hints)))
}

function withHint(text: string, hint: string | undefined): string {
  return hint === undefined ? text : `${text}; ${hint}`
}

function unknownText(last: Milestone | undefined): string {
  if (last === undefined) {
    return 'no such transaction was accepted here; one that was refused got an error when it was sent'
  }
  const where = 'block' in last ? `in block ${last.block}` : 'in the pool'
  return last.kind === 'removed'
    ? `it was ${where}, which a reorg removed, and it does not wait to be included again`
    : `it was ${where}, but is no longer on this chain: another state was restored or loaded in the meantime`
}

function explainPending({ chain, pool, deviations }: ReadContext): unknown {
  const { preconfirmed, open, latest } = chain
  const waiting = encodeQuantity(pool.size)
  const { number } = latest.block.header
  if (preconfirmed === undefined) {
    const reason =
      open === undefined
        ? `no block is under construction: pending is latest, block ${number}`
        : `a planned fault hides the block under construction: pending is latest, block ${number}`
    return { status: 'absent', reason, waiting, faults: deviations.planned }
  }
  const { block, slices } = preconfirmed
  const isPreview = open === undefined && !deviations.isPendingStale
  const status = preconfirmed === open ? 'preconfirmed' : isPreview ? 'preview' : 'stale'
  const content = `block ${block.header.number} with ${block.transactions.length} transactions`
  const reasons = {
    preconfirmed: `pending is ${content} after slice ${slices}`,
    stale: `a planned fault keeps pending at block ${block.header.number}, slice ${slices}`,
    preview: `pending is ${content}, as it would be mined now; they wait`,
  }
  return {
    status,
    reason: reasons[status],
    blockNumber: encodeQuantity(block.header.number),
    slice: encodeQuantity(slices),
    transactions: block.transactions.map(({ hash }) => hash),
    waiting,
    faults: deviations.planned,
  }
}

/** Returns the pooled transactions in the order in which they arrived, then those of slices that a fault hides. */
export function waitingInOrder({ pool, chain }: ReadContext): Transaction[] {
  const pooled = [...pool.contents.byHash.entries()]
    .map(([, one]) => one)
    .sort((a, b) => a.arrival - b.arrival)
  const hidden = (chain.open?.block.transactions ?? []).filter(({ hash }) => chain.hidden(hash) !== undefined)
  return [...pooled.map(({ transaction }) => transaction), ...hidden]
}
