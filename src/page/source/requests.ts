import type { Hex } from '../../bytes/hex.ts'
import type { SolidityStackTrace } from '../../solidity/stackTrace/format.ts'
import type { RpcListedTransaction } from '../../wire/blockContent.ts'
import type { DebugRunAnswer } from '../../wire/debugRun.ts'
import type { RpcBlockFill, RpcLog } from '../../wire/encode.ts'
import type { RpcCallFrame } from '../../wire/encodeTrace.ts'
import type { RpcFoundTransaction } from '../../wire/transactionSearch.ts'
import { type Requester, request } from './source.ts'

/** A transaction of a block. `gasUsed` is `null` if the forked network returned no receipts. */
export type ListedTransaction = Omit<RpcListedTransaction, 'gasUsed' | 'logCount'> & {
  readonly gasUsed: Hex | null
}

/** Loads transactions and logs of a block by index, from `first` to `end` (exclusive). */
export interface BlockContent {
  transactions(first: number, end: number): Promise<readonly ListedTransaction[]>
  logs(first: number, end: number): Promise<readonly RpcLog[]>
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
      // The block has fewer items than before, for example after a reorg.
      if (items.length === 0) break
    }
    return found
  }
  return {
    transactions: (first, end) => list('preseal_listTransactions', 'transactions', first, end),
    logs: (first, end) => list('preseal_listLogs', 'logs', first, end),
  }
}

/** Selects transactions for `preseal_searchTransactions`. By default, all transactions in blocks. */
export interface Search {
  readonly state?: RpcFoundTransaction['state']
  readonly address?: string
  readonly selector?: string
  readonly topic?: string
  readonly deposits?: 'listed' | 'omitted'
  readonly offset?: number
  readonly limit?: number
}

/** Resolves to a part of the matching transactions, newest first, and the total number of matching transactions. */
export async function findTransactions(search: Search, from: Requester = { request }) {
  const { total, transactions } = await from.request<{
    readonly total: Hex
    readonly transactions: readonly RpcFoundTransaction[]
  }>('preseal_searchTransactions', [search])
  return { total: Number(total), transactions }
}

const MOST_STEPS = 50_000

export function sourceRun(hash: string): Promise<DebugRunAnswer> {
  const tracing = { tracer: 'soliditySource', tracerConfig: { limit: MOST_STEPS } }
  return request('debug_traceTransaction', [hash, tracing])
}

export function callTrace(hash: string): Promise<RpcCallFrame> {
  return request('debug_traceTransaction', [
    hash,
    { tracer: 'callTracer', tracerConfig: { withLog: true, withSource: true } },
  ])
}

/** A slice in the result of `preseal_getSlices`, without its transactions. */
export interface SliceCounts {
  readonly index: Hex
  readonly transactionCount: Hex
  readonly logCount: Hex
  readonly gasUsed: Hex
  /** The block as of this slice. Its hash is zero while the block is open. */
  readonly block: RpcBlockFill & { readonly number: Hex; readonly hash: Hex }
}

/** Resolves to the slices of a block, with counts only. With `after`, only slices with a higher index. */
export function slicesOf(from: Requester, block: string, after?: Hex): Promise<readonly SliceCounts[]> {
  return from.request('preseal_getSlices', [block, { show: 'counts', ...(after !== undefined && { after }) }])
}

export interface Explained {
  readonly status: 'preconfirmed' | 'sealed' | 'waiting' | 'dropped' | 'unknown'
  readonly reason: string
  readonly failure?: string
  readonly stackTrace?: SolidityStackTrace
}

/** Resolves to the number of the fork block, or to `undefined` if the chain is not forked. */
export async function forkBlockNumber(from: Requester): Promise<number | undefined> {
  const { forkedNetwork } = await from.request<{
    readonly forkedNetwork: { readonly forkBlockNumber: number } | null
  }>('hardhat_metadata', [])
  return forkedNetwork?.forkBlockNumber
}
