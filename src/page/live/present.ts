/** What is on the chain when the page comes to it: the open block, and what waits. */
import type { Hex } from '../../bytes/hex.ts'
import { numberOf } from '../format/quantity.ts'
import { slicesOf } from '../source/slices.ts'
import type { Source } from '../source/source.ts'
import type { LiveBlock } from './rhythm.ts'

type Asks = Pick<Source, 'request'>

/** Resolves with the open block, with no times; `undefined` if there is none. */
export async function openBlockOf(from: Asks): Promise<LiveBlock | undefined> {
  const [slices, latest] = await Promise.all([
    slicesOf(from, 'pending'),
    from.request<Hex>('eth_blockNumber'),
  ])
  const last = slices.at(-1)?.block
  // `pending` is `latest` where no block is open.
  if (last === undefined || numberOf(last.number) <= numberOf(latest)) return undefined
  return {
    number: numberOf(last.number),
    hash: undefined,
    openedMs: 0,
    sealedMs: undefined,
    removedMs: undefined,
    slices: slices.map(({ index, transactionCount, gasUsed }) => ({
      index: numberOf(index),
      atMs: 0,
      transactions: numberOf(transactionCount),
      gasUsed: numberOf(gasUsed),
    })),
    timestamp: numberOf(last.timestamp),
    transactions: numberOf(last.transactionCount),
    gasUsed: numberOf(last.gasUsed),
    gasLimit: numberOf(last.gasLimit),
    baseFeePerGas: last.baseFeePerGas === null ? undefined : BigInt(last.baseFeePerGas),
  }
}

/** A transaction that waits, with the reason why. */
export interface Waiting {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly nonce: Hex
  /** Milliseconds of the devnet's clock. */
  readonly since: number | null
  readonly reason: string
}

export interface WaitingPage {
  /** How many wait. */
  readonly total: Hex
  readonly transactions: readonly Waiting[]
}

/** Resolves with at most `limit` transactions that wait, in the order of their arrival: the first, or those after `after`. */
export function waitingOf(from: Asks, limit: number, after?: string): Promise<WaitingPage> {
  return from.request('preseal_getWaiting', [{ limit, ...(after !== undefined && { after }) }])
}

/** What makes slices and blocks. */
export interface Pace {
  readonly rhythm: 'interval' | 'manual' | 'instant'
  readonly tickMs: number
  /** 0: there are no slices, each tick seals a block. */
  readonly ticksPerBlock: number
  readonly blockMs: number
}

/** Resolves with the pace of the devnet and its clock: its time in milliseconds, and whether it goes on by itself. */
export async function paceOf(
  from: Asks,
): Promise<{ readonly pace: Pace; readonly nowMs: number; readonly isRunning: boolean }> {
  const pace = await from.request<Pace & { time: number }>('preseal_getRhythm')
  return { pace, nowMs: pace.time, isRunning: pace.rhythm !== 'manual' }
}
