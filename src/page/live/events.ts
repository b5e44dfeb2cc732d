import type { Hex } from '../../bytes/hex.ts'
import type { RpcBlockFill } from '../../wire/encode.ts'
import { source } from '../source/source.ts'

export interface BlockChange {
  readonly blockNumber: Hex
  readonly transactions: readonly Hex[]
  readonly failed: readonly Hex[]
  readonly block: RpcBlockFill
}

/** An event of the subscription `presealEvents`. `time` is in milliseconds of the devnet's clock. */
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
  /** A new slice. `transactions` are only those of the slice. */
  | (BlockChange & { readonly kind: 'preconfirmed'; readonly slice: Hex; readonly sliceGasUsed: Hex })
  /** Slices that a fault had hidden are published. `transactions` are all transactions of the open block. */
  | (BlockChange & { readonly kind: 'revealed'; readonly slice: Hex })
  | (BlockChange & { readonly kind: 'sealed'; readonly blockHash: Hex })
  | {
      readonly kind: 'reorged'
      readonly blocks: readonly {
        readonly blockNumber: Hex
        readonly blockHash: Hex
        readonly transactions: readonly Hex[]
      }[]
    }
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

/** Calls `tell` with batches of events. Returns a function that unsubscribes. */
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
