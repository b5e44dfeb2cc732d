/** geth's `txpool` methods: executable transactions, and transactions that wait for an earlier nonce. */
import type { Address } from '../../bytes/hex.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { encodePooledTransaction } from '../../wire/encode.ts'
import { encodeQuantity, parseAddress } from '../../wire/hex.ts'

export const txpool_status = read(params(), (context) => {
  const { pending, queued } = parted(context)
  return { pending: encodeQuantity(pending.length), queued: encodeQuantity(queued.length) }
})

export const txpool_content = read(params(), (context) => {
  const { pending, queued } = parted(context)
  return {
    pending: bySender(pending, encodePooledTransaction),
    queued: bySender(queued, encodePooledTransaction),
  }
})

export const txpool_contentFrom = read(params(parseAddress), (context, sender) => {
  const { pending, queued } = parted(context, sender)
  return {
    pending: byNonce(pending, encodePooledTransaction),
    queued: byNonce(queued, encodePooledTransaction),
  }
})

export const eth_pendingTransactions = read(params(), (context) => {
  const { pending, queued } = parted(context)
  return [...pending, ...queued].map(encodePooledTransaction)
})

export const txpool_inspect = read(params(), (context) => {
  const { pending, queued } = parted(context)
  return { pending: bySender(pending, inspected), queued: bySender(queued, inspected) }
})

interface Parted {
  readonly pending: readonly Transaction[]
  readonly queued: readonly Transaction[]
}

function parted({ pool, chain }: ReadContext, only?: Address): Parted {
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
  const senders = new Map<Address, Transaction[]>()
  for (const transaction of transactions) {
    const own = senders.get(transaction.from)
    if (own === undefined) senders.set(transaction.from, [transaction])
    else own.push(transaction)
  }
  return Object.fromEntries([...senders].map(([sender, own]) => [sender, byNonce(own, shown)]))
}

/** Groups transactions by nonce. As in geth, the nonces are decimal. */
function byNonce(transactions: readonly Transaction[], shown: Shown): Record<string, unknown> {
  return Object.fromEntries(
    transactions.map((transaction) => [transaction.nonce.toString(), shown(transaction)]),
  )
}

function inspected({ to, value, gasLimit, maxFeePerGas }: Transaction): string {
  return `${to ?? 'contract creation'}: ${value} wei + ${gasLimit} gas × ${maxFeePerGas} wei`
}
