/** Where optimized code failed, if that is certain. */

import { toDigits, toHex, toQuantity } from '../../bytes/hex.ts'
import { revertReason } from '../../model/execution/call.ts'
import { codecOf } from '../abi/codec.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import type { SourceRange } from '../opcodes.ts'
import { JUMP, JUMPDEST, JUMPI } from '../opcodes.ts'
import { contains, nodeIn, nodesIn, rangeOf } from '../source/selectors.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import { abiOf } from './abiOf.ts'
import { type Candidate, candidatesIn, type Failing } from './candidates.ts'
import type { Decoded } from './decoded.ts'
import type { InternalCalls } from './internalCalls.ts'
import { WITH_PANICS } from './version.ts'

/** Where it failed, as far as that is certain. */
export interface Certain {
  readonly function: SourceFunction
  /** `undefined`: only the function is. */
  readonly range: SourceRange | undefined
}

/** Returns where a revert was, in `running` or in what became a part of it; `undefined` where nothing is certain. */
export function certainly(
  decoded: Decoded,
  running: SourceFunction | undefined,
  calls: InternalCalls,
): Certain | undefined {
  const { source, model } = decoded
  const functions = running === undefined ? [] : [running]
  if (source === undefined) return undefined
  if (running === undefined || running.kind === 'constructor') {
    if (!decoded.isCreation) return undefined
    const { linearized } = source
    // What variables begin with is a part of the constructor.
    if (linearized.some(({ node }) => nodesIn(node, 'nodes').some(hasValue))) return undefined
    functions.push(...linearized.flatMap(({ constructorFunction }) => constructorFunction ?? []))
  }
  const candidates = candidatesIn(functions, source, model, failingOf(decoded))
  const [only, ...others] = candidates ?? []
  if (only === undefined || candidates === undefined) return undefined
  const sure = others.length === 0 ? only : pointedAt(decoded, candidates, calls)
  if (sure !== undefined) return { function: sure.function, range: rangeIn(decoded, sure) }
  const isOne = others.every((other) => other.function === only.function)
  return isOne ? { function: only.function, range: sameLine(decoded, candidates) } : undefined
}

/** Whether a state variable begins with more than a number or text. */
function hasValue(node: AstNode): boolean {
  const value = node.nodeType === 'VariableDeclaration' ? nodeIn(node, 'value') : undefined
  return value !== undefined && value.nodeType !== 'Literal'
}

function failingOf(decoded: Decoded): Failing {
  const { output, contract, message, version } = decoded
  if (message.exit.failure?.kind === 'halt') return { kind: 'invalid', isBeforePanics: version < WITH_PANICS }
  if (output.length === 0) return { kind: 'empty' }
  if (isPanic(output)) return { kind: 'panic', code: Number(panicCode(output)) }
  if (isErrorString(output)) return { kind: 'reason', reason: revertReason(output) ?? '' }
  return { kind: 'customError', name: codecOf(abiOf(contract)).error(toHex(output))?.name }
}

/** The one to which the last steps point, without anything that speaks against it. */
function pointedAt(
  decoded: Decoded,
  candidates: readonly Candidate[],
  { helped }: InternalCalls,
): Candidate | undefined {
  // It called what the compiler wrote, and was there to the end.
  if (helped !== undefined && decoded.lastInFunction() === helped)
    return oneAt(candidates, decoded.rangeOf(helped))
  const branch = lastBranch(decoded)
  const atEnd = oneAt(candidates, decoded.rangeOf(decoded.last))
  return branch !== undefined && oneAt(candidates, branch) === atEnd ? atEnd : undefined
}

/** Where the branch was decided that led to the end, and to nothing else. */
function lastBranch(decoded: Decoded): SourceRange | undefined {
  let targets = 0
  for (let i = decoded.length - 1; i >= decoded.message.trail.first; i--) {
    const step = decoded.step(i)
    if (step?.opcode === JUMPDEST) targets++
    if (step?.opcode === JUMP || targets > 1) return undefined
    if (step?.opcode === JUMPI) return decoded.rangeOf(step)
  }
  return undefined
}

/** The candidate in which a range is, or the only one that is in the range. */
function oneAt(candidates: readonly Candidate[], range: SourceRange | undefined): Candidate | undefined {
  if (range === undefined) return undefined
  const around = candidates.filter(({ node }) => contains(rangeOf(node)!, range))
  if (around.length > 0) return around.at(-1)
  const within = candidates.filter(({ node }) => contains(range, rangeOf(node)!))
  return within.length === 1 ? within[0] : undefined
}

/** The first of candidates that all stand in one line. */
function sameLine(decoded: Decoded, candidates: readonly Candidate[]): SourceRange | undefined {
  const ranges = candidates.map((one) => rangeIn(decoded, one))
  const lines = ranges.map((range) => range && decoded.model.file(range.file)?.lines?.lineAt(range.start))
  return lines.every((line) => line !== undefined && line === lines[0]) ? ranges[0] : undefined
}

/** The range of a candidate; of assembly that of the last instruction in it. */
function rangeIn(decoded: Decoded, { node }: Candidate): SourceRange | undefined {
  const range = rangeOf(node)
  if (node.nodeType !== 'InlineAssembly' || range === undefined) return range
  const last = decoded.rangeOf(decoded.last)
  return last !== undefined && contains(range, last) ? last : undefined
}

/** What the data of a revert are: `Error(string)`, `Panic(uint256)`, or a custom error. */
const ERROR_STRING = '08c379a0'
const PANIC = '4e487b71'

export function isErrorString(data: Uint8Array): boolean {
  return selectorOf(data) === ERROR_STRING
}

export function isPanic(data: Uint8Array): boolean {
  return selectorOf(data) === PANIC && data.length >= 36
}

/** Returns the number of a panic. */
export function panicCode(data: Uint8Array): bigint {
  return toQuantity(data.subarray(4, 36))
}

function selectorOf(data: Uint8Array): string {
  return toDigits(data.subarray(0, 4))
}
