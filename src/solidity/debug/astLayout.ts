/** Computes storage layouts from the AST, for compilations without `storageLayout` and for namespaces (ERC-7201). */

import { toQuantity, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { oncePer } from '../../model/collections/oncePer.ts'
import type { AstNode, StorageLayout } from '../artifacts/solcJson.ts'
import { nodeIn, nodesIn, textIn, typeStringOf } from '../source/ast.ts'
import { declaredTypes, type SourceContract, type SourceModel } from '../source/sourceModel.ts'
import { Layout, slotsOf } from './layout.ts'
import { elementarySize, typeNames } from './values.ts'

type Types = Record<string, NonNullable<StorageLayout['types']>[string]>
type Variable = StorageLayout['storage'][number]

/** Returns a contract's layouts; `undefined` if the size of a type or the first slot is unknown. */
export function astLayoutsOf(contract: SourceContract, model: SourceModel) {
  const layout = new AstLayout(model)
  const bases = [...contract.linearized].reverse()
  const variables = bases.flatMap(({ node }) => nodesIn(node, 'nodes').filter(isInStorage))
  const isTransient = (node: AstNode) => node.storageLocation === 'transient'
  const first = firstSlot(contract.node)
  if (first === undefined) return undefined
  try {
    return {
      storage: layout.of(
        variables.filter((node) => !isTransient(node)),
        first,
      ),
      transient: layout.of(variables.filter(isTransient), 0n),
      namespaces: layout.namespaces(bases),
    }
  } catch (error) {
    if (error instanceof UnknownType) return undefined
    throw error
  }
}

/** The types of all declarations of a compilation, such as local variables, in the form of storage layouts. */
export const declaredTypesOf = oncePer((model: SourceModel) => {
  const own = new AstLayout(model)
  const layout = new Layout(own.of([], 0n), typeNames(model))
  /** Returns the id of a declaration's type in `layout`; `undefined` if the AST does not describe the type. */
  const idOf = (declaration: AstNode) => own.idOf(declaration)
  return { layout, idOf }
})

class UnknownType extends Error {}

class AstLayout {
  readonly #model: SourceModel
  readonly #types: Types = {}

  constructor(model: SourceModel) {
    this.#model = model
  }

  of(variables: readonly AstNode[], first: bigint): StorageLayout {
    return { storage: this.#placed(variables, first).placed, types: this.#types }
  }

  idOf(declaration: AstNode): string | undefined {
    const typeName = nodeIn(declaration, 'typeName')
    try {
      return typeName && this.#type(typeName)
    } catch (error) {
      if (error instanceof UnknownType) return undefined
      throw error
    }
  }

  /** Returns structs with a namespace as variables at the slots of their namespaces. */
  namespaces(contracts: readonly SourceContract[]): StorageLayout {
    const storage = contracts.flatMap(({ node }) =>
      nodesIn(node, 'nodes').flatMap((struct) => {
        const id = struct.nodeType === 'StructDefinition' ? namespaceOf(struct) : undefined
        if (id === undefined) return []
        const type = this.#struct(struct, `struct ${textIn(struct, 'name')}`)
        const slot = String(slotOfNamespace(id))
        return [{ astId: struct.id, contract: '', label: textIn(struct, 'name'), offset: 0, slot, type }]
      }),
    )
    return { storage, types: this.#types }
  }

  /** Assigns slots to `variables` in order of declaration. The first slot is `first`. */
  #placed(variables: readonly AstNode[], first: bigint) {
    let slot = first
    let offset = 0
    const placed = variables.map((node): Variable => {
      const typeName = nodeIn(node, 'typeName')
      if (typeName === undefined) throw new UnknownType()
      const type = this.#type(typeName)
      const placed = this.#types[type]!
      const { numberOfBytes, encoding, members, base } = placed
      const size = Number(numberOfBytes)
      const isWhole = encoding !== 'inplace' || members !== undefined || base !== undefined
      if (offset > 0 && (isWhole || offset + size > 32)) {
        slot++
        offset = 0
      }
      const variable = {
        astId: node.id,
        contract: '',
        label: textIn(node, 'name'),
        offset,
        slot: String(slot),
        type,
      }
      if (isWhole) slot += slotsOf(placed)
      else offset += size
      return variable
    })
    return { placed, end: offset > 0 ? slot + 1n : slot }
  }

  #type(node: AstNode): string {
    const label = labelOf(node)
    switch (node.nodeType) {
      case 'ElementaryTypeName':
        return this.#elementary(label)
      case 'UserDefinedTypeName':
        return this.#declared(Number(node.referencedDeclaration), label)
      case 'Mapping': {
        const key = this.#type(part(node, 'keyType'))
        const value = this.#type(part(node, 'valueType'))
        return this.#add(`t_mapping(${key},${value})`, {
          encoding: 'mapping',
          label,
          numberOfBytes: '32',
          key,
          value,
        })
      }
      case 'ArrayTypeName':
        return this.#array(this.#type(part(node, 'baseType')), label)
      case 'FunctionTypeName': {
        const size = node.visibility === 'external' ? 24 : 8
        return this.#inplace(`t_function(${label})`, label, size)
      }
      default:
        throw new UnknownType()
    }
  }

  #elementary(label: string): string {
    if (label === 'string' || label === 'bytes') {
      return this.#add(`t_${label}_storage`, { encoding: 'bytes', label, numberOfBytes: '32' })
    }
    return this.#inplace(`t_${label.replace(' ', '_')}`, label, sizeOf(label))
  }

  #declared(id: number, label: string): string {
    const node = declaredTypes(this.#model).get(id)
    const name = node && textIn(node, 'name')
    switch (node?.nodeType) {
      case 'EnumDefinition':
        return this.#inplace(`t_enum(${name})${id}`, label, nodesIn(node, 'members').length > 256 ? 2 : 1)
      case 'UserDefinedValueTypeDefinition': {
        const size = sizeOf(labelOf(part(node, 'underlyingType')))
        return this.#inplace(`t_userDefinedValueType(${name})${id}`, label, size)
      }
      case 'StructDefinition':
        return this.#struct(node, label)
      default:
        if (!label.startsWith('contract ')) throw new UnknownType()
        return this.#inplace(`t_contract(${label.slice(9)})${id}`, label, 20)
    }
  }

  #struct(node: AstNode, label: string): string {
    const id = `t_struct(${textIn(node, 'name')})${node.id}_storage`
    if (this.#types[id] !== undefined) return id
    // The struct is added before its members, because their types may refer to this struct.
    const type = {
      encoding: 'inplace' as const,
      label,
      numberOfBytes: '32',
      members: [] as readonly Variable[],
    }
    this.#types[id] = type
    const { placed, end } = this.#placed(nodesIn(node, 'members'), 0n)
    this.#types[id] = { ...type, numberOfBytes: String(end * 32n), members: placed }
    return id
  }

  #array(base: string, label: string): string {
    const [, length] = /\[(\d*)\]$/.exec(label) ?? []
    if (length === undefined) throw new UnknownType()
    if (length === '') {
      const type = { encoding: 'dynamic_array' as const, label, numberOfBytes: '32', base }
      return this.#add(`t_array(${base})dyn_storage`, type)
    }
    const element = this.#types[base]!
    const size = BigInt(element.numberOfBytes)
    const perSlot = size <= 16n ? 32n / size : 1n
    const slots = ((BigInt(length) + perSlot - 1n) / perSlot) * slotsOf(element)
    const type = { encoding: 'inplace' as const, label, numberOfBytes: String(slots * 32n), base }
    return this.#add(`t_array(${base})${length}_storage`, type)
  }

  #inplace(id: string, label: string, bytes: number): string {
    return this.#add(id, { encoding: 'inplace', label, numberOfBytes: String(bytes) })
  }

  #add(id: string, type: Types[string]): string {
    this.#types[id] ??= type
    return id
  }
}

function part(node: AstNode, name: string): AstNode {
  const found = nodeIn(node, name)
  if (found === undefined) throw new UnknownType()
  return found
}

/** Returns the type as text, without its data location. */
function labelOf(node: AstNode): string {
  return typeStringOf(node).replace(/ (storage|memory|calldata)( ref| pointer)?(?= |$|\[)/g, '')
}

function sizeOf(label: string): number {
  const size = elementarySize(label)
  if (size === undefined) throw new UnknownType()
  return size
}

function isInStorage({ nodeType, constant, mutability }: AstNode): boolean {
  return nodeType === 'VariableDeclaration' && constant !== true && mutability !== 'immutable'
}

/** Returns the first slot of a contract (`layout at`, since solc 0.8.29); `undefined` if unknown. */
function firstSlot(contract: AstNode): bigint | undefined {
  const specifier = nodeIn(contract, 'storageLayout')
  if (specifier === undefined) return 0n
  const expression = nodeIn(specifier, 'baseSlotExpression')
  const [, value] = /^int_const (\d+)$/.exec(expression === undefined ? '' : labelOf(expression)) ?? []
  return value === undefined ? undefined : BigInt(value)
}

/** Returns the namespace in `@custom:storage-location erc7201:<namespace>`. */
function namespaceOf({ documentation }: AstNode): string | undefined {
  const text =
    typeof documentation === 'string' ? documentation : (documentation as { text?: unknown } | null)?.text
  return typeof text === 'string' ? /@custom:storage-location erc7201:(\S+)/.exec(text)?.[1] : undefined
}

/** Returns the slot by ERC-7201: `keccak256(abi.encode(uint256(keccak256(id)) - 1)) & ~bytes32(uint256(0xff))`. */
function slotOfNamespace(id: string): bigint {
  const inner = toQuantity(keccak256(new TextEncoder().encode(id))) - 1n
  const outer = toQuantity(keccak256(toWord(inner)))
  return outer - (outer & 0xffn)
}
