/**
 * The items that coverage counts in a source file: functions, statements and branches in its AST. Items depend only on
 * the source text, so they are the same in each compilation. A statement that contains statements is counted by its
 * head, such as the condition of an `if`. Branches are `if` (also without `else`), `? :`, `&&` and `||`, `require`, the
 * clauses of `try`, and `if` and `switch` in assembly. `assert` has no branches, as in forge.
 */
import type { AstNode } from '../artifacts/solcJson.ts'
import { nodeIn, nodesIn, rangeOf, textIn } from '../source/ast.ts'
import type { SourceRange } from '../source/instructions.ts'
import { nameOfFunction, type SourceFile, type SourceFunction } from '../source/sourceModel.ts'

/** A statement without nested statements, or the head of a statement. */
export interface StatementItem {
  readonly range: SourceRange
  /** Whether the statement leaves its block, as `return` does. */
  readonly isEnd: boolean
  readonly branches: readonly BranchItem[]
}

type BranchKind = 'if' | 'cond-expr' | 'binary-expr' | 'require' | 'try' | 'switch'

export interface BranchItem {
  readonly kind: BranchKind
  readonly range: SourceRange
  /**
   * The range of each path: for `if` and `cond-expr` the true, then the false path (`undefined` if `else` is missing);
   * for `binary-expr` each operand; for `require` the failed, then the passed path, neither of which has a range.
   */
  readonly paths: readonly (SourceRange | undefined)[]
}

export type Step =
  | { readonly kind: 'statement'; readonly statement: StatementItem; readonly blocks: readonly [] }
  /** `blocks[i]` has the steps of path `i`. */
  | { readonly kind: 'branch'; readonly branch: BranchItem; readonly blocks: readonly Block[] }
  | { readonly kind: 'loop'; readonly blocks: readonly [body: Block] }
  /** `statement` is the whole assembly block, which is counted if the steps in it have no source ranges. */
  | { readonly kind: 'assembly'; readonly statement: StatementItem; readonly blocks: readonly [steps: Block] }
  /** A Yul function, which runs only when called. */
  | { readonly kind: 'function'; readonly function: FunctionItem; readonly blocks: readonly [body: Block] }

type Block = readonly Step[]

/** Yields steps and their nested steps, outer ones first. */
export function* allSteps(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step
    for (const block of step.blocks) yield* allSteps(block)
  }
}

export interface FunctionItem {
  readonly name: string
  /** The range of the whole function. `head` is the part of the range before the function's body. */
  readonly range: SourceRange
  readonly head: SourceRange
  readonly steps: readonly Step[]
  readonly isYul: boolean
}

export function itemsOf(file: SourceFile): readonly FunctionItem[] {
  return file.functions.flatMap((one) => (one.kind === 'getter' ? [] : functionItem(one)))
}

function functionItem({ kind, name, contract, node }: SourceFunction): readonly FunctionItem[] {
  const own = nameOfFunction({ kind, name })
  return functionOf(node, contract === undefined ? own : `${contract.name}.${own}`).filter(
    // The compiler removes empty constructors, `fallback` and `receive` functions.
    ({ steps }) => steps.length > 0 || name !== '' || nodesIn(node, 'modifiers').length > 0,
  )
}

function functionOf(node: AstNode, name: string, isYul = false): readonly FunctionItem[] {
  const body = nodeIn(node, 'body')
  const range = rangeOf(node)
  const place = body && rangeOf(body)
  if (range === undefined || place === undefined) return []
  const head = { ...range, length: place.start - range.start }
  return [{ name, range, head, steps: stepsOf(body), isYul }]
}

/** Members of loop nodes in the AST. `before` runs once before the condition; `body` repeats. */
const LOOPS: Readonly<Record<string, { readonly before?: string; readonly body: readonly string[] }>> = {
  ForStatement: { before: 'initializationExpression', body: ['body', 'loopExpression'] },
  YulForLoop: { before: 'pre', body: ['body', 'post'] },
  WhileStatement: { body: ['body'] },
}

function stepsOf(node: AstNode | undefined): Step[] {
  if (node === undefined) return []
  const inside = (name: string) => stepsOf(nodeIn(node, name))
  const head = (name: string) => statement(nodeIn(node, name))
  const loop = LOOPS[node.nodeType]
  if (loop !== undefined) {
    const before = loop.before === undefined ? [] : inside(loop.before)
    return [...before, ...head('condition'), { kind: 'loop', blocks: [loop.body.flatMap(inside)] }]
  }
  switch (node.nodeType) {
    case 'Block':
    case 'UncheckedBlock':
    case 'YulBlock':
      return nodesIn(node, 'statements').flatMap(stepsOf)
    case 'InlineAssembly': {
      // Assembly has an AST since solc 0.6.0.
      if (nodeIn(node, 'AST') === undefined) return statement(node)
      const steps = inside('AST')
      const [whole] = statement(node)
      if (whole === undefined || steps.length === 0) return []
      return [{ kind: 'assembly', statement: whole.statement, blocks: [steps] }]
    }
    case 'IfStatement':
      return [
        ...head('condition'),
        ...branch(
          node,
          'if',
          ['trueBody', 'falseBody'].map((name) => nodeIn(node, name)),
        ),
      ]
    case 'YulIf':
      return [...head('condition'), ...branch(node, 'if', [nodeIn(node, 'body'), undefined])]
    case 'DoWhileStatement':
      // The body of `do … while` runs once before the condition.
      return [{ kind: 'loop', blocks: [inside('body')] }, ...head('condition')]
    case 'TryStatement':
      return [...head('externalCall'), ...branch(node, 'try', filled(node, 'clauses', 'block'))]
    case 'YulSwitch':
      return [...head('expression'), ...branch(node, 'switch', filled(node, 'cases', 'body'))]
    case 'YulFunctionDefinition':
      return functionOf(node, textIn(node, 'name'), true).map((one) => ({
        kind: 'function',
        function: one,
        blocks: [one.steps],
      }))
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

function statement(node: AstNode | undefined): Extract<Step, { kind: 'statement' }>[] {
  const range = node && rangeOf(node)
  if (range === undefined) return []
  const isEnd = ENDS.has(node!.nodeType) || isRevert(node!)
  return [{ kind: 'statement', statement: { range, isEnd, branches: branchesIn(node!) }, blocks: [] }]
}

function isRevert(node: AstNode): boolean {
  const call = node.nodeType === 'ExpressionStatement' ? nodeIn(node, 'expression') : undefined
  const called = call && nodeIn(call, 'expression')
  return called !== undefined && textIn(called, 'name') === 'revert'
}

/** Returns the bodies of clauses, except empty ones, which have no code. */
function filled(node: AstNode, clauses: string, body: string): readonly AstNode[] {
  const bodies = nodesIn(node, clauses).flatMap((clause) => nodeIn(clause, body) ?? [])
  return bodies.filter((one) => nodesIn(one, 'statements').length > 0)
}

function branch(node: AstNode, kind: BranchKind, bodies: readonly (AstNode | undefined)[]): Step[] {
  const range = rangeOf(node)
  const blocks = bodies.map(stepsOf)
  // The bytecode does not show which path of an `if` ran if all paths are empty.
  const isShown = kind === 'if' ? blocks.flat().length > 0 : blocks.length > 0
  if (range === undefined || !isShown) return []
  const paths = bodies.map((body) => body && rangeOf(body))
  return [{ kind: 'branch', branch: { kind, range, paths }, blocks }]
}

/** Returns the branches in a statement's expressions, outer ones first. */
function branchesIn(node: AstNode): BranchItem[] {
  const own = branchOf(node)
  return [...(own === undefined ? [] : [own]), ...childrenOf(node).flatMap(branchesIn)]
}

function branchOf(node: AstNode): BranchItem | undefined {
  const range = rangeOf(node)
  if (range === undefined) return undefined
  switch (node.nodeType) {
    case 'Conditional': {
      const paths = ['trueExpression', 'falseExpression'].map((name) => nodeIn(node, name))
      return { kind: 'cond-expr', range, paths: paths.map((path) => path && rangeOf(path)) }
    }
    case 'BinaryOperation': {
      const operands = operandsOf(node)
      return operands && { kind: 'binary-expr', range, paths: operands.map(rangeOf) }
    }
    case 'FunctionCall': {
      const called = nodeIn(node, 'expression')
      const isRequire = called?.nodeType === 'Identifier' && textIn(called, 'name') === 'require'
      return isRequire ? { kind: 'require', range, paths: [undefined, undefined] } : undefined
    }
    default:
      return undefined
  }
}

/** Returns the operands of a chain such as `a && b && c` or `a || b`; `undefined` for other nodes. */
function operandsOf(node: AstNode): AstNode[] | undefined {
  const operator = node.nodeType === 'BinaryOperation' ? textIn(node, 'operator') : ''
  if (operator !== '&&' && operator !== '||') return undefined
  const [left, right] = [nodeIn(node, 'leftExpression'), nodeIn(node, 'rightExpression')]
  const isChain = left !== undefined && textIn(left, 'operator') === operator
  const first = isChain ? operandsOf(left) : left
  return [first ?? [], right ?? []].flat()
}

/** Returns the child nodes; for a chain of `&&` or `||`, the operands. */
function childrenOf(node: AstNode): AstNode[] {
  const names = Object.keys(node).filter((name) => name !== 'typeDescriptions')
  return operandsOf(node) ?? names.flatMap((name) => nodeIn(node, name) ?? nodesIn(node, name))
}
