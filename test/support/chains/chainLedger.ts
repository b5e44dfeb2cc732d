/**
 * What a devnet promised by its events, held against what it says: the invariants that no order of commands may break. A
 * ledger listens, and is moved with the devnet: `mark` where a snapshot is taken, `goTo` where that is gone back to.
 */
import type { Hex } from 'viem'
import type { Devnet, Events } from '../../../src/index.ts'
import { ask } from '../clients/clients.ts'

type Moment = Parameters<Events['sealed']>[0]
type Preconfirmed = Parameters<Events['preconfirmed']>[0]
type Block = Moment['block']

/** What a ledger knows, as a value: none of it is changed after a mark was taken. */
export interface LedgerMark {
  readonly chain: readonly Block[]
  readonly alive: ReadonlySet<Hex>
  readonly shown: Preconfirmed | undefined
  readonly isChanged: boolean
  readonly isBent: boolean
  readonly mayBeStale: boolean
}

export class ChainLedger {
  readonly #devnet: Devnet
  /** Hashes and numbers are written down here too, so that forks and replays can be compared. */
  readonly lines: string[] = []
  /** The sealed blocks since this ledger was begun. */
  #chain: Block[]
  /** Accepted and not given up. */
  #alive: Set<Hex>
  /** What readers were told last of the block under construction. */
  #shown: Preconfirmed | undefined
  /** Whether that block is, or will be sealed, other than it was pre-confirmed: a fault's doing. */
  #isChanged = false
  /** Whether accounts of the block under construction were changed by hand. */
  #isBent = false
  #mayBeStale = false
  /** Whether slices were never told. */
  #isGappy = false
  /** The newest block that slices were lost of by a fault. */
  #gapIn = -1n
  /** The slice that may be told twice. */
  #twice: string | undefined
  readonly #told = new WeakSet<Preconfirmed>()
  readonly #frozen: { readonly moment: Moment; readonly copy: string }[] = []
  readonly #broken: string[] = []
  readonly #ends: (() => void)[]

  constructor(devnet: Devnet, from?: LedgerMark) {
    this.#devnet = devnet
    this.#chain = [...(from?.chain ?? [])]
    this.#alive = new Set(from?.alive)
    this.#shown = from?.shown
    this.#isChanged = from?.isChanged ?? false
    this.#isBent = from?.isBent ?? false
    this.#mayBeStale = from?.mayBeStale ?? false
    this.#isGappy = from !== undefined
    this.#ends = [
      devnet.on('accepted', ({ hash }) => {
        this.#note(`accepted ${hash}`)
        this.#alive.add(hash)
      }),
      devnet.on('preconfirmed', (moment, added) => this.#preconfirmed(moment, added.length)),
      devnet.on('sealed', (moment) => this.#sealed(moment)),
      devnet.on('reorged', (removed) => this.#reorged(removed)),
      devnet.on('fault', ({ kind }, block, slice) => {
        this.#note(`fault ${kind} ${block} ${slice}`)
        if (kind === 'stalePending') this.#mayBeStale = true
        if (kind === 'omitSlice' || kind === 'absentPending' || kind === 'stalePending') {
          this.#isGappy = true
          this.#gapIn = block
        }
        if (kind === 'duplicateSlice') this.#twice = `${block}.${slice}`
        if (kind === 'dropTransaction' || kind === 'sealDifferently') this.#isChanged = true
      }),
      devnet.on('dropped', ({ hash }, reason) => {
        this.#note(`dropped ${hash} ${reason.kind}`)
        if (reason.kind === 'defect') this.#fail(`the machine broke on ${hash}: ${reason.error}`)
        if (reason.kind !== 'fault' || reason.lands === 'never') this.#alive.delete(hash)
      }),
    ]
  }

  get mark(): LedgerMark {
    return {
      chain: [...this.#chain],
      alive: new Set(this.#alive),
      shown: this.#shown,
      isChanged: this.#isChanged,
      isBent: this.#isBent,
      // Nothing that was hidden is revealed by going back to it.
      mayBeStale: this.#mayBeStale,
    }
  }

  goTo(mark: LedgerMark): void {
    this.#chain = [...mark.chain]
    this.#alive = new Set(mark.alive)
    this.#shown = mark.shown
    this.#isChanged = mark.isChanged
    this.#isBent = mark.isBent
    this.#mayBeStale = mark.mayBeStale
    this.#isGappy = true
  }

  /** Accounts were changed by hand, or an empty block was opened anew. */
  bent(): void {
    this.#isBent = true
    this.#isGappy = true
    if (this.#shown?.block.transactions.every(({ deposit }) => deposit !== undefined)) this.#shown = undefined
  }

  /** The sealed blocks that it knows, the oldest first. */
  get chain(): readonly Block[] {
    return this.#chain
  }

  /** Ends listening. */
  end(): void {
    for (const end of this.#ends) end()
  }

  /** What costs next to nothing: the newest blocks, and one transaction. */
  async check(index: number): Promise<void> {
    const one = [...this.#alive].at(-1 - (index % Math.max(1, Math.min(50, this.#alive.size))))
    const [latest, pending, found] = await Promise.all([
      ask<BlockJson>(this.#devnet, 'eth_getBlockByNumber', 'latest', false),
      ask<BlockJson>(this.#devnet, 'eth_getBlockByNumber', 'pending', false),
      one === undefined ? one : ask(this.#devnet, 'eth_getTransactionByHash', one),
    ])
    const last = this.#chain.at(-1)
    if (last !== undefined && latest.hash !== last.hash)
      this.#fail(`latest is ${latest.hash}, not ${last.hash}`)
    if (!this.#mayBeStale && Number(pending.number) < Number(latest.number)) {
      this.#fail(`pending ${Number(pending.number)} is behind latest ${Number(latest.number)}`)
    }
    if (found === null) this.#fail(`${one} was accepted and cannot be found`)
    this.#throwBroken()
  }

  /** All that was promised. */
  async checkAll(): Promise<void> {
    const alive = [...this.#alive]
    const found = await Promise.all(alive.map((hash) => ask(this.#devnet, 'eth_getTransactionByHash', hash)))
    for (const [i, transaction] of found.entries()) {
      if (transaction === null) this.#fail(`${alive[i]} was accepted and cannot be found`)
    }
    for (const { moment, copy } of this.#frozen) {
      if (frozen(moment) !== copy)
        this.#fail(`block ${moment.block.header.number} changed after it was published`)
    }
    await this.#checkLogs()
    this.#throwBroken()
  }

  /** Receipts of the newest sealed blocks, and of what is pre-confirmed, have the logs that eth_getLogs answers. */
  async #checkLogs(): Promise<void> {
    const recent = this.#chain.slice(-20)
    const [first] = recent
    if (first === undefined) return
    const from = `0x${first.header.number.toString(16)}`
    const [sealed, withPending, pending, latest, receipts, pendingReceipts] = await Promise.all([
      ask<unknown[]>(this.#devnet, 'eth_getLogs', { fromBlock: from, toBlock: 'latest' }),
      ask<unknown[]>(this.#devnet, 'eth_getLogs', { fromBlock: from, toBlock: 'pending' }),
      ask<BlockJson>(this.#devnet, 'eth_getBlockByNumber', 'pending', false),
      ask<BlockJson>(this.#devnet, 'eth_getBlockByNumber', 'latest', false),
      Promise.all(
        recent.map(({ hash }) => ask<{ logs: unknown[] }[]>(this.#devnet, 'eth_getBlockReceipts', hash)),
      ),
      ask<{ logs: unknown[] }[]>(this.#devnet, 'eth_getBlockReceipts', 'pending'),
    ])
    const inReceipts = receipts.flat().flatMap(({ logs }) => logs)
    const told = recent.flatMap((block) => block.receipts.flatMap(({ logs }) => logs)).length
    if (told !== sealed.length) this.#fail(`eth_getLogs has ${sealed.length} logs, the sealed blocks ${told}`)
    if (!isSame(sealed, inReceipts)) this.#fail('eth_getLogs and the receipts of sealed blocks differ')
    // One that a fault keeps in sight though it is sealed is not answered twice.
    const isNewer = Number(pending.number) > Number(latest.number)
    const all = isNewer ? [...inReceipts, ...pendingReceipts.flatMap(({ logs }) => logs)] : inReceipts
    if (!isSame(withPending, all)) this.#fail('eth_getLogs and the receipts of what is pre-confirmed differ')
  }

  /** `moment` is looked at again at each thorough check. */
  #freeze(moment: Moment): void {
    if (this.#frozen.length >= 30) this.#frozen.splice(this.lines.length % 30, 1)
    this.#frozen.push({ moment, copy: frozen(moment) })
  }

  #preconfirmed(moment: Preconfirmed, added: number): void {
    const { block, slices } = moment
    const { number } = block.header
    this.#note(`slice ${number}.${slices} +${added} ${block.transactions.at(-1)?.hash}`)
    const isAgain = this.#told.has(moment)
    if (isAgain && this.#twice !== `${number}.${slices}`)
      this.#fail(`slice ${number}.${slices} was told twice`)
    this.#told.add(moment)
    this.#mayBeStale = false
    const shown = this.#shown
    if (shown !== undefined && shown.block.header.number === number) {
      if (!isBeginningOf(shown.block, block))
        this.#fail(`slice ${number}.${slices} takes back what was told before`)
    }
    const toldBefore = shown?.block.header.number === number ? shown.block.transactions.length : 0
    const isNext = block.transactions.length - added === toldBefore
    // Those that were held back may be told after others were lost.
    if (isNext && toldBefore === 0 && number > this.#gapIn) this.#isGappy = false
    if (!isNext && !isAgain && !this.#isGappy) this.#fail(`slices before ${number}.${slices} were never told`)
    if (shown?.block.header.number !== number) this.#isBent = false
    this.#shown = moment
    if (this.lines.length % 17 === 0) this.#freeze(moment)
  }

  #sealed(moment: Moment): void {
    const { block, state } = moment
    const { number, parentHash } = block.header
    this.#note(`sealed ${number} ${block.hash} ${block.transactions.length}`)
    const last = this.#chain.at(-1)
    if (last !== undefined && (parentHash !== last.hash || number !== last.header.number + 1n)) {
      this.#fail(`block ${number} with parent ${parentHash} follows ${last.header.number}, ${last.hash}`)
    }
    const shown = this.#shown
    if (shown !== undefined && !this.#isChanged && shown.block.header.number === number) {
      if (!isBeginningOf(shown.block, block))
        this.#fail(`block ${number} is sealed other than it was pre-confirmed`)
      else if (shown.block.transactions.length === block.transactions.length && !this.#isBent) {
        for (const { from } of block.transactions) {
          const [one, other] = [shown.state.account(from), state.account(from)]
          if (one?.balance !== other?.balance)
            this.#fail(`block ${number} is sealed with another balance of ${from}`)
        }
      }
    }
    for (const { hash, deposit } of block.transactions) if (deposit === undefined) this.#alive.add(hash)
    this.#chain.push(block)
    this.#shown = undefined
    this.#isChanged = false
    this.#isBent = false
    if (this.lines.length % 5 === 0) this.#freeze(moment)
  }

  #reorged(removed: readonly Moment[]): void {
    this.#note(`removed ${removed.map(({ block }) => block.hash)}`)
    const gone = this.#chain.splice(Math.max(0, this.#chain.length - removed.length))
    const told = removed.slice(removed.length - gone.length)
    for (const [i, { block }] of told.entries()) {
      if (block.hash !== gone[i]!.hash)
        this.#fail(`block ${block.header.number} is removed and was not sealed`)
    }
    // Deposits come with their blocks.
    this.#shown = undefined
    this.#isChanged = false
    this.#mayBeStale = false
  }

  #note(line: string): void {
    this.lines.push(line)
  }

  /** Listeners must not throw: what is wrong is said at the next check. */
  #fail(what: string): void {
    this.#broken.push(what)
  }

  #throwBroken(): void {
    if (this.#broken.length === 0) return
    throw new Error(
      `${this.#broken.slice(0, 3).join('; ')}\n  after ${this.lines.slice(-14).join('\n        ')}`,
    )
  }
}

interface BlockJson {
  readonly hash: Hex
  readonly number: Hex
}

/** Whether `block` begins with the transactions of `shown`, and they ended the same. */
function isBeginningOf(shown: Block, block: Block): boolean {
  const count = shown.transactions.length
  return (
    shown.transactions.every(({ hash }, i) => block.transactions[i]?.hash === hash) &&
    isSame(shown.receipts, block.receipts.slice(0, count))
  )
}

/** All that can be seen of a moment, as text. */
function frozen({ block, state }: Moment): string {
  const accounts = block.transactions.map(({ from }) => state.account(from))
  return text([
    block.header,
    block.hash,
    block.transactions.map(({ hash }) => hash),
    block.receipts,
    accounts,
  ])
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || text(one) === text(other)
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}n` : member))
}
