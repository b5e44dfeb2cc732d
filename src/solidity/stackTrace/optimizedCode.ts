/** The place of a failure in optimized code, where it is certain. */

import { toHex } from '../../bytes/hex.ts'
import { isErrorString, panicCode, revertReason } from '../../model/execution/revertReason.ts'
import { OP } from '../../model/opcodes.ts'
import { codecOf } from '../abi/codec.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import { contains, nodeIn, nodesIn, rangeOf } from '../source/ast.ts'
import type { SourceRange } from '../source/instructions.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import { type ContractRun, WITH_PANICS } from './contractRun.ts'
import { type Candidate, candidatesIn, type Failing } from './failingNodes.ts'
import type { InternalCalls } from './internalCalls.ts'

export interface CertainPlace {
  readonly function: SourceFunction
  /** `undefined`: only the function is certain. */
  readonly range: SourceRange | undefined
}

/** Returns the place of a revert in `running` or a function inlined into it, if it is certain. */
export function certainPlace(
  run: ContractRun,
  running: SourceFunction | undefined,
  calls: InternalCalls,
): CertainPlace | undefined {
  const { source, model } = run
  const functions = running === undefined ? [] : [running]
  if (source === undefined) return undefined
  if (running === undefined || running.kind === 'constructor') {
    if (!run.isCreation) return undefined
    const { linearized } = source
    // Initial values of state variables are part of the constructor's code.
    if (linearized.some(({ node }) => nodesIn(node, 'nodes').some(hasValue))) return undefined
    functions.push(...linearized.flatMap(({ constructorFunction }) => constructorFunction ?? []))
  }
  const candidates = candidatesIn(functions, source, model, failingOf(run))
  const [only, ...others] = candidates ?? []
  if (only === undefined || candidates === undefined) return undefined
  const sure = others.length === 0 ? only : pointedAt(run, candidates, calls)
  if (sure !== undefined) return { function: sure.function, range: rangeIn(run, sure) }
  const isOne = others.every((other) => other.function === only.function)
  return isOne ? { function: only.function, range: sameLine(run, candidates) } : undefined
}

/** Whether a state variable has an initial value other than a literal. */
function hasValue(node: AstNode): boolean {
  const value = node.nodeType === 'VariableDeclaration' ? nodeIn(node, 'value') : undefined
  return value !== undefined && value.nodeType !== 'Literal'
}

function failingOf(run: ContractRun): Failing {
  const { output, abi, message, version } = run
  if (message.exit.failure?.kind === 'halt') return { kind: 'invalid', isBeforePanics: version < WITH_PANICS }
  if (output.length === 0) return { kind: 'empty' }
  const panic = panicCode(output)
  if (panic !== undefined) return { kind: 'panic', code: Number(panic) }
  if (isErrorString(output)) return { kind: 'reason', reason: revertReason(output) ?? '' }
  return { kind: 'customError', name: codecOf(abi).error(toHex(output))?.name }
}

/** The candidate that the last steps confirm without contradiction. */
function pointedAt(
  run: ContractRun,
  candidates: readonly Candidate[],
  { helperCall }: InternalCalls,
): Candidate | undefined {
  // It called a compiler-generated helper and never came back.
  if (helperCall !== undefined && run.lastInFunction() === helperCall)
    return oneAt(candidates, run.rangeOf(helperCall))
  const branch = lastBranch(run)
  const atEnd = oneAt(candidates, run.rangeOf(run.last))
  return branch !== undefined && oneAt(candidates, branch) === atEnd ? atEnd : undefined
}

/** The last branch, if it leads to the end and nowhere else. */
function lastBranch(run: ContractRun): SourceRange | undefined {
  let targets = 0
  for (let i = run.length - 1; i >= run.message.trail.first; i--) {
    const step = run.step(i)
    if (step?.opcode === OP.JUMPDEST) targets++
    if (step?.opcode === OP.JUMP || targets > 1) return undefined
    if (step?.opcode === OP.JUMPI) return run.rangeOf(step)
  }
  return undefined
}

/** The candidate around a range, or the only one within it. */
function oneAt(candidates: readonly Candidate[], range: SourceRange | undefined): Candidate | undefined {
  if (range === undefined) return undefined
  const around = candidates.filter(({ node }) => contains(rangeOf(node)!, range))
  if (around.length > 0) return around.at(-1)
  const within = candidates.filter(({ node }) => contains(range, rangeOf(node)!))
  return within.length === 1 ? within[0] : undefined
}

/** The first candidate's range, if all are on one line. */
function sameLine(run: ContractRun, candidates: readonly Candidate[]): SourceRange | undefined {
  const ranges = candidates.map((one) => rangeIn(run, one))
  const lines = ranges.map((range) => range && run.model.file(range.file)?.lines?.lineAt(range.start))
  return lines.every((line) => line !== undefined && line === lines[0]) ? ranges[0] : undefined
}

/** The range of a candidate; in assembly, the last instruction's. */
function rangeIn(run: ContractRun, { node }: Candidate): SourceRange | undefined {
  const range = rangeOf(node)
  if (node.nodeType !== 'InlineAssembly' || range === undefined) return range
  const last = run.rangeOf(run.last)
  return last !== undefined && contains(range, last) ? last : undefined
}
