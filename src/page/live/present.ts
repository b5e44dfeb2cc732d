/** What is on the chain when the page comes to it: the open block, and what waits. */
import { numberOf } from '../format/quantity.ts'
import type { BlockAnswer, Hex, TransactionAnswer } from '../source/answers.ts'
import type { Source } from '../source/source.ts'
import type { LiveBlock } from './rhythm.ts'

type Asks = Pick<Source, 'request'>

interface SliceAnswer {
  readonly index: Hex
  readonly transactions: readonly Hex[]
  readonly gasUsed: Hex
  readonly block: BlockAnswer
}

/** More than so many that wait are not asked for: their number is shown, and of those that come later each. */
const MOST_WAITING = 2_000

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

export interface Waiting {
  readonly hash: string
  readonly from: string
  readonly to: string | null
  readonly nonce: number
}

/** Resolves with what waits; with nothing if that is too much. */
export async function waitingOf(from: Asks): Promise<Waiting[]> {
  if ((await waitingCount(from)) > MOST_WAITING) return []
  const content =
    await from.request<Record<string, Record<string, Record<string, TransactionAnswer>>>>('txpool_content')
  return Object.values(content)
    .flatMap((senders) => Object.values(senders))
    .flatMap((byNonce) => Object.values(byNonce))
    .map(({ hash, from: sender, to, nonce }) => ({ hash, from: sender, to, nonce: numberOf(nonce) }))
}

/** Resolves with the number of transactions that wait. */
export async function waitingCount(from: Asks): Promise<number> {
  const { pending, queued } = await from.request<{ pending: Hex; queued: Hex }>('txpool_status')
  return numberOf(pending) + numberOf(queued)
}

/** Resolves with the reason why a transaction is where it is, in words. */
export async function reasonOf(hash: string, from: Asks): Promise<string> {
  // Without a look for the place in Solidity: it is asked for many, and often.
  const { reason } = await from.request<{ reason: string }>('preseal_explain', [hash, false])
  return reason
}
