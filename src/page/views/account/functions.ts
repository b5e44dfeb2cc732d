/** The functions of an ABI: which read, which write, how they are called. */
import type { Hex } from '../../../bytes/hex.ts'
import { encodeValues, type Item, selectorOf, signatureOf } from '../../../solidity/abi/codec.ts'
import type { Parameter } from '../../../solidity/abi/decoded.ts'
import { typeName } from '../../format/quantity.ts'

export interface ContractFunction {
  /** Such as `transfer(address,uint256)`: what tells overloads apart. */
  readonly signature: string
  readonly name: string
  readonly inputs: readonly Parameter[]
  readonly outputs: readonly Parameter[]
  readonly isView: boolean
  readonly isPayable: boolean
  readonly selector: Hex
}

/** Returns the functions of an ABI, each signature once, by name. */
export function functionsOf(abi: readonly { readonly type: string }[]): readonly ContractFunction[] {
  const found = new Map<string, ContractFunction>()
  for (const item of abi as readonly Item[]) {
    if (item.type !== 'function') continue
    const one = functionOf(item)
    if (one !== undefined && !found.has(one.signature)) found.set(one.signature, one)
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** `undefined` for an item that has no signature: ABIs come from strangers. */
function functionOf(item: Item): ContractFunction | undefined {
  if (![...(item.inputs ?? []), ...(item.outputs ?? [])].every(isParameter)) return undefined
  try {
    return {
      signature: signatureOf(item),
      name: item.name ?? '',
      inputs: item.inputs ?? [],
      outputs: item.outputs ?? [],
      isView: item.stateMutability === 'view' || item.stateMutability === 'pure',
      isPayable: item.stateMutability === 'payable',
      selector: selectorOf(item),
    }
  } catch {
    return undefined
  }
}

function isParameter({ type, name = '', components = [] }: Parameter): boolean {
  return typeof type === 'string' && typeof name === 'string' && components.every(isParameter)
}

/** Returns the calldata of a call with `values`, which fit the function's inputs. */
export function calldata({ selector, inputs }: ContractFunction, values: readonly unknown[]): Hex {
  return `${selector}${encodeValues(inputs, values).slice(2)}`
}

/** Returns what stands behind the name of a function where it is declared: `(address to, uint256 amount) → bool`. */
export function declared({ inputs, outputs }: ContractFunction): string {
  const returned = outputs.length === 0 ? '' : ` → ${listed(outputs)}`
  return `(${listed(inputs)})${returned}`
}

function listed(parameters: readonly Parameter[]): string {
  return parameters.map((one) => (one.name ? `${typeName(one)} ${one.name}` : typeName(one))).join(', ')
}

/** Returns whether a function is meant by `text`: a part of its name, or its selector. */
export function isMeant({ name, selector }: ContractFunction, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return name.toLowerCase().includes(wanted) || (wanted.startsWith('0x') && selector.startsWith(wanted))
}
