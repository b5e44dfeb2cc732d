/** Declarations in syntax trees by their ids, and expressions by the range at which they stand. */
import type { AstNode } from '../artifacts/solcJson.ts'
import { nodeIn, nodesIn, rangeOf, textIn, walk } from '../source/ast.ts'
import type { SourceRange } from '../source/instructions.ts'
import type { SourceFile, SourceFunction, SourceModel } from '../source/sourceModel.ts'

/** What sources declare, looked up as it is needed. */
export class Declarations {
  readonly #model: SourceModel
  /** Enums, structs and value types of users; those of contracts too. */
  #types: ReadonlyMap<number, AstNode> | undefined
  #functions: ReadonlyMap<number, SourceFunction> | undefined
  readonly #expressions = new Map<number, ReadonlyMap<string, AstNode>>()
  readonly #locals = new Map<number, ReadonlyMap<string, LocalDeclaration>>()

  constructor(model: SourceModel) {
    this.#model = model
  }

  /** Returns the enum, struct or value type with that id. */
  type(id: number): AstNode | undefined {
    this.#types ??= new Map([...this.#model.files].flatMap(typesIn))
    return this.#types.get(id)
  }

  /** Returns the function, modifier or constructor with that id. */
  function(id: number): SourceFunction | undefined {
    this.#functions ??= new Map(
      [...this.#model.files].flatMap(({ functions }) => functions.map((one) => [one.node.id, one] as const)),
    )
    return this.#functions.get(id)
  }

  /** Returns the expression that stands at exactly this range: of nested ones with the same range the outermost. */
  expressionAt(range: SourceRange): AstNode | undefined {
    return this.#at(range, this.#expressions, expressionsIn)
  }

  /** Returns the local variable, or the value that a function returns, which is declared at exactly this range. */
  localAt(range: SourceRange): LocalDeclaration | undefined {
    return this.#at(range, this.#locals, localsIn)
  }

  /** Returns what `find` finds in a file at exactly this range; each file is searched once. */
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

/** A parameter or local variable. */
export interface LocalDeclaration {
  readonly node: AstNode
  readonly range: SourceRange
  /** The statement that declares it and gives it its first value; `undefined`: it has none of its own. */
  readonly statement: SourceRange | undefined
}

const models = new WeakMap<SourceModel, Declarations>()

/** Returns the declarations of `model`, made at the first call. */
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

/** The variable or member that an expression at the place of a load or store means. */
export interface Meant {
  /** The id of its declaration. */
  readonly declaration: number
  /** Whether the source gives it a value without reading it. */
  readonly isOnlyWritten: boolean
}

/** Returns what the expression means; `undefined` where it is not one variable or member. */
export function meantBy(node: AstNode): Meant | undefined {
  if (node.nodeType === 'Assignment') return target(node, 'leftHandSide', textIn(node, 'operator') === '=')
  if (node.nodeType === 'UnaryOperation') {
    return target(node, 'subExpression', textIn(node, 'operator') === 'delete')
  }
  return declarationIn(node, false)
}

function target(node: AstNode, member: string, isOnlyWritten: boolean): Meant | undefined {
  const inner = nodeIn(node, member)
  return inner && declarationIn(inner, isOnlyWritten)
}

function declarationIn(node: AstNode, isOnlyWritten: boolean): Meant | undefined {
  const { referencedDeclaration: id } = node
  return typeof id === 'number' ? { declaration: id, isOnlyWritten } : undefined
}
