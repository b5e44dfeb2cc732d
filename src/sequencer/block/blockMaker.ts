/**
 * Makes blocks: what is done when, and what follows from it. Only commands of the sequencer's queue call it, one at a time.
 * Blocks are built as values by the builder and shown by the publisher.
 */
import type { Chain } from '../../chain/chain.ts'
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import type { Evms } from '../../evm/evms.ts'
import { ChainFaults } from '../../faults/chainFaults.ts'
import { canHappen } from '../../faults/sealChange.ts'
import { isEmpty as isEmptyBlock, sentIn } from '../../model/block/block.ts'
import type { Header } from '../../model/block/header.ts'
import type { Listeners } from '../../model/collections/listeners.ts'
import type { ConsoleCalls } from '../../model/execution/consoleCall.ts'
import type { ReorgRequest } from '../../model/fault.ts'
import type { BlockPosition } from '../../model/hardfork/forkSchedule.ts'
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../../model/transaction/fees.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { refuseForm } from '../../pool/admit.ts'
import { type GasPrices, inOrder, type OrderName } from '../../pool/order.ts'
import type { Pool } from '../../pool/pool.ts'
import { blockSeconds, type Cheats, withOverrides, withoutNextOverrides } from '../cheats.ts'
import type { Clock } from '../clock.ts'
import type { Events } from '../events.ts'
import type { Step } from '../plan.ts'
import { replacements } from '../reorg.ts'
import { Builder, type LeftOut } from './builder.ts'
import { type BlockSettings, nextHeader, nextPosition, type PendingHash, prevRandao } from './openBlock.ts'
import { Publisher } from './publisher.ts'
import type { Slice } from './slice.ts'

/** What blocks are made with. */
export interface BlockMakerOptions {
  readonly evms: Evms
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  readonly listeners: Listeners<Events>
  readonly ticksPerBlock: number
  /** Whether slice j of n may use only j/n of the block's gas (CONTRACT 5). */
  readonly sliceGasBudget: boolean
  /** What readers see as the hash of the block under construction. */
  readonly pendingHash: PendingHash
  /** Which waiting transactions go first. */
  readonly order?: OrderName
  /** Whether blocks take no more gas than their headers say. */
  readonly isBlockGasLimited?: boolean
  readonly block: BlockSettings
  onConsole(said: ConsoleCalls, transaction: Transaction): void
}

/** Above all numbers of blocks: what branches derive their randomness from is none that a block has. */
const BRANCHES = 2n ** 128n

export class BlockMaker {
  readonly #chain: Chain
  readonly #pool: Pool
  readonly #clock: Clock
  readonly #listeners: Listeners<Events>
  readonly #options: BlockMakerOptions
  #cheats: Cheats
  /** What is to go wrong. */
  readonly chainFaults: ChainFaults
  /** What readers see of it all. */
  readonly publisher: Publisher
  readonly #builder: Builder

  constructor(options: BlockMakerOptions, cheats: Cheats) {
    this.#options = options
    this.#chain = options.chain
    this.#pool = options.pool
    this.#clock = options.clock
    this.#listeners = options.listeners
    this.#cheats = cheats
    this.chainFaults = new ChainFaults((...fault) => options.listeners.emit('fault', ...fault))
    this.publisher = new Publisher(options, this.chainFaults)
    this.#builder = new Builder({ ...options, evms: () => this.evms })
  }

  /** What a test requests of the blocks to come. */
  get cheats(): Cheats {
    return this.#cheats
  }

  set cheats(cheats: Cheats) {
    this.#cheats = cheats
    this.#listeners.emit('bent')
  }

  /** Those of the chain id that holds now. */
  get evms(): Evms {
    return this.#options.evms.withChainId(this.cheats.chainId)
  }

  /** Does the steps of one command in turn. */
  async do(steps: readonly Step[]): Promise<void> {
    const isLast = steps.at(-1) === 'seal'
    let before = this.#chain.preconfirmed
    let open = this.#chain.open
    let unpublished: Slice | undefined
    for (const step of steps) {
      switch (step) {
        case 'seal':
          await this.#seal(open!, unpublished)
          if (await this.#changeMind()) before = undefined
          open = undefined
          break
        case 'open':
        case 'reopen':
          open = await this.#open()
          break
        case 'slice': {
          const slice = await this.#builder.slice(open!, isLast)
          const isFirst = isEmpty(open!) && !isEmpty(slice.open)
          open = slice.open
          await this.#clock.step(() => {
            // Blocks that are sealed in the tick that opened them are never pre-confirmed.
            if (this.#options.ticksPerBlock === 0) unpublished = slice
            else this.publisher.publish(slice, before)
            if (isFirst) this.#clearNextOverrides()
          })
          break
        }
      }
    }
  }

  /** Runs what is ready into the open block, then seals it. */
  async mine(): Promise<void> {
    await this.do(this.#chain.open === undefined ? ['open', 'slice', 'seal'] : ['slice', 'seal'])
  }

  /** Opens an empty open block anew, for what is withOverrides of it now. One with transactions stays what it was published as. */
  async reopenIfEmpty(): Promise<void> {
    const { open } = this.#chain
    if (open === undefined || !isEmpty(open)) return
    const { slices, previous } = open
    const reopened = { ...(await this.#open()), slices, previous }
    await this.#clock.step(() => this.publisher.replace(reopened))
  }

  publishImported(moment: Moment): void {
    const { transactions, header } = moment.block
    this.giveUp()
    this.#chain.seal(moment)
    for (const transaction of transactions) this.#pool.remove(transaction)
    this.#clock.moveTo(Number(header.timestamp) * 1_000)
    this.#listeners.emit('sealed', moment)
  }

  /**
   * Takes the newest `depth` sealed blocks off the chain, which can be taken off, and seals others in their place. The
   * transactions of the removed ones that are in none of those wait, unless they are to be gone.
   */
  async reorg(request: ReorgRequest): Promise<readonly Moment[]> {
    let removed: readonly Moment[] = []
    await this.#clock.step(() => {
      removed = this.#takeOff(request)
    })
    for (const [i, transactions] of replacements(request, removed).entries()) {
      await this.#sealGiven(transactions, removed[i]?.block.header.timestamp)
    }
    return removed
  }

  /** Takes the newest blocks off; answers them, the oldest first. */
  #takeOff(request: ReorgRequest): readonly Moment[] {
    this.giveUp()
    const removed = this.#chain.rewind(request.depth)
    const gone = removed.flatMap(({ block }) => sentIn(block))
    // Nothing is awaited in between: a transaction that is to come back can be found all the time.
    const isDropped = request.transactions === 'drop' || request.rest === 'drop'
    if (!isDropped) this.#putBack(gone)
    this.cheats = { ...this.cheats, branch: this.cheats.branch + 1 }
    this.#listeners.emit('reorged', removed)
    if (isDropped) {
      const again = new Set(
        typeof request.transactions === 'string' ? [] : request.transactions.flat().map(({ hash }) => hash),
      )
      for (const transaction of gone) {
        if (!again.has(transaction.hash)) this.#listeners.emit('dropped', transaction, { kind: 'reorged' })
      }
    }
    return removed
  }

  /** Lets the block under construction go, whose transactions wait again. */
  giveUp(): void {
    const { open } = this.#chain
    if (open !== undefined) this.#putBack(sentIn(open.block))
    this.publisher.dropHeld()
  }

  /** Lets transactions wait again that were in a block; what waits in their places can no longer be run. */
  #putBack(transactions: readonly Transaction[]): void {
    for (const transaction of transactions) {
      const rival = this.#pool.rivalOf(transaction)
      this.#pool.add(transaction)
      if (rival === undefined || rival.hash === transaction.hash) continue
      this.#listeners.emit('dropped', rival, { kind: 'replaced', by: transaction })
    }
  }

  /** Where the block stands that the next transaction goes into. */
  get nextPosition(): BlockPosition {
    const { open, latest } = this.#chain
    return open?.block.header ?? this.#positionAfter(latest)
  }

  /** The gas limit of the block that takes requests. */
  get gasLimit(): bigint {
    return this.cheats.next.gasLimit ?? this.#chain.tip.block.header.gasLimit
  }

  /** Whether anything waits that can go into the open block, or into the next if none is open. */
  hasReady(): boolean {
    return inOrder(this.#pool.contents, this.#chain.tip.state, this.prices).next() !== undefined
  }

  /**
   * Whether all ticks to come make the same empty block again, but for its number and its time: nothing waits that can run, no
   * fault is planned, and the fees are what the next block has, too.
   */
  isAtRest(sealsEmptyBlocks: boolean): boolean {
    const { open, latest } = this.#chain
    if (this.chainFaults.planned.length > 0 || (open !== undefined && !isEmpty(open)) || this.hasReady())
      return false
    if (!sealsEmptyBlocks) return true
    const { header } = latest.block
    const { rules } = this.evms.at(this.nextPosition)
    return (
      nextBaseFee(rules, header) === header.baseFeePerGas &&
      nextExcessBlobGas(rules, header) === header.excessBlobGas
    )
  }

  /** What the block asks for gas that the next transaction goes into; nothing for what its hardfork does not have. */
  get prices(): GasPrices {
    const { open, tip } = this.#chain
    const { header } = tip.block
    const { rules } = this.evms.at(this.nextPosition)
    const baseFeePerGas =
      open === undefined
        ? (this.cheats.next.baseFeePerGas ?? nextBaseFee(rules, header))
        : header.baseFeePerGas
    const excessBlobGas = open === undefined ? nextExcessBlobGas(rules, header) : header.excessBlobGas
    return { baseFeePerGas: baseFeePerGas ?? 0n, blobBaseFee: blobBaseFee(rules, excessBlobGas) ?? 0n }
  }

  #positionAfter({ block: { header } }: Moment): BlockPosition {
    return nextPosition(header, blockSeconds(this.cheats, header, this.#clock.seconds))
  }

  /** Returns the header of the block that follows the newest sealed one, if it were opened now: with the time that was set for it. */
  get nextHeader(): Header {
    const { block } = this.#chain.latest
    const position = this.#positionAfter(this.#chain.latest)
    const { rules } = this.evms.at(position)
    const plain = nextHeader(rules, block.header, block.hash, position, this.#settings)
    return withOverrides(plain, this.cheats)
  }

  async #open(): Promise<Preconfirmed> {
    return this.#builder.begin(this.nextHeader)
  }

  /** Seals a block of `transactions` and nothing else, in their order. Those that cannot be run wait. */
  async #sealGiven(transactions: readonly Transaction[], timestamp: bigint | undefined): Promise<void> {
    const { block } = this.#chain.latest
    const seconds = timestamp ?? blockSeconds(this.cheats, block.header, this.#clock.seconds)
    const position = nextPosition(block.header, seconds)
    const { rules } = this.evms.at(position)
    const header = nextHeader(rules, block.header, block.hash, position, this.#settings)
    const begun = await this.#builder.begin({ ...header, coinbase: this.cheats.coinbase ?? header.coinbase })
    const fitting = transactions.filter((transaction) => this.#fits(transaction, begun))
    const slice = await this.#builder.withGiven(begun, fitting)
    await this.#seal(slice.open, slice)
    const settled = new Set([...slice.added, ...slice.dropped.map(([transaction]) => transaction)])
    for (const transaction of fitting) {
      if (!settled.has(transaction) && !this.#pool.rivalOf(transaction)) this.#pool.add(transaction)
    }
  }

  /** Whether the transaction, which nobody may have looked at, can be in the block; if not, whoever listens learns why. */
  #fits(transaction: Transaction, open: Preconfirmed): boolean {
    const { rules } = this.#builder.evmFor(open)
    const { isBlockGasLimited = true } = this.#options
    const blockGasLimit = isBlockGasLimited ? open.block.header.gasLimit : undefined
    const rejection = refuseForm(transaction, { rules, blockGasLimit })
    if (rejection !== undefined) this.#listeners.emit('dropped', transaction, rejection)
    return rejection === undefined
  }

  /** Takes blocks off again that were just sealed, where a fault says so. Answers whether it did. */
  async #changeMind(): Promise<boolean> {
    const request = this.chainFaults.afterSeal(this.#chain.latest.block.header.number, this.#chain.removable)
    if (request === undefined) return false
    await this.reorg(request)
    return true
  }

  /** Of a branch that came with a reorg, blocks have a randomness of their own: without it they could be the same again. */
  get #settings(): BlockSettings {
    const { block } = this.#options
    const { branch } = this.cheats
    return branch === 0
      ? block
      : { ...block, randaoSeed: prevRandao(block.randaoSeed, BRANCHES + BigInt(branch)) }
  }

  async #seal(built: Preconfirmed, unpublished: Slice | undefined): Promise<void> {
    const { open, leftOut } = await this.#withSealFaults(built)
    const lastSlice = unpublished === undefined && built.slices > 0 ? built : undefined
    const moment = await this.#builder.sealed(open, lastSlice)
    await this.#clock.step(() => {
      this.publisher.seal(moment, unpublished, () => {
        for (const { transaction, lands } of leftOut) if (lands === 'next') this.#pool.add(transaction)
        if (isEmpty(open)) this.#clearNextOverrides()
      })
      for (const { transaction, lands } of leftOut) {
        this.#listeners.emit('dropped', transaction, { kind: 'fault', lands })
      }
    })
  }

  /** What is really sealed of what was built, and which transactions are not in it: the faults' doing. */
  async #withSealFaults(built: Preconfirmed): Promise<{ open: Preconfirmed; leftOut: readonly LeftOut[] }> {
    const { block } = built
    const faults = isEmpty(built)
      ? []
      : this.chainFaults.ofSeal(block.header.number, (fault) => canHappen(fault, block))
    return faults.length === 0 ? { open: built, leftOut: [] } : this.#builder.otherwise(block, faults)
  }

  /**
   * The open block got its first transaction, or is sealed without any: it is what was withOverrides for, and what is withOverrides
   * later is meant for the next. If it was given a time, the clock goes on from there, as that of the peers.
   */
  #clearNextOverrides(): void {
    const { timestamp } = this.cheats.next
    this.cheats = withoutNextOverrides(this.cheats)
    if (timestamp === undefined || timestamp === this.#clock.seconds) return
    this.#clock.shift(Number(timestamp) * 1_000 - this.#clock.nowMs)
  }
}

function isEmpty({ block }: Preconfirmed): boolean {
  return isEmptyBlock(block)
}
