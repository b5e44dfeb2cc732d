/**
 * The items of a source file that coverage counts: functions, statements and branches, from its AST. They
 * depend on the text alone, so they are the same in each compilation.
 *
 * Statements are those without nested statements, and the heads of others: conditions of `if` and loops, the
 * call of `try`. Branches are `if` (also without `else`), `? :`, `&&` and `||`, `require`, the clauses of
 * `try`, and `if` and `switch` in assembly. As in forge, `assert` has no branches: its failure is a bug.
 */
import type { AstNode } from '../artifacts/solcJson.ts'
import { nodeIn, nodesIn, rangeOf, textIn } from '../source/ast.ts'
import type { SourceRange } from '../source/instructions.ts'
import type { SourceFile, SourceFunction } from '../source/sourceModel.ts'

/** A statement without nested ones, or the head of one. */
export interface StatementItem {
  readonly range: SourceRange
  /** Whether nothing behind it in its block can run. */
  readonly isEnd: boolean
  readonly branches: readonly BranchItem[]
}

type BranchKind = 'if' | 'cond-expr' | 'binary-expr' | 'require' | 'try' | 'switch'

export interface BranchItem {
  readonly kind: BranchKind
  readonly range: SourceRange
  /**
   * The range of each path. `if` and `cond-expr`: true and false; `undefined` for a missing `else`.
   * `require`: failed and held, without ranges. `binary-expr`: each operand.
   */
  readonly paths: readonly (SourceRange | undefined)[]
}

/** A part of a block, in order of execution. */
export type Step =
  | { readonly kind: 'statement'; readonly statement: StatementItem }
  /** `paths[i]` are the steps of the branch's path `i`. */
  | { readonly kind: 'branch'; readonly branch: BranchItem; readonly paths: readonly (readonly Step[])[] }
  /** The body runs any number of times. */
  | { readonly kind: 'loop'; readonly condition: StatementItem | undefined; readonly body: readonly Step[] }
  /** `statement` is the whole block, which counts if its steps have no ranges. */
  | { readonly kind: 'assembly'; readonly statement: StatementItem; readonly steps: readonly Step[] }
  /** A function that runs when called. */
  | { readonly kind: 'function'; readonly function: FunctionItem }

export interface FunctionItem {
  readonly name: string
  /** The whole function, and the part before its body. */
  readonly range: SourceRange
  readonly head: SourceRange
  readonly steps: readonly Step[]
  readonly isYul: boolean
}

/** Returns the functions of a file that have a body. */
export function itemsOf(file: SourceFile): readonly FunctionItem[] {
  return file.functions.flatMap((one) => functionItem(one) ?? [])
}

const NAMES = new Map([
  ['constructor', 'constructor'],
  ['fallback', 'fallback'],
  ['receive', 'receive'],
])

/** Empty constructors, `fallback` and `receive` functions leave no trace in code. */
function functionItem({ kind, name, contract, node, range }: SourceFunction): FunctionItem | undefined {
  const body = nodeIn(node, 'body')
  const place = body && rangeOf(body)
  if (body === undefined || place === undefined || kind === 'getter') return undefined
  const steps = stepsOf(body)
  if (steps.length === 0 && NAMES.has(kind) && nodesIn(node, 'modifiers').length === 0) return undefined
  const own = NAMES.get(kind) ?? name
  return functionOf(contract === undefined ? own : `${contract.name}.${own}`, range, place, steps)
}

function functionOf(
  name: string,
  range: SourceRange,
  body: SourceRange,
  steps: readonly Step[],
  isYul = false,
): FunctionItem {
  return { name, range, head: { ...range, length: body.start - range.start }, steps, isYul }
}

function stepsOf(node: AstNode): Step[] {
  switch (node.nodeType) {
    case 'Block':
    case 'UncheckedBlock':
    case 'YulBlock':
      return nodesIn(node, 'statements').flatMap(stepsOf)
    case 'InlineAssembly': {
      // Assembly has an AST since solc 0.6.0.
      const block = nodeIn(node, 'AST')
      if (block === undefined) return statement(node)
      const steps = stepsOf(block)
      const whole = statement(node)[0]
      if (whole?.kind !== 'statement' || steps.length === 0) return []
      return [{ kind: 'assembly', statement: whole.statement, steps }]
    }
    case 'IfStatement':
      return ifSteps(node, nodeIn(node, 'trueBody'), nodeIn(node, 'falseBody'))
    case 'YulIf':
      return ifSteps(node, nodeIn(node, 'body'), undefined)
    case 'ForStatement':
      return loopSteps([nodeIn(node, 'initializationExpression')], nodeIn(node, 'condition'), [
        nodeIn(node, 'body'),
        nodeIn(node, 'loopExpression'),
      ])
    case 'YulForLoop':
      return loopSteps([nodeIn(node, 'pre')], nodeIn(node, 'condition'), [
        nodeIn(node, 'body'),
        nodeIn(node, 'post'),
      ])
    case 'WhileStatement':
      return loopSteps([], nodeIn(node, 'condition'), [nodeIn(node, 'body')])
    case 'DoWhileStatement':
      // The first iteration does not depend on the condition.
      return [...loopSteps([], undefined, [nodeIn(node, 'body')]), ...statements(nodeIn(node, 'condition'))]
    case 'TryStatement':
      return trySteps(node)
    case 'YulSwitch':
      return switchSteps(node)
    case 'YulFunctionDefinition': {
      const body = nodeIn(node, 'body')
      const [range, place] = [rangeOf(node), body && rangeOf(body)]
      if (body === undefined || range === undefined || place === undefined) return []
      return [
        { kind: 'function', function: functionOf(textIn(node, 'name'), range, place, stepsOf(body), true) },
      ]
    }
    case 'PlaceholderStatement':
      return []
    default:
      return statement(node)
  }
}

const ENDS: ReadonlySet<string> = new Set([
  ...['Return', 'RevertStatement', 'Throw', 'Break', 'Continue'],
  ...['YulLeave', 'YulBreak', 'YulContinue'],
])

function statement(node: AstNode): Step[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const isEnd = ENDS.has(node.nodeType) || isRevert(node)
  return [{ kind: 'statement', statement: { range, isEnd, branches: branchesIn(node) } }]
}

function statements(node: AstNode | undefined): Step[] {
  return node === undefined ? [] : statement(node)
}

function isRevert(node: AstNode): boolean {
  const call = node.nodeType === 'ExpressionStatement' ? nodeIn(node, 'expression') : undefined
  const called = call && nodeIn(call, 'expression')
  return called !== undefined && textIn(called, 'name') === 'revert'
}

function ifSteps(node: AstNode, trueBody: AstNode | undefined, falseBody: AstNode | undefined): Step[] {
  const range = rangeOf(node)
  if (range === undefined || trueBody === undefined) return []
  const branch: BranchItem = {
    kind: 'if',
    range,
    paths: [rangeOf(trueBody), falseBody && rangeOf(falseBody)],
  }
  const [yes, no] = [stepsOf(trueBody), falseBody === undefined ? [] : stepsOf(falseBody)]
  const head = statements(nodeIn(node, 'condition'))
  // With two empty paths, code does not show the outcome.
  return yes.length + no.length === 0 ? head : [...head, { kind: 'branch', branch, paths: [yes, no] }]
}

function loopSteps(
  before: readonly (AstNode | undefined)[],
  condition: AstNode | undefined,
  body: readonly (AstNode | undefined)[],
): Step[] {
  const parts = (nodes: readonly (AstNode | undefined)[]) =>
    nodes.flatMap((node) => (node === undefined ? [] : stepsOf(node)))
  const heads = statements(condition)
  const head = heads[0]?.kind === 'statement' ? heads[0].statement : undefined
  return [...parts(before), ...heads, { kind: 'loop', condition: head, body: parts(body) }]
}

function trySteps(node: AstNode): Step[] {
  const range = rangeOf(node)
  const clauses = nodesIn(node, 'clauses').flatMap((clause) => nodeIn(clause, 'block') ?? [])
  // Empty clauses have no code.
  const filled = clauses.filter((block) => nodesIn(block, 'statements').length > 0)
  const call = statements(nodeIn(node, 'externalCall'))
  if (range === undefined || filled.length === 0) return call
  const branch: BranchItem = { kind: 'try', range, paths: filled.map(rangeOf) }
  return [...call, { kind: 'branch', branch, paths: filled.map(stepsOf) }]
}

function switchSteps(node: AstNode): Step[] {
  const range = rangeOf(node)
  const bodies = nodesIn(node, 'cases').flatMap((one) => nodeIn(one, 'body') ?? [])
  const filled = bodies.filter((body) => nodesIn(body, 'statements').length > 0)
  const head = statements(nodeIn(node, 'expression'))
  if (range === undefined || filled.length === 0) return head
  const branch: BranchItem = { kind: 'switch', range, paths: filled.map(rangeOf) }
  return [...head, { kind: 'branch', branch, paths: filled.map(stepsOf) }]
}

/** Returns the branches in a statement's expressions, outer ones first. */
function branchesIn(node: AstNode): BranchItem[] {
  const own = branchOf(node)
  return [...(own ?? []), ...childrenOf(node).flatMap(branchesIn)]
}

function branchOf(node: AstNode): BranchItem[] | undefined {
  const range = rangeOf(node)
  if (range === undefined) return undefined
  switch (node.nodeType) {
    case 'Conditional': {
      const paths = ['trueExpression', 'falseExpression'].map((name) => nodeIn(node, name))
      return [{ kind: 'cond-expr', range, paths: paths.map((path) => path && rangeOf(path)) }]
    }
    case 'BinaryOperation': {
      const operator = textIn(node, 'operator')
      if (operator !== '&&' && operator !== '||') return undefined
      return [{ kind: 'binary-expr', range, paths: operandsOf(node, operator).map(rangeOf) }]
    }
    case 'FunctionCall': {
      const called = nodeIn(node, 'expression')
      const isRequire = called?.nodeType === 'Identifier' && textIn(called, 'name') === 'require'
      return isRequire ? [{ kind: 'require', range, paths: [undefined, undefined] }] : undefined
    }
    default:
      return undefined
  }
}

/** Returns the operands of `a && b && c`, flattened. */
function operandsOf(node: AstNode, operator: string): AstNode[] {
  if (node.nodeType !== 'BinaryOperation' || textIn(node, 'operator') !== operator) return [node]
  const [left, right] = [nodeIn(node, 'leftExpression'), nodeIn(node, 'rightExpression')]
  return [...(left === undefined ? [] : operandsOf(left, operator)), ...(right === undefined ? [] : [right])]
}

/** Returns the nodes with expressions of `node`; for a chained operation its operands. */
function childrenOf(node: AstNode): AstNode[] {
  const operator = node.nodeType === 'BinaryOperation' ? textIn(node, 'operator') : ''
  if (operator === '&&' || operator === '||') return operandsOf(node, operator)
  return Object.keys(node).flatMap((name) => {
    if (name === 'typeDescriptions') return []
    const one = nodeIn(node, name)
    return one === undefined ? nodesIn(node, name) : [one]
  })
}
