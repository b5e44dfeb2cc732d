/** The test that is made a thousand of: a write and a read through viem, on a chain where a token was deployed. */
import { type Address, createTestClient, publicActions, type Transport, walletActions } from 'viem'
import { foundry } from 'viem/chains'
import { expect } from 'vitest'
import { Token } from '../../../fixtures/contracts/Token.ts'

/** What a test begins with. */
export interface Deployed {
  readonly token: Address
  readonly owner: Address
}

const STRANGER = '0x00000000000000000000000000000000000abcde'
/** A receipt that is not there by then has been passed by: viem asks again when the number of blocks has changed. */
const PATIENCE_MS = 200

/** The same client whoever answers. */
export function clientOver(transport: Transport) {
  const settings = { mode: 'anvil', chain: foundry, transport, pollingInterval: 1, cacheTime: 0 } as const
  return createTestClient(settings).extend(publicActions).extend(walletActions)
}

export type Client = ReturnType<typeof clientOver>

/** A token whose owner has a million of it. */
export async function deploy(client: Client): Promise<Deployed> {
  const [owner] = (await client.getAddresses()) as [Address]
  const creation = await client.deployContract({ ...Token, args: ['Gold', 'GOLD'], account: owner })
  const { contractAddress } = await settled(client, creation)
  const token = contractAddress!
  const mint = { abi: Token.abi, address: token, functionName: 'mint', account: owner } as const
  await settled(client, await client.writeContract({ ...mint, args: [owner, 1_000_000n] }))
  return { token, owner }
}

/** A stranger gets `amount`, which nobody gave it before. */
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
