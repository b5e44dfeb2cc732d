/** What can be wrong with a block that others made. */
import type { Hash } from '../../model/bytes/hex.ts'
import type { Rejection } from '../../pool/admit.ts'

/** A block that was refused: the first thing that is wrong with it. Values as they would be printed. */
export type BlockFlaw =
  /** A field says one thing, its parent or its execution another. */
  | { readonly kind: 'differs'; readonly field: string; readonly stated: string; readonly computed: string }
  /** A field that cannot be, or must not be absent. */
  | { readonly kind: 'invalid'; readonly field: string; readonly reason: string }
  /** A transaction that could not run in this block. */
  | {
      readonly kind: 'transaction'
      readonly index: number
      readonly hash: Hash
      readonly rejection: InclusionRejection
    }

/** Why a transaction may not stand in a block; what waits in the pool may still become right. */
export type InclusionRejection =
  | Rejection
  | { readonly kind: 'highS' }
  | { readonly kind: 'nonceTooHighForNow'; readonly next: bigint; readonly got: bigint }
  | { readonly kind: 'feeBelowBaseFee'; readonly maxFeePerGas: bigint; readonly baseFeePerGas: bigint }
  | { readonly kind: 'blobFeeTooLow'; readonly maxFeePerBlobGas: bigint; readonly blobBaseFee: bigint }

export function differs(field: string, stated: unknown, computed: unknown): BlockFlaw {
  const shown = (value: unknown) => (value === undefined ? 'nothing' : String(value))
  return { kind: 'differs', field, stated: shown(stated), computed: shown(computed) }
}
