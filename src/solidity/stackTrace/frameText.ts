/** Solidity frames as lines of a stack trace. */
import type { SolidityFrame, SourcePosition } from './stackTrace.ts'

/**
 * Returns a frame as stack traces show it, without `at`: `Token.transfer (contracts/Token.sol:42:9)`,
 * `Token.constructor (contracts/Token.sol:7:5)`. The names of what has none are those of Hardhat.
 */
export function frameText(frame: SolidityFrame): string {
  const { contract, function: name, position, file, address } = frame
  const where = position === undefined ? (file ?? address) : positionText(position)
  const text = nameText(contract, name, file !== undefined || position !== undefined)
  return where === undefined ? text : `${text} (${where})`
}

/** Returns the position in the form that terminals and editors open: `contracts/Token.sol:42:9`. */
export function positionText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`
}

function nameText(contract: string | undefined, name: string | undefined, isInFile: boolean): string {
  const function_ = name ?? '<unknown>'
  if (contract !== undefined) return `${contract}.${function_}`
  // A function outside of contracts is in a file all the same.
  return isInFile ? function_ : `<UnrecognizedContract>.${function_}`
}
