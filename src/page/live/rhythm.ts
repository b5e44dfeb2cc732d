/** Blocks and faults shown on the timeline. Times are in milliseconds of the devnet's clock. */
import type { Hex } from '../../bytes/hex.ts'
import { counted } from '../../model/api/text.ts'
import type { RpcBlockFill } from '../../wire/encode.ts'
import { numberOf } from '../format.ts'
import { type Requester, slicesOf } from '../source/source.ts'
import type { BlockChange, PresealEvent } from './events.ts'

export interface LiveSlice {
  readonly index: number
  readonly atMs: number
  /** Transactions of this slice only. */
  readonly transactions: number
  readonly gasUsed: number
}

export interface LiveBlock {
  readonly number: number
  /** `undefined` while the block is open. */
  hash: string | undefined
  openedMs: number
  sealedMs: number | undefined
  readonly slices: LiveSlice[]
  /** Number of slices of a block sealed before the page was opened; `null` if the devnet stores none of the slices. */
  readonly sliceCount?: number | null
  timestamp: number
  transactions: number
  /** The number of deposits that the chain itself added, as on layer 2. */
  deposits?: number
  gasUsed: number
  gasLimit: number
  baseFeePerGas: bigint | undefined
  removedMs: number | undefined
}

export interface Mark {
  readonly kind: 'fault' | 'requestFault' | 'reorged' | 'restored'
  readonly atMs: number
  readonly text: string
}

const MOST_BLOCKS = 2_000
/** If there are too many blocks, empty blocks are removed first, except among this number of newest blocks. */
const MOST_EMPTY = 500
const MOST_MARKS = 200
/** Minimum width of a block on the timeline, because several blocks may be sealed at the same time. */
export const ROOM_MS = 50

export class Rhythm {
  open: LiveBlock | undefined
  /** Blocks in the order of sealing, including blocks that a reorg removed later. */
  blocks: LiveBlock[] = []
  /** Blocks sealed before the page was opened. Their times are only accurate to a second. */
  earlier: readonly LiveBlock[] = []
  marks: Mark[] = []

  apply(event: PresealEvent): void {
    const { time } = event
    switch (event.kind) {
      case 'preconfirmed': {
        const open = this.#grow(event)
        const index = numberOf(event.slice)
        // A planned fault may publish a slice twice.
        if (open.slices.some((each) => each.index === index)) break
        open.slices.push({
          index,
          atMs: time,
          transactions: event.transactions.length,
          gasUsed: numberOf(event.sliceGasUsed),
        })
        break
      }
      case 'revealed':
        this.#grow(event)
        break
      case 'sealed': {
        const block = Object.assign(this.#grow(event), { hash: event.blockHash, sealedMs: time })
        block.openedMs = Math.min(block.openedMs, time - ROOM_MS)
        this.earlier = this.earlier.filter(({ number, removedMs }) => number < block.number || removedMs)
        this.blocks.push(block)
        if (this.blocks.length > 2 * MOST_BLOCKS) {
          this.blocks = this.blocks.filter((one, i) => isBusy(one) || i > this.blocks.length - MOST_EMPTY)
          this.blocks = this.blocks.slice(-MOST_BLOCKS)
        }
        this.open = undefined
        break
      }
      case 'reorged':
        for (const { blockNumber, blockHash, transactions } of event.blocks)
          this.#remove(numberOf(blockNumber), blockHash, transactions.length, time)
        this.open = undefined
        this.#mark('reorged', time, `${counted(event.blocks.length, 'block')} reorganised away`)
        break
      case 'fault':
        this.#mark('fault', time, `fault ${event.fault.kind} at block ${numberOf(event.blockNumber)}`)
        break
      case 'requestFault':
        this.#mark('requestFault', time, `fault ${event.fault.kind} of ${event.method ?? 'a request'}`)
        break
      case 'restored':
        Object.assign(this, new Rhythm())
        this.#mark('restored', time, 'another chain is in place')
        break
    }
  }

  #grow({ blockNumber, block, time }: BlockChange & { readonly time: number }): LiveBlock {
    const number = numberOf(blockNumber)
    const open = this.open?.number === number ? this.open : newBlock(number, this.#openedMs(time, block))
    this.open = Object.assign(open, filledBy(block))
    return open
  }

  /** Returns the time when a block was opened: the seal of the previous block; if unknown, the block's timestamp. */
  #openedMs(time: number, { timestamp }: RpcBlockFill): number {
    const last = this.blocks.at(-1)
    if (last !== undefined) return Math.min(last.sealedMs ?? time, time)
    const openedMs = openedMsOf({ timestamp: numberOf(timestamp) }, time)
    const before = this.earlier.at(-1)
    if (before === undefined || before.sealedMs! <= openedMs) return openedMs
    // A block is opened when the previous block is sealed.
    before.sealedMs = Math.max(openedMs, before.openedMs)
    return before.sealedMs
  }

  #remove(number: number, hash: string, transactions: number, time: number): void {
    const isMeant = (each: LiveBlock) => each.hash === hash
    const known = this.blocks.findLast(isMeant) ?? this.earlier.findLast(isMeant)
    if (known !== undefined) known.removedMs = time
    else {
      const [openedMs, sealedMs] = [time - 2 * ROOM_MS, time - ROOM_MS]
      const block = { ...newBlock(number, openedMs), hash, transactions, sealedMs, removedMs: time }
      this.earlier = [...this.earlier, block]
    }
  }

  #mark(kind: Mark['kind'], atMs: number, text: string): void {
    this.marks.push({ kind, atMs, text })
    if (this.marks.length > 2 * MOST_MARKS) this.marks = this.marks.slice(-MOST_MARKS)
  }
}

export function openedMsOf({ timestamp }: Pick<LiveBlock, 'timestamp'>, nowMs: number): number {
  // If the timestamp is the current second, several blocks may have this timestamp. The newest was opened just now.
  return nowMs - timestamp * 1_000 < 1_000 ? nowMs : timestamp * 1_000
}

function newBlock(number: number, openedMs: number): LiveBlock {
  return {
    number,
    hash: undefined,
    openedMs,
    sealedMs: undefined,
    slices: [],
    timestamp: 0,
    transactions: 0,
    gasUsed: 0,
    gasLimit: 0,
    baseFeePerGas: undefined,
    removedMs: undefined,
  }
}

export function filledBy(of: RpcBlockFill) {
  return {
    timestamp: numberOf(of.timestamp),
    transactions: numberOf(of.transactionCount),
    deposits: numberOf(of.depositCount),
    gasUsed: numberOf(of.gasUsed),
    gasLimit: numberOf(of.gasLimit),
    baseFeePerGas: of.baseFeePerGas === null ? undefined : BigInt(of.baseFeePerGas),
  }
}

/** Returns whether a block has transactions other than a deposit, or is no longer part of the chain. */
export function isBusy({ transactions, deposits = 0, removedMs }: LiveBlock): boolean {
  return transactions > deposits || removedMs !== undefined
}

/** Resolves to the open block, or to `undefined` if no block is open. All slices of the block get the time `nowMs`. */
export async function openBlockOf(
  from: Requester,
  nowMs: number | Promise<number>,
): Promise<LiveBlock | undefined> {
  const [slices, latest, atMs] = await Promise.all([
    slicesOf(from, 'pending'),
    from.request<Hex>('eth_blockNumber'),
    nowMs,
  ])
  const last = slices.at(-1)?.block
  // If no block is open, `pending` returns the latest block.
  if (last === undefined || numberOf(last.number) <= numberOf(latest)) return undefined
  const filled = filledBy(last)
  return {
    ...newBlock(numberOf(last.number), openedMsOf(filled, atMs)),
    ...filled,
    slices: slices.map(({ index, transactionCount, gasUsed }) => ({
      index: numberOf(index),
      atMs,
      transactions: numberOf(transactionCount),
      gasUsed: numberOf(gasUsed),
    })),
  }
}
