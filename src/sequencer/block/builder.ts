/** Builds blocks as values. On a fork, all functions may throw `NotFetched`, so call them in `CommandQueue.prepare`. */
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import { type BlockContext, blockContext } from '../../engine/blockContext.ts'
import type { Evm, Evms } from '../../engine/evm.ts'
import { runTransaction } from '../../engine/run/runMessage.ts'
import { beginBlock, endBlock } from '../../engine/run/systemCalls.ts'
import { type Block, userTransactions } from '../../model/block/block.ts'
import type { Header } from '../../model/block/header.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { defaultAttributes, l1AttributesDeposit, nextOrigin } from '../../model/l2/l1Attributes.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { l1AttributesIn } from '../../state/l1Block.ts'
import type { State } from '../../state/state.ts'
import type { Derivation, Derived } from './derivation.ts'
import type { SealChange } from './deviations.ts'
import { IncludedTransactions } from './includedTransactions.ts'
import { openBlock, sealBlock, withPendingHash, withSlice } from './openBlock.ts'
import type { Slicer, SlicerOptions } from './slice.ts'

export interface BuilderOptions extends SlicerOptions {
  /** Absent if the L1 is simulated (`model/l2/l1Attributes.ts`). */
  readonly derivation?: Pick<Derivation, 'derive' | 'allowsDepositsOnly'> | undefined
}

/** A pre-confirmed transaction that the sealed block lacks, and whether it waits again or is dropped. */
export interface LeftOut {
  readonly transaction: Transaction
  readonly lands: 'next' | 'never'
}

export class Builder {
  readonly #options: BuilderOptions
  readonly #slicer: Slicer

  constructor(options: BuilderOptions, slicer: Slicer) {
    this.#options = options
    this.#slicer = slicer
  }

  /** Returns an open block without transactions, except for the deposits of an L2. */
  async begin(header: Header): Promise<Preconfirmed> {
    const { latest, logIndex } = this.#options.chain.state.history
    const { evms, pendingHash } = this.#options
    const evm = evms().at(header)
    const derived = this.#derived(evm.rules, header, latest.state)
    const own = derived?.header === undefined ? header : { ...header, ...derived.header }
    const open = openBlock(own, latest.state, logIndex)
    const context = blockContext(evm.rules, own, this.#options.chain.blockHash)
    const begun = { ...open, state: await beginBlock(evm, latest.state, context, own) }
    const opened = derived === undefined ? begun : await this.#withDeposits(derived, evm, begun, context)
    return withPendingHash(opened, pendingHash)
  }

  /** Applies a change to `block`. Returns the resulting open block, and the transactions that the change leaves out. */
  async changed(
    block: Block,
    { header, transactions, dropped }: SealChange,
  ): Promise<{ open: Preconfirmed; leftOut: readonly LeftOut[] }> {
    const begun = await this.begin(this.#changed(block.header, header))
    const { open } = await this.#slicer.given(begun, transactions)
    const leftOut = userTransactions(block)
      .filter(({ hash }) => !open.positions.has(hash))
      .map(
        (transaction): LeftOut => ({ transaction, lands: dropped.has(transaction.hash) ? 'never' : 'next' }),
      )
    return { open, leftOut }
  }

  sealed(open: Preconfirmed, lastSlice: Preconfirmed | undefined): Promise<Moment> {
    return sealedNow(this.#options.evms(), open, this.#options.chain.blockHash, lastSlice)
  }

  /** Returns the part of an L2 block that comes from L1. Its L1 origin may be newer than the parent's. */
  #derived({ l2, l2Upgrade }: Rules, header: Header, state: State): Derived | undefined {
    if (l2 === undefined) return undefined
    const before = l1AttributesIn(state, l2Upgrade)
    return (
      this.#options.derivation?.derive(header, before) ?? {
        attributes: before ?? defaultAttributes(l2),
        origin: nextOrigin(header.timestamp, before?.origin),
        deposits: [],
      }
    )
  }

  /** Returns `open` with the deposits of L1 as slice 0. */
  async #withDeposits(
    { attributes, origin, deposits }: Derived,
    evm: Evm,
    open: Preconfirmed,
    context: BlockContext,
  ): Promise<Preconfirmed> {
    const { l2Upgrade } = evm.rules
    const included = new IncludedTransactions(evm.rules, context)
    let { state } = open
    for (const deposit of [l1AttributesDeposit(l2Upgrade, attributes, origin), ...deposits]) {
      const ran = runTransaction(evm, state, context, deposit)
      const run = ran instanceof Promise ? await ran : ran
      state = run.state
      included.add(deposit, run)
    }
    return { ...withSlice(open, included.transactions, included.receipts, state), slices: 0 }
  }

  /** Applies a change to `header`. Ignores a timestamp of another hardfork, whose headers may have other fields. */
  #changed(header: Header, change: SealChange['header']): Header {
    const blobGasUsed = header.blobGasUsed === undefined ? undefined : 0n
    const changed = { ...header, ...change, gasUsed: 0n, blobGasUsed }
    const evms = this.#options.evms()
    const isUnderSameRules = evms.at(changed) === evms.at(header)
    return isUnderSameRules ? changed : { ...changed, timestamp: header.timestamp }
  }
}

/** Seals `open` with its current content. `lastSlice` is the last published slice of the block, if any. */
export async function sealedNow(
  evms: Evms,
  open: Preconfirmed,
  blockHash: BlockContext['blockHash'],
  lastSlice?: Preconfirmed,
): Promise<Moment> {
  const { header, receipts } = open.block
  const evm = evms.at(header)
  const context = blockContext(evm.rules, header, blockHash)
  const { state, requestsHash } = await endBlock(evm, open.state, context, receipts)
  return sealBlock(open, state, requestsHash, lastSlice)
}
