/**
 * Builds blocks: opens them, runs slices into them, ends them. All that it makes are values; nobody sees them until they are
 * published, and nothing is taken from the pool.
 */
import type { Chain } from '../../chain/chain.ts'
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import { type BlockContext, blockContext } from '../../evm/blockContext.ts'
import type { Evm } from '../../evm/evm.ts'
import type { Evms } from '../../evm/evms.ts'
import { beginBlock } from '../../evm/systemCalls.ts'
import { changeOf, type SealChange } from '../../faults/sealChange.ts'
import { type Block, sentIn } from '../../model/block/block.ts'
import type { Header } from '../../model/block/header.ts'
import type { SealFault } from '../../model/fault.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { inGivenOrder, inOrder, type OrderName } from '../../pool/order.ts'
import type { Pool } from '../../pool/pool.ts'
import { breathingEvery } from '../clock.ts'
import { withL1Deposit } from './l1Deposit.ts'
import { openBlock, type PendingHash, withHash } from './openBlock.ts'
import { sealedNow } from './sealedNow.ts'
import { runSlice, type Slice } from './slice.ts'

/** What blocks are built with. */
export interface BuilderOptions {
  readonly chain: Chain
  readonly pool: Pool
  /** Those of the chain id that holds now. */
  readonly evms: () => Evms
  readonly ticksPerBlock: number
  /** Whether slice j of n may use only j/n of the block's gas (CONTRACT 5). */
  readonly sliceGasBudget: boolean
  /** What readers see as the hash of the block under construction. */
  readonly pendingHash: PendingHash
  /** Which waiting transactions go first. */
  readonly order?: OrderName
  /** Whether blocks take no more gas than their headers say. */
  readonly isBlockGasLimited?: boolean
}

/** A transaction that was built in and is not in the sealed block, and what becomes of it. */
export interface LeftOut {
  readonly transaction: Transaction
  readonly lands: 'next' | 'never'
}

/** How long a slice runs at a stretch: so long do questions wait that come meanwhile. */
const TURN_MS = 10

/** More gas than any block has. */
const UNLIMITED = 2n ** 64n

export class Builder {
  readonly #options: BuilderOptions
  readonly #chain: Chain

  constructor(options: BuilderOptions) {
    this.#options = options
    this.#chain = options.chain
  }

  /** An open block with nothing in it, but what an L2 begins each with. */
  async begin(header: Header): Promise<Preconfirmed> {
    const { latest, logIndex } = this.#chain.state.history
    const open = openBlock(header, latest.state, logIndex)
    const evm = this.evmFor(open)
    const context = this.#context(open)
    const begun = { ...open, state: await beginBlock(evm, latest.state, context, header) }
    const { l2 } = evm.rules
    return this.#hashed(l2 === undefined ? begun : await withL1Deposit(l2, evm, begun, context))
  }

  /** The block with a slice of what is ready; `isLast`: no slice comes after it, whatever the rhythm. */
  async slice(open: Preconfirmed, isLast: boolean): Promise<Slice> {
    const { pool, order: by } = this.#options
    const context = this.#context(open)
    const { baseFeePerGas = 0n, blobBaseFee = 0n } = context
    const order = inOrder(pool.contents, open.state, { baseFeePerGas, blobBaseFee }, by)
    const rest = breathingEvery(TURN_MS)
    const slice = await runSlice(this.evmFor(open), open, order, context, this.#budget(open, isLast), rest)
    return slice.added.length === 0 ? slice : { ...slice, open: this.#hashed(slice.open) }
  }

  /** The block with `transactions`, in their order, and nothing else. */
  withGiven(open: Preconfirmed, transactions: readonly Transaction[]): Promise<Slice> {
    const order = inGivenOrder(transactions)
    return runSlice(this.evmFor(open), open, order, this.#context(open), this.#budget(open, true))
  }

  /** The block as it is when `faults` make it differ from what was built of it, and what is not in it any more. */
  async otherwise(
    block: Block,
    faults: readonly SealFault[],
  ): Promise<{ open: Preconfirmed; leftOut: readonly LeftOut[] }> {
    const change = changeOf(block, faults)
    const begun = await this.begin(this.#changed(block.header, change.header))
    const { open } = await this.withGiven(begun, change.transactions)
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

  evmFor({ block }: Preconfirmed): Evm {
    return this.#options.evms().at(block.header)
  }

  #context(open: Preconfirmed): BlockContext {
    return blockContext(this.evmFor(open).rules, open.block.header, this.#chain.blockHash)
  }

  #hashed(open: Preconfirmed): Preconfirmed {
    return this.#options.pendingHash === 'real' ? withHash(open) : open
  }

  #budget({ block, slices }: Preconfirmed, isLast: boolean): bigint {
    const { sliceGasBudget, ticksPerBlock, isBlockGasLimited = true } = this.#options
    const { gasLimit } = block.header
    if (!isBlockGasLimited) return UNLIMITED
    if (!sliceGasBudget || isLast || slices + 1 >= ticksPerBlock) return gasLimit
    return (gasLimit * BigInt(slices + 1)) / BigInt(ticksPerBlock)
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
