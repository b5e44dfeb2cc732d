/**
 * Builds blocks: opens them, runs slices into them, ends them. All that it makes are values; nobody sees them until they are
 * published, and nothing is taken from the pool.
 */
import type { Chain } from '../../chain/chain.ts'
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import { blockContext } from '../../evm/blockContext.ts'
import type { Evms } from '../../evm/evms.ts'
import { beginBlock } from '../../evm/systemCalls.ts'
import { changeOf, type SealChange } from '../../faults/sealChange.ts'
import { type Block, sentIn } from '../../model/block/block.ts'
import type { Header } from '../../model/block/header.ts'
import type { SealFault } from '../../model/fault.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { withL1Deposit } from './l1Deposit.ts'
import { openBlock, type PendingHash, withPendingHash } from './openBlock.ts'
import { sealedNow } from './sealedNow.ts'
import type { Slicer } from './slice.ts'

/** What blocks are built with. */
export interface BuilderOptions {
  readonly chain: Chain
  /** The engines under the chain id that is set now. */
  readonly evms: () => Evms
  /** What readers see as the hash of the block under construction. */
  readonly pendingHash: PendingHash
}

/** A transaction that was built in and is not in the sealed block, and what becomes of it. */
export interface LeftOut {
  readonly transaction: Transaction
  readonly lands: 'next' | 'never'
}

export class Builder {
  readonly #options: BuilderOptions
  readonly #chain: Chain
  readonly #slicer: Slicer

  constructor(options: BuilderOptions, slicer: Slicer) {
    this.#options = options
    this.#chain = options.chain
    this.#slicer = slicer
  }

  /** An open block with nothing in it, but what an L2 begins each with. */
  async begin(header: Header): Promise<Preconfirmed> {
    const { latest, logIndex } = this.#chain.state.history
    const open = openBlock(header, latest.state, logIndex)
    const { evms, pendingHash } = this.#options
    const evm = evms().at(header)
    const context = blockContext(evm.rules, header, this.#chain.blockHash)
    const begun = { ...open, state: await beginBlock(evm, latest.state, context, header) }
    const { l2 } = evm.rules
    const opened = l2 === undefined ? begun : await withL1Deposit(l2, evm, begun, context)
    return withPendingHash(opened, pendingHash)
  }

  /** The block as it is when `faults` make it differ from what was built of it, and what is not in it any more. */
  async otherwise(
    block: Block,
    faults: readonly SealFault[],
  ): Promise<{ open: Preconfirmed; leftOut: readonly LeftOut[] }> {
    const change = changeOf(block, faults)
    const begun = await this.begin(this.#changed(block.header, change.header))
    const { open } = await this.#slicer.given(begun, change.transactions)
    const never = new Set(change.dropped.filter(({ lands }) => lands === 'never').map(({ hash }) => hash))
    const leftOut = sentIn(block)
      .filter(({ hash }) => !open.positions.has(hash))
      .map((transaction): LeftOut => ({ transaction, lands: never.has(transaction.hash) ? 'never' : 'next' }))
    return { open, leftOut }
  }

  /** The moment that the open block becomes when it is sealed; it grew to `lastSlice`. */
  sealed(open: Preconfirmed, lastSlice: Preconfirmed | undefined): Promise<Moment> {
    return sealedNow(this.#options.evms(), open, this.#chain.blockHash, lastSlice)
  }

  /** The header with nothing in it yet, changed; but not to a time under other rules, which would want another header. */
  #changed(header: Header, change: SealChange['header']): Header {
    const blobGasUsed = header.blobGasUsed === undefined ? undefined : 0n
    const changed = { ...header, ...change, gasUsed: 0n, blobGasUsed }
    const evms = this.#options.evms()
    const isUnderSameRules = evms.at(changed) === evms.at(header)
    return isUnderSameRules ? changed : { ...changed, timestamp: header.timestamp }
  }
}
