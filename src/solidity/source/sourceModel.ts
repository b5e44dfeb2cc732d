/** Files, contracts and functions of a compilation, from the top-level nodes of the ASTs. */
import type { Compilation, CompiledContract } from '../artifacts/compilation.ts'
import type { AstNode, SolcOutput } from '../artifacts/solcJson.ts'
import { contains, nodeIn, nodesIn, rangeOf, textIn } from './ast.ts'
import type { SourceRange } from './instructions.ts'
import { functionsBySelector } from './selectors.ts'
import { LineIndex } from './sourceMap.ts'

export type FunctionKind =
  | 'function'
  | 'constructor'
  | 'fallback'
  | 'receive'
  | 'modifier'
  /** The getter of a public variable; its range is the variable's. */
  | 'getter'
  | 'freeFunction'

/** A function with a body, a modifier, or a getter. */
export interface SourceFunction {
  readonly kind: FunctionKind
  /** Empty for constructors, `fallback` and `receive`. */
  readonly name: string
  /** `undefined` for free functions. */
  readonly contract: SourceContract | undefined
  readonly file: SourceFile
  readonly range: SourceRange
  readonly isPayable: boolean
  /** Whether it is external or public. */
  readonly isExternal: boolean
  readonly node: AstNode
}

export interface SourceContract {
  /** The AST node's id. */
  readonly id: number
  readonly name: string
  readonly kind: 'contract' | 'library' | 'interface'
  readonly file: SourceFile
  readonly range: SourceRange
  /** The contract itself, then its bases in the order of look-up. */
  readonly linearized: readonly SourceContract[]
  /** Its own functions, without inherited ones. */
  readonly functions: readonly SourceFunction[]
  /** Its own constructor, never a base's. */
  readonly constructorFunction: SourceFunction | undefined
  /** Its own or inherited. */
  readonly fallback: SourceFunction | undefined
  readonly receive: SourceFunction | undefined
  readonly node: AstNode
  /** Returns the function, own or inherited, with a selector (8 hex digits). */
  functionOf(selector: string): SourceFunction | undefined
}

export interface SourceFile {
  /** The id in source maps. */
  readonly id: number
  /** solc's source name. */
  readonly name: string
  /** The path for users, such as `contracts/Token.sol`. */
  readonly path: string
  /** `undefined` if unknown. */
  readonly text: string | undefined
  /** `undefined` without the text. */
  readonly lines: LineIndex | undefined
  readonly contracts: readonly SourceContract[]
  /** Functions with a body, modifiers and getters, including those of contracts. */
  readonly functions: readonly SourceFunction[]
  readonly ast: AstNode | undefined
}

const models = new WeakMap<SolcOutput, SourceModel>()

/** Returns the model of a compilation, built once. */
export function sourceModelOf(compilation: Compilation): SourceModel {
  let model = models.get(compilation.output)
  if (model === undefined) {
    model = new SourceModel(compilation)
    models.set(compilation.output, model)
  }
  return model
}

export class SourceModel {
  readonly #files = new Map<number, File>()
  readonly #contracts = new Map<number, Contract>()

  constructor(compilation: Compilation) {
    for (const [name, { id, ast }] of Object.entries(compilation.output.sources ?? {})) {
      this.#files.set(id, new File(compilation, id, name, ast, this.#contracts))
    }
    for (const file of this.#files.values()) {
      for (const contract of file.contracts) this.#contracts.set(contract.id, contract)
    }
  }

  get files(): Iterable<SourceFile> {
    return this.#files.values()
  }

  /** Returns the file with a source id; `undefined` for compiler-generated sources. */
  file(id: number): SourceFile | undefined {
    return this.#files.get(id)
  }

  /** `undefined` without an AST. */
  contract({ sourceName, name }: Pick<CompiledContract, 'sourceName' | 'name'>): SourceContract | undefined {
    for (const file of this.#files.values()) {
      if (file.name === sourceName) return file.contracts.find((contract) => contract.name === name)
    }
    return undefined
  }

  /** Returns the function, modifier or getter around `range`. */
  functionAt(range: SourceRange): SourceFunction | undefined {
    return this.#files.get(range.file)?.functions.find((one) => contains(one.range, range))
  }

  /** Returns the contract around `range`. */
  contractAt(range: SourceRange): SourceContract | undefined {
    return this.#files.get(range.file)?.contracts.find((one) => contains(one.range, range))
  }
}

class File implements SourceFile {
  readonly id: number
  readonly name: string
  readonly path: string
  readonly text: string | undefined
  readonly ast: AstNode | undefined
  readonly contracts: readonly Contract[]
  #lines: LineIndex | undefined
  #functions: readonly SourceFunction[] | undefined

  constructor(
    compilation: Compilation,
    id: number,
    name: string,
    ast: AstNode | undefined,
    known: ReadonlyMap<number, Contract>,
  ) {
    this.id = id
    this.name = name
    this.path = compilation.pathOf(name)
    this.text = compilation.input.sources[name]?.content
    this.ast = ast
    const compiled = compilation.output.contracts?.[name]
    this.contracts = this.#tops('ContractDefinition').flatMap((node) => {
      const range = rangeOf(node)
      const identifiers = compiled?.[textIn(node, 'name')]?.evm?.methodIdentifiers ?? {}
      return range === undefined ? [] : [new Contract(node, this, range, identifiers, known)]
    })
  }

  get lines(): LineIndex | undefined {
    if (this.#lines === undefined && this.text !== undefined) this.#lines = new LineIndex(this.text)
    return this.#lines
  }

  get functions(): readonly SourceFunction[] {
    this.#functions ??= [
      ...this.#tops('FunctionDefinition').flatMap((node) => functionsOf(node, this, undefined)),
      ...this.contracts.flatMap(({ functions }) => functions),
    ]
    return this.#functions
  }

  #tops(kind: string): readonly AstNode[] {
    return this.ast === undefined
      ? []
      : nodesIn(this.ast, 'nodes').filter(({ nodeType }) => nodeType === kind)
  }
}

class Contract implements SourceContract {
  readonly id: number
  readonly name: string
  readonly kind: SourceContract['kind']
  readonly file: SourceFile
  readonly range: SourceRange
  readonly node: AstNode
  readonly #identifiers: Readonly<Record<string, string>>
  readonly #known: ReadonlyMap<number, Contract>
  #functions: readonly SourceFunction[] | undefined
  #bySelector: ReadonlyMap<string, SourceFunction> | undefined

  constructor(
    node: AstNode,
    file: SourceFile,
    range: SourceRange,
    identifiers: Readonly<Record<string, string>>,
    known: ReadonlyMap<number, Contract>,
  ) {
    this.id = node.id
    this.name = textIn(node, 'name')
    const kind = node.contractKind
    this.kind = kind === 'library' || kind === 'interface' ? kind : 'contract'
    this.file = file
    this.range = range
    this.node = node
    this.#identifiers = identifiers
    this.#known = known
  }

  get linearized(): readonly SourceContract[] {
    const ids = this.node.linearizedBaseContracts
    const known = Array.isArray(ids) ? ids.flatMap((id) => this.#known.get(id) ?? []) : []
    return known.length === 0 ? [this] : known
  }

  get functions(): readonly SourceFunction[] {
    this.#functions ??= nodesIn(this.node, 'nodes').flatMap((node) => functionsOf(node, this.file, this))
    return this.#functions
  }

  get constructorFunction(): SourceFunction | undefined {
    return this.functions.find(({ kind }) => kind === 'constructor')
  }

  get fallback(): SourceFunction | undefined {
    return this.#nearest('fallback')
  }

  get receive(): SourceFunction | undefined {
    return this.#nearest('receive')
  }

  functionOf(selector: string): SourceFunction | undefined {
    this.#bySelector ??= functionsBySelector(
      this.linearized.flatMap(({ functions }) => functions.filter(({ isExternal }) => isExternal)),
      this.#identifiers,
    )
    return this.#bySelector.get(selector)
  }

  #nearest(kind: FunctionKind): SourceFunction | undefined {
    for (const { functions } of this.linearized) {
      const found = functions.find((one) => one.kind === kind)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** Returns the function that `node` declares, if it has a body. */
function functionsOf(
  node: AstNode,
  file: SourceFile,
  contract: SourceContract | undefined,
): readonly SourceFunction[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const visibility = textIn(node, 'visibility')
  const isVisible = visibility === 'public' || visibility === 'external'
  const told = {
    name: textIn(node, 'name'),
    contract,
    file,
    range,
    node,
    isPayable: false,
    isExternal: false,
  }
  switch (node.nodeType) {
    case 'FunctionDefinition': {
      // Functions of interfaces and abstract functions.
      if (node.implemented === false || nodeIn(node, 'body') === undefined) return []
      const kind = kindOf(node, contract)
      const isPayable = textIn(node, 'stateMutability') === 'payable'
      return [{ ...told, kind, isPayable, isExternal: kind === 'function' && isVisible }]
    }
    case 'ModifierDefinition':
      // Virtual modifiers may lack a body.
      return nodeIn(node, 'body') === undefined ? [] : [{ ...told, kind: 'modifier' }]
    case 'VariableDeclaration':
      return isVisible ? [{ ...told, kind: 'getter', isExternal: true }] : []
    default:
      return []
  }
}

const KINDS = new Map<string, FunctionKind>([
  ['constructor', 'constructor'],
  ['fallback', 'fallback'],
  ['receive', 'receive'],
  ['freeFunction', 'freeFunction'],
])

function kindOf(node: AstNode, contract: SourceContract | undefined): FunctionKind {
  return KINDS.get(textIn(node, 'kind')) ?? (contract === undefined ? 'freeFunction' : 'function')
}
