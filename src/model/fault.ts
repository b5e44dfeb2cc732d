/**
 * Faults that a client must survive, as somebody asks for them (CONTRACT 6): what goes wrong, and when. Whoever meets an
 * occasion decides what happens: the sequencer of its slices and blocks, `rpc/` of requests and connections.
 */
import type { Hash } from './bytes/hex.ts'
import type { Transaction } from './transaction/transaction.ts'

/** What can go wrong with a slice when it should be published. */
export type SliceFault =
  /** It never comes. Whoever follows the stream has lost it: `pending` is absent until the next block begins. */
  | { readonly kind: 'omitSlice' }
  /** It is told twice. */
  | { readonly kind: 'duplicateSlice' }
  /** It and those after it come so many slices later. */
  | { readonly kind: 'delaySlice'; readonly slices: number }
  /** `pending` is `latest` for so many slices. */
  | { readonly kind: 'absentPending'; readonly slices: number }
  /** `pending` stays what it was for so many slices, and is behind `latest` where a block is sealed meanwhile. */
  | { readonly kind: 'stalePending'; readonly slices: number }

/** What can go wrong with a block when it is sealed. */
export type SealFault =
  /** A pre-confirmed transaction is not in it: this one, or the last. It lands in the next block, or never. */
  | { readonly kind: 'dropTransaction'; readonly hash?: Hash; readonly lands: 'next' | 'never' }
  /** It differs from what was pre-confirmed: its senders in the reverse order, another time, another prevRandao. */
  | {
      readonly kind: 'sealDifferently'
      readonly order?: 'reversed'
      /** Seconds later. */
      readonly laterSeconds?: number
      readonly prevRandao?: Hash
    }

/** The newest blocks are taken off the chain, right after one was sealed. */
export interface ReorgFault extends ReorgRequest {
  readonly kind: 'reorg'
}

/** How the chain is to change its mind. */
export interface ReorgRequest {
  /** How many of the newest sealed blocks go. */
  readonly depth: number
  /** What becomes of their transactions, or what each of the new blocks has in their place. */
  readonly transactions: 'keep' | 'wait' | 'drop' | readonly (readonly Transaction[])[]
  /** How many blocks come instead; by default as many. */
  readonly blocks?: number
  /** What becomes of removed transactions that are in none of the new blocks; by default they wait. */
  readonly rest?: 'drop'
}

/** What goes wrong with the chain. */
export type Fault = SliceFault | SealFault | ReorgFault

/** A number, or one between two of them, drawn anew each time. */
export type Span = number | readonly [from: number, to: number]

/** Whose way of refusing logs. */
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
 * What can go wrong with a request. `method` is one, or all that begin so (`eth_*`), or any (`*`, the default); those that
 * control preseal itself never fail.
 */
export type RequestFault =
  /** Its answer comes so many milliseconds late. */
  | { readonly kind: 'latency'; readonly method?: string; readonly ms: Span; readonly seed?: number }
  /** It is never answered. It was carried out and its answer was lost (the default), or it never arrived itself. */
  | { readonly kind: 'timeout'; readonly method?: string; readonly lost?: 'answer' | 'request' }
  /** It is refused on the way, with a status where it came over HTTP, and nothing is done. */
  | {
      readonly kind: 'httpStatus'
      readonly method?: string
      readonly status: number
      /** What `Retry-After` says; with 429 by default 1. */
      readonly retryAfterSeconds?: number
      readonly code?: number
      readonly message?: string
      /** What comes instead of a JSON-RPC error: the page of a proxy. */
      readonly body?: string
    }
  /** It is refused with this error, and nothing is done. */
  | {
      readonly kind: 'rpcError'
      readonly method?: string
      readonly code: number
      readonly message: string
      readonly data?: unknown
    }
  /** eth_getLogs over more blocks than this, or with more results, is refused in the words of a real provider. */
  | {
      readonly kind: 'logRange'
      readonly provider: LogProvider
      /** By default as many as there. */
      readonly blocks?: number
      readonly results?: number
    }
  /** A call on `pending` sees the block context of so many blocks before (seed 4.3). */
  | { readonly kind: 'contextLag'; readonly blocks: Span; readonly seed?: number }

/** All WebSocket connections are cut once a slice was told. */
export interface CutFault {
  readonly kind: 'cutWebSockets'
  /** How they are closed (RFC 6455); by default without a word, which clients see as 1006. */
  readonly code?: number
}

export type AnyFault = Fault | RequestFault | CutFault

/** When a fault happens: at the next occasions, in a certain place, or by chance. */
export type Trigger =
  /** Each time, where `times` is infinite. */
  | { readonly kind: 'next'; readonly times: number }
  | { readonly kind: 'at'; readonly block: bigint; readonly slice?: number }
  | { readonly kind: 'chance'; readonly probability: number; readonly seed: number }

export interface Planned<F extends AnyFault = AnyFault> {
  readonly id: number
  readonly fault: F
  readonly trigger: Trigger
}
