import type { Address } from '../bytes/hex.ts'
import { effectiveGasPrice, type Transaction } from '../model/transaction/transaction.ts'
import type { StateView } from '../state/view.ts'
import type { PoolContents, Pooled } from './pool.ts'

/** Prices of the next block in wei. */
export interface GasPrices {
  readonly baseFeePerGas: bigint
  readonly blobBaseFee: bigint
}

/** The orders of transactions: by tip, the highest first, or by time of arrival. */
export const ORDERS = ['fees', 'fifo'] as const
export type OrderName = (typeof ORDERS)[number]

/** Yields transactions one by one. After each, the caller calls `advance` or `hold`. */
export interface Order {
  /** Transactions whose nonce is used already, because it increased by other means (EIP-7702 authorizations). */
  readonly passed: readonly Transaction[]
  /** Returns the best executable transaction; `undefined` if none is left. */
  next(): Transaction | undefined
  /** The last transaction was included or dropped: the next one of its sender may follow. */
  advance(): void
  /** The last transaction waits, as do later ones of its sender. */
  hold(): void
}

export function inGivenOrder(transactions: readonly Transaction[]): Order {
  const held = new Set<Address>()
  let at = -1
  return {
    passed: [],
    next() {
      at++
      while (at < transactions.length && held.has(transactions[at]!.from)) at++
      return transactions[at]
    },
    advance() {},
    hold() {
      const last = transactions[at]
      if (last !== undefined) held.add(last.from)
    },
  }
}

interface Head {
  readonly queue: readonly Pooled[]
  readonly at: number
  /** The tip in wei per gas, which is paid above the base fee. */
  readonly tip: bigint
  readonly arrival: number
}

/** Yields executable transactions. Those of one sender are ordered by nonce, others by tip (not under `fifo`), then by arrival. */
export function inOrder(
  { bySender }: PoolContents,
  state: StateView,
  prices: GasPrices,
  order: OrderName = 'fees',
): Order {
  const heads: Head[] = []
  const passed: Transaction[] = []
  for (const [sender, queue] of bySender.entries()) {
    const nonce = state.account(sender as Address)?.nonce ?? 0n
    let at = 0
    for (; at < queue.length && queue[at]!.transaction.nonce < nonce; at++)
      passed.push(queue[at]!.transaction)
    if (queue[at]?.transaction.nonce === nonce) insert(heads, queue, at, prices, order)
  }
  let last: Head | undefined
  return {
    passed,
    next() {
      last = heads.pop()
      return last?.queue[last.at]?.transaction
    },
    advance() {
      if (last === undefined) return
      const { queue, at } = last
      const following = queue[at + 1]?.transaction
      if (following?.nonce === queue[at]!.transaction.nonce + 1n) insert(heads, queue, at + 1, prices, order)
    },
    // Nothing to do: only `advance` adds the sender's next transaction to `heads`.
    hold() {},
  }
}

/** Inserts a sender's transaction into `heads`, which is ordered with the best transaction last. */
function insert(
  heads: Head[],
  queue: readonly Pooled[],
  at: number,
  { baseFeePerGas, blobBaseFee }: GasPrices,
  order: OrderName,
): void {
  const { transaction, arrival } = queue[at]!
  if (transaction.maxFeePerGas < baseFeePerGas) return
  if (transaction.maxFeePerBlobGas !== undefined && transaction.maxFeePerBlobGas < blobBaseFee) return
  const tip = order === 'fifo' ? 0n : effectiveGasPrice(transaction, baseFeePerGas) - baseFeePerGas
  const head = { queue, at, tip, arrival }
  let low = 0
  let high = heads.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBetter(heads[middle]!, head)) high = middle
    else low = middle + 1
  }
  heads.splice(low, 0, head)
}

function isBetter(a: Head, b: Head): boolean {
  return a.tip === b.tip ? a.arrival < b.arrival : a.tip > b.tip
}
