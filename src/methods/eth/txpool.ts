/** geth's `txpool` methods: `pending` transactions are executable, `queued` ones wait for an earlier nonce. */
import type { Address } from '../../bytes/hex.ts'
import { grouped } from '../../model/collections/grouped.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { encodePooledTransaction } from '../../wire/encode.ts'
import { encodeQuantity, parseAddress } from '../../wire/hex.ts'

export const txpool_status = read(params(), (context) =>
  inParts(context, ({ length }) => encodeQuantity(length)),
)

export const txpool_content = read(params(), (context) =>
  inParts(context, (transactions) => bySender(transactions, encodePooledTransaction)),
)

export const txpool_contentFrom = read(params(parseAddress), (context, sender) =>
  inParts(context, (transactions) => byNonce(transactions, encodePooledTransaction), sender),
)

export const txpool_inspect = read(params(), (context) =>
  inParts(context, (transactions) => bySender(transactions, inspected)),
)

export const eth_pendingTransactions = read(params(), (context) => {
  const { pending, queued } = parted(context)
  return [...pending, ...queued].map(encodePooledTransaction)
})

function inParts(
  context: ReadContext,
  show: (transactions: readonly Transaction[]) => unknown,
  only?: Address,
): object {
  const { pending, queued } = parted(context, only)
  return { pending: show(pending), queued: show(queued) }
}

function parted({ pool, chain }: ReadContext, only?: Address) {
  const { state } = chain.pending
  const pending: Transaction[] = []
  const queued: Transaction[] = []
  const senders =
    only === undefined ? [...pool.contents.bySender.entries()].map(([sender]) => sender) : [only]
  for (const sender of senders.sort()) {
    let next = state.account(sender as Address)?.nonce ?? 0n
    for (const { transaction } of pool.of(sender as Address)) {
      if (transaction.nonce > next) queued.push(transaction)
      else {
        pending.push(transaction)
        next = transaction.nonce + 1n
      }
    }
  }
  return { pending, queued }
}

type Shown = (transaction: Transaction) => unknown

function bySender(transactions: readonly Transaction[], shown: Shown): Record<string, unknown> {
  const senders = grouped(transactions, ({ from }) => from)
  return Object.fromEntries([...senders].map(([sender, own]) => [sender, byNonce(own, shown)]))
}

/** Groups transactions by nonce. The nonces are decimal, as in geth. */
function byNonce(transactions: readonly Transaction[], shown: Shown): Record<string, unknown> {
  return Object.fromEntries(
    transactions.map((transaction) => [transaction.nonce.toString(), shown(transaction)]),
  )
}

function inspected({ to, value, gasLimit, maxFeePerGas }: Transaction): string {
  return `${to ?? 'contract creation'}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas} wei`
}
