/** An account at a moment. */
import type { Hex } from '../../bytes/hex.ts'
import type { BlockParameter } from '../moment.ts'
import type { Source } from '../source/source.ts'

export interface Account {
  readonly balance: Hex
  readonly nonce: Hex
  readonly code: Hex
  /** The account to which this one delegates (EIP-7702). */
  readonly delegate: Hex | undefined
}

export async function accountAt(
  request: Source['request'],
  address: string,
  block: BlockParameter,
): Promise<Account> {
  const [balance, nonce, code] = await Promise.all([
    request<Hex>('eth_getBalance', [address, block]),
    request<Hex>('eth_getTransactionCount', [address, block]),
    request<Hex>('eth_getCode', [address, block]),
  ])
  return { balance, nonce, code, delegate: delegateOf(code) }
}

/** 0xef0100 and an address. */
function delegateOf(code: Hex): Hex | undefined {
  return /^0xef0100[0-9a-f]{40}$/.test(code) ? `0x${code.slice(8)}` : undefined
}

/** Returns the number of bytes in hex. */
export function sizeOf(code: Hex): number {
  return (code.length - 2) / 2
}
