import type { Hex } from '../../bytes/hex.ts'
import type { SolidityStackTrace } from '../../solidity/stackTrace/format.ts'
import type { RpcListedTransaction } from '../../wire/blockContent.ts'
import type { DebugRunAnswer } from '../../wire/debugRun.ts'
import type { RpcBlockFill, RpcLog } from '../../wire/encode.ts'
import type { RpcCallFrame } from '../../wire/encodeTrace.ts'
import { type Requester, request } from './source.ts'

/** A transaction of a block. `gasUsed` is `null` if a forked network gave no receipts. */
export type ListedTransaction = Omit<RpcListedTransaction, 'gasUsed' | 'logCount'> & {
  readonly gasUsed: Hex | null
}

/** Loads transactions and logs of a block, from index `first` to `end` (exclusive). */
export interface BlockContent {
  transactions(first: number, end: number): Promise<readonly ListedTransaction[]>
  logs(first: number, end: number): Promise<readonly RpcLog[]>
}

export interface TransactionList {
  readonly blockNumber: Hex
  readonly transactions: readonly RpcListedTransaction[]
}

const MOST = 1_000

export function contentOf(from: Requester, at: string): BlockContent {
  async function list<T>(method: string, member: string, first: number, end: number): Promise<T[]> {
    const found: T[] = []
    for (let next = first; next < end; ) {
      const part = { limit: Math.min(MOST, end - next), ...(next > 0 && { after: next - 1 }) }
      const answer = await from.request<Record<string, readonly T[]> | null>(method, [at, part])
      const items = answer?.[member] ?? []
      found.push(...items)
      next += items.length
      // The block became shorter, or has been replaced.
      if (items.length === 0) break
    }
    return found
  }
  return {
    transactions: (first, end) => list('preseal_listTransactions', 'transactions', first, end),
    logs: (first, end) => list('preseal_listLogs', 'logs', first, end),
  }
}

const MOST_STEPS = 50_000

/** Resolves with the steps of an included transaction in Solidity source. */
export function sourceRun(hash: string): Promise<DebugRunAnswer> {
  const tracing = { tracer: 'soliditySource', tracerConfig: { limit: MOST_STEPS } }
  return request('debug_traceTransaction', [hash, tracing])
}

/** Resolves with the call tree of an included transaction, with events and source positions. */
export function callTrace(hash: string): Promise<RpcCallFrame> {
  return request('debug_traceTransaction', [
    hash,
    { tracer: 'callTracer', tracerConfig: { withLog: true, withSource: true } },
  ])
}

/** A slice in the answer of `preseal_getSlices` with `show: 'counts'`. */
export interface SliceCounts {
  readonly index: Hex
  readonly transactionCount: Hex
  readonly logCount: Hex
  readonly gasUsed: Hex
  /** The block after the slice; its hash is zero while the block is open. */
  readonly block: RpcBlockFill & { readonly number: Hex; readonly hash: Hex }
}

/** Resolves with the slices of a block, or only those after the index `after`. Full slices would repeat all earlier transactions. */
export function slicesOf(from: Requester, block: string, after?: Hex): Promise<readonly SliceCounts[]> {
  return from.request('preseal_getSlices', [block, { show: 'counts', ...(after !== undefined && { after }) }])
}

export interface Explained {
  readonly status: 'preconfirmed' | 'sealed' | 'waiting' | 'dropped' | 'unknown'
  readonly reason: string
  readonly failure?: string
  readonly stackTrace?: SolidityStackTrace
}

/** Resolves with the number of the fork block; `undefined` without a fork. */
export async function forkBlockNumber(from: Requester): Promise<number | undefined> {
  const { forkedNetwork } = await from.request<{
    readonly forkedNetwork: { readonly forkBlockNumber: number } | null
  }>('hardhat_metadata', [])
  return forkedNetwork?.forkBlockNumber
}
