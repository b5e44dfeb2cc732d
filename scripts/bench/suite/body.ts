/** The test of the suite: a write and a read through viem, on a chain with a deployed token. */
import { type Address, createTestClient, publicActions, type Transport, walletActions } from 'viem'
import { foundry } from 'viem/chains'
import { expect } from 'vitest'
import { Token } from '../../../fixtures/contracts/Token.ts'

export interface Deployed {
  readonly token: Address
  readonly owner: Address
}

const STRANGER = '0x00000000000000000000000000000000000abcde'
/** viem misses a receipt that comes before it looks, and asks again only when the block number has changed. */
const PATIENCE_MS = 200

export function clientOver(transport: Transport) {
  const settings = { mode: 'anvil', chain: foundry, transport, pollingInterval: 1, cacheTime: 0 } as const
  return createTestClient(settings).extend(publicActions).extend(walletActions)
}

export type Client = ReturnType<typeof clientOver>

/** Deploys a token, and gives its owner a million of it. */
export async function deploy(client: Client): Promise<Deployed> {
  const [owner] = (await client.getAddresses()) as [Address]
  const creation = await client.deployContract({ ...Token, args: ['Gold', 'GOLD'], account: owner })
  const { contractAddress } = await settled(client, creation)
  const token = contractAddress!
  const mint = { abi: Token.abi, address: token, functionName: 'mint', account: owner } as const
  await settled(client, await client.writeContract({ ...mint, args: [owner, 1_000_000n] }))
  return { token, owner }
}

/** Sends `amount` to a stranger that had nothing, and checks its balance. */
export async function transfer(client: Client, { token, owner }: Deployed, amount: bigint): Promise<void> {
  const contract = { abi: Token.abi, address: token } as const
  const args = [STRANGER, amount] as const
  const hash = await client.writeContract({ ...contract, functionName: 'transfer', args, account: owner })
  expect((await settled(client, hash)).status).toBe('success')
  expect(await client.readContract({ ...contract, functionName: 'balanceOf', args: [STRANGER] })).toBe(amount)
}

async function settled(client: Client, hash: `0x${string}`) {
  return client
    .waitForTransactionReceipt({ hash, timeout: PATIENCE_MS })
    .catch(() => client.getTransactionReceipt({ hash }))
}
