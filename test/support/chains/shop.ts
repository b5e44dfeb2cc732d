/** A devnet with a shop (`fixtures/contracts/Shop.sol`), which talks about what it sells. */
import { concat, encodeFunctionData, type Hex, toHex } from 'viem'
import { Shop } from '../../../fixtures/contracts/Shop.ts'
import type { Devnet, DevnetOptions } from '../../../src/index.ts'
import { onWire } from '../clients/addresses.ts'
import { ask, started } from '../clients/clients.ts'

/** Where the shop is; it has 3 things. */
export const SHOP: Hex = '0x0000000000000000000000000000000000005a4e'
export const CONSOLE: Hex = '0x000000000000000000636f6e736f6c652e6c6f67'

export interface ShopScene {
  readonly devnet: Devnet
  /** Who sends. */
  readonly from: Hex
  /** Sends a transaction to the shop, or as `fields` say. */
  send(fields: object): Promise<Hex>
}

/** A devnet that prints nothing and whose blocks are made on request. */
export async function openShop(options: DevnetOptions = {}): Promise<ShopScene> {
  const devnet = await started({ rhythm: 'manual', consoleLogs: false, ...options })
  const from = onWire(devnet.accounts[0]!.address)
  await ask(devnet, 'anvil_setCode', SHOP, Shop.deployedBytecode)
  await ask(devnet, 'anvil_setStorageAt', SHOP, '0x0', toHex(3n, { size: 32 }))
  const send = (fields: object) =>
    ask<Hex>(devnet, 'eth_sendTransaction', { from, to: SHOP, gas: '0x1e8480', ...fields })
  return { devnet, from, send }
}

export function buy(amount: bigint, note = ''): Hex {
  return encodeFunctionData({ abi: Shop.abi, functionName: 'buy', args: [amount, note] })
}

export function buyAt(other: Hex, amount: bigint): Hex {
  return encodeFunctionData({ abi: Shop.abi, functionName: 'buyAt', args: [other, amount] })
}

export function look(): Hex {
  return encodeFunctionData({ abi: Shop.abi, functionName: 'look' })
}

/** EIP-1167: a contract that runs the code of `target`. */
export function proxyTo(target: Hex): Hex {
  return concat(['0x363d3d373d3d3d363d73', target, '0x5af43d82803e903d91602b57fd5bf3'])
}
