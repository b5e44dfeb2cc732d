/** A Solidity stack trace, and its text. */

export interface SolidityStackTrace {
  readonly kind: FailureKind
  /** The failure in words, such as `reverted with reason "too poor"` or `panic 0x11: arithmetic overflow`. */
  readonly message: string
  /** The frames of the stack trace, innermost first. */
  readonly frames: readonly SolidityFrame[]
}

/** A running function, or an unidentified contract. */
export interface SolidityFrame {
  /** The contract whose code ran; `A | B` if A and B have the same code; `undefined` if unknown or a free function. */
  readonly contract: string | undefined
  /** The function's name, `constructor`, `<fallback>` or `<receive>`; `undefined` outside of functions. */
  readonly function: string | undefined
  readonly isModifier: boolean
  /** `undefined` if the optimizer lost the position. A position is never guessed. */
  readonly position: SourcePosition | undefined
  /** The path of the source file, if known. The file may be known when the position is not. */
  readonly file?: string | undefined
  /** The account whose code ran; `undefined` in a creation. */
  readonly address: string | undefined
}

export interface SourcePosition {
  /** The source file's path, relative to the project's folder. */
  readonly file: string
  /** The line number; the first line is 1. */
  readonly line: number
  /** The column in UTF-16 units, as in editors; the first column is 1. */
  readonly column: number
}

/** Kinds of failure, named as in Hardhat. */
export type FailureKind =
  /** A `revert` or `require`, with or without a reason. */
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
  /** The failed code matches no known artifact. */
  | 'unrecognizedContract'
  | 'unrecognizedCreation'
  | 'otherExecutionError'

/** A stack trace that is computed when it is first read. */
export interface LateStackTrace {
  /** Returns the stack trace; `undefined` if it cannot be found synchronously. */
  now(): SolidityStackTrace | undefined
  /** Resolves to the stack trace. The computation pauses for other work, and keeps the time limit of the request. */
  soon(): Promise<SolidityStackTrace | undefined>
}

export function knownStackTrace(stackTrace: SolidityStackTrace): LateStackTrace {
  return { now: () => stackTrace, soon: async () => stackTrace }
}

/** Returns text such as `Token.transfer (contracts/Token.sol:42:9)`. Unknown names are shown as in Hardhat. */
export function frameText(frame: SolidityFrame): string {
  const { contract, function: name, position, file, address } = frame
  const location = position === undefined ? (file ?? address) : positionText(position)
  const text = nameText(contract, name, file !== undefined || position !== undefined)
  return location === undefined ? text : `${text} (${location})`
}

/** Returns a position that terminals and editors can open: `contracts/Token.sol:42:9`. */
export function positionText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`
}

function nameText(contract: string | undefined, name: string | undefined, isInFile: boolean): string {
  const function_ = name ?? '<unknown>'
  if (contract !== undefined) return `${contract}.${function_}`
  // A free function is in a file, but in no contract.
  return isInFile ? function_ : `<UnrecognizedContract>.${function_}`
}

/** Returns the message of a JSON-RPC error. Adds the cause if `message` is only "execution reverted". */
export function revertText(message: string, { message: words }: SolidityStackTrace): string {
  if (message !== 'execution reverted') return message
  return words.startsWith('reverted') ? `execution ${words}` : `${message}: ${words}`
}

export function cause(stackTrace: SolidityStackTrace | undefined): string | undefined {
  return stackTrace === undefined || SILENT.has(stackTrace.kind) ? undefined : stackTrace.message
}

const SILENT: ReadonlySet<SolidityStackTrace['kind']> = new Set([
  'revert',
  'customError',
  'unrecognizedContract',
  'unrecognizedCreation',
  'otherExecutionError',
])
