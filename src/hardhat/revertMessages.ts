/** The messages of Hardhat for code that fails, as tests of Hardhat projects compare them. */

import { fromHex, type Hex, toHex } from '../bytes/hex.ts'
import { panicCode, revertReason } from '../model/execution/revertReason.ts'
import type { Decoded } from '../solidity/abi/decoded.ts'
import type { FailureKind, SolidityStackTrace } from '../solidity/stackTrace/format.ts'

/** Decodes a custom error; `undefined` if no artifact has it. */
export type DecodeError = (data: Hex) => Decoded | undefined

/** Returns the message of Hardhat for a revert; `undefined` if neither data nor the stack trace says why it failed. */
export function revertMessage(
  data: unknown,
  stackTrace: SolidityStackTrace | undefined,
  decode: DecodeError,
): string | undefined {
  const hex = (typeof data === 'string' ? data : '0x') as Hex
  const bytes = fromHex(hex)
  const panic = panicCode(bytes)
  if (panic !== undefined) return `${VM}reverted with ${panicText(panic)}`
  const reason = revertReason(bytes)
  if (reason !== undefined) return `${VM}reverted with reason string '${reason}'`
  const [, custom] = /^reverted with custom error (.*)$/s.exec(stackTrace?.message ?? '') ?? []
  if (custom !== undefined) {
    const decoded = decode(hex)
    return `${VM}reverted with custom error '${decoded === undefined ? custom : errorText(decoded)}'`
  }
  if (bytes.length > 0) {
    return `${VM}reverted with an unrecognized custom error (return data: ${toHex(bytes)})`
  }
  if (stackTrace === undefined) return undefined
  const { kind, message } = stackTrace
  if (message.startsWith('invalid opcode')) return `${VM}invalid opcode`
  const withValue = WITH_VALUE[kind]
  const [, wei] = /(\d+) wei/.exec(message) ?? []
  if (withValue !== undefined && wei !== undefined) return `${withValue} was called with value ${wei}`
  return MESSAGES[kind] ?? `Transaction reverted: ${message}`
}

function panicText(code: bigint): string {
  const hex = `0x${code.toString(16)}`
  const meaning = PANICS[hex]
  return meaning === undefined ? `unknown panic code ${hex}` : `panic code ${hex} (${meaning})`
}

/** Returns an error with its values, without the names of its parameters: `All("a b", [1, 2], true)`. */
function errorText({ name, args }: Decoded): string {
  return `${name}(${args.map(({ value }) => valueText(value)).join(', ')})`
}

/** Returns a value in the notation of Hardhat: text, addresses and bytes are in quotes, structs are lists. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`
  if (typeof value !== 'object' || value === null) return String(value)
  return `[${Object.values(value).map(valueText).join(', ')}]`
}

const VM = 'VM Exception while processing transaction: '

const PANICS: Readonly<Record<string, string>> = {
  '0x1': 'Assertion error',
  '0x11': 'Arithmetic operation overflowed outside of an unchecked block',
  '0x12': 'Division or modulo division by zero',
  '0x21': 'Tried to convert a value into an enum, but the value was too big or negative',
  '0x22': 'Incorrectly encoded storage byte array',
  '0x31': '.pop() was called on an empty array',
  '0x32': 'Array accessed at an out-of-bounds or negative index',
  '0x41': 'Too much memory was allocated, or an array was created that is too large',
  '0x51': 'Called a zero-initialized variable of internal function type',
}

/** The messages of failures that end with the value of the call in wei. */
const WITH_VALUE: Partial<Record<FailureKind, string>> = {
  functionNotPayable: 'Transaction reverted: non-payable function',
  fallbackNotPayable: 'Transaction reverted: fallback function is not payable and',
  fallbackNotPayableAndNoReceive:
    "Transaction reverted: there's no receive function, fallback function is not payable and",
}

const WITHOUT_REASON = 'Transaction reverted without a reason string'

/** The messages of Hardhat for failures without data. Other kinds have the words of preseal. */
const MESSAGES: Partial<Record<FailureKind, string>> = {
  revert: WITHOUT_REASON,
  unrecognizedContract: WITHOUT_REASON,
  unrecognizedCreation: WITHOUT_REASON,
  outOfGas: 'Transaction ran out of gas',
  invalidParams: 'Transaction reverted: function was called with incorrect parameters',
  unrecognizedFunctionWithoutFallback:
    "Transaction reverted: function selector was not recognized and there's no fallback function",
  missingFallbackOrReceive:
    "Transaction reverted: function selector was not recognized and there's no fallback nor receive function",
  returnDataSize: 'Transaction reverted: function returned an unexpected amount of data',
  nonContractAccountCalled: 'Transaction reverted: function call to a non-contract account',
  callFailed: 'Transaction reverted: function call failed to execute',
  directLibraryCall: 'Transaction reverted: library was called directly',
  contractTooLarge: 'Transaction reverted: trying to deploy a contract whose code is too large',
}
