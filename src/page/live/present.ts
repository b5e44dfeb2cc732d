/** What is on the chain when the page comes to it: the open block, and what waits. */
import { numberOf } from '../format/quantity.ts'
import type { BlockAnswer, Hex } from '../source/answers.ts'
import type { Source } from '../source/source.ts'
import type { LiveBlock } from './rhythm.ts'

type Asks = Pick<Source, 'request'>

interface SliceAnswer {
  readonly index: Hex
  readonly transactions: readonly Hex[]
  readonly gasUsed: Hex
  readonly block: BlockAnswer
}

/** Resolves with the open block, with no times; `undefined` if there is none. */
export async function openBlockOf(from: Asks): Promise<LiveBlock | undefined> {
  const slices = await from.request<readonly SliceAnswer[]>('preseal_getSlices', ['pending'])
  const last = slices.at(-1)?.block
  // `pending` is `latest` where no block is open.
  if (last === undefined || !/^0x0{64}$/.test(last.hash ?? '')) return undefined
  return {
    number: numberOf(last.number),
    hash: undefined,
    openedMs: 0,
    sealedMs: undefined,
    removedMs: undefined,
    slices: slices.map(({ index, transactions, gasUsed }) => ({
      index: numberOf(index),
      atMs: 0,
      transactions: transactions.length,
      gasUsed: numberOf(gasUsed),
    })),
    timestamp: numberOf(last.timestamp),
    transactions: last.transactions.length,
    gasUsed: numberOf(last.gasUsed),
    gasLimit: numberOf(last.gasLimit),
    baseFeePerGas: last.baseFeePerGas === undefined ? undefined : BigInt(last.baseFeePerGas),
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

/** The clock of the devnet: its time in milliseconds, and whether it goes on by itself. */
export async function timeOf(from: Asks): Promise<{ readonly nowMs: number; readonly isRunning: boolean }> {
  const { time, rhythm } = await from.request<{ time: number; rhythm: string }>('preseal_getRhythm')
  return { nowMs: time, isRunning: rhythm !== 'manual' }
}
