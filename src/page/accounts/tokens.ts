/** The tokens (ERC-20) of an account: of the contracts that are known, those that have what such a token has. */
import type { Hex } from '../../bytes/hex.ts'
import { type Codec, valuesOf } from '../../solidity/abi/codec.ts'
import { grouped } from '../format/quantity.ts'
import type { BlockParameter } from '../moment.ts'
import type { Source } from '../source/source.ts'

export interface Token {
  readonly address: Hex
  readonly name: string
  readonly symbol: string | undefined
  readonly decimals: number
}

const BALANCE_OF = '0x70a08231'
const SYMBOL = '0x95d89b41'
const DECIMALS = '0x313ce567'
const NAME = '0x06fdde03'

/** Returns whether an ABI is that of an ERC-20 token: `decimals` tells it from an ERC-721 one. */
export function isToken(codec: Codec): boolean {
  return codec.signature(BALANCE_OF) !== undefined && codec.signature('0xa9059cbb') !== undefined
}

/** Resolves with what a token says of itself; without `decimals` amounts are whole. */
export async function tokenAt(
  request: Source['request'],
  address: Hex,
  block: BlockParameter,
): Promise<Token> {
  const ask = (selector: Hex) =>
    request<Hex>('eth_call', [{ to: address, data: selector }, block]).catch(() => '0x' as Hex)
  const [name, symbol, decimals] = await Promise.all([ask(NAME), ask(SYMBOL), ask(DECIMALS)])
  const [places] = valuesOf([{ type: 'uint8' }], decimals) ?? []
  return {
    address,
    name: textIn(name) ?? '',
    symbol: textIn(symbol),
    decimals: typeof places === 'number' ? places : 0,
  }
}

/** Some old tokens have `bytes32` where others have a string. */
function textIn(bytes: Hex): string | undefined {
  const [text] = valuesOf([{ type: 'string' }], bytes) ?? []
  return typeof text === 'string' ? text : undefined
}

/** Resolves with the balance of `owner`; `undefined` where the token does not tell. */
export async function tokenBalance(
  request: Source['request'],
  token: Hex,
  owner: string,
  block: BlockParameter,
): Promise<bigint | undefined> {
  const data = `${BALANCE_OF}${owner.slice(2).padStart(64, '0')}`
  const bytes = await request<Hex>('eth_call', [{ to: token, data }, block]).catch(() => '0x' as Hex)
  const [balance] = valuesOf([{ type: 'uint256' }], bytes) ?? []
  return typeof balance === 'bigint' ? balance : undefined
}

/** Returns an amount as people read it: `1 250.5`. */
export function tokenAmount(amount: bigint, decimals: number): string {
  const [whole = '0', rest] = amountText(amount, decimals).split('.')
  return rest === undefined ? grouped(BigInt(whole)) : `${grouped(BigInt(whole))}.${rest}`
}

/** Returns an amount with its decimals, nothing rounded: `1.5`. */
export function amountText(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const rest = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}
