/** `preseal_getWaiting`: the transactions that wait, and for what. */
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { waitingText } from '../../rpc/errors/waitingText.ts'
import { longMethod, params } from '../../rpc/method.ts'
import { encodeQuantity, parseHash } from '../../wire/hex.ts'
import { pageOf } from '../../wire/page.ts'

/**
 * Returns waiting transactions in the order of their arrival with the reason for which each waits, and how many there are.
 * `next` is the cursor of the next page; a cursor that waits no longer begins at the first.
 */
export const preseal_getWaiting = longMethod(
  params(pageOf(parseHash, 100, 1_000)),
  async (context, { limit, after }) => {
    const waiting = inOrder(context)
    const start = after === undefined ? 0 : waiting.findIndex(({ hash }) => hash === after) + 1
    const page = waiting.slice(start, start + limit)
    const transactions: unknown[] = []
    for (const transaction of page) {
      await context.work.pause()
      transactions.push(encodeWaiting(context, transaction))
    }
    const isLast = start + page.length >= waiting.length
    return { total: encodeQuantity(waiting.length), transactions, next: isLast ? null : page.at(-1)!.hash }
  },
)

/** Returns those of the pool, and behind them those of the block under construction that a fault hides. */
function inOrder({ pool, chain }: RpcContext): readonly Transaction[] {
  const pooled = [...pool.contents.byHash.entries()]
    .map(([, one]) => one)
    .sort((a, b) => a.arrival - b.arrival)
  const hidden = (chain.open?.block.transactions ?? []).filter(({ hash }) => chain.hidden(hash) !== undefined)
  return [...pooled.map(({ transaction }) => transaction), ...hidden]
}

function encodeWaiting({ sequencer }: RpcContext, transaction: Transaction): unknown {
  const { hash, from, to, nonce, value, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const why = sequencer.submissions.whyWaiting(transaction)
  return {
    hash,
    from,
    to: to ?? null,
    nonce: encodeQuantity(nonce),
    value: encodeQuantity(value),
    gas: encodeQuantity(gasLimit),
    maxFeePerGas: encodeQuantity(maxFeePerGas),
    maxPriorityFeePerGas: encodeQuantity(maxPriorityFeePerGas),
    since: sinceOf(sequencer.timeline.of(hash)),
    cause: why.kind,
    reason: waitingText(why),
  }
}

/** Returns the time of the last step that made it wait, in milliseconds; `null` if its steps are no longer kept. */
function sinceOf(steps: readonly { readonly kind: string; readonly atMs: number }[]): number | null {
  return steps.findLast(({ kind }) => kind === 'pooled')?.atMs ?? null
}
