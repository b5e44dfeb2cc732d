/** AST declarations by id, and expressions by source range. */
import type { AstNode } from '../artifacts/solcJson.ts'
import { nodeIn, nodesIn, rangeOf, textIn, walk } from '../source/ast.ts'
import type { SourceRange } from '../source/instructions.ts'
import type { SourceFile, SourceFunction, SourceModel } from '../source/sourceModel.ts'

/** The declarations of a compilation, indexed on demand. */
export class Declarations {
  readonly #model: SourceModel
  /** Enums, structs and user-defined value types. */
  #types: ReadonlyMap<number, AstNode> | undefined
  #functions: ReadonlyMap<number, SourceFunction> | undefined
  readonly #expressions = new Map<number, ReadonlyMap<string, AstNode>>()
  readonly #locals = new Map<number, ReadonlyMap<string, LocalDeclaration>>()

  constructor(model: SourceModel) {
    this.#model = model
  }

  type(id: number): AstNode | undefined {
    this.#types ??= new Map([...this.#model.files].flatMap(typesIn))
    return this.#types.get(id)
  }

  function(id: number): SourceFunction | undefined {
    this.#functions ??= new Map(
      [...this.#model.files].flatMap(({ functions }) => functions.map((one) => [one.node.id, one] as const)),
    )
    return this.#functions.get(id)
  }

  /** Returns the expression with exactly this range; of nested ones the outermost. */
  expressionAt(range: SourceRange): AstNode | undefined {
    return this.#at(range, this.#expressions, expressionsIn)
  }

  /** Returns the local or return variable declared at exactly this range. */
  localAt(range: SourceRange): LocalDeclaration | undefined {
    return this.#at(range, this.#locals, localsIn)
  }

  /** Searches each file once. */
  #at<T>(
    { file, start, length }: SourceRange,
    files: Map<number, ReadonlyMap<string, T>>,
    find: (ast: AstNode | undefined) => ReadonlyMap<string, T>,
  ): T | undefined {
    let known = files.get(file)
    if (known === undefined) {
      known = find(this.#model.file(file)?.ast)
      files.set(file, known)
    }
    return known.get(`${start}:${length}`)
  }
}

export interface LocalDeclaration {
  readonly node: AstNode
  readonly range: SourceRange
  /** The declaring statement, if it has an initial value. */
  readonly statement: SourceRange | undefined
}

const models = new WeakMap<SourceModel, Declarations>()

export function declarationsOf(model: SourceModel): Declarations {
  let declarations = models.get(model)
  if (declarations === undefined) {
    declarations = new Declarations(model)
    models.set(model, declarations)
  }
  return declarations
}

const TYPES: ReadonlySet<string> = new Set([
  'EnumDefinition',
  'StructDefinition',
  'UserDefinedValueTypeDefinition',
])

function typesIn({ ast }: SourceFile): [number, AstNode][] {
  if (ast === undefined) return []
  const tops = nodesIn(ast, 'nodes')
  const all = [...tops, ...tops.flatMap((top) => nodesIn(top, 'nodes'))]
  return all.filter(({ nodeType }) => TYPES.has(nodeType)).map((node) => [node.id, node])
}

function expressionsIn(ast: AstNode | undefined): ReadonlyMap<string, AstNode> {
  const found = new Map<string, AstNode>()
  walk(ast, (node) => {
    if (!EXPRESSIONS.has(node.nodeType)) return
    const [start, length] = node.src.split(':')
    const key = `${start}:${length}`
    if (!found.has(key)) found.set(key, node)
  })
  return found
}

function localsIn(ast: AstNode | undefined): ReadonlyMap<string, LocalDeclaration> {
  const found = new Map<string, LocalDeclaration>()
  const add = (nodes: readonly AstNode[], statement: SourceRange | undefined) => {
    for (const node of nodes) {
      const range = rangeOf(node)
      if (range !== undefined) found.set(`${range.start}:${range.length}`, { node, range, statement })
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
}

const EXPRESSIONS: ReadonlySet<string> = new Set([
  'Assignment',
  'Identifier',
  'MemberAccess',
  'UnaryOperation',
])

/** The variable or struct member that an expression loads or stores. */
export interface AccessTarget {
  /** The declaration's id. */
  readonly declaration: number
  /** Whether the expression assigns the variable or member without reading it. */
  readonly isOnlyWritten: boolean
}

/** Returns the target of `node`; `undefined` unless it is one variable or member. */
export function accessTarget(node: AstNode): AccessTarget | undefined {
  if (node.nodeType === 'Assignment') return targetIn(node, 'leftHandSide', textIn(node, 'operator') === '=')
  if (node.nodeType === 'UnaryOperation') {
    return targetIn(node, 'subExpression', textIn(node, 'operator') === 'delete')
  }
  return declarationIn(node, false)
}

function targetIn(node: AstNode, member: string, isOnlyWritten: boolean): AccessTarget | undefined {
  const inner = nodeIn(node, member)
  return inner && declarationIn(inner, isOnlyWritten)
}

function declarationIn(node: AstNode, isOnlyWritten: boolean): AccessTarget | undefined {
  const { referencedDeclaration: id } = node
  return typeof id === 'number' ? { declaration: id, isOnlyWritten } : undefined
}
