/**
 * Finds the variables in scope at a source range, and their places on the stack. solc's legacy code generator keeps
 * this order above a function's entry: return variables, then for each modifier its parameters and its local variables
 * before `_`, then the local variables of the function's open blocks. Parameters are below the return address.
 */

import { oncePer } from '../../model/collections/oncePer.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import { contains, isSameRange, nodeIn, nodesIn, rangeOf, textIn, walk } from '../source/ast.ts'
import type { SourceRange } from '../source/instructions.ts'
import type { SourceContract, SourceFunction, SourceModel } from '../source/sourceModel.ts'

export interface StackType {
  /** The type with its data location, such as `string memory`. */
  readonly label: string
  readonly location: 'memory' | 'calldata' | 'storage' | undefined
  readonly words: number
}

export interface StackVariable {
  readonly declaration: AstNode
  readonly type: StackType
  /** Number of stack words between the function's entry and the variable; negative for parameters. */
  readonly offset: number
}

export interface StackLayout {
  /** The variables in scope. A variable that shadows another comes later. */
  readonly variables: readonly StackVariable[]
  /** Stack words above the function's entry when the statement begins. */
  readonly height: number
  /** The innermost statement around the range; `undefined` outside of the body. */
  readonly statement: AstNode | undefined
  /** Whether the range is a whole statement with inner statements, whose variables may still be on the stack. */
  readonly isCompound: boolean
}

/**
 * Returns the layouts at a range of the function `one`, which is `entered` or one of `modifiers`. A modifier has a
 * layout for each of its applications. Leaves out layouts with a type of unknown size.
 */
export function stackLayoutsAt(
  range: SourceRange,
  one: SourceFunction,
  entered: SourceFunction,
  modifiers: readonly SourceFunction[],
): readonly StackLayout[] {
  const [body, results] = [nodeIn(one.node, 'body'), parametersIn(entered.node, 'returnParameters')]
  const bodyRange = body && rangeOf(body)
  if (body === undefined || bodyRange === undefined) return []
  const scopes = [...modifiers, entered].flatMap((applied, i, all) => {
    if (applied !== one) return []
    const scope = new Scope(range)
    if (one === entered) scope.declareBelow(parametersIn(entered.node, 'parameters'))
    if (one === entered) scope.declare(results)
    else scope.pass(results)
    if (one === entered && !contains(bodyRange, range)) return [scope]
    for (const outer of all.slice(0, i)) scope.passModifier(outer)
    if (one !== entered) scope.declare(parametersIn(one.node, 'parameters'))
    scope.visit(body)
    return [scope]
  })
  return scopes.filter(({ isKnown }) => isKnown)
}

/** Returns the modifiers of a function in the order of application, with overrides in `contract`. */
export function modifiersOf(
  one: SourceFunction,
  contract: SourceContract | undefined,
  model: SourceModel,
): readonly SourceFunction[] {
  const inherited = contract?.linearized.flatMap(({ functions }) => functions) ?? []
  return nodesIn(one.node, 'modifiers').flatMap((invocation) => {
    const path = nodeIn(invocation, 'modifierName')
    if (path === undefined || invocation.kind === 'baseConstructorSpecifier') return []
    const overriding = inherited.find(
      ({ kind, name }) => kind === 'modifier' && name === textIn(path, 'name'),
    )
    const found = overriding ?? model.functionById(path.referencedDeclaration)
    return found?.kind === 'modifier' ? [found] : []
  })
}

export function parametersIn(node: AstNode, member: 'parameters' | 'returnParameters'): readonly AstNode[] {
  const list = nodeIn(node, member)
  return list === undefined ? [] : nodesIn(list, 'parameters')
}

/** Returns a function's parameters or results, which end at stack height `height`; `undefined` if unknown. */
export function variablesBelow(
  one: SourceFunction,
  member: 'parameters' | 'returnParameters',
  height: number,
): readonly StackVariable[] | undefined {
  if (one.kind === 'getter' || one.kind === 'modifier') return undefined
  const scope = new Scope(one.range)
  scope.declareBelow(parametersIn(one.node, member))
  const { variables, isKnown } = scope
  return isKnown && variables.every(({ offset }) => height + offset >= 0) ? variables : undefined
}

class Scope implements StackLayout {
  variables: StackVariable[] = []
  height = 0
  statement: AstNode | undefined
  isCompound = false
  /** Whether all types have a known size. */
  isKnown = true
  readonly #range: SourceRange

  constructor(range: SourceRange) {
    this.#range = range
  }

  declare(declarations: readonly AstNode[]): void {
    for (const declaration of declarations) {
      const type = stackTypeOf(declaration)
      if (type === undefined) this.isKnown = false
      else this.variables.push({ declaration, type, offset: this.height })
      this.height += type?.words ?? 0
    }
  }

  /** Declares parameters, which are below the function's entry on the stack. */
  declareBelow(parameters: readonly AstNode[]): void {
    this.declare(parameters)
    this.variables = this.variables.map((one) => ({ ...one, offset: one.offset - this.height }))
    this.height = 0
  }

  /** Leaves room for variables that are not in scope. */
  pass(declarations: readonly AstNode[]): void {
    const { variables } = this
    this.variables = []
    this.declare(declarations)
    this.variables = variables
  }

  /** Leaves room for the variables of a modifier that are on the stack at its placeholders. */
  passModifier({ node }: SourceFunction): void {
    this.pass(parametersIn(node, 'parameters'))
    const body = nodeIn(node, 'body')
    const inner = placeholdersIn(node).map((range) => {
      const scope = new Scope(range)
      if (body !== undefined) scope.visit(body)
      return scope
    })
    const heights = new Set(inner.map(({ height }) => height))
    if (heights.size !== 1 || inner.some(({ isKnown }) => !isKnown)) this.isKnown = false
    this.height += inner[0]?.height ?? 0
  }

  /** Declares the variables in scope at the range, which is inside `statement`. */
  visit(statement: AstNode): void {
    this.statement = statement
    const own = rangeOf(statement)
    const inner = statementsIn(statement)
    this.isCompound = inner.length > 0 && own !== undefined && isSameRange(own, this.#range)
    if (this.isCompound) return
    if (statement.nodeType === 'TryCatchClause') this.declare(parametersIn(statement, 'parameters'))
    for (const one of inner) {
      const range = rangeOf(one)
      if (range === undefined) continue
      if (contains(range, this.#range)) {
        this.visit(one)
        return
      }
      const isBefore = range.start + range.length <= this.#range.start
      if (isBefore && one.nodeType === 'VariableDeclarationStatement')
        this.declare(nodesIn(one, 'declarations'))
    }
  }
}

function statementsIn(node: AstNode): readonly AstNode[] {
  switch (node.nodeType) {
    case 'Block':
    case 'UncheckedBlock':
      return nodesIn(node, 'statements')
    case 'TryStatement':
      return nodesIn(node, 'clauses')
    default:
      return PARTS.flatMap((name) => nodeIn(node, name) ?? [])
  }
}

/** The members of statements that contain statements, in the order of execution. */
const PARTS = ['initializationExpression', 'block', 'trueBody', 'falseBody', 'loopExpression', 'body']

const placeholdersIn = oncePer((modifier: AstNode): readonly SourceRange[] => {
  const found: SourceRange[] = []
  walk(nodeIn(modifier, 'body'), (node) => {
    const range = node.nodeType === 'PlaceholderStatement' ? rangeOf(node) : undefined
    if (range !== undefined) found.push(range)
  })
  return found
})

/** Returns the type of a declaration; `undefined` if the number of its stack words is unknown. */
const stackTypeOf = oncePer((declaration: AstNode): StackType | undefined => {
  const { typeString, typeIdentifier: id } = (declaration.typeDescriptions ?? {}) as {
    readonly typeString?: string
    readonly typeIdentifier?: string
  }
  if (typeString === undefined || id === undefined) return undefined
  // In some versions of solc, type strings lack the data location.
  const [, location] = /_(memory|calldata|storage)(?:_ptr)?$/.exec(id) ?? []
  const bare = typeString.replace(/ (memory|calldata|storage( pointer| ref)?)$/, '')
  const words = wordsOf(bare, id, location)
  if (words === undefined) return undefined
  const label = location ? `${bare} ${location}` : bare
  return { label, location: location as StackType['location'], words }
})

function wordsOf(bare: string, id: string, location: string | undefined): number | undefined {
  // A dynamic calldata type has two stack words: offset and length.
  if (location === 'calldata') return /^t_(bytes|string)_calldata|\$dyn_calldata(_ptr)?$/.test(id) ? 2 : 1
  if (location !== undefined || /^t_(userDefinedValueType|mapping|function_internal)/.test(id)) return 1
  // A pointer to an external function consists of an address and a selector.
  if (id.startsWith('t_function_external')) return 2
  return /^(u?int\d+|bool|address( payable)?|bytes\d+|(contract|enum) [\w$.]+)$/.test(bare) ? 1 : undefined
}

/** Returns the source ranges in a function that assign a variable after its declaration, by AST id. */
export const assignmentsIn = oncePer((one: AstNode): ReadonlyMap<unknown, readonly SourceRange[]> => {
  const found = new Map<unknown, SourceRange[]>()
  const add = (id: unknown, node: AstNode) => {
    const range = rangeOf(node)
    if (range !== undefined) found.set(id, [...(found.get(id) ?? []), range])
  }
  walk(one, (node) => {
    const target = nodeIn(node, 'leftHandSide') ?? nodeIn(node, 'subExpression')
    if (target !== undefined) {
      for (const part of [target, ...nodesIn(target, 'components')]) add(part.referencedDeclaration, node)
    }
    if (node.nodeType === 'Return') {
      for (const { id } of parametersIn(one, 'returnParameters')) add(id, node)
    }
    if (node.nodeType === 'InlineAssembly' && Array.isArray(node.externalReferences)) {
      for (const { declaration } of node.externalReferences) add(declaration, node)
    }
  })
  return found
})
