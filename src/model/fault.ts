/**
 * Faults that clients must survive, as they are planned (CONTRACT 6): the kind of fault, and when it happens. The
 * sequencer applies those of slices and blocks; `rpc/` applies those of requests and connections.
 */
import type { Hash } from '../bytes/hex.ts'
import type { Transaction } from './transaction/transaction.ts'

/** A fault of a slice at the time of its publication. */
export type SliceFault =
  /**
   * The slice is not published. `pending` is absent until the next block begins, as for a client that lost a
   * flashblock.
   */
  | { readonly kind: 'omitSlice' }
  /** The slice is published twice. */
  | { readonly kind: 'duplicateSlice' }
  /** The slice and those after it are published later, by this number of slices. */
  | { readonly kind: 'delaySlice'; readonly slices: number }
  /** `pending` equals `latest` for this number of slices. */
  | { readonly kind: 'absentPending'; readonly slices: number }
  /** `pending` does not change for this number of slices; it is behind `latest` if a block is sealed meanwhile. */
  | { readonly kind: 'stalePending'; readonly slices: number }

/** A fault of a block at its seal. */
export type SealFault =
  /**
   * The sealed block lacks a pre-confirmed transaction: the one with `hash`, by default the last. The transaction is
   * included in the next block, or never.
   */
  | { readonly kind: 'dropTransaction'; readonly hash?: Hash; readonly lands: 'next' | 'never' }
  /**
   * The sealed block differs from the pre-confirmed one: the order of its senders is reversed, or its time or
   * prevRandao is another.
   */
  | {
      readonly kind: 'sealDifferently'
      readonly order?: 'reversed'
      /** Seconds that are added to the block's timestamp. */
      readonly laterSeconds?: number
      readonly prevRandao?: Hash
    }

/** A reorg that removes the newest blocks right after one was sealed. */
export interface ReorgFault extends ReorgRequest {
  readonly kind: 'reorg'
}

/** The parameters of a reorg. */
export interface ReorgRequest {
  /** The number of newest sealed blocks to remove. */
  readonly depth: number
  /**
   * What happens to the transactions of the removed blocks: they are included again (`keep`), wait in the pool or are
   * dropped; or lists of the transactions for each new block.
   */
  readonly transactions: 'keep' | 'wait' | 'drop' | readonly (readonly Transaction[])[]
  /** The number of new blocks; by default as many as are removed. */
  readonly blocks?: number
  /** `drop`: removed transactions that no new block includes are dropped. By default they wait in the pool. */
  readonly rest?: 'drop'
}

/** A fault of the chain. */
export type Fault = SliceFault | SealFault | ReorgFault

/** A number, or a range from which a new number is drawn for each request. */
export type Span = number | readonly [from: number, to: number]

/** Providers whose error messages for refused logs requests are imitated. */
export const LOG_PROVIDERS = [
  'alchemy',
  'ankr',
  'base',
  'chainstack',
  'coinbase',
  'drpc',
  'infura',
  'proxyd',
  'publicnode',
  'quicknode',
  'reth',
] as const
export type LogProvider = (typeof LOG_PROVIDERS)[number]

/**
 * A fault of a JSON-RPC request. `method` is the name of a method, a prefix (`eth_*`) or `*` for any (the default).
 * Methods that control preseal itself never fail.
 */
export type RequestFault =
  /** The response is sent this many milliseconds late. */
  | { readonly kind: 'latency'; readonly method?: string; readonly ms: Span; readonly seed?: number }
  /**
   * The request is never responded to. It was executed and the response was lost (the default), or the request was lost
   * and not executed.
   */
  | { readonly kind: 'timeout'; readonly method?: string; readonly lost?: 'answer' | 'request' }
  /** The request is refused before it reaches the node, over HTTP with a status, and is not executed. */
  | {
      readonly kind: 'httpStatus'
      readonly method?: string
      readonly status: number
      /** The value of `Retry-After` in seconds; by default 1 with status 429, else none. */
      readonly retryAfterSeconds?: number
      readonly code?: number
      readonly message?: string
      /** The body in place of a JSON-RPC error, such as a proxy's page. */
      readonly body?: string
    }
  /** The request is refused with this error and is not executed. */
  | {
      readonly kind: 'rpcError'
      readonly method?: string
      readonly code: number
      readonly message: string
      readonly data?: unknown
    }
  /** eth_getLogs over more blocks, or with more results, is refused with the error message of a real provider. */
  | {
      readonly kind: 'logRange'
      readonly provider: LogProvider
      /** The limit of blocks; by default the provider's own. */
      readonly blocks?: number
      readonly results?: number
    }
  /** A call on `pending` gets the block context of an earlier block, by this number of blocks (seed 4.3). */
  | { readonly kind: 'contextLag'; readonly blocks: Span; readonly seed?: number }

/** All WebSocket connections are closed right after a slice was published. */
export interface CutFault {
  readonly kind: 'cutWebSockets'
  /** The close code (RFC 6455). By default the connection is cut without one, which clients report as 1006. */
  readonly code?: number
}

/** A fault of the chain, of a request or of connections. */
export type AnyFault = Fault | RequestFault | CutFault

/** When a fault happens: at the next occasions, at a given block or slice, or by chance. */
export type Trigger =
  /** At the next occasions, `times` of them; infinite for every occasion. */
  | { readonly kind: 'next'; readonly times: number }
  | { readonly kind: 'at'; readonly block: bigint; readonly slice?: number }
  | { readonly kind: 'chance'; readonly probability: number; readonly seed: number }

/** A planned fault with its id and trigger. */
export interface Planned<F extends AnyFault = AnyFault> {
  readonly id: number
  readonly fault: F
  readonly trigger: Trigger
}
