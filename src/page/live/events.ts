/** Events of the chain: the subscription `presealEvents`. */
import type { Hex } from '../../bytes/hex.ts'
import type { RpcBlockFill } from '../../wire/encode.ts'
import { source } from '../source/source.ts'

interface RemovedBlock {
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactions: readonly Hex[]
}

/** `time`: milliseconds of the devnet's clock. */
export type PresealEvent = { readonly time: number } & (
  | {
      readonly kind: 'accepted'
      readonly hash: Hex
      readonly from: Hex
      readonly to: Hex | null
      readonly nonce: Hex
    }
  | {
      readonly kind: 'dropped'
      readonly hash: Hex
      readonly cause: string
      readonly reason: string
      readonly replacedBy?: Hex
    }
  | {
      readonly kind: 'preconfirmed'
      readonly blockNumber: Hex
      readonly slice: Hex
      /** New transactions. */
      readonly transactions: readonly Hex[]
      readonly failed: readonly Hex[]
      readonly sliceGasUsed: Hex
      readonly block: RpcBlockFill
    }
  | {
      readonly kind: 'revealed'
      readonly blockNumber: Hex
      readonly slice: Hex
      /** All transactions of the open block. */
      readonly transactions: readonly Hex[]
      readonly failed: readonly Hex[]
      readonly block: RpcBlockFill
    }
  | {
      readonly kind: 'sealed'
      readonly blockNumber: Hex
      readonly blockHash: Hex
      readonly transactions: readonly Hex[]
      readonly failed: readonly Hex[]
      readonly block: RpcBlockFill
    }
  /** The oldest first. */
  | { readonly kind: 'reorged'; readonly blocks: readonly RemovedBlock[] }
  | {
      readonly kind: 'fault'
      readonly fault: { readonly kind: string }
      readonly blockNumber: Hex
      readonly slice: Hex | null
    }
  | {
      readonly kind: 'requestFault'
      readonly fault: { readonly kind: string }
      readonly method: string | null
    }
  | {
      readonly kind: 'console'
      readonly text: string
      readonly from: Hex
      readonly name: string | null
      readonly transaction: Hex | null
    }
  | { readonly kind: 'cheatsChanged' }
  | { readonly kind: 'restored' }
)

type Tell = (events: readonly PresealEvent[]) => void

const listeners = new Set<Tell>()
let isFollowed = false

/** Calls `tell` with batches of events. Returns a function that ends it. */
export function onEvents(tell: Tell): () => void {
  listeners.add(tell)
  if (!isFollowed) {
    isFollowed = true
    source().subscribe('presealEvents', [], (events: readonly PresealEvent[]) => {
      for (const listener of listeners) listener(events)
    })
  }
  return () => listeners.delete(tell)
}
