/** The Solidity stack trace of a run that failed: what happened, and in which functions. */

/** Why code failed, in the kinds of Hardhat, which tools know. */
export type FailureKind =
  /** A `revert` or `require`, with a reason or without. */
  | 'revert'
  | 'customError'
  | 'panic'
  | 'invalidOpcode'
  | 'outOfGas'
  | 'functionNotPayable'
  | 'invalidParams'
  | 'fallbackNotPayable'
  | 'fallbackNotPayableAndNoReceive'
  | 'unrecognizedFunctionWithoutFallback'
  | 'missingFallbackOrReceive'
  | 'returnDataSize'
  | 'nonContractAccountCalled'
  | 'callFailed'
  | 'directLibraryCall'
  | 'contractTooLarge'
  | 'stackTooDeep'
  | 'precompile'
  /** The code that failed is of no known compilation. */
  | 'unrecognizedContract'
  | 'unrecognizedCreation'
  | 'otherExecutionError'

/** A place in a source file. */
export interface SourcePosition {
  /** The path of the file, relative to the project's folder. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units, as editors count. */
  readonly column: number
}

/** A function that was running, or a contract of which nothing more is known. */
export interface SolidityFrame {
  /**
   * The contract whose code ran, also in functions of its bases and of libraries; several that have the same code are named side
   * by side, such as `A | B`. `undefined`: it is not known, `address` is all there is; a free function has none either.
   */
  readonly contract: string | undefined
  /** The function's name, or `constructor`, `<fallback>`, `<receive>`; `undefined` outside of functions. */
  readonly function: string | undefined
  /** Whether it is a modifier. */
  readonly isModifier: boolean
  /** `undefined` where optimisation lost it: a line is never guessed. */
  readonly position: SourcePosition | undefined
  /** The path of the file, where it is known: also without a position. */
  readonly file?: string | undefined
  /** The account whose code ran; `undefined` in a creation. */
  readonly address: string | undefined
}

export interface SolidityStackTrace {
  readonly kind: FailureKind
  /** What happened, in words, such as `reverted with reason "too poor"` or `panic 0x11: arithmetic overflow`. */
  readonly message: string
  /** The innermost function first. */
  readonly frames: readonly SolidityFrame[]
}
