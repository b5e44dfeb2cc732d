/** The events of a story in words. */
import type { Address, Hash } from '../../bytes/hex.ts'
import type { Devnet } from '../../devnet/devnet.ts'
import type { Fault } from '../../faults/fault.ts'
import { checksummed } from '../../model/account/account.ts'
import { counted } from '../../model/api/text.ts'
import { type Block, userTransactions } from '../../model/block/block.ts'
import { together } from '../../model/collections/listeners.ts'
import { isL1Attributes } from '../../model/l2/l1Attributes.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { Values } from '../exploreOptions.ts'
import { type Names, namesIn } from '../story.ts'

/** The words of a line, and the transactions that it names. */
type Words = readonly (string | Pick<Transaction, 'hash' | 'from'>)[]

export class Chronicle {
  readonly #lines: Words[] = []
  readonly #names: Names
  /** The accepted transactions of each sender, in order. */
  readonly #sent = new Map<Address, Hash[]>()
  #subject = ''
  /** The line about the newest slice that is not published, or not in time. */
  #hidden: Words[number][] | undefined

  constructor(values: Values) {
    this.#names = namesIn(values)
  }

  /** Writes down the events of `devnet` and its L1. `onEvent` is called for each. Returns a function that ends this. */
  follow(devnet: Devnet, onEvent: () => void): () => void {
    const { l1 } = devnet
    const own = this.#follow(devnet, onEvent, '')
    return l1 === undefined ? own : together([own, this.#follow(l1, onEvent, 'L1 ')])
  }

  /** `layer`: the word before the blocks of the chain. */
  #follow(devnet: Devnet, onEvent: () => void, layer: string): () => void {
    /** The number of the block that was sealed last. */
    let last = 0n
    /** The number of blocks that a reorg removed and that are not replaced yet. */
    let missing = 0
    return together([
      devnet.on('accepted', (transaction) => {
        onEvent()
        const own = this.#sent.get(transaction.from) ?? []
        if (!own.includes(transaction.hash)) this.#sent.set(transaction.from, [...own, transaction.hash])
        this.#lines.push([`${this.#subject}sends `, transaction, layer === '' ? '' : ' on L1'])
      }),
      devnet.on('preconfirmed', ({ block, slices }, added) => {
        onEvent()
        if (added.length > 0)
          this.#lines.push([`slice ${slices} of ${layer}block ${block.header.number} has `, ...listed(added)])
      }),
      devnet.on('dropped', (transaction, reason) => {
        onEvent()
        if (reason.kind !== 'fault') this.#lines.push([transaction, ` is dropped (${reason.kind})`])
        else {
          const fate = reason.lands === 'next' ? ', which waits again' : ', which is gone for good'
          this.#lines.push([`${layer}block ${last} is sealed without `, transaction, fate])
        }
      }),
      devnet.on('sealed', ({ block }) => {
        onEvent()
        last = block.header.number
        this.#sealed(block, layer, missing > 0)
        missing = Math.max(0, missing - 1)
      }),
      devnet.on('reorged', (removed) => {
        onEvent()
        missing = removed.length
        const from = removed[0]?.block.header.number
        const blocks =
          removed.length === 1 ? `${layer}block ${from} is` : `the ${layer}blocks from ${from} on are`
        this.#lines.push([`a reorg: ${blocks} removed`])
      }),
      devnet.on('fault', (fault, block, slice) => {
        const text = faultText(fault, block, slice)
        if (text === undefined) return
        const words = [text]
        this.#lines.push(words)
        if (slice !== undefined && fault.kind !== 'duplicateSlice') this.#hidden = words
      }),
    ])
  }

  /** Begins a step: an act, or `undefined` for a tick. */
  beginStep(act: number | undefined): void {
    this.#subject = act === undefined ? 'the app ' : `act ${act} `
  }

  /** Adds the transactions of the slice of this tick to the line about its fault. */
  endSlice(transactions: readonly Transaction[]): void {
    if (transactions.length > 0) this.#hidden?.push(', with ', ...listed(transactions))
    this.#hidden = undefined
  }

  note(text: string): void {
    this.#lines.push([text])
  }

  /** The lines so far, with the names of accounts. */
  get lines(): readonly string[] {
    return this.#lines.map((words) =>
      words.map((word) => (typeof word === 'string' ? word : this.#labelOf(word))).join(''),
    )
  }

  #sealed(block: Block, layer: string, isReplacement: boolean): void {
    const transactions = userTransactions(block)
    const deposits = block.transactions.filter((one) => one.deposit !== undefined && !isL1Attributes(one))
    const sealed = `${layer}block ${block.header.number} is sealed${isReplacement ? ' in its place' : ''}`
    if (deposits.length > 0) this.#lines.push([`${sealed} with ${counted(deposits.length, 'deposit')}`])
    if (transactions.length > 0) this.#lines.push([`${sealed} with `, ...listed(transactions)])
    else if (isReplacement && deposits.length === 0) this.#lines.push([`${sealed} without transactions`])
  }

  #labelOf({ hash, from }: Pick<Transaction, 'hash' | 'from'>): string {
    const own = this.#sent.get(from) ?? []
    const name = this.#names.get(from)?.name ?? checksummed(from)
    return own.length > 1 ? `transaction ${own.indexOf(hash) + 1} of ${name}` : `the transaction of ${name}`
  }
}

function listed(transactions: readonly Transaction[]): Words {
  return transactions.flatMap((transaction, i) =>
    i === 0 ? [transaction] : [i === transactions.length - 1 ? ' and ' : ', ', transaction],
  )
}

/** Returns a fault in words. Drops and reorgs are told by other events. */
function faultText(fault: Fault, block: bigint, slice: number | undefined): string | undefined {
  const place = `slice ${slice} of block ${block}`
  switch (fault.kind) {
    case 'omitSlice':
      return `${place} is lost`
    case 'delaySlice':
      return `${place} is late`
    case 'duplicateSlice':
      return `${place} is repeated`
    case 'absentPending':
      return `pending is absent for ${counted(fault.slices, 'slice')}, from ${place} on`
    case 'stalePending':
      return `pending is stale for ${counted(fault.slices, 'slice')}, from ${place} on`
    case 'sealDifferently':
      return `block ${block} is sealed in another order`
    case 'withholdBatches':
      return `${counted(fault.l1Blocks, 'block')} of the L1 will have no batches, from the one after block ${block} on`
    case 'missL1Slots':
      return `the L1 makes no blocks in ${counted(fault.slots, 'slot')} after block ${block}`
    case 'dropTransaction':
    case 'reorg':
      return undefined
  }
}
