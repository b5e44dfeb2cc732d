/** Planned faults (CONTRACT 6). */
import type { Hash } from '../bytes/hex.ts'
import type { ReorgRequest } from '../sequencer/reorg.ts'

export type SliceFault =
  /** The slice is not published, and `pending` is absent until the next block, as after a lost flashblock. */
  | { readonly kind: 'omitSlice' }
  /** The slice is published twice. */
  | { readonly kind: 'duplicateSlice' }
  /** This slice and the next ones are published together after `slices` more slices. */
  | { readonly kind: 'delaySlice'; readonly slices: number }
  /** `pending` equals `latest` for the next `slices` slices. */
  | { readonly kind: 'absentPending'; readonly slices: number }
  /** `pending` does not change for the next `slices` slices, even if its block is sealed meanwhile. */
  | { readonly kind: 'stalePending'; readonly slices: number }

/** A fault at the seal of a block. */
export type SealFault =
  /** The sealed block lacks a pre-confirmed transaction, by default the last. It is included in the next block, or never. */
  | { readonly kind: 'dropTransaction'; readonly hash?: Hash; readonly lands: 'next' | 'never' }
  /** The sealed block has the senders in reverse order, another timestamp, or another prevRandao. */
  | {
      readonly kind: 'sealDifferently'
      readonly order?: 'reversed'
      /** Seconds added to the timestamp. */
      readonly laterSeconds?: number
      readonly prevRandao?: Hash
    }

/** A reorg after the seal of a block. */
export interface ReorgFault extends ReorgRequest {
  readonly kind: 'reorg'
}

export type Fault = SliceFault | SealFault | ReorgFault

/** A number, or a range from which a new number is drawn for each request. */
export type Span = number | readonly [from: number, to: number]

/** Providers with known refusals of eth_getLogs. */
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

/** A fault of a JSON-RPC request. `method`: a name, a prefix (`eth_*`) or `*`, the default; `preseal_*` is never affected. */
export type RequestFault =
  /** Delays the response by milliseconds. */
  | { readonly kind: 'latency'; readonly method?: string; readonly ms: Span; readonly seed?: number }
  /** Loses the response (the default), or the request, which is then not executed. */
  | { readonly kind: 'timeout'; readonly method?: string; readonly lost?: 'answer' | 'request' }
  /** Refuses the request with an HTTP status, as a proxy would. */
  | {
      readonly kind: 'httpStatus'
      readonly method?: string
      readonly status: number
      /** `Retry-After`; by default 1 with status 429, else none. */
      readonly retryAfterSeconds?: number
      readonly code?: number
      readonly message?: string
      /** Replaces the JSON-RPC error, such as the page of a proxy. */
      readonly body?: string
    }
  /** Refuses the request with this error. */
  | {
      readonly kind: 'rpcError'
      readonly method?: string
      readonly code: number
      readonly message: string
      readonly data?: unknown
    }
  /** Refuses eth_getLogs over more blocks, or with more results, with the error of a real provider. */
  | {
      readonly kind: 'logRange'
      readonly provider: LogProvider
      /** The limit of blocks; by default the provider's own. */
      readonly blocks?: number
      readonly results?: number
    }
  /** Calls on `pending` get the block context of an earlier block, by this number of blocks (seed 4.3). */
  | { readonly kind: 'contextLag'; readonly blocks: Span; readonly seed?: number }

/** Closes all WebSocket connections after the publication of a slice. */
export interface CutFault {
  readonly kind: 'cutWebSockets'
  /** The close code (RFC 6455); by default none, which clients report as 1006. */
  readonly code?: number
}

export type AnyFault = Fault | RequestFault | CutFault

export type Trigger =
  /** The next `times` occasions; infinity: always. */
  | { readonly kind: 'next'; readonly times: number }
  | { readonly kind: 'at'; readonly block: bigint; readonly slice?: number }
  | { readonly kind: 'chance'; readonly probability: number; readonly seed: number }

export interface Planned<F extends AnyFault = AnyFault> {
  readonly id: number
  readonly fault: F
  readonly trigger: Trigger
}
