/**
 * Which expressions and statements of a function can have failed in the way it did. Of optimized code the source map alone is no
 * proof: equal pieces of code from different lines become one, which comes from the first of them.
 */
import type { AstNode } from '../artifacts/solcJson.ts'
import { nodeIn, nodesIn, textIn } from '../source/selectors.ts'
import type { SourceContract, SourceFunction, SourceModel } from '../source/sourceModel.ts'

/** How code failed, as far as expressions tell. */
export type Failing =
  | { readonly kind: 'reason'; readonly reason: string }
  /** `name`: of the error; `undefined` where no ABI has it. */
  | { readonly kind: 'customError'; readonly name: string | undefined }
  | { readonly kind: 'panic'; readonly code: number }
  | { readonly kind: 'empty' }
  /** An invalid instruction: what panics since solc 0.8; since then only assembly has it. */
  | { readonly kind: 'invalid'; readonly isBeforePanics: boolean }

/** A part of a function that can have failed. */
export interface Candidate {
  readonly node: AstNode
  readonly function: SourceFunction
}

/** The number of functions that are looked at: what calls more is not decided. */
const MOST_FUNCTIONS = 200

/**
 * Returns what can have failed in `running` (of a creation, in all its constructors), in modifiers, and in functions that may
 * have become a part of it, when `contract` runs; `undefined` where that is not known.
 */
export function candidatesIn(
  running: readonly SourceFunction[],
  contract: SourceContract,
  model: SourceModel,
  failing: Failing,
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

/** Returns functions and all that they call in the same contract; `undefined` where that is not known. */
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

/** Calls `visit` with a node and all below it. */
function walk(node: AstNode, visit: (node: AstNode) => void): void {
  visit(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'nodeType' in child) walk(child as AstNode, visit)
    }
  }
}

const byIds = new WeakMap<SourceModel, ReadonlyMap<number, SourceFunction>>()

function functionsById(model: SourceModel): ReadonlyMap<number, SourceFunction> {
  let byId = byIds.get(model)
  if (byId === undefined) {
    const functions = [...model.files].flatMap((file) => file.functions)
    byId = new Map(functions.map((one) => [one.node.id, one]))
    byIds.set(model, byId)
  }
  return byId
}

/** The functions that a node refers to: by a call, a modifier, an operator, or as a value; `undefined`: it is not known. */
function calledBy(
  node: AstNode,
  model: SourceModel,
  { linearized }: SourceContract,
): readonly SourceFunction[] | undefined {
  const byId = functionsById(model)
  // One that is virtual stands for those that override it.
  const named = (wanted: string) =>
    linearized.flatMap(({ functions }) => functions.filter(({ name }) => name !== '' && name === wanted))
  const found = [node.referencedDeclaration, node.function].flatMap((id) => {
    const one = typeof id === 'number' ? byId.get(id) : undefined
    return one === undefined || one.kind === 'getter' ? [] : [one, ...named(one.name)]
  })
  const expression = node.nodeType === 'FunctionCall' ? nodeIn(node, 'expression') : undefined
  const { typeIdentifier = '' } = (expression?.typeDescriptions ?? {}) as { typeIdentifier?: string }
  if (expression === undefined || !typeIdentifier.startsWith('t_function_internal')) return found
  if (byId.has(expression.referencedDeclaration as number)) return found
  // One without a body, or a variable that holds a function.
  const overriding = named(textIn(expression, 'name') || textIn(expression, 'memberName'))
  return overriding.length > 0 ? overriding : undefined
}

function canFail(node: AstNode, failing: Failing): boolean {
  // Anything can be written there.
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

/** The function that is called by its own name, such as `require`. */
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

/** The panics that were invalid instructions: overflow was none. */
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
      // The smallest signed integer divided by -1 is too large as well.
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
      // Memory and storage are used everywhere.
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
      // A call of another contract, `abi.decode`, a creation.
      return true
    default:
      return false
  }
}

/** Whether data of the call are read, which are checked only then. */
function isOfCallData(node: AstNode): boolean {
  const { typeString = '' } = (node.typeDescriptions ?? {}) as { readonly typeString?: string }
  return node.nodeType !== 'VariableDeclaration' && /\bcalldata\b/.test(typeString)
}
