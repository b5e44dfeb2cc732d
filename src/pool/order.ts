/** In which order waiting transactions go into a block. */
import type { Address } from '../model/bytes/hex.ts'
import { effectiveGasPrice, type Transaction } from '../model/transaction/transaction.ts'
import type { StateView } from '../state/view.ts'
import type { PoolContents, Pooled } from './pool.ts'

/** What a block asks for its gas, in wei. */
export interface GasPrices {
  readonly baseFeePerGas: bigint
  readonly blobBaseFee: bigint
}

/** Which transactions go first: those with the higher tip, or those that came first. */
export const ORDERS = ['fees', 'fifo'] as const
export type OrderName = (typeof ORDERS)[number]

/** Hands out transactions one by one and learns what became of each. */
export interface Order {
  /** Can never run any more: their senders' nonces have passed them by other means (EIP-7702 authorizations). */
  readonly passed: readonly Transaction[]
  /** The best transaction that can be next, or `undefined` when none is left. */
  next(): Transaction | undefined
  /** The last one was included or is gone: its sender's following transaction may come. */
  advance(): void
  /** The last one has to wait, and with it all that its sender has after it. */
  hold(): void
}

/** Hands out `transactions` as they stand; where one is held back, the later ones of its sender are, too. */
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
  /** Wei per gas above the base fee. */
  readonly tip: bigint
  readonly arrival: number
}

/**
 * Per sender by nonce; between senders the higher tip first (under `fifo` all tips are the same), then the earlier arrival.
 * Only what can run is handed out: the next nonce, at fees that cover the block's.
 */
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
    // It left `heads` when it was handed out, and only `advance` puts its sender's next one there.
    hold() {},
  }
}

/** Inserts a sender's transaction into `heads`, which has the best at its end. */
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
