import { oncePer } from '../../model/collections/oncePer.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import { nodeIn, nodesIn, rangeOf, textIn, walk } from '../source/ast.ts'
import type { SourceRange } from '../source/instructions.ts'
import type { SourceModel } from '../source/sourceModel.ts'

const TYPES: ReadonlySet<string> = new Set([
  'EnumDefinition',
  'StructDefinition',
  'UserDefinedValueTypeDefinition',
])

/** Returns the enums, structs and user-defined value types of a compilation by AST id. Searches the ASTs only once. */
export const declaredTypes = oncePer((model: SourceModel): ReadonlyMap<number, AstNode> => {
  const tops = [...model.files].flatMap(({ ast }) => (ast === undefined ? [] : nodesIn(ast, 'nodes')))
  const all = [...tops, ...tops.flatMap((top) => nodesIn(top, 'nodes'))]
  return new Map(all.filter(({ nodeType }) => TYPES.has(nodeType)).map((node) => [node.id, node]))
})

/** The variable or struct member that an expression loads or stores. */
export interface AccessTarget {
  readonly declaration: number
  readonly isOnlyWritten: boolean
}

/** Returns the variable or member that the expression with exactly this range accesses, if any. */
export function accessAt(model: SourceModel, range: SourceRange): AccessTarget | undefined {
  const ast = model.file(range.file)?.ast
  const node = ast && expressionsIn(ast).get(keyOf(range))
  const accessed = node && (nodeIn(node, ACCESSED[node.nodeType] ?? '') ?? node)
  const declaration = accessed?.referencedDeclaration
  if (node === undefined || typeof declaration !== 'number') return undefined
  return { declaration, isOnlyWritten: ['=', 'delete'].includes(textIn(node, 'operator')) }
}

/** Names, by node type, the child node that is the accessed variable; empty if the node itself is the variable. */
const ACCESSED: Readonly<Record<string, string>> = {
  Assignment: 'leftHandSide',
  UnaryOperation: 'subExpression',
  Identifier: '',
  MemberAccess: '',
}

/** The expressions in an AST by range. If several have the same range, only the outermost is kept. */
const expressionsIn = oncePer((ast: AstNode): ReadonlyMap<string, AstNode> => {
  const found = new Map<string, AstNode>()
  walk(ast, (node) => {
    const range = node.nodeType in ACCESSED ? rangeOf(node) : undefined
    if (range !== undefined && !found.has(keyOf(range))) found.set(keyOf(range), node)
  })
  return found
})

export interface LocalDeclaration {
  readonly node: AstNode
  readonly range: SourceRange
  /** The declaration statement, if the declaration has an initial value. */
  readonly statement: SourceRange | undefined
}

/** Returns the local or return variable declared at exactly this range. */
export function localAt(model: SourceModel, range: SourceRange): LocalDeclaration | undefined {
  const ast = model.file(range.file)?.ast
  return ast && localsIn(ast).get(keyOf(range))
}

const localsIn = oncePer((ast: AstNode): ReadonlyMap<string, LocalDeclaration> => {
  const found = new Map<string, LocalDeclaration>()
  const add = (nodes: readonly AstNode[], statement: SourceRange | undefined) => {
    for (const node of nodes) {
      const range = rangeOf(node)
      if (range !== undefined) found.set(keyOf(range), { node, range, statement })
    }
  }
  walk(ast, (node) => {
    if (node.nodeType === 'VariableDeclarationStatement') {
      add(nodesIn(node, 'declarations'), nodeIn(node, 'initialValue') && rangeOf(node))
    } else if (node.nodeType === 'FunctionDefinition') {
      const list = nodeIn(node, 'returnParameters')
      if (list !== undefined) add(nodesIn(list, 'parameters'), undefined)
    }
  })
  return found
})

function keyOf({ start, length }: SourceRange): string {
  return `${start}:${length}`
}
