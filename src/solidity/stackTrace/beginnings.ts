/** Where the code of a message began: the function that was called, and its modifiers. */

import { toHex } from '../../bytes/hex.ts'
import { codecOf } from '../abi/codec.ts'
import type { Instruction } from '../opcodes.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import { abiOf } from './abiOf.ts'
import type { Decoded } from './decoded.ts'
import { type Entries, type Entry, entry, type Where } from './entry.ts'
import { callEntry, type InternalCalls } from './internalCalls.ts'
import { atConstructor, atContract, atInstruction, atLast, atStart } from './where.ts'

/** The function that the call data name by the ABI. */
export function byAbi(decoded: Decoded): Where {
  if (decoded.isCreation)
    return { ...atContract(decoded), function: 'constructor', functionKind: 'constructor' }
  const { frame } = decoded.message
  const signature = codecOf(abiOf(decoded.contract)).signature(toHex(frame.input.subarray(0, 4)))
  const name = signature?.slice(0, signature.indexOf('('))
  return { place: undefined, function: name, functionKind: name === undefined ? undefined : 'function' }
}

/** The function that the call data name, or the one for what they do not. */
export function entered({ calledFunction, source, message }: Decoded): SourceFunction | undefined {
  const isEmpty = message.frame.input.length === 0
  return calledFunction ?? (isEmpty ? (source?.receive ?? source?.fallback) : source?.fallback)
}

/** Returns the function that was called from outside, or the constructor. */
export function beginning(decoded: Decoded): Where | undefined {
  if (decoded.isCreation) return atConstructor(decoded)
  const { calledFunction } = decoded
  return calledFunction && atStart(decoded, calledFunction)
}

/** The function whose modifier failed. */
export function beforeModifier(decoded: Decoded, { starts }: InternalCalls): Entry {
  const start = starts.at(-1)
  if (start !== undefined) return callEntry(decoded, start)
  return entry('call', decoded, beginning(decoded) ?? atContract(decoded))
}

/** Adds the function that was called before its modifier, where the entries begin with one. */
export function fromFunction(decoded: Decoded, entries: Entries): Entries {
  const [first] = entries
  if (first?.kind !== 'call' || first.functionKind !== 'modifier') return entries
  const other = decoded.isCreation ? undefined : entered(decoded)
  const where = other === undefined ? beginning(decoded) : atStart(decoded, other)
  return where === undefined ? entries : [entry('call', decoded, where), ...entries]
}

/**
 * Returns where an instruction is: of code by way of Yul where the function called what the compiler wrote; if it comes from no
 * function, where the last was that does.
 */
export function placed(
  decoded: Decoded,
  instruction: Instruction | undefined,
  { helped }: InternalCalls,
): Where {
  return (
    atInstruction(decoded, helped) ??
    atInstruction(decoded, instruction) ??
    atLast(decoded) ??
    (decoded.isCreation && decoded.isYul ? atConstructor(decoded) : atContract(decoded))
  )
}
