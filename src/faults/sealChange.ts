/**
 * Differences of a sealed block from its pre-confirmed state: transactions, their order, timestamp and prevRandao.
 */

import type { Address, Hash } from '../bytes/hex.ts'
import { type Block, sentIn } from '../model/block/block.ts'
import type { Header } from '../model/block/header.ts'
import type { SealFault } from '../model/fault.ts'
import type { Transaction } from '../model/transaction/transaction.ts'

export interface SealChange {
  readonly header: Partial<Pick<Header, 'timestamp' | 'prevRandao'>>
  /** The transactions to run in this order, after those with which the block begins. */
  readonly transactions: readonly Transaction[]
  readonly dropped: readonly { readonly hash: Hash; readonly lands: 'next' | 'never' }[]
}

/** Returns whether `fault` would change `block`. */
export function canHappen(fault: SealFault, block: Block): boolean {
  const transactions = sentIn(block)
  if (fault.kind === 'sealDifferently') return transactions.length > 0
  return fault.hash === undefined
    ? transactions.length > 0
    : transactions.some(({ hash }) => hash === fault.hash)
}

/** Returns the changes that `faults` make to `block`. */
export function changeOf(block: Block, faults: readonly SealFault[]): SealChange {
  let transactions = sentIn(block)
  let header: SealChange['header'] = {}
  const dropped: { hash: Hash; lands: 'next' | 'never' }[] = []
  for (const fault of faults) {
    if (fault.kind === 'dropTransaction') {
      const hash = fault.hash ?? transactions.at(-1)?.hash
      if (hash === undefined) continue
      dropped.push({ hash, lands: fault.lands })
      transactions = transactions.filter((transaction) => transaction.hash !== hash)
    } else {
      const { order, laterSeconds = 0, prevRandao } = fault
      if (order === 'reversed') transactions = bySenderReversed(transactions)
      header = {
        ...header,
        ...(laterSeconds > 0 ? { timestamp: block.header.timestamp + BigInt(laterSeconds) } : {}),
        ...(prevRandao === undefined ? {} : { prevRandao }),
      }
    }
  }
  return { header, transactions, dropped }
}

/** Returns the transactions by sender, in the reverse order of senders; those of one sender stay in nonce order. */
function bySenderReversed(transactions: readonly Transaction[]): Transaction[] {
  const bySender = new Map<Address, Transaction[]>()
  for (const transaction of transactions) {
    bySender.set(transaction.from, [...(bySender.get(transaction.from) ?? []), transaction])
  }
  return [...bySender.values()].reverse().flat()
}
