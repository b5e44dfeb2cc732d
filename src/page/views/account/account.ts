/** Loads an account at a block, and interprets its ABI, code and storage words. */
import type { Hex } from '../../../bytes/hex.ts'
import { OPCODE_AT, pushedBytes } from '../../../model/opcodes.ts'
import { encodeValues, type Item, selectorOf, signatureOf } from '../../../solidity/abi/codec.ts'
import type { Parameter } from '../../../solidity/abi/decoded.ts'
import { grouped, typeName } from '../../format.ts'
import type { BlockParameter } from '../../moment.ts'
import type { Ask } from '../../source/source.ts'

export interface Account {
  readonly balance: Hex
  readonly nonce: Hex
  readonly code: Hex
  readonly delegate: Hex | undefined
}

export async function accountAt(request: Ask, address: string, block: BlockParameter): Promise<Account> {
  const [balance, nonce, code] = await Promise.all([
    request<Hex>('eth_getBalance', [address, block]),
    request<Hex>('eth_getTransactionCount', [address, block]),
    request<Hex>('eth_getCode', [address, block]),
  ])
  return { balance, nonce, code, delegate: delegateOf(code) }
}

/** Returns the address in a delegation designator (EIP-7702), which is `0xef0100` followed by the address. */
function delegateOf(code: Hex): Hex | undefined {
  return /^0xef0100[0-9a-f]{40}$/.test(code) ? `0x${code.slice(8)}` : undefined
}

export function sizeOf(code: Hex): number {
  return (code.length - 2) / 2
}

export interface ContractFunction {
  /** For example `transfer(address,uint256)`. Unique, unlike the name. */
  readonly signature: string
  readonly name: string
  readonly inputs: readonly Parameter[]
  readonly outputs: readonly Parameter[]
  readonly isView: boolean
  readonly isPayable: boolean
  readonly selector: Hex
}

/** Returns the functions of an ABI, sorted by name, without duplicate signatures. */
export function functionsOf(abi: readonly { readonly type: string }[]): readonly ContractFunction[] {
  const found = new Map<string, ContractFunction>()
  for (const item of abi as readonly Item[]) {
    if (item.type !== 'function') continue
    const one = functionOf(item)
    if (one !== undefined && !found.has(one.signature)) found.set(one.signature, one)
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Returns the function of an ABI item; `undefined` if the item is invalid, because ABIs are untrusted. */
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

/** Returns calldata for the function. Uses the first of `values` as arguments, one for each parameter. */
export function calldata({ selector, inputs }: ContractFunction, values: readonly unknown[]): Hex {
  return `${selector}${encodeValues(inputs, values.slice(0, inputs.length)).slice(2)}`
}

/** Returns parameters and results, such as `(address to, uint256 amount) → bool`. */
export function declared({ inputs, outputs }: ContractFunction): string {
  const returned = outputs.length === 0 ? '' : ` → ${listed(outputs)}`
  return `(${listed(inputs)})${returned}`
}

function listed(parameters: readonly Parameter[]): string {
  return parameters.map((one) => (one.name ? `${typeName(one)} ${one.name}` : typeName(one))).join(', ')
}

/** Returns whether the function's name contains `text`, or its selector begins with it. */
export function isMeant({ name, selector }: ContractFunction, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return name.toLowerCase().includes(wanted) || (wanted.startsWith('0x') && selector.startsWith(wanted))
}

interface Instruction {
  readonly at: number
  readonly name: string
  /** The operand of a PUSH instruction in hex, which the end of the code may cut off. Empty for other instructions. */
  readonly pushed: string
}

/** Disassembles `code`. Embedded data, such as constants and metadata, also appears as instructions. */
export function disassembled(code: Hex): readonly Instruction[] {
  const instructions: Instruction[] = []
  const size = (code.length - 2) / 2
  for (let at = 0; at < size; ) {
    const opcode = Number.parseInt(code.slice(2 + 2 * at, 4 + 2 * at), 16)
    const pushed = pushedBytes(opcode)
    instructions.push({
      at,
      name: OPCODE_AT[opcode]?.name ?? `0x${opcode.toString(16).padStart(2, '0')}`,
      pushed: pushed === 0 ? '' : `0x${code.slice(4 + 2 * at, 4 + 2 * (at + pushed))}`,
    })
    at += 1 + pushed
  }
  return instructions
}

export interface SlotVariable {
  readonly name: string
  readonly type: string
}

export interface SlotEntry {
  readonly slot: string
  readonly variables: readonly SlotVariable[]
}

export function variablesBySlot(entries: readonly SlotEntry[]): ReadonlyMap<string, readonly SlotVariable[]> {
  return new Map(
    entries.flatMap(({ slot, variables }) => (variables.length === 0 ? [] : [[slot, variables]])),
  )
}

/** Formats a word that contains a single variable of type `type`; `undefined` if the raw word is more readable. */
export function wordText(type: string, word: string): string | undefined {
  const value = BigInt(word)
  if (/^uint\d*$/.test(type)) return grouped(value)
  // Solidity does not sign-extend integers in storage.
  const [, bits] = /^int(\d+)$/.exec(type) ?? []
  if (bits !== undefined) return grouped(BigInt.asIntN(Number(bits), value))
  if (type.endsWith('[]')) return `${grouped(value)} ${value === 1n ? 'item' : 'items'}`
  if (/^(address( payable)?|contract .*)$/.test(type)) return value === 0n ? '0x0' : `0x${word.slice(-40)}`
  if (type === 'bool') return value === 0n ? 'false' : 'true'
  if (type === 'string') return shortText(word)
  return undefined
}

/** Formats the slot of a string: text of up to 31 bytes with 2 × length in the last byte, or else 2 × length + 1. */
function shortText(word: string): string | undefined {
  const twice = Number.parseInt(word.slice(-2), 16)
  // The text of a longer string is in other slots, so only its length is shown.
  if (twice % 2 === 1) return `${grouped((BigInt(word) - 1n) / 2n)} bytes`
  if (twice > 62) return undefined
  const bytes = Uint8Array.from({ length: twice / 2 }, (_, i) =>
    Number.parseInt(word.slice(2 + 2 * i, 4 + 2 * i), 16),
  )
  try {
    return JSON.stringify(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
