import { signal } from '@preact/signals'
import type { Hex } from '../../bytes/hex.ts'
import type { RpcBlockFill } from '../../wire/encode.ts'
import type { Moment } from '../moment.ts'
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

/** Minimum time between two updates of the views. */
const SHORTEST_GAP_MS = 250

/** Counters of changes: of the pending state, of the newest sealed state, and of earlier states. */
const COUNTERS = [signal(0), signal(0), signal(0)] as const

/** The number of `COUNTERS`, from the first on, that an event of each kind increments. */
const REACHES: Partial<Record<PresealEvent['kind'], number>> = {
  accepted: 1,
  dropped: 1,
  preconfirmed: 1,
  revealed: 1,
  sealed: 2,
  cheatsChanged: 2,
  reorged: 3,
  restored: 3,
}

let isCounting = false
/** The number of `COUNTERS`, from the first on, that the next update increments. */
let reach = 0

/**
 * Returns a number that changes when the state at `moment` may have changed: for `pending` with each event in
 * `REACHES`, for other tags with each block or cheat, for block numbers after a reorg. Then the caller renders again.
 */
export function changesAt({ text, number }: Moment): number {
  follow()
  const [pending, sealed, past] = COUNTERS
  if (number !== undefined) return past.value
  return text === 'pending' ? pending.value : sealed.value
}

function follow(): void {
  if (isCounting) return
  isCounting = true
  let hasOpened = false
  onEvents((events) => {
    for (const { kind } of events) note(kind)
  })
  source().state.subscribe((state) => {
    if (state !== 'open') return
    // Events may have been missed while the connection was lost.
    if (hasOpened) note('restored')
    hasOpened = true
  })
}

function note(kind: PresealEvent['kind']): void {
  const next = REACHES[kind] ?? 0
  if (reach === 0 && next > 0) setTimeout(tell, SHORTEST_GAP_MS)
  reach = Math.max(reach, next)
}

function tell(): void {
  for (const counter of COUNTERS.slice(0, reach)) counter.value++
  reach = 0
}
