/**
 * Makes blocks and publishes them: opens, runs slices, seals. Only commands of the sequencer's queue call it, one at a
 * time. What is built and what readers see of it are the same, unless a fault was asked for.
 */
import type { Chain } from '../chain/chain.ts'
import type { Moment, Preconfirmed } from '../chain/moment.ts'
import { type BlockContext, blockContext } from '../evm/blockContext.ts'
import type { Evm } from '../evm/evm.ts'
import type { Machines } from '../evm/machines.ts'
import { beginBlock } from '../evm/systemCalls.ts'
import { isEmpty as isEmptyBlock, sentIn } from '../model/block.ts'
import type { ConsoleCalls } from '../model/consoleCall.ts'
import type { ReorgWish } from '../model/fault.ts'
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../model/fees.ts'
import type { BlockPosition } from '../model/forkSchedule.ts'
import type { Header } from '../model/header.ts'
import type { Transaction } from '../model/transaction.ts'
import { refuseForm } from '../pool/admit.ts'
import { type GasPrices, inGivenOrder, inOrder } from '../pool/order.ts'
import type { Pool } from '../pool/pool.ts'
import { blockSeconds, type Cheats, fulfilled, wished } from './cheats.ts'
import { breathingEvery, type Clock } from './clock.ts'
import type { Listeners } from './events.ts'
import { type PlannedFault, reorgFate, sealFate, sliceFate } from './faults.ts'
import { toldWith, withL1Deposit } from './l1Deposit.ts'
import {
  type BlockSettings,
  nextHeader,
  nextPosition,
  openBlock,
  type PendingHash,
  prevRandao,
  withHash,
} from './openBlock.ts'
import type { Step } from './plan.ts'
import { replacements } from './reorg.ts'
import { canHappen, changeOf, type SealChange } from './sealChange.ts'
import { sealedNow } from './sealedNow.ts'
import { runSlice, type Slice } from './slice.ts'
import { type Publication, publicationOf, UNVEILED, type Veil } from './veil.ts'

/** What blocks are made with. */
export interface Workshop {
  readonly machines: Machines
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  readonly listeners: Listeners
  readonly ticksPerBlock: number
  /** Whether slice j of n may use only j/n of the block's gas (CONTRACT 5). */
  readonly sliceGasBudget: boolean
  /** What readers see as the hash of the block under construction. */
  readonly pendingHash: PendingHash
  readonly block: BlockSettings
  onConsole(said: ConsoleCalls, transaction: Transaction): void
}

/** How long a slice runs at a stretch: so long do questions wait that come meanwhile. */
const TURN_MS = 10

/** Above all numbers of blocks: what branches derive their randomness from is none that a block has. */
const BRANCHES = 2n ** 128n

export class BlockMaker {
  readonly #chain: Chain
  readonly #pool: Pool
  readonly #clock: Clock
  readonly #listeners: Listeners
  readonly #workshop: Workshop
  /** What a test wishes of the blocks to come. */
  cheats: Cheats
  /** What is to go wrong. */
  faults: readonly PlannedFault[] = []
  #veil: Veil = UNVEILED
  /** The fault that the veil is there for. */
  #veiledBy: number | undefined
  /** Slices of the open block that are to be told late. */
  #held: readonly Slice[] = []

  constructor(workshop: Workshop, cheats: Cheats) {
    this.#workshop = workshop
    this.#chain = workshop.chain
    this.#pool = workshop.pool
    this.#clock = workshop.clock
    this.#listeners = workshop.listeners
    this.cheats = cheats
  }

  /** Those of the chain id that holds now. */
  get machines(): Machines {
    return this.#workshop.machines.withChainId(this.cheats.chainId)
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
          const slice = await this.#slice(open!, isLast)
          const isFirst = isEmpty(open!) && !isEmpty(slice.open)
          open = slice.open
          // Blocks that are sealed in the tick that opened them are never pre-confirmed.
          if (this.#workshop.ticksPerBlock === 0) unpublished = slice
          else this.#publish(slice, before)
          if (isFirst) this.#fulfil()
          break
        }
      }
    }
  }

  /** Runs what is ready into the open block, then seals it. */
  async mine(): Promise<void> {
    await this.do(this.#chain.open === undefined ? ['open', 'slice', 'seal'] : ['slice', 'seal'])
  }

  /** Opens an empty open block anew, for what is wished of it now. One with transactions stays what it was published as. */
  async reopenIfEmpty(): Promise<void> {
    const { open, preconfirmed } = this.#chain
    if (open === undefined || !isEmpty(open)) return
    const { slices, previous } = open
    const reopened = { ...(await this.#open()), slices, previous }
    if (preconfirmed === open) this.#chain.preconfirm(reopened)
    else this.#chain.hide(reopened, preconfirmed)
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
  async reorg(wish: ReorgWish): Promise<readonly Moment[]> {
    this.giveUp()
    const removed = this.#chain.rewind(wish.depth)
    const gone = removed.flatMap(({ block }) => sentIn(block))
    // Nothing is awaited in between: a transaction that is to come back can be found all the time.
    if (wish.transactions !== 'drop') this.#putBack(gone)
    this.cheats = { ...this.cheats, branch: this.cheats.branch + 1 }
    this.#listeners.emit('reorged', removed)
    if (wish.transactions === 'drop') {
      for (const transaction of gone) this.#listeners.emit('dropped', transaction, { kind: 'reorged' })
    }
    for (const [i, transactions] of replacements(wish, removed).entries()) {
      await this.#sealGiven(transactions, removed[i]?.block.header.timestamp)
    }
    return removed
  }

  /** Lets the block under construction go, whose transactions wait again. */
  giveUp(): void {
    const { open } = this.#chain
    if (open !== undefined) this.#putBack(sentIn(open.block))
    this.#held = []
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

  /**
   * What was going wrong does so no more: readers see what is built, and are told what was held back. With an `id` only
   * where that fault was to blame. Answers whether there was anything to lift.
   */
  unveil(id = this.#veiledBy): boolean {
    if (this.#veiledBy === undefined || this.#veiledBy !== id) return false
    const held = this.#held
    this.forget()
    this.#chain.reveal()
    for (const one of held) this.#tellPreconfirmed(one)
    return true
  }

  /** The chain is to be another: nothing hides any of it, and nothing is left to be told. */
  forget(): void {
    this.#veil = UNVEILED
    this.#veiledBy = undefined
    this.#held = []
  }

  /** Where the block stands that the next transaction goes into. */
  get nextPosition(): BlockPosition {
    const { open, latest } = this.#chain
    return open?.block.header ?? this.#positionAfter(latest)
  }

  /** The gas limit of the block that takes wishes. */
  get gasLimit(): bigint {
    return this.cheats.next.gasLimit ?? this.#chain.tip.block.header.gasLimit
  }

  /** Whether anything waits that can go into the open block, or into the next if none is open. */
  hasReady(): boolean {
    return inOrder(this.#pool.contents, this.#chain.tip.state, this.prices).next() !== undefined
  }

  /** What the block asks for gas that the next transaction goes into; nothing for what its hardfork does not have. */
  get prices(): GasPrices {
    const { open, tip } = this.#chain
    const { header } = tip.block
    const { rules } = this.machines.at(this.nextPosition)
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

  async #open(): Promise<Preconfirmed> {
    const { block } = this.#chain.latest
    const position = this.#positionAfter(this.#chain.latest)
    const { rules } = this.machines.at(position)
    const plain = nextHeader(rules, block.header, block.hash, position, this.#settings)
    return this.#begin(wished(plain, this.cheats))
  }

  /** Seals a block of `transactions` and nothing else, in their order. Those that cannot be run wait. */
  async #sealGiven(transactions: readonly Transaction[], timestamp: bigint | undefined): Promise<void> {
    const { block } = this.#chain.latest
    const seconds = timestamp ?? blockSeconds(this.cheats, block.header, this.#clock.seconds)
    const position = nextPosition(block.header, seconds)
    const { rules } = this.machines.at(position)
    const header = nextHeader(rules, block.header, block.hash, position, this.#settings)
    const begun = await this.#begin({ ...header, coinbase: this.cheats.coinbase ?? header.coinbase })
    const fitting = transactions.filter((transaction) => this.#fits(transaction, begun))
    const slice = await runSlice(this.#evmFor(begun), begun, inGivenOrder(fitting), this.#context(begun))
    await this.#seal(slice.open, slice)
    const settled = new Set([...slice.added, ...slice.dropped.map(([transaction]) => transaction)])
    for (const transaction of fitting) {
      if (!settled.has(transaction) && !this.#pool.rivalOf(transaction)) this.#pool.add(transaction)
    }
  }

  /** Whether the transaction, which nobody may have looked at, can be in the block; if not, whoever listens learns why. */
  #fits(transaction: Transaction, open: Preconfirmed): boolean {
    const { rules } = this.#evmFor(open)
    const rejection = refuseForm(transaction, { rules, blockGasLimit: open.block.header.gasLimit })
    if (rejection !== undefined) this.#listeners.emit('dropped', transaction, rejection)
    return rejection === undefined
  }

  /** Takes blocks off again that were just sealed, where a fault says so. Answers whether it did. */
  async #changeMind(): Promise<boolean> {
    if (this.faults.length === 0) return false
    const { number } = this.#chain.latest.block.header
    const { happening, planned } = reorgFate(this.faults, { block: number }, this.#chain.removable)
    this.faults = planned
    for (const { fault } of happening) {
      this.#listeners.emit('fault', fault, number, undefined)
      await this.reorg(fault)
    }
    return happening.length > 0
  }

  /** Of a branch that came with a reorg, blocks have a randomness of their own: without it they could be the same again. */
  get #settings(): BlockSettings {
    const { block } = this.#workshop
    const { branch } = this.cheats
    return branch === 0
      ? block
      : { ...block, randaoSeed: prevRandao(block.randaoSeed, BRANCHES + BigInt(branch)) }
  }

  /** An open block with nothing in it, but what an L2 begins each with. */
  async #begin(header: Header): Promise<Preconfirmed> {
    const { latest, logIndex } = this.#chain.state.history
    const open = openBlock(header, latest.state, logIndex)
    const evm = this.#evmFor(open)
    const context = this.#context(open)
    const begun = { ...open, state: await beginBlock(evm, latest.state, context, header) }
    const { l2 } = evm.rules
    return this.#hashed(l2 === undefined ? begun : await withL1Deposit(l2, evm, begun, context))
  }

  /** The block with what is ready; `isLast`: no slice comes after it, whatever the rhythm. */
  async #slice(open: Preconfirmed, isLast: boolean): Promise<Slice> {
    const context = this.#context(open)
    const { baseFeePerGas = 0n, blobBaseFee = 0n } = context
    const order = inOrder(this.#pool.contents, open.state, { baseFeePerGas, blobBaseFee })
    const rest = breathingEvery(TURN_MS)
    const slice = await runSlice(this.#evmFor(open), open, order, context, this.#budget(open, isLast), rest)
    return slice.added.length === 0 ? slice : { ...slice, open: this.#hashed(slice.open) }
  }

  #hashed(open: Preconfirmed): Preconfirmed {
    return this.#workshop.pendingHash === 'real' ? withHash(open) : open
  }

  #budget({ block, slices }: Preconfirmed, isLast: boolean): bigint {
    const { sliceGasBudget, ticksPerBlock } = this.#workshop
    const { gasLimit } = block.header
    if (!sliceGasBudget || isLast || slices + 1 >= ticksPerBlock) return gasLimit
    return (gasLimit * BigInt(slices + 1)) / BigInt(ticksPerBlock)
  }

  /** Lets readers see a slice, unless a fault keeps them from it; `before`: what they saw when the command began. */
  #publish(slice: Slice, before: Preconfirmed | undefined): void {
    const { open } = slice
    this.#takeFromPool(slice)
    const { act, veil } = this.#publicationOf(open)
    this.#veil = veil
    const shown = this.#chain.preconfirmed
    switch (act) {
      case 'publish':
      case 'publishTwice': {
        const due = [...this.#held, ...toldWith(slice)]
        this.#held = []
        this.#veiledBy = undefined
        this.#chain.preconfirm(open)
        this.#tell(slice)
        for (const one of due) this.#tellPreconfirmed(one)
        if (act === 'publishTwice') this.#tellPreconfirmed(slice)
        return
      }
      case 'hold':
        this.#held = [...this.#held, ...toldWith(slice)]
        this.#chain.hide(open, shown)
        break
      case 'keep':
        this.#chain.hide(open, shown)
        break
      case 'freeze':
        this.#chain.hide(open, shown ?? before)
        break
      case 'clear':
        this.#chain.hide(open, undefined)
        break
    }
    this.#tell(slice)
  }

  #publicationOf({ block, slices }: Preconfirmed): Publication {
    // The one with index 0, which some chains open a block with, may have come before.
    const isFirst = slices <= 1
    // Hardly ever is anything to go wrong.
    if (this.faults.length === 0) return publicationOf(this.#veil, undefined, isFirst)
    const { number } = block.header
    const { happening, planned } = sliceFate(this.faults, { block: number, slice: slices })
    this.faults = planned
    const [happens] = happening
    if (happens !== undefined) {
      if (happens.fault.kind !== 'duplicateSlice') this.#veiledBy = happens.id
      this.#listeners.emit('fault', happens.fault, number, slices)
    }
    return publicationOf(this.#veil, happens?.fault, isFirst)
  }

  async #seal(built: Preconfirmed, unpublished: Slice | undefined): Promise<void> {
    const { open, given } = await this.#sealed(built)
    const lastSlice = unpublished === undefined && built.slices > 0 ? built : undefined
    const moment = await sealedNow(this.machines, open, this.#chain.blockHash, lastSlice)
    if (unpublished !== undefined) this.#takeFromPool(unpublished)
    const stale = this.#veil.kind === 'stale' ? this.#chain.preconfirmed : undefined
    this.#held = []
    this.#chain.seal(moment, stale)
    for (const { transaction, lands } of given) if (lands === 'next') this.#pool.add(transaction)
    if (isEmpty(open)) this.#fulfil()
    if (unpublished !== undefined) this.#tell(unpublished)
    this.#listeners.emit('sealed', moment)
    for (const { transaction, lands } of given) {
      this.#listeners.emit('dropped', transaction, { kind: 'fault', lands })
    }
  }

  /** What is really sealed of what was built, and which transactions are not in it: the faults' doing. */
  async #sealed(built: Preconfirmed): Promise<{
    open: Preconfirmed
    given: readonly { transaction: Transaction; lands: 'next' | 'never' }[]
  }> {
    if (this.faults.length === 0 || isEmpty(built)) return { open: built, given: [] }
    const { block } = built
    const { number } = block.header
    const fate = sealFate(this.faults, { block: number }, (fault) => canHappen(fault, block))
    this.faults = fate.planned
    if (fate.happening.length === 0) return { open: built, given: [] }
    const faults = fate.happening.map(({ fault }) => fault)
    for (const fault of faults) this.#listeners.emit('fault', fault, number, undefined)
    const change = changeOf(block, faults)
    const begun = await this.#begin(this.#changed(block.header, change.header))
    const order = inGivenOrder(change.transactions)
    const { open } = await runSlice(this.#evmFor(begun), begun, order, this.#context(begun))
    const never = new Set(change.dropped.filter(({ lands }) => lands === 'never').map(({ hash }) => hash))
    const given = sentIn(block)
      .filter(({ hash }) => !open.positions.has(hash))
      .map((transaction) => ({
        transaction,
        lands: never.has(transaction.hash) ? ('never' as const) : ('next' as const),
      }))
    return { open, given }
  }

  /** The header with nothing in it yet, changed; but not to a time under other rules, which would want another header. */
  #changed(header: Header, change: SealChange['header']): Header {
    const blobGasUsed = header.blobGasUsed === undefined ? undefined : 0n
    const changed = { ...header, ...change, gasUsed: 0n, blobGasUsed }
    const isUnderSameRules = this.machines.at(changed) === this.machines.at(header)
    return isUnderSameRules ? changed : { ...changed, timestamp: header.timestamp }
  }

  /**
   * The open block got its first transaction, or is sealed without any: it is what was wished for, and what is wished
   * later is meant for the next. If it was given a time, the clock goes on from there, as that of the peers.
   */
  #fulfil(): void {
    const { timestamp } = this.cheats.next
    this.cheats = fulfilled(this.cheats)
    if (timestamp === undefined || timestamp === this.#clock.seconds) return
    this.#clock.shift(Number(timestamp) * 1_000 - this.#clock.nowMs)
  }

  /** Called right before the chain is published, with nothing awaited between: a hash is never in neither of them. */
  #takeFromPool({ added, dropped }: Slice): void {
    for (const transaction of added) this.#pool.remove(transaction)
    for (const [transaction] of dropped) this.#pool.remove(transaction)
  }

  #tellPreconfirmed({ open, added }: Slice): void {
    this.#listeners.emit('preconfirmed', open, added)
  }

  /** What happened on the way to what is published now. */
  #tell({ dropped, said }: Slice): void {
    for (const [transaction, reason] of dropped) this.#listeners.emit('dropped', transaction, reason)
    for (const [transaction, calls] of said) this.#workshop.onConsole(calls, transaction)
  }

  #evmFor({ block }: Preconfirmed): Evm {
    return this.machines.at(block.header)
  }

  #context(open: Preconfirmed): BlockContext {
    return blockContext(this.#evmFor(open).rules, open.block.header, this.#chain.blockHash)
  }
}

function isEmpty({ block }: Preconfirmed): boolean {
  return isEmptyBlock(block)
}
