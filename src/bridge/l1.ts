/** The L1 beside an L2: a devnet of Ethereum whose clock follows the L2's, and from whose blocks the L2 is derived. */
import type { Chain } from '../chain/chain.ts'
import type { Moment } from '../chain/moment.ts'
import { type Block, userTransactions } from '../model/block/block.ts'
import { feesOf } from '../model/block/fees.ts'
import type { Header } from '../model/block/header.ts'
import { PROPOSER } from '../model/l2/l1Addresses.ts'
import { type AttributesOfBlock, defaultAttributes } from '../model/l2/l1Attributes.ts'
import type { L2Chain } from '../model/l2/l2.ts'
import type { RpcContext } from '../rpc/context.ts'
import { Problem } from '../rpc/errors/problem.ts'
import type { Pair } from '../rpc/readContext.ts'
import type { Derivation, Derived } from '../sequencer/block/derivation.ts'
import { type Deviations, NO_DEVIATIONS, type Outages } from '../sequencer/block/deviations.ts'
import type { L1Mark } from '../sequencer/marks.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import type { Bridge } from './bridge.ts'
import { updated } from './configUpdates.ts'
import { originAt, originOf } from './l1Origin.ts'
import { batchOf, NO_OUTAGES, withFailure } from './outages.ts'
import { hasWithdrawal, Proposer } from './proposal.ts'
import { userDeposits } from './userDeposits.ts'

/** The L1 origin before the first L2 block. */
const NO_ORIGIN = { number: -1n, sequenceNumber: 0n }

/** Numbers before and after all L1 origins. */
const [NONE, ALL] = [-1, Number.POSITIVE_INFINITY]

/** Returns the L1 of a pair. */
export function l1Of({ derivation }: Pair): L1 {
  return derivation as L1
}

export interface L1Parts {
  readonly context: RpcContext
  readonly bridge: Bridge
}

interface L2Terms {
  readonly l2: L2Chain
  readonly l2BlockSeconds: number
  /** The number of the fork block of a forked L2. */
  readonly forkBlock: bigint | undefined
  /** The number of L1 blocks after an L1 origin in which the batches of its L2 blocks must come. */
  readonly sequencingWindow: number
}

/** Seconds after the timestamp of its L1 origin until which an L2 block may have transactions of users (since Fjord). */
export const MAX_SEQUENCER_DRIFT = 1_800n

export class L1 implements Derivation {
  readonly chain: Chain
  readonly l2: L2Chain
  readonly l2BlockSeconds: number
  readonly sequencingWindow: number
  readonly bridge: Bridge
  readonly #forkBlock: bigint | undefined
  readonly #sequencer: Sequencer
  readonly #proposer: Proposer
  /** The faults of the L2. */
  #deviations: Deviations = NO_DEVIATIONS
  #outages: Outages
  /** The last L1 origin whose L2 blocks may have to be replaced. */
  #changedUntil = NONE

  constructor({ context, bridge }: L1Parts, terms: L2Terms, mark?: Pick<L1Mark, 'outages'>) {
    this.chain = context.chain
    this.bridge = bridge
    this.l2 = terms.l2
    this.l2BlockSeconds = terms.l2BlockSeconds
    this.sequencingWindow = terms.sequencingWindow
    this.#forkBlock = terms.forkBlock
    this.#outages = mark?.outages ?? NO_OUTAGES
    this.#sequencer = context.sequencer
    this.#proposer = new Proposer(context.sequencer, bridge)
  }

  /**
   * Under the rhythm `instant`, each L1 block makes an L2 block, so that deposits need not wait for a transaction. If a reorg
   * removes L1 blocks, or a sequencing window ends without batches, the L2 replaces its blocks that would no longer be
   * derived from the L1.
   */
  connect(l2: Pick<RpcContext, 'chain' | 'sequencer'>, onDefect: (error: unknown) => void): void {
    const { blocks, clock, deviations } = l2.sequencer
    this.#deviations = deviations
    const { listeners, blocks: ownBlocks } = this.#sequencer
    let rederived = Promise.resolve()
    const rederive = (changedUntil: number) => {
      this.#changedUntil = Math.max(this.#changedUntil, changedUntil)
      rederived = blocks.rederive().catch(onDefect)
    }
    listeners.on('sealed', ({ block }) => {
      const late = block.header.number - BigInt(this.sequencingWindow)
      if (this.#batchOf(late) === undefined) rederive(Number(late))
      if (clock.rhythm === 'instant') blocks.mine().catch(onDefect)
    })
    listeners.on('reorged', () => rederive(ALL))
    listeners.on('restored', () => rederive(ALL))
    listeners.on('dropped', (dropped, { kind }) => {
      if (kind !== 'reorged' || dropped.from !== PROPOSER) return
      rederived = rederived.then(() => this.#proposer.proposeAgain(dropped, l2.chain)).catch(onDefect)
    })
    ownBlocks.afterReorg(() => rederived)
  }

  follow(timestamp: bigint): MaybePromise<void> {
    const ms = Number(timestamp) * 1_000
    if (ms > this.#sequencer.clock.nowMs) return this.#advanceTo(ms)
  }

  /**
   * Makes the L1 blocks that fall due until `ms`. After a jump in time, all slots are missed except the first and the last one:
   * an L2 block has the next L1 origin at most, so the L2 would need as many blocks as the L1 has made.
   */
  async #advanceTo(ms: number): Promise<void> {
    const { clock, blocks, steering } = this.#sequencer
    if (this.missedSlots > 0) await this.#missSlots(ms)
    if (clock.rhythm !== 'instant' && clock.nextTickMs + clock.tickMs <= ms) {
      await blocks.tick()
      const slots = Math.floor((ms - clock.nowMs) / clock.tickMs)
      await steering.shiftTime((slots - 1) * clock.tickMs)
    }
    await blocks.advance(ms - clock.nowMs)
  }

  async #missSlots(untilMs: number): Promise<void> {
    const { clock, queue } = this.#sequencer
    await queue.add(async () => {
      while (this.missedSlots > 0 && clock.nextTickMs <= untilMs) {
        this.#outages = { ...this.#outages, slots: this.#outages.slots - 1 }
        await clock.step(() => clock.tick())
      }
    })
  }

  /** The number of next slots in which the L1 makes no block. Under the rhythm `instant` there are no slots. */
  get missedSlots(): number {
    return this.#sequencer.clock.rhythm === 'instant' ? 0 : this.#outages.slots
  }

  allowsDepositsOnly(open: Pick<Moment, 'block' | 'state'>): boolean {
    const { number, timestamp } = originOf(open)
    const isDrifting = open.block.header.timestamp > timestamp + MAX_SEQUENCER_DRIFT
    return (this.missedSlots > 0 && isDrifting) || this.#isLate(number)
  }

  /** The L1 origin is the L1 block after that of the parent, if that block is not later than the L2 block. */
  derive({ timestamp, gasLimit, extraData }: Header, parent: AttributesOfBlock | undefined): Derived {
    const before = parent?.origin ?? NO_ORIGIN
    const block = this.#blockAfter(before.number, timestamp)
    const isNew = block.header.number > before.number
    const { rules } = this.#sequencer.upcoming.evms.at(block.header)
    const { baseFeePerGas: baseFee = 0n, blobBaseFee = 0n } = feesOf(rules, block.header)
    const { optimismPortal2, systemConfig } = this.bridge
    const known = { ...(parent ?? defaultAttributes(this.l2)), gasLimit, extraData }
    const config = isNew ? updated(known, block, systemConfig) : known
    const { batcher, prices } = config
    return {
      origin: originAt(block, isNew ? 0n : before.sequenceNumber + 1n),
      attributes: { batcher, prices: { ...prices, baseFee, blobBaseFee } },
      header: config === known ? undefined : { gasLimit: config.gasLimit, extraData: config.extraData },
      deposits: isNew ? userDeposits(block, optimismPortal2) : [],
    }
  }

  /**
   * An L2 block is safe when the L1 has the block with its batch, and finalized when that block is. Without batch, it is
   * derived from the last block of its sequencing window.
   */
  has(tag: 'safe' | 'finalized', l2: Moment): boolean {
    const { latest } = this.chain
    const newest = tag === 'safe' ? latest.block.header.number : this.chain.trailing(tag)
    const { number } = originOf(l2)
    return (this.#batchOf(number) ?? number + BigInt(this.sequencingWindow)) <= newest && this.leadsTo(l2)
  }

  leadsTo(l2: Moment): boolean {
    const { number, hash } = originOf(l2)
    if (this.chain.state.history.hash(Number(number)) !== hash) return false
    return !this.#isLate(number) || userTransactions(l2.block).length === 0
  }

  /** Returns whether the sequencing window of an L1 origin has ended without batches. */
  #isLate(origin: bigint): boolean {
    const isOver = origin + BigInt(this.sequencingWindow) <= this.chain.latest.block.header.number
    return isOver && this.#batchOf(origin) === undefined
  }

  takeStale(l2: Chain): number {
    const { history } = l2.state
    const until = this.#changedUntil
    this.#changedUntil = NONE
    // From the oldest on, because a block after a removed L1 origin may have an L1 origin that was not removed.
    for (let depth = until === NONE ? 0 : l2.removable; depth > 0; depth--) {
      const block = history.keptBlock(history.end - depth) as Moment
      if (originOf(block).number > until) return 0
      if (!this.leadsTo(block)) return depth
    }
    return 0
  }

  #batchOf(origin: bigint): bigint | undefined {
    return batchOf(origin, this.#outages, BigInt(this.sequencingWindow))
  }

  idle(): Promise<unknown> {
    return this.#sequencer.queue.idle()
  }

  #blockAfter(number: bigint, timestamp: bigint): Block {
    const next = this.#blockAt(number + 1n)
    if (next !== undefined && next.header.timestamp <= timestamp) return next
    return this.#blockAt(number) ?? this.chain.latest.block
  }

  #blockAt(number: bigint): Block | undefined {
    return this.chain.state.history.block(Number(number))
  }

  /**
   * Begins the failures that are due. Proposes the output root of an L2 block with a withdrawal, and that of the first block
   * of a fork: the network may have withdrawals without a proposal.
   */
  onSealed(l2: Moment): MaybePromise<void> {
    const { number } = l2.block.header
    for (const failure of this.#deviations.onL1(number)) {
      this.#outages = withFailure(this.#outages, failure, this.chain.latest.block.header.number + 1n)
    }
    if (number - 1n === this.#forkBlock || hasWithdrawal(l2.block)) return this.#proposer.propose(l2)
  }

  get mark(): L1Mark {
    return { ...this.#sequencer.marks.now, outages: this.#outages }
  }

  async restore(mark?: unknown): Promise<void> {
    const { marks } = this.#sequencer
    this.#outages = (mark as L1Mark | undefined)?.outages ?? NO_OUTAGES
    await (mark === undefined ? marks.reset() : marks.restore(mark as L1Mark))
  }
}

/** Returns the refusal of a method that needs an L2 with its L1. */
export function withoutL1(): Problem {
  return new Problem({ kind: 'unsupported', detail: 'this method needs an L2 with its L1 (option l1)' })
}
