/** Methods that search the whole chain for transactions (also in no block), and for hashes and addresses by digits. */

import type { Address, Hash } from '../../bytes/hex.ts'
import {
  type Block,
  logsAt,
  partiesAt,
  rawAt,
  receiptAt,
  transactionAt,
  transactionCount,
} from '../../model/block/block.ts'
import { DEPOSIT_TYPE, type Transaction } from '../../model/transaction/transaction.ts'
import { waitingText } from '../../rpc/errors/failureText.ts'
import { dropText } from '../../rpc/errors/refusals.ts'
import { params, read } from '../../rpc/method.ts'
import type { ReadContext } from '../../rpc/readContext.ts'
import type { DropReason } from '../../sequencer/events.ts'
import { encodeQuantity } from '../../wire/hex.ts'
import { InvalidValue, type JsonObject, type Parser, withDefault } from '../../wire/parser.ts'
import {
  encodeFoundTransaction,
  encodeLooseTransaction,
  parseTransactionSearch,
  type RpcFoundTransaction,
  type TransactionSearch,
} from '../../wire/transactionSearch.ts'
import { waitingInOrder } from './watching.ts'

/** Returns a page of the matching transactions, newest first, and their total number. `offset` entries are skipped. */
export const preseal_searchTransactions = read.long(
  params(parseTransactionSearch),
  async (context, search) => {
    const { offset, limit } = search
    const loose = looseIn(context, search)?.filter(({ transaction }) => fitsLoose(transaction, search))
    if (loose !== undefined)
      return {
        total: encodeQuantity(loose.length),
        transactions: loose.slice(offset, offset + limit).map((one) => encodeLoose(context, one)),
      }
    const transactions: RpcFoundTransaction[] = []
    let total = 0
    const take = async (block: Block, state: 'preconfirmed' | 'sealed') => {
      await context.work.pause()
      for (let index = transactionCount(block) - 1; index >= 0; index--) {
        if (!fits(block, index, search)) continue
        if (total++ >= offset && transactions.length < limit)
          transactions.push(encodeFoundTransaction(block, index, state))
      }
    }
    const { preconfirmed, state } = context.chain
    const { history } = state
    const open = preconfirmed?.block
    if (open !== undefined && open.header.number >= history.end && search.state !== 'sealed')
      await take(open, 'preconfirmed')
    if (search.state === 'preconfirmed') return { total: encodeQuantity(total), transactions }
    // Finds blocks by the counts in the history, and so skips blocks without transactions or without failures.
    const all = search.deposits === 'omitted' ? 'sent' : 'transactions'
    const of = search.state === 'failed' ? 'failed' : all
    const count = history.count(of, history.end)
    const whole = isUnfiltered(search) ? total + count : undefined
    let { end } = history
    if (whole !== undefined) {
      const left = whole - Math.max(total, offset)
      end = left > 0 ? history.blockWith(of, left) + 1 : history.first
      total = whole - history.count(of, end)
    }
    while (whole === undefined || transactions.length < limit) {
      const left = history.count(of, end)
      if (left === 0) break
      end = history.blockWith(of, left)
      await take(history.block(end)!, 'sealed')
    }
    return { total: encodeQuantity(whole ?? total), transactions }
  },
)

interface Loose {
  readonly transaction: Transaction
  readonly state: RpcFoundTransaction['state']
  /** The reason why the transaction was dropped; `undefined` if the transaction waits. */
  readonly dropped: DropReason | undefined
}

/** Returns the transactions in no block that have the requested state, newest first; `undefined` for other states. */
function looseIn(context: ReadContext, { state }: TransactionSearch): readonly Loose[] | undefined {
  const { timeline } = context
  switch (state) {
    case 'waiting':
      return waitingInOrder(context)
        .reverse()
        .map((transaction) => ({ transaction, state, dropped: undefined }))
    case 'dropped':
    case 'reorged':
      return timeline.dropped
        .filter(({ reason: { kind } }) => (kind === 'reorged') === (state === 'reorged'))
        .filter(({ transaction: { hash } }) => timeline.of(hash).at(-1)?.kind === 'dropped')
        .map(({ transaction, reason }) => ({ transaction, state, dropped: reason }))
    default:
      return undefined
  }
}

function encodeLoose(context: ReadContext, { transaction, state, dropped }: Loose): RpcFoundTransaction {
  const reason = dropped === undefined ? waitingText(context.whyWaiting(transaction)) : dropText(dropped)
  const step = dropped === undefined ? 'pooled' : 'dropped'
  const since = context.timeline.of(transaction.hash).findLast(({ kind }) => kind === step)?.atMs
  return encodeLooseTransaction(transaction, state, reason, since ?? null)
}

/** Returns whether the counts of the history are the counts of the search. */
function isUnfiltered({ state, address, selector, topic, deposits }: TransactionSearch): boolean {
  // A failed transaction may be a deposit.
  if (state === 'failed' && deposits === 'omitted') return false
  return address === undefined && selector === undefined && topic === undefined
}

function fits(block: Block, index: number, search: TransactionSearch): boolean {
  const { state, address, selector, topic, deposits } = search
  if (deposits === 'omitted' && rawAt(block, index)[0] === DEPOSIT_TYPE) return false
  if (state === 'failed' && receiptAt(block, index).status === 'success') return false
  if (address !== undefined && !involves(block, index, address)) return false
  if (topic !== undefined && !logsAt(block, index).logs.some(({ topics }) => topics[0] === topic))
    return false
  if (selector === undefined) return true
  // A transaction is decoded only if its bytes contain the selector, because decoding takes much longer.
  return contains(rawAt(block, index), selector) && hasSelector(transactionAt(block, index), selector)
}

function fitsLoose(transaction: Transaction, { address, selector, topic }: TransactionSearch): boolean {
  const { from, to } = transaction
  // A transaction in no block has emitted no event.
  if (topic !== undefined) return false
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

const start: Parser<Hash> = (value, path) => {
  if (typeof value === 'string' && /^0x[0-9a-f]{3,64}$/i.test(value)) return value.toLowerCase() as Hash
  throw new InvalidValue(path, '0x and 3 to 64 hex digits', value)
}

const end = withDefault<string>((value, path) => {
  if (typeof value === 'string' && /^[0-9a-f]{0,64}$/i.test(value)) return value.toLowerCase()
  throw new InvalidValue(path, 'at most 64 hex digits, without 0x', value)
}, '')

const MOST = 10
/** Maximum number of accounts to compare: they are not sorted by address. */
const MOST_ACCOUNTS = 200_000

/**
 * Returns what the chain has that begins with the hex digits `start` and ends with `end`: transactions (also those in
 * no block), blocks and addresses of accounts, at most ten of each. The time depends on the number of transactions
 * and blocks that begin with `start`, not on the length of the chain.
 */
export const preseal_findByPrefix = read.long(params(start, end), async (context, start, end) => {
  const fits = (id: string) => id.startsWith(start) && id.endsWith(end)
  const transactions = new Set(looseHashes(context).filter(fits).slice(0, MOST))
  const blocks = new Map<Hash, JsonObject>()
  for (const found of context.chain.state.history.startingWith(start)) {
    await context.work.pause()
    if (!fits(found.hash)) continue
    // The history yields its blocks before its transactions.
    if ('block' in found) {
      if (transactions.size === MOST) break
      transactions.add(found.hash)
    } else if (blocks.size < MOST)
      blocks.set(found.hash, { hash: found.hash, number: encodeQuantity(found.number) })
  }
  return {
    transactions: [...transactions],
    blocks: [...blocks.values()],
    addresses: await addressesOf(context, fits),
  }
})

/** Returns the hashes of waiting, pre-confirmed and dropped transactions. */
function looseHashes({ pool, chain, timeline }: ReadContext): readonly Hash[] {
  const loose = [
    ...(chain.open?.block.transactions ?? []),
    ...[...pool.contents.byHash.entries()].map(([, { transaction }]) => transaction),
    ...timeline.dropped.map(({ transaction }) => transaction),
  ]
  return loose.map(({ hash }) => hash)
}

/** Returns addresses of accounts in the pending state. On a fork these are only the changed accounts. */
async function addressesOf(
  { chain, work }: ReadContext,
  fits: (address: Address) => boolean,
): Promise<readonly Address[]> {
  const found: Address[] = []
  let seen = 0
  for (const { address } of chain.pending.state.records()) {
    if (seen++ === MOST_ACCOUNTS || found.length === MOST) break
    if (fits(address)) found.push(address)
    await work.pause()
  }
  return found
}
