/** Source files, contracts and functions of a compilation, read from its ASTs. */
import { toDigits } from '../../bytes/hex.ts'
import { oncePer } from '../../model/collections/oncePer.ts'
import type { CallPosition } from '../../model/execution/trace.ts'
import {
  bytecodeOf,
  type Compilation,
  type CompiledContract,
  type FindCode,
} from '../artifacts/compilation.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import type { SourcePosition } from '../stackTrace/format.ts'
import { contains, nodeIn, nodesIn, rangeOf, textIn } from './ast.ts'
import { instructionsOf, type SourceRange } from './instructions.ts'
import { functionsBySelector } from './selectors.ts'
import { LineIndex } from './sourceMap.ts'

export type FunctionKind =
  | 'function'
  | 'constructor'
  | 'fallback'
  | 'receive'
  | 'modifier'
  /** The getter of a public variable. Its range is the declaration of the variable. */
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
  /** Whether calldata can select the function: it is external, public or a getter. */
  readonly isExternal: boolean
  readonly node: AstNode
}

export const sourceModelOf = oncePer((compilation: Compilation) => new SourceModel(compilation))

export class SourceModel {
  readonly #byId = new Map<number, SourceFile>()
  readonly #byName = new Map<string, SourceFile>()
  #numbered: readonly SourceFile[] | undefined

  constructor(compilation: Compilation) {
    for (const [name, { id }] of Object.entries(compilation.output.sources ?? {})) {
      const file = new SourceFile(this, compilation, id, name)
      this.#byId.set(id, file)
      this.#byName.set(name, file)
    }
  }

  get files(): Iterable<SourceFile> {
    return this.#byId.values()
  }

  /** Returns the file with a source id; `undefined` for compiler-generated sources. */
  file(id: number): SourceFile | undefined {
    return this.#byId.get(id)
  }

  contract({ sourceName, name }: Pick<CompiledContract, 'sourceName' | 'name'>): SourceContract | undefined {
    return this.#byName.get(sourceName)?.contracts.find((contract) => contract.name === name)
  }

  contractById(id: unknown): SourceContract | undefined {
    return this.#fileOfNode(id)?.contracts.find((contract) => contract.id === id)
  }

  /** Returns the function, modifier or getter whose declaration has this AST id. */
  functionById(id: unknown): SourceFunction | undefined {
    return this.#fileOfNode(id)?.functions.find(({ node }) => node.id === id)
  }

  /** Returns the function, modifier or getter around `range`. */
  functionAt(range: SourceRange): SourceFunction | undefined {
    return this.file(range.file)?.functions.find((one) => contains(one.range, range))
  }

  contractAt(range: SourceRange): SourceContract | undefined {
    return this.file(range.file)?.contracts.find((one) => contains(one.range, range))
  }

  /** Returns the file with an AST id. solc numbers the nodes of one file after the other, each before its parent. */
  #fileOfNode(id: unknown): SourceFile | undefined {
    if (typeof id !== 'number') return undefined
    this.#numbered ??= [...this.files]
      .filter(({ unitId }) => unitId !== undefined)
      .sort((a, b) => a.unitId! - b.unitId!)
    return this.#numbered.find(({ unitId }) => id <= unitId!)
  }
}

/** A source file. Its text and its AST are read on first use, because large projects have many files. */
export class SourceFile {
  readonly model: SourceModel
  /** The id in source maps. */
  readonly id: number
  readonly name: string
  /** The path to show, such as `contracts/Token.sol`. */
  readonly path: string
  readonly #compilation: Compilation
  #contracts: readonly SourceContract[] | undefined
  #lines: LineIndex | undefined
  #functions: readonly SourceFunction[] | undefined

  constructor(model: SourceModel, compilation: Compilation, id: number, name: string) {
    this.model = model
    this.id = id
    this.name = name
    this.path = compilation.pathOf(name)
    this.#compilation = compilation
  }

  get text(): string | undefined {
    return this.#compilation.input.sources[this.name]?.content
  }

  get ast(): AstNode | undefined {
    return this.#compilation.output.sources?.[this.name]?.ast
  }

  /** The AST id of the file. It is greater than those of the nodes in the file. */
  get unitId(): number | undefined {
    const { unitId } = this.#compilation
    return unitId === undefined ? this.ast?.id : unitId(this.name)
  }

  get contracts(): readonly SourceContract[] {
    this.#contracts ??= this.#tops('ContractDefinition').flatMap((node) => {
      const range = rangeOf(node)
      return range === undefined ? [] : [new SourceContract(node, this, range)]
    })
    return this.#contracts
  }

  get lines(): LineIndex | undefined {
    const { text } = this
    if (text !== undefined) this.#lines ??= new LineIndex(text)
    return this.#lines
  }

  positionAt(offset: number): SourcePosition | undefined {
    return this.lines && { file: this.path, ...this.lines.at(offset) }
  }

  /** Functions with a body, modifiers and getters, inside and outside of contracts. */
  get functions(): readonly SourceFunction[] {
    this.#functions ??= [
      ...this.#tops('FunctionDefinition').flatMap((node) => functionsOf(node, this, undefined)),
      ...this.contracts.flatMap(({ functions }) => functions),
    ]
    return this.#functions
  }

  /** Returns the selectors of a contract's functions by signature. */
  identifiersOf(contractName: string): Readonly<Record<string, string>> {
    return this.#compilation.output.contracts?.[this.name]?.[contractName]?.evm?.methodIdentifiers ?? {}
  }

  #tops(kind: string): readonly AstNode[] {
    const tops = this.ast === undefined ? [] : nodesIn(this.ast, 'nodes')
    return tops.filter(({ nodeType }) => nodeType === kind)
  }
}

export class SourceContract {
  readonly name: string
  readonly file: SourceFile
  readonly range: SourceRange
  readonly node: AstNode
  #linearized: readonly SourceContract[] | undefined
  #functions: readonly SourceFunction[] | undefined
  #bySelector: ReadonlyMap<string, SourceFunction> | undefined

  constructor(node: AstNode, file: SourceFile, range: SourceRange) {
    this.name = textIn(node, 'name')
    this.file = file
    this.range = range
    this.node = node
  }

  get id(): number {
    return this.node.id
  }

  get isLibrary(): boolean {
    return this.node.contractKind === 'library'
  }

  /** The contract, then its bases in the order in which Solidity searches them. */
  get linearized(): readonly SourceContract[] {
    if (this.#linearized === undefined) {
      const ids = this.node.linearizedBaseContracts
      const known = Array.isArray(ids) ? ids.flatMap((id) => this.file.model.contractById(id) ?? []) : []
      this.#linearized = known.length === 0 ? [this] : known
    }
    return this.#linearized
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

  /** Returns the own or inherited function with this selector (8 hex digits). */
  functionOf(selector: string): SourceFunction | undefined {
    this.#bySelector ??= functionsBySelector(
      this.linearized.flatMap(({ functions }) => functions.filter(({ isExternal }) => isExternal)),
      this.file.identifiersOf(this.name),
    )
    return this.#bySelector.get(selector)
  }

  /** Returns the function that calldata enters: by its selector, else `fallback` or `receive`. */
  entered(input: Uint8Array): SourceFunction | undefined {
    const called = this.functionOf(toDigits(input.subarray(0, 4)))
    return called ?? (input.length === 0 ? this.receive : undefined) ?? this.fallback
  }

  #nearest(kind: FunctionKind): SourceFunction | undefined {
    return this.linearized.flatMap(({ functions }) => functions).find((one) => one.kind === kind)
  }
}

/** Returns the function or modifier with a body, or the getter, that `node` declares. */
function functionsOf(
  node: AstNode,
  file: SourceFile,
  contract: SourceContract | undefined,
): readonly SourceFunction[] {
  const range = rangeOf(node)
  if (range === undefined) return []
  const visibility = textIn(node, 'visibility')
  const isVisible = visibility === 'public' || visibility === 'external'
  const common = {
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
      // Functions of interfaces and abstract functions have no body.
      if (node.implemented === false || nodeIn(node, 'body') === undefined) return []
      const kind = kindOf(node, contract)
      const isPayable = textIn(node, 'stateMutability') === 'payable'
      return [{ ...common, kind, isPayable, isExternal: kind === 'function' && isVisible }]
    }
    case 'ModifierDefinition':
      // Virtual modifiers may lack a body.
      return nodeIn(node, 'body') === undefined ? [] : [{ ...common, kind: 'modifier' }]
    case 'VariableDeclaration':
      return isVisible ? [{ ...common, kind: 'getter', isExternal: true }] : []
    default:
      return []
  }
}

const SPECIAL_KINDS: readonly unknown[] = ['constructor', 'fallback', 'receive', 'freeFunction']

function kindOf({ kind }: AstNode, contract: SourceContract | undefined): FunctionKind {
  if (SPECIAL_KINDS.includes(kind)) return kind as FunctionKind
  return contract === undefined ? 'freeFunction' : 'function'
}

/** Returns a function's name; for an unnamed function its kind, such as `constructor`. */
export function nameOfFunction({ kind, name }: Pick<SourceFunction, 'kind' | 'name'>): string {
  return kind === 'constructor' || kind === 'fallback' || kind === 'receive' ? kind : name
}

const DECLARED_TYPES: ReadonlySet<string> = new Set([
  'EnumDefinition',
  'StructDefinition',
  'UserDefinedValueTypeDefinition',
])

/** Returns the enums, structs and user-defined value types of a compilation by AST id. Searches the ASTs only once. */
export const declaredTypes = oncePer((model: SourceModel): ReadonlyMap<number, AstNode> => {
  const tops = [...model.files].flatMap(({ ast }) => (ast === undefined ? [] : nodesIn(ast, 'nodes')))
  const all = [...tops, ...tops.flatMap((top) => nodesIn(top, 'nodes'))]
  return new Map(all.filter(({ nodeType }) => DECLARED_TYPES.has(nodeType)).map((node) => [node.id, node]))
})

/** Returns the position of a call in its caller's source; for a transaction, the position of the called function. */
export function callPosition(
  { code, isCreation, pc }: CallPosition,
  input: Uint8Array,
  find: FindCode,
): SourcePosition | undefined {
  const match = find(code, isCreation)
  if (match?.kind !== 'contract') return undefined
  const model = sourceModelOf(match.contract.compilation)
  const source = model.contract(match.contract)
  const entered = isCreation ? source?.constructorFunction : source?.entered(input)
  const bytecode = bytecodeOf(match.contract, isCreation)
  const called = pc === undefined ? (entered ?? source) : bytecode && instructionsOf(bytecode).at(pc)
  const range = called?.range
  // Compiler-generated sources are not files of the model.
  return range && model.file(range.file)?.positionAt(range.start)
}
