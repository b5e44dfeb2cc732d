/** The reasons why an imported block is refused. */
import type { Hash } from '../../bytes/hex.ts'
import type { Rejection } from '../../pool/admit.ts'

/** The first flaw of a refused block. Values are in their printed form. */
export type BlockFlaw =
  /** A field differs from the value that follows from the parent or from running the block. */
  | { readonly kind: 'differs'; readonly field: string; readonly stated: string; readonly computed: string }
  /** A field breaks a rule of its own: its value is impossible, or it must not be absent. */
  | {
      readonly kind: 'invalid'
      readonly field: string
      readonly rule: BlockRule
      readonly reason: string
    }
  /** A transaction that cannot run in this block. */
  | {
      readonly kind: 'transaction'
      readonly index: number
      readonly hash: Hash
      readonly rejection: InclusionRejection
    }

/** A flaw of one field. */
export type FieldFlaw = Extract<BlockFlaw, { kind: 'differs' | 'invalid' }>

/**
 * The rules that imported blocks must keep: those of Ethereum, or those of a devnet, whose blocks may have their
 * parent's timestamp (several blocks per second), need no working system contracts (EIP-7002, EIP-7251, EIP-6110),
 * and are not mined even before the terminal total difficulty.
 */
export const IMPORT_RULES = ['ethereum', 'devnet'] as const
export type ImportRules = (typeof IMPORT_RULES)[number]

/** A hint for error messages about blocks that only the rules `devnet` allow. */
export const ONLY_A_DEVNET =
  "only a devnet makes such blocks, which import lets in with the option rules: 'devnet' (--import-rules devnet)"

/** The rules for blocks that do not prescribe a value of a field. */
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
  /** Mined, though the terminal total difficulty was reached before it (EIP-3675). */
  | 'minedAfterMerge'
  /** Not mined, though the terminal total difficulty has not been reached yet (EIP-3675). */
  | 'unminedBeforeMerge'
  /** EIP-6110 */
  | 'depositLayout'
  /** A system contract has no code (EIP-7002, EIP-7251). */
  | 'systemContractMissing'
  /** A system contract reverted or halted (EIP-7002, EIP-7251). */
  | 'systemCallFailed'
  | 'tooManyOmmers'
  | 'ommerIsAncestor'
  | 'ommerIsKnown'
  | 'ommerIsSibling'
  | 'ommerParentUnknown'

/** The reason why a transaction cannot be in a block; a waiting one may become valid later. */
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
