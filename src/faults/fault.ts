/** Types of planned faults: of slices, sealed blocks, reorgs, requests and connections. */
import type { Hash } from '../bytes/hex.ts'
import type { L1Failure } from '../sequencer/block/deviations.ts'
import type { ReorgRequest } from '../sequencer/reorg.ts'

export type SliceFault =
  /** The slice is never published. From the next slice until the next block, `pending` is absent. */
  | { readonly kind: 'omitSlice' }
  /** The slice is published twice. */
  | { readonly kind: 'duplicateSlice' }
  /** `slices` slices, beginning with this slice, are held back and published together with the slice after them. */
  | { readonly kind: 'delaySlice'; readonly slices: number }
  /** `pending` equals `latest` for `slices` slices, beginning with this slice. */
  | { readonly kind: 'absentPending'; readonly slices: number }
  /** `pending` does not change for `slices` slices from this slice on, even if the block is sealed meanwhile. */
  | { readonly kind: 'stalePending'; readonly slices: number }

/** A fault that happens when a block is sealed. */
export type SealFault =
  /** The sealed block lacks a transaction (default: the last). `lands` says whether the next block includes it. */
  | { readonly kind: 'dropTransaction'; readonly hash?: Hash; readonly lands: 'next' | 'never' }
  /** The sealed block has the senders in reverse order, a different timestamp, or a different prevRandao. */
  | {
      readonly kind: 'sealDifferently'
      readonly order?: 'reversed'
      /** The number of seconds added to the timestamp. */
      readonly laterSeconds?: number
      readonly prevRandao?: Hash
    }

/** A reorg that happens after a block is sealed. */
export interface ReorgFault extends ReorgRequest {
  readonly kind: 'reorg'
}

/** A failure of the L1 beside an L2, which begins after a block of the L2 is sealed. */
export type L1Fault = L1Failure

export type Fault = SliceFault | SealFault | ReorgFault | L1Fault

/** A number, or a range. For a range, a new number is drawn for each request. */
export type Span = number | readonly [from: number, to: number]

/** Providers whose error messages for refused eth_getLogs requests are known. */
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

/** A fault of JSON-RPC requests. `method` is a method, prefix (`eth_*`) or `*` (default). Never affects `preseal_*`. */
export type RequestFault =
  /** Delays the response by `ms` milliseconds. */
  | { readonly kind: 'latency'; readonly method?: string; readonly ms: Span; readonly seed?: number }
  /** Loses the response (by default), or the request. A lost request is not executed. */
  | { readonly kind: 'timeout'; readonly method?: string; readonly lost?: 'answer' | 'request' }
  /** Refuses the request with an HTTP status, as a proxy does. */
  | {
      readonly kind: 'httpStatus'
      readonly method?: string
      readonly status: number
      /** The header `Retry-After`. By default 1 for the status 429, and absent otherwise. */
      readonly retryAfterSeconds?: number
      readonly code?: number
      readonly message?: string
      /** The body of the response in place of a JSON-RPC error, such as the error page of a proxy. */
      readonly body?: string
    }
  /** Refuses the request with a JSON-RPC error. */
  | {
      readonly kind: 'rpcError'
      readonly method?: string
      readonly code: number
      readonly message: string
      readonly data?: unknown
    }
  /** Refuses eth_getLogs for more than `blocks` blocks or `results` logs, with the error of a real provider. */
  | {
      readonly kind: 'logRange'
      readonly provider: LogProvider
      /** The maximum number of blocks. By default, the limit of the provider. */
      readonly blocks?: number
      readonly results?: number
    }
  /** Runs calls on `pending` with number, time and base fee of the block that is `blocks` blocks before `pending`. */
  | { readonly kind: 'contextLag'; readonly blocks: Span; readonly seed?: number }

/** Closes all WebSocket connections after a slice is published. */
export interface CutFault {
  readonly kind: 'cutWebSockets'
  /** The close code (RFC 6455). By default there is no close frame, which clients report as 1006. */
  readonly code?: number
}

export type AnyFault = Fault | RequestFault | CutFault

export type Trigger =
  /** The next `times` occasions. Infinity means all occasions. */
  | { readonly kind: 'next'; readonly times: number }
  | { readonly kind: 'at'; readonly block: bigint; readonly slice?: number }
  | { readonly kind: 'chance'; readonly probability: number; readonly seed: number }

export interface Planned<F extends AnyFault = AnyFault> {
  readonly id: number
  readonly fault: F
  readonly trigger: Trigger
}
