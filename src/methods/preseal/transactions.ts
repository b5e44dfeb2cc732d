/** `preseal_searchTransactions`: the transactions of the whole chain, and those that are in no block. */

import type { Address } from '../../bytes/hex.ts'
import {
  type Block,
  logsAt,
  partiesAt,
  rawAt,
  receiptAt,
  transactionAt,
  transactionCount,
} from '../../model/block/block.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { waitingText } from '../../rpc/errors/failureText.ts'
import { dropText } from '../../rpc/errors/refusals.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import {
  encodeFoundTransaction,
  encodeLooseTransaction,
  parseTransactionSearch,
  type RpcFoundTransaction,
  type TransactionSearch,
} from '../../wire/transactionSearch.ts'
import { waitingInOrder } from './watching.ts'

/** Returns transactions, newest first, and the number of all that fit. `offset` is the number of newer ones to skip. */
export const preseal_searchTransactions = read.long(
  params(parseTransactionSearch),
  async (context, search) => {
    const loose = looseIn(context, search)
    const { offset, limit } = search
    const transactions: RpcFoundTransaction[] = []
    let total = 0
    if (loose !== undefined) {
      const fitting = loose.filter(({ transaction }) => fitsLoose(transaction, search))
      for (const { transaction, state, reason } of fitting.slice(offset, offset + limit))
        transactions.push(encodeLooseTransaction(transaction, state, reason))
      return { total: encodeQuantity(fitting.length), transactions }
    }
    const isWhole = search.state !== 'failed' && isUnfiltered(search)
    for (const { block, state } of blocksIn(context, search)) {
      await context.work.pause()
      const count = transactionCount(block)
      // Whole blocks before the requested part are only counted.
      if (isWhole && (total + count <= offset || transactions.length === limit)) {
        total += count
        continue
      }
      for (let index = count - 1; index >= 0; index--) {
        if (!fits(block, index, search)) continue
        if (total++ >= offset && transactions.length < limit)
          transactions.push(encodeFoundTransaction(block, index, state))
      }
    }
    return { total: encodeQuantity(total), transactions }
  },
)

interface Loose {
  readonly transaction: Transaction
  readonly state: RpcFoundTransaction['state']
  /** Why the transaction is in no block. */
  readonly reason: string
}

/** Returns the transactions in no block that have the requested state, newest first; `undefined` for other states. */
function looseIn(context: ReadContext, { state }: TransactionSearch): readonly Loose[] | undefined {
  const { timeline } = context
  switch (state) {
    case 'waiting':
      return waitingInOrder(context)
        .reverse()
        .map((transaction) => ({ transaction, state, reason: waitingText(context.whyWaiting(transaction)) }))
    case 'dropped':
    case 'reorged':
      return timeline.dropped
        .filter(({ reason: { kind } }) => (kind === 'reorged') === (state === 'reorged'))
        .filter(({ transaction: { hash } }) => timeline.of(hash).at(-1)?.kind === 'dropped')
        .map(({ transaction, reason }) => ({ transaction, state, reason: dropText(reason) }))
    default:
      return undefined
  }
}

/** Yields the blocks that may contain fitting transactions, newest first. Pruned blocks are left out. */
function* blocksIn({ chain }: ReadContext, { state }: TransactionSearch) {
  const { history } = chain.state
  const open = chain.preconfirmed?.block
  if (open !== undefined && open.header.number >= history.end && state !== 'sealed')
    yield { block: open, state: 'preconfirmed' } as const
  if (state === 'preconfirmed') return
  for (let number = history.end - 1; number >= Math.max(history.first, history.oldest); number--) {
    const block = history.block(number)
    if (block !== undefined) yield { block, state: 'sealed' } as const
  }
}

function isUnfiltered({ address, selector, topic }: TransactionSearch): boolean {
  return address === undefined && selector === undefined && topic === undefined
}

function fits(block: Block, index: number, search: TransactionSearch): boolean {
  const { state, address, selector, topic } = search
  if (state === 'failed' && receiptAt(block, index).status === 'success') return false
  if (address !== undefined && !involves(block, index, address)) return false
  if (topic !== undefined && !logsAt(block, index).logs.some(({ topics }) => topics[0] === topic))
    return false
  if (selector === undefined) return true
  // A transaction is decoded only if its bytes contain the selector, because decoding takes much longer.
  return contains(rawAt(block, index), selector) && hasSelector(transactionAt(block, index), selector)
}

function fitsLoose(transaction: Transaction, { address, selector }: TransactionSearch): boolean {
  const { from, to } = transaction
  if (address !== undefined && from !== address && to !== address) return false
  return selector === undefined || hasSelector(transaction, selector)
}

function contains(bytes: Uint8Array, [first, second, third, fourth]: Uint8Array): boolean {
  for (let at = bytes.indexOf(first!); at !== -1; at = bytes.indexOf(first!, at + 1)) {
    if (bytes[at + 1] === second && bytes[at + 2] === third && bytes[at + 3] === fourth) return true
  }
  return false
}

function hasSelector({ to, data }: Transaction, selector: Uint8Array): boolean {
  return to !== undefined && selector.every((byte, i) => data[i] === byte)
}

/** Returns whether the address sent or received the transaction, was created by it, or emitted a log in it. */
export function involves(block: Block, index: number, address: Address): boolean {
  const { from, to } = partiesAt(block, index)
  if (from === address || to === address) return true
  if (to === undefined && receiptAt(block, index).contractAddress === address) return true
  return logsAt(block, index).logs.some((log) => log.address === address)
}
