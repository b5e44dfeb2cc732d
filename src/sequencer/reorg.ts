/** Removes blocks in a reorg, returns their transactions to the pool, and selects transactions for the new blocks. */
import type { Chain } from '../chain/chain.ts'
import type { Moment } from '../chain/moment.ts'
import { userTransactions } from '../model/block/block.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { Pool } from '../pool/pool.ts'
import type { UpcomingBlock } from './block/upcomingBlock.ts'
import type { Events } from './events.ts'

export interface ReorgRequest {
  /** Number of newest sealed blocks to remove. */
  readonly depth: number
  /**
   * The treatment of the transactions of the removed blocks: `keep` includes them in the new blocks, `wait` returns
   * them to the pool, `drop` drops them. A list has the transactions of each new block instead.
   */
  readonly transactions: 'keep' | 'wait' | 'drop' | readonly (readonly Transaction[])[]
  /** Number of new blocks. By default as many as are removed. */
  readonly blocks?: number
  /** The treatment of removed transactions that are in no list of `transactions`. By default they wait in the pool. */
  readonly rest?: 'drop'
}

interface ReorgParts {
  readonly chain: Chain
  readonly pool: Pool
  readonly listeners: Listeners<Events>
  readonly upcoming: UpcomingBlock
}

export class Reorgs {
  readonly #parts: ReorgParts

  constructor(parts: ReorgParts) {
    this.#parts = parts
  }

  /** Removes the newest `depth` sealed blocks. Returns them, the oldest first. */
  removeBlocks(request: ReorgRequest): readonly Moment[] {
    const { chain, listeners, upcoming } = this.#parts
    this.returnOpenTransactions()
    const removed = chain.rewind(request.depth)
    const gone = removed.flatMap(({ block }) => userTransactions(block))
    // There is no `await` in this function, so that readers find each transaction in the chain or in the pool.
    const isDropped = request.transactions === 'drop' || request.rest === 'drop'
    if (!isDropped) this.#returnToPool(gone)
    upcoming.cheats = { ...upcoming.cheats, branch: upcoming.cheats.branch + 1 }
    listeners.emit('reorged', removed)
    if (isDropped) {
      const again = new Set(
        typeof request.transactions === 'string' ? [] : request.transactions.flat().map(({ hash }) => hash),
      )
      for (const transaction of gone) {
        if (!again.has(transaction.hash)) listeners.emit('dropped', transaction, { kind: 'reorged' })
      }
    }
    return removed
  }

  /** Returns the transactions of the open block to the pool. The caller then removes or replaces the block. */
  returnOpenTransactions(): void {
    const { open } = this.#parts.chain
    if (open !== undefined) this.#returnToPool(userTransactions(open.block))
  }

  /** Returns transactions to the pool. Drops waiting transactions with the same sender and nonce. */
  #returnToPool(transactions: readonly Transaction[]): void {
    const { pool, listeners } = this.#parts
    for (const transaction of transactions) {
      const rival = pool.rivalOf(transaction)
      pool.add(transaction)
      if (rival === undefined || rival.hash === transaction.hash) continue
      listeners.emit('dropped', rival, { kind: 'replaced', by: transaction })
    }
  }
}

/** Returns the transactions of each new block, in order. `removed` are the blocks that the new blocks replace. */
export function replacements(
  { depth, transactions, blocks = depth }: ReorgRequest,
  removed: readonly Moment[],
): readonly (readonly Transaction[])[] {
  const listOf = (i: number): readonly Transaction[] => {
    if (typeof transactions !== 'string') return transactions[i] ?? []
    const before = removed[i]
    return transactions === 'keep' && before !== undefined ? userTransactions(before.block) : []
  }
  return Array.from({ length: blocks }, (_, i) => listOf(i))
}
