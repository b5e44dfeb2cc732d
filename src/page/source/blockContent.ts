/** What is in a block, in parts, as `preseal_getBlockSummary`, `preseal_listTransactions` and `preseal_listLogs` have it. */
import type { Hex } from '../../bytes/hex.ts'
import type { RpcListedTransaction } from '../../wire/blockContent.ts'
import type { DebugRunAnswer } from '../../wire/debugRun.ts'
import type { RpcLog } from '../../wire/encode.ts'
import type { RpcCallFrame } from '../../wire/encodeTrace.ts'
import { source } from './socketSource.ts'
import type { Source } from './source.ts'

/** A transaction of a block. A forked network may answer without receipts. */
export type ListedTransaction = Omit<RpcListedTransaction, 'gasUsed' | 'logCount'> & {
  readonly gasUsed: Hex | null
}

/** Transactions and logs of a block by their indexes: those from `first` to the one before `end`. */
export interface BlockContent {
  transactions(first: number, end: number): Promise<readonly ListedTransaction[]>
  logs(first: number, end: number): Promise<readonly RpcLog[]>
}

type Asks = Pick<Source, 'request'>

/** The answer of `preseal_listTransactions`. */
export interface TransactionList {
  readonly blockNumber: Hex
  readonly transactions: readonly RpcListedTransaction[]
}

/** The most that one request answers. */
const MOST = 1_000

/** Returns what is in the block `at`, which is asked for when it is wanted. */
export function contentOf(from: Asks, at: string): BlockContent {
  async function list<T>(method: string, member: string, first: number, end: number): Promise<T[]> {
    const found: T[] = []
    for (let next = first; next < end; ) {
      const part = { limit: Math.min(MOST, end - next), ...(next > 0 && { after: next - 1 }) }
      const answer = await from.request<Record<string, readonly T[]> | null>(method, [at, part])
      const items = answer?.[member] ?? []
      found.push(...items)
      next += items.length
      // It has become shorter.
      if (items.length === 0) break
    }
    return found
  }
  return {
    transactions: (first, end) => list('preseal_listTransactions', 'transactions', first, end),
    logs: (first, end) => list('preseal_listLogs', 'logs', first, end),
  }
}

/** More steps are not shown. */
const MOST_STEPS = 50_000

/** Resolves with the run of an included transaction as its Solidity sources tell it. */
export function sourceRun(hash: string): Promise<DebugRunAnswer> {
  const request = { tracer: 'soliditySource', tracerConfig: { limit: MOST_STEPS } }
  return source().request('debug_traceTransaction', [hash, request])
}

/** Resolves with the call tree of an included transaction, with its events and places in the sources. */
export function callTrace(hash: string): Promise<RpcCallFrame> {
  return source().request('debug_traceTransaction', [
    hash,
    { tracer: 'callTracer', tracerConfig: { withLog: true, withSource: true } },
  ])
}
