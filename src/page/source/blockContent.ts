/** What is in a block, in parts, as `preseal_getBlockSummary`, `preseal_listTransactions` and `preseal_listLogs` have it. */

import type { DebugRunAnswer } from '../../wire/debugRun.ts'
import type { CallFrame, Hex, LogAnswer } from './answers.ts'
import { source } from './socketSource.ts'
import type { Source } from './source.ts'

/** A block without its transactions. */
export interface BlockSummary {
  readonly number: Hex
  /** Zero, or `null`, while it is open. */
  readonly hash: Hex | null
  readonly timestamp: Hex
  readonly gasUsed: Hex
  readonly gasLimit: Hex
  readonly baseFeePerGas?: Hex | null
  readonly miner: Hex
  readonly transactionCount: Hex
  readonly logCount: Hex
  /** `null` before London. */
  readonly fees: { readonly burnt: Hex; readonly tips: Hex } | null
  readonly blobs: readonly Blob[]
  /** Whether a reorg removed it from the chain. */
  readonly removed: boolean
  readonly [field: string]: unknown
}

export interface Blob {
  readonly versionedHash: Hex
  readonly transactionHash: Hex
}

/** A transaction in few words, with its outcome. */
export interface ListedTransaction {
  readonly index: Hex
  readonly hash: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly value: Hex
  /** Cut to the selector of the function where it is long. */
  readonly input: Hex
  /** `null` before Byzantium, and where it is not told. */
  readonly status: Hex | null
  readonly gasUsed: Hex | null
  readonly contractAddress: Hex | null
}

/** Transactions and logs of a block by their indexes: those from `first` to the one before `end`. */
export interface BlockContent {
  transactions(first: number, end: number): Promise<readonly ListedTransaction[]>
  logs(first: number, end: number): Promise<readonly LogAnswer[]>
}

type Asks = Pick<Source, 'request'>

/** The answer of `preseal_listTransactions`. */
export interface TransactionList {
  readonly blockNumber: Hex
  readonly transactions: readonly ListedTransaction[]
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
export function callTrace(hash: string): Promise<CallFrame> {
  return source().request('debug_traceTransaction', [
    hash,
    { tracer: 'callTracer', tracerConfig: { withLog: true, withSource: true } },
  ])
}
