/** Finds the place where optimized code failed, if only one place that may have run can cause the observed failure. */

import { toHex } from '../../bytes/hex.ts'
import { isErrorString, panicCode, revertReason } from '../../model/execution/revertReason.ts'
import { OP } from '../../model/opcodes.ts'
import { codecOf } from '../abi/codec.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import { contains, nodeIn, nodesIn, rangeOf, textIn, typeStringOf, walk } from '../source/ast.ts'
import type { SourceRange } from '../source/instructions.ts'
import type { SourceContract, SourceFunction, SourceModel } from '../source/sourceModel.ts'
import { type ContractRun, WITH_PANICS } from './contractRun.ts'
import type { InternalCalls } from './internalCalls.ts'

/** Returns the place where `running`, or a function inlined into it, reverted; `range` only if the place is certain. */
export function certainPlace(
  run: ContractRun,
  running: SourceFunction | undefined,
  calls: InternalCalls,
): { readonly function: SourceFunction; readonly range: SourceRange | undefined } | undefined {
  const { source, model } = run
  const functions = running === undefined ? [] : [running]
  if (source === undefined) return undefined
  if (running === undefined || running.kind === 'constructor') {
    if (!run.isCreation) return undefined
    const { linearized } = source
    // Constructors contain the code of initial values of state variables.
    if (linearized.some(({ node }) => nodesIn(node, 'nodes').some(hasValue))) return undefined
    functions.push(...linearized.flatMap(({ constructorFunction }) => constructorFunction ?? []))
  }
  const candidates = candidatesIn(functions, source, model, traitsOf(run))
  const [only, ...others] = candidates ?? []
  if (only === undefined || candidates === undefined) return undefined
  const sure = others.length === 0 ? only : candidateAtEnd(run, candidates, calls)
  if (sure !== undefined) return { function: sure.function, range: rangeIn(run, sure) }
  const isOne = others.every((other) => other.function === only.function)
  return isOne ? { function: only.function, range: sameLine(run, candidates) } : undefined
}

function hasValue(node: AstNode): boolean {
  const value = node.nodeType === 'VariableDeclaration' ? nodeIn(node, 'value') : undefined
  return value !== undefined && value.nodeType !== 'Literal'
}

function traitsOf(run: ContractRun): FailureTraits {
  const { output, abi, message, version } = run
  if (message.exit.failure?.kind === 'halt') return { kind: 'invalid', isBeforePanics: version < WITH_PANICS }
  if (output.length === 0) return { kind: 'empty' }
  const panic = panicCode(output)
  if (panic !== undefined) return { kind: 'panic', code: Number(panic) }
  if (isErrorString(output)) return { kind: 'reason', reason: revertReason(output) ?? '' }
  return { kind: 'customError', name: codecOf(abi).error(toHex(output))?.name }
}

/** Returns the candidate to which the last executed steps belong; `undefined` if this is uncertain. */
function candidateAtEnd(
  run: ContractRun,
  candidates: readonly Candidate[],
  { helperCall }: InternalCalls,
): Candidate | undefined {
  // The code called a compiler-generated helper, which did not return.
  if (helperCall !== undefined && run.lastInFunction() === helperCall)
    return oneAt(candidates, run.rangeOf(helperCall))
  const branch = lastBranch(run)
  const atEnd = oneAt(candidates, run.rangeOf(run.last))
  return branch !== undefined && oneAt(candidates, branch) === atEnd ? atEnd : undefined
}

/** Returns the range of the last JUMPI if no other jump and at most one JUMPDEST follow. */
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

/** Returns the candidate that contains a range, or the only candidate in the range. */
function oneAt(candidates: readonly Candidate[], range: SourceRange | undefined): Candidate | undefined {
  if (range === undefined) return undefined
  const around = candidates.filter(({ node }) => contains(rangeOf(node)!, range))
  if (around.length > 0) return around.at(-1)
  const within = candidates.filter(({ node }) => contains(range, rangeOf(node)!))
  return within.length === 1 ? within[0] : undefined
}

/** Returns the range of the first candidate, if all candidates are on one line. */
function sameLine(run: ContractRun, candidates: readonly Candidate[]): SourceRange | undefined {
  const ranges = candidates.map((one) => rangeIn(run, one))
  const lines = ranges.map((range) => range && run.model.file(range.file)?.lines?.lineAt(range.start))
  return lines.every((line) => line !== undefined && line === lines[0]) ? ranges[0] : undefined
}

/** Returns the range of a candidate. For an assembly block, returns the range of the last executed instruction. */
function rangeIn(run: ContractRun, { node }: Candidate): SourceRange | undefined {
  const range = rangeOf(node)
  if (node.nodeType !== 'InlineAssembly' || range === undefined) return range
  const last = run.rangeOf(run.last)
  return last !== undefined && contains(range, last) ? last : undefined
}

/** Known traits of a failure, by which the expressions that can cause the failure are found. */
type FailureTraits =
  | { readonly kind: 'reason'; readonly reason: string }
  /** `name` is `undefined` if no ABI has the error. */
  | { readonly kind: 'customError'; readonly name: string | undefined }
  | { readonly kind: 'panic'; readonly code: number }
  | { readonly kind: 'empty' }
  /** Code of solc before 0.8 runs INVALID if a check fails. Newer code runs INVALID only in assembly. */
  | { readonly kind: 'invalid'; readonly isBeforePanics: boolean }

interface Candidate {
  readonly node: AstNode
  readonly function: SourceFunction
}

/** Maximum number of functions to search. If there are more, the result is unknown. */
const MOST_FUNCTIONS = 200

/** Returns the nodes in `running`, its modifiers and callees that may have failed; `undefined` if some are unknown. */
function candidatesIn(
  running: readonly SourceFunction[],
  contract: SourceContract,
  model: SourceModel,
  failing: FailureTraits,
): readonly Candidate[] | undefined {
  const functions = reachedFrom(running, contract, model)
  if (functions === undefined) return undefined
  const found: Candidate[] = []
  for (const one of functions) {
    walk(one.node, (node) => {
      if (canFail(node, failing)) found.push({ node, function: one })
    })
  }
  return found
}

/** Returns `beginning` and all direct and indirect callees in the same contract; `undefined` if some are unknown. */
export function reachedFrom(
  beginning: readonly SourceFunction[],
  contract: SourceContract,
  model: SourceModel,
): ReadonlySet<SourceFunction> | undefined {
  const functions = new Set(beginning)
  let isKnown = true
  for (const current of functions) {
    walk(current.node, (node) => {
      const others = calledBy(node, model, contract)
      if (others === undefined) isKnown = false
      else for (const other of others) functions.add(other)
    })
    if (!isKnown || functions.size > MOST_FUNCTIONS) return undefined
  }
  return functions
}

/** Returns the functions that a node refers to, including modifiers and operators; `undefined` if some are unknown. */
function calledBy(
  node: AstNode,
  model: SourceModel,
  { linearized }: SourceContract,
): readonly SourceFunction[] | undefined {
  // A reference to a virtual function may call any override.
  const named = (wanted: string) =>
    linearized.flatMap(({ functions }) => functions.filter(({ name }) => name !== '' && name === wanted))
  const found = [node.referencedDeclaration, node.function].flatMap((id) => {
    const one = model.functionById(id)
    return one === undefined || one.kind === 'getter' ? [] : [one, ...named(one.name)]
  })
  const expression = node.nodeType === 'FunctionCall' ? nodeIn(node, 'expression') : undefined
  const { typeIdentifier = '' } = (expression?.typeDescriptions ?? {}) as { typeIdentifier?: string }
  if (expression === undefined || !typeIdentifier.startsWith('t_function_internal')) return found
  if (model.functionById(expression.referencedDeclaration) !== undefined) return found
  // The reference is to a function without a body, or to a function variable.
  const overriding = named(textIn(expression, 'name') || textIn(expression, 'memberName'))
  return overriding.length > 0 ? overriding : undefined
}

function canFail(node: AstNode, failing: FailureTraits): boolean {
  // Assembly can fail in any way.
  if (node.nodeType === 'InlineAssembly') return true
  switch (failing.kind) {
    case 'reason':
      return givesReason(node, failing.reason)
    case 'customError':
      return givesError(node, failing.name)
    case 'panic':
      return panics(node, failing.code)
    case 'empty':
      return revertsEmpty(node)
    case 'invalid':
      return failing.isBeforePanics && ONCE_INVALID.some((code) => panics(node, code))
  }
}

/** Returns the name of the called function, such as `require`. */
function calledName(node: AstNode): string | undefined {
  if (node.nodeType !== 'FunctionCall') return undefined
  const expression = nodeIn(node, 'expression')
  return expression?.nodeType === 'Identifier' ? textIn(expression, 'name') : undefined
}

function givesReason(node: AstNode, reason: string): boolean {
  const name = calledName(node)
  const given = nodesIn(node, 'arguments')[name === 'require' ? 1 : 0]
  if ((name !== 'require' && name !== 'revert') || given === undefined) return false
  return given.nodeType !== 'Literal' || textIn(given, 'value') === reason
}

function givesError(node: AstNode, wanted: string | undefined): boolean {
  const call =
    node.nodeType === 'RevertStatement'
      ? nodeIn(node, 'errorCall')
      : calledName(node) === 'require'
        ? nodesIn(node, 'arguments')[1]
        : undefined
  const expression = call?.nodeType === 'FunctionCall' ? nodeIn(call, 'expression') : undefined
  if (expression === undefined) return false
  return wanted === undefined || (textIn(expression, 'name') || textIn(expression, 'memberName')) === wanted
}

/** Codes of panics for which code of solc before 0.8 runs INVALID. That code does not check for overflow. */
const ONCE_INVALID = [0x01, 0x12, 0x21, 0x31, 0x32]

const ARITHMETIC = new Set(['+', '-', '*', '**', '++', '--', '+=', '-=', '*='])

const DIVISION = new Set(['/', '%', '/=', '%='])

function panics(node: AstNode, code: number): boolean {
  const operator = textIn(node, 'operator')
  const name = calledName(node)
  switch (code) {
    case 0x01:
      return name === 'assert'
    case 0x11:
      // Division of the smallest signed integer by -1 overflows.
      return ARITHMETIC.has(operator) || operator.startsWith('/')
    case 0x12:
      return DIVISION.has(operator) || name === 'addmod' || name === 'mulmod'
    case 0x32:
      return node.nodeType === 'IndexAccess'
    case 0x31:
      return node.nodeType === 'MemberAccess' && textIn(node, 'memberName') === 'pop'
    case 0x21:
      return node.nodeType === 'FunctionCall' && textIn(node, 'kind') === 'typeConversion'
    case 0x51:
      return node.nodeType === 'FunctionCall'
    default:
      // Any statement or call may panic because of memory or storage.
      return node.nodeType.endsWith('Statement') || node.nodeType === 'FunctionCall'
  }
}

function revertsEmpty(node: AstNode): boolean {
  if (node.nodeType === 'IndexRangeAccess' || node.nodeType === 'TryStatement') return true
  if (node.nodeType !== 'FunctionCall' || textIn(node, 'kind') !== 'functionCall') return isOfCallData(node)
  const count = nodesIn(node, 'arguments').length
  switch (calledName(node)) {
    case 'require':
      return count === 1
    case 'revert':
      return count === 0
    case undefined:
      // The call is external, an `abi.decode`, or a creation.
      return true
    default:
      return false
  }
}

/** Returns whether the node reads calldata. solc validates calldata only when the code reads it. */
function isOfCallData(node: AstNode): boolean {
  return node.nodeType !== 'VariableDeclaration' && /\bcalldata\b/.test(typeStringOf(node))
}
