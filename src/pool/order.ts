import type { Address } from '../bytes/hex.ts'
import { effectiveGasPrice, type Transaction } from '../model/transaction/transaction.ts'
import type { StateView } from '../state/view.ts'
import type { PoolContents, Pooled } from './pool.ts'

/** The prices of the next block, in wei per gas and wei per blob gas. */
export interface GasPrices {
  readonly baseFeePerGas: bigint
  readonly blobBaseFee: bigint
}

/** With `fees`, transactions with higher tips run first. With `fifo`, transactions run in the order of arrival. */
export const ORDERS = ['fees', 'fifo'] as const
export type OrderName = (typeof ORDERS)[number]

/** Iterates over transactions. After each `next`, the caller calls `advance` or `hold`. */
export interface Order {
  /** Waiting transactions whose nonces have been used by other means, such as EIP-7702 authorizations. */
  readonly passed: readonly Transaction[]
  next(): Transaction | undefined
  /** Must be called if the nonce of the transaction from `next` has been used. The sender's next nonce may follow. */
  advance(): void
  /** Must be called if the transaction from `next` waits or was dropped. Later transactions of its sender then wait. */
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

/** Returns the chosen ones of the transactions that are ready, in the order in which they are to run. */
export type Choice = (ready: readonly Transaction[]) => readonly Transaction[]

/** Returns the order of the transactions that `choose` selects from those of `order`. */
export function chosenOf(order: Order, choose: Choice): Order {
  const ready: Transaction[] = []
  for (let next = order.next(); next !== undefined; next = order.next()) {
    ready.push(next)
    order.advance()
  }
  return { ...inGivenOrder(choose(ready)), passed: order.passed }
}

interface Head {
  readonly queue: readonly Pooled[]
  readonly at: number
  /** The price above the base fee, in wei per gas; 0 under `fifo`. */
  readonly tip: bigint
  readonly arrival: number
}

/** Orders executable transactions: those of a sender by nonce, others by tip (except under `fifo`), then by arrival. */
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
    // Does nothing, because only `advance` adds the sender's next transaction to `heads`.
    hold() {},
  }
}

/** Returns the tip by which transactions are ordered, in wei per gas; 0 under `fifo`. */
export function tipOf(transaction: Transaction, baseFeePerGas: bigint, order: OrderName = 'fees'): bigint {
  return order === 'fifo' ? 0n : effectiveGasPrice(transaction, baseFeePerGas) - baseFeePerGas
}

/** Inserts a sender's transaction into `heads`. The best transaction is the last item of `heads`. */
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
  const head = { queue, at, tip: tipOf(transaction, baseFeePerGas, order), arrival }
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
