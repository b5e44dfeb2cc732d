/** What can be wrong with a block that others made. */
import type { Hash } from '../../model/bytes/hex.ts'
import type { Rejection } from '../../pool/admit.ts'

/** A block that was refused: the first thing that is wrong with it. Values as they would be printed. */
export type BlockFlaw =
  /** A field says one thing, its parent or its execution another. */
  | { readonly kind: 'differs'; readonly field: string; readonly stated: string; readonly computed: string }
  /** A field breaks a rule of its own: it cannot have this value, or must not be absent. */
  | {
      readonly kind: 'invalid'
      readonly field: string
      readonly rule: BlockRule
      readonly reason: string
    }
  /** A transaction that could not run in this block. */
  | {
      readonly kind: 'transaction'
      readonly index: number
      readonly hash: Hash
      readonly rejection: InclusionRejection
    }

/** A flaw of one field. */
export type FieldFlaw = Extract<BlockFlaw, { kind: 'differs' | 'invalid' }>

/**
 * Which rules blocks have to keep: Ethereum's, or those of a devnet, whose blocks may have their parent's timestamp (there
 * are several in a second), need no working system contracts (EIP-7002, EIP-7251, EIP-6110), and are not mined even before
 * the terminal total difficulty.
 */
export const IMPORT_RULES = ['ethereum', 'devnet'] as const
export type ImportRules = (typeof IMPORT_RULES)[number]

/** How blocks that only `devnet` allows are imported, for error messages. */
export const ONLY_A_DEVNET =
  "only a devnet makes such blocks, which import lets in with the option rules: 'devnet' (--import-rules devnet)"

/** The rules for blocks that do not say which value a field must have. */
export type BlockRule =
  /** The chain has another block of this number. */
  | 'otherBlock'
  | 'missingField'
  | 'unexpectedField'
  | 'timestampBeforeParent'
  | 'timestampOfParent'
  | 'gasUsedAboveLimit'
  | 'gasLimitOutOfBounds'
  | 'gasLimitAboveInt63'
  | 'blobGasAboveLimit'
  /** EIP-7934 */
  | 'blockTooLarge'
  /** EIP-779 */
  | 'daoExtraData'
  /** Mined though the terminal total difficulty was reached before it (EIP-3675). */
  | 'minedAfterMerge'
  /** Not mined though the terminal total difficulty is not reached yet (EIP-3675). */
  | 'unminedBeforeMerge'
  /** EIP-6110 */
  | 'depositLayout'
  /** There is no code where a system contract must be (EIP-7002, EIP-7251). */
  | 'systemContractMissing'
  /** A system contract reverted or halted (EIP-7002, EIP-7251). */
  | 'systemCallFailed'
  | 'tooManyOmmers'
  | 'ommerIsAncestor'
  | 'ommerIsKnown'
  | 'ommerIsSibling'
  | 'ommerParentUnknown'

/** Why a transaction may not stand in a block; what waits in the pool may still become right. */
export type InclusionRejection =
  | Rejection
  | { readonly kind: 'highS' }
  | { readonly kind: 'nonceTooHighForNow'; readonly next: bigint; readonly got: bigint }
  | { readonly kind: 'feeBelowBaseFee'; readonly maxFeePerGas: bigint; readonly baseFeePerGas: bigint }
  | { readonly kind: 'blobFeeTooLow'; readonly maxFeePerBlobGas: bigint; readonly blobBaseFee: bigint }

export function differs(field: string, stated: unknown, computed: unknown): FieldFlaw {
  const shown = (value: unknown) => (value === undefined ? 'nothing' : String(value))
  return { kind: 'differs', field, stated: shown(stated), computed: shown(computed) }
}

export function invalid(field: string, rule: BlockRule, reason: string): FieldFlaw {
  return { kind: 'invalid', field, rule, reason }
}
