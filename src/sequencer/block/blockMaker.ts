/** Runs the steps that make blocks, and publishes the results. The command queue calls one function at a time. */
import type { Chain } from '../../chain/chain.ts'
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import { isEmpty as isEmptyBlock } from '../../model/block/block.ts'
import type { Header } from '../../model/block/header.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { refuseForm } from '../../pool/admit.ts'
import type { Pool } from '../../pool/pool.ts'
import type { FetchFailed } from '../../state/remoteState.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import { withoutNextOverrides } from '../cheats.ts'
import type { Clock } from '../clock.ts'
import type { Step } from '../plan.ts'
import type { CommandQueue } from '../queue.ts'
import { type ReorgRequest, Reorgs, replacements } from '../reorg.ts'
import { Builder, type BuilderOptions, type LeftOut } from './builder.ts'
import type { Derivation } from './derivation.ts'
import type { Deviations } from './deviations.ts'
import { prepareSeal } from './openBlock.ts'
import { Publisher, type PublisherOptions } from './publisher.ts'
import { type Slice, Slicer } from './slice.ts'
import type { UpcomingBlock } from './upcomingBlock.ts'

export interface BlockMakerOptions extends Omit<BuilderOptions, 'evms'>, PublisherOptions {
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  readonly queue: CommandQueue
  readonly minBlockSeconds?: bigint
  readonly derivation?: Derivation | undefined
}

export class BlockMaker {
  readonly #options: BlockMakerOptions
  readonly #deviations: Deviations
  readonly #publisher: Publisher
  readonly #upcoming: UpcomingBlock
  readonly #slicer: Slicer
  readonly #builder: Builder
  readonly #reorgs: Reorgs

  constructor(options: BlockMakerOptions, upcoming: UpcomingBlock, deviations: Deviations) {
    this.#options = options
    this.#upcoming = upcoming
    this.#deviations = deviations
    this.#publisher = new Publisher(options, deviations)
    const own = { ...options, evms: () => upcoming.evms, deviations }
    this.#slicer = new Slicer(own)
    this.#builder = new Builder(own, this.#slicer)
    const { chain, pool, listeners } = options
    this.#reorgs = new Reorgs({ chain, pool, listeners, upcoming })
  }

  /**
   * Runs the steps in order. If values of a forked network cannot be fetched, runs the transactions that do not need
   * them, then throws `FetchFailed`. With `empty: 'leave'`, a block that stayed empty for this reason is not sealed.
   */
  async do(steps: readonly Step[], empty: 'seal' | 'leave' = 'seal'): Promise<void> {
    const { derivation } = this.#options
    const isLast = steps.at(-1) === 'seal'
    let failure: FetchFailed | undefined
    let before = this.#options.chain.preconfirmed
    let open = this.#options.chain.open
    let unpublished: Slice | undefined
    for (const step of steps) {
      switch (step) {
        case 'seal':
          await this.#seal(open!, unpublished, unpublished !== undefined && !isEmpty(open!))
          if (await this.#reorgByFault()) before = undefined
          open = undefined
          break
        case 'open':
        case 'reopen':
          if (derivation !== undefined && (await this.#follow(derivation))) before = undefined
          open = await this.#open()
          break
        case 'slice': {
          const last = open!
          const slice = await this.#options.queue.prepare(() => this.#slicer.ready(last, isLast))
          failure ??= slice.delayed[0]?.[1]
          const isLeft = empty === 'leave' && isLast && steps[0] === 'open' && isEmpty(slice.open)
          if (failure !== undefined && isLeft) throw failure
          const isFirst = isEmpty(last) && !isEmpty(slice.open)
          open = slice.open
          await this.#options.clock.step(() => {
            // A block that one tick opens and seals is not pre-confirmed: the slice is published with the sealed block.
            if (this.#options.ticksPerBlock === 0) unpublished = slice
            else {
              this.#publisher.publish(slice, before)
              if (isFirst) this.#clearNextOverrides()
            }
          })
          if (step === steps.at(-1)) prepareSeal(open, last)
          break
        }
      }
    }
    this.#options.chain.pack()
    if (failure !== undefined) throw failure
  }

  /** Runs the executable transactions into the open block (opened if there is none), and seals the block. */
  async mine(): Promise<void> {
    await this.do(
      this.#options.chain.open === undefined ? ['open', 'slice', 'seal'] : ['slice', 'seal'],
      'leave',
    )
  }

  async mineReady(): Promise<void> {
    if (await this.#options.queue.prepare(() => this.#upcoming.hasReady())) await this.mine()
  }

  /** If the open block is empty, replaces it by a block with the current overrides and time. */
  async reopenIfEmpty(): Promise<void> {
    const { open } = this.#options.chain
    if (open === undefined || !isEmpty(open)) return
    const { slices, previous } = open
    const reopened = { ...(await this.#open()), slices, previous }
    await this.#options.clock.step(() => this.#publisher.replace(reopened))
  }

  publishImported(moment: Moment): void {
    const { transactions, header } = moment.block
    this.#reorgs.returnOpenTransactions()
    this.#options.chain.seal(moment)
    this.#options.chain.pack()
    for (const transaction of transactions) this.#options.pool.remove(transaction)
    this.#options.clock.moveTo(Number(header.timestamp) * 1_000)
    this.#options.listeners.emit('sealed', moment)
  }

  /** Removes the open block. Its transactions return to the pool. */
  async removeOpen(): Promise<void> {
    await this.#options.clock.step(() => {
      this.#reorgs.returnOpenTransactions()
      this.#options.chain.preconfirm(undefined, undefined)
    })
    this.#upcoming.tellChange()
  }

  /** Removes the newest `depth` sealed blocks and seals their replacements. The caller has checked `depth`. */
  async reorg(request: ReorgRequest): Promise<readonly Moment[]> {
    let removed: readonly Moment[] = []
    await this.#options.clock.step(() => {
      removed = this.#reorgs.removeBlocks(request)
    })
    for (const [i, transactions] of replacements(request, removed).entries()) {
      await this.#sealGiven(transactions, removed[i]?.block.header.timestamp)
    }
    return removed
  }

  /**
   * Replaces the blocks to which the L1 no longer leads. Their transactions wait in the pool. Returns whether blocks
   * were removed.
   */
  async rederive(): Promise<boolean> {
    const { chain, derivation } = this.#options
    if (derivation === undefined) return false
    const { open } = chain
    const depth = derivation.takeStale(chain)
    if (depth > 0) await this.reorg({ depth, transactions: 'wait' })
    else if (open !== undefined && !derivation.leadsTo(open)) await this.removeOpen()
    else return false
    return true
  }

  /** Seals a block with another node's transactions and header values. Returns the transactions that cannot run. */
  async repeat(theirs: Header, transactions: readonly Transaction[]): Promise<readonly Transaction[]> {
    const { coinbase, gasLimit, timestamp, prevRandao, baseFeePerGas, extraData, parentBeaconBlockRoot } =
      theirs
    const given = { coinbase, gasLimit, prevRandao, baseFeePerGas, extraData, parentBeaconBlockRoot }
    const begun = await this.#begin({ ...this.#upcoming.plainHeader(timestamp), ...given })
    const slice = await this.#given(begun, transactions)
    await this.#seal(slice.open, slice)
    this.#options.clock.moveTo(Number(timestamp) * 1_000)
    const added = new Set(slice.added)
    return transactions.filter((transaction) => !added.has(transaction))
  }

  /** Moves the L1 to the next block, and replaces the blocks to which it no longer leads. Returns whether it did. */
  async #follow(derivation: Derivation): Promise<boolean> {
    await derivation.follow(this.#upcoming.header.timestamp)
    return this.rederive()
  }

  #open(): MaybePromise<Preconfirmed> {
    return this.#begin(this.#upcoming.header)
  }

  #begin(header: Header): MaybePromise<Preconfirmed> {
    const begin = () => this.#options.queue.prepare(() => this.#builder.begin(header))
    const following = this.#options.derivation?.follow(header.timestamp)
    return following === undefined ? begin() : following.then(begin)
  }

  #given(open: Preconfirmed, transactions: readonly Transaction[]): MaybePromise<Slice> {
    return this.#options.queue.prepare(() => this.#slicer.given(open, transactions))
  }

  /** Seals a block of `transactions` in their order. Delayed ones return to the pool, impossible ones are dropped. */
  async #sealGiven(transactions: readonly Transaction[], timestamp: bigint | undefined): Promise<void> {
    const begun = await this.#begin(this.#upcoming.plainHeader(timestamp))
    const fitting = transactions.filter((transaction) => this.#fits(transaction, begun))
    const slice = await this.#given(begun, fitting)
    await this.#seal(slice.open, slice)
    const settled = new Set([...slice.added, ...slice.dropped.map(([transaction]) => transaction)])
    for (const transaction of fitting) {
      if (!settled.has(transaction) && !this.#options.pool.rivalOf(transaction))
        this.#options.pool.add(transaction)
    }
  }

  /** Returns whether `open` may contain `transaction`, whatever the state. If not, emits `dropped` with the reason. */
  #fits(transaction: Transaction, open: Preconfirmed): boolean {
    const { rules } = this.#upcoming.evms.at(open.block.header)
    const { isBlockGasLimited = true } = this.#options
    const blockGasLimit = isBlockGasLimited ? open.block.header.gasLimit : undefined
    const rejection = refuseForm(transaction, { rules, blockGasLimit })
    if (rejection !== undefined) this.#options.listeners.emit('dropped', transaction, rejection)
    return rejection === undefined
  }

  /** Performs the reorg that a fault plans after the newest seal, if any. Returns whether a reorg was performed. */
  async #reorgByFault(): Promise<boolean> {
    const request = this.#deviations.afterSeal(
      this.#options.chain.latest.block.header.number,
      this.#options.chain.removable,
    )
    if (request === undefined) return false
    await this.reorg(request)
    return true
  }

  /** Seals `built` with the changes of faults. `usesNext`: whether the overrides of the next block apply to `built`. */
  async #seal(built: Preconfirmed, unpublished: Slice | undefined, usesNext = false): Promise<void> {
    const { open, leftOut } = await this.#changedByFault(built)
    const lastSlice = unpublished === undefined && built.slices > 0 ? built : undefined
    const moment = await this.#options.queue.prepare(() => this.#builder.sealed(open, lastSlice))
    await this.#options.clock.step(() => {
      this.#publisher.seal(moment, unpublished, () => {
        for (const { transaction, lands } of leftOut)
          if (lands === 'next') this.#options.pool.add(transaction)
        if (usesNext || isEmpty(open)) this.#clearNextOverrides()
      })
      const { clock, minBlockSeconds = 0n } = this.#options
      const { timestamp } = moment.block.header
      if (minBlockSeconds > 0n && timestamp > clock.seconds)
        clock.shift(Number(timestamp) * 1_000 - clock.nowMs)
      for (const { transaction, lands } of leftOut) {
        this.#options.listeners.emit('dropped', transaction, { kind: 'fault', lands })
      }
    })
    await this.#options.derivation?.onSealed(moment)
  }

  /** Returns the block to seal and, if a fault changes the block, the transactions that the change leaves out. */
  async #changedByFault(built: Preconfirmed): Promise<{ open: Preconfirmed; leftOut: readonly LeftOut[] }> {
    const change = isEmpty(built) ? undefined : this.#deviations.ofSeal(built.block)
    return change === undefined
      ? { open: built, leftOut: [] }
      : this.#options.queue.prepare(() => this.#builder.changed(built.block, change))
  }

  /** Clears the used overrides of the next block. An overridden timestamp moves the clock, as in anvil. */
  #clearNextOverrides(): void {
    const { timestamp } = this.#upcoming.cheats.next
    const cheats = withoutNextOverrides(this.#upcoming.cheats)
    if (cheats !== this.#upcoming.cheats) this.#upcoming.cheats = cheats
    if (timestamp === undefined || timestamp === this.#options.clock.seconds) return
    this.#options.clock.shift(Number(timestamp) * 1_000 - this.#options.clock.nowMs)
  }
}

function isEmpty({ block }: Preconfirmed): boolean {
  return isEmptyBlock(block)
}
