/**
 * A migration that Base asked of its users in November 2026: from Flashblocks, which pre-confirm a block of two seconds ten
 * times, to blocks of 200 ms (CONTRACT 5, `base-flashblocks` and `base-denim`). One client, written once, has to work on
 * both: it waits for receipts, reads at `pending`, and follows a contract through `pendingLogs`, `logs` and eth_getLogs.
 */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { STRANGER, ZERO_HASH } from '../support/clients/clients.ts'
import {
  type PreconfirmedClient,
  preconfirmedClient,
  startedAsBase,
  subscribe,
} from '../support/clients/preconfirmedClients.ts'

const PROFILES = ['base-flashblocks', 'base-denim'] as const

interface RpcLog {
  readonly blockNumber: Hex
  readonly logIndex: Hex
  readonly data: Hex
}

/**
 * The amounts that a contract's logs name, each as soon as any source tells it, and from then on no more: a log is the same
 * wherever it comes from if its block's number and its index are.
 */
function follower() {
  const known = new Set<string>()
  const amounts: number[] = []
  return {
    amounts,
    take({ blockNumber, logIndex, data }: RpcLog) {
      const key = `${blockNumber}/${logIndex}`
      if (known.has(key)) return
      known.add(key)
      amounts.push(Number(data))
    },
  }
}

/** A client's story. `later` is all that it knows of time: 200 ms pass. */
async function story(client: PreconfirmedClient, later: () => Promise<void>) {
  const deployment = await client.deployContract({ ...Token, args: ['Gold', 'GOLD'] })
  await later()
  const { contractAddress } = await client.waitForTransactionReceipt({ hash: deployment })
  const token = { address: contractAddress!, abi: Token.abi } as const
  const balance = () => client.readContract({ ...token, functionName: 'balanceOf', args: [STRANGER] })
  const mint = async (amount: bigint) => {
    const call = { ...token, functionName: 'mint', args: [STRANGER, amount] } as const
    const gas = await client.estimateContractGas({ ...call, blockTag: 'pending' })
    return client.writeContract({ ...call, gas })
  }

  const statuses: string[] = []
  const balances: bigint[] = []
  const pay = async (amount: bigint) => {
    const hash = await mint(amount)
    await later()
    const { status } = await client.waitForTransactionReceipt({ hash })
    statuses.push(status)
    balances.push(await balance())
    return hash
  }

  // Two payments before it follows the contract, and three after.
  await pay(1n)
  await pay(2n)
  const { amounts, take } = follower()
  const { address } = token
  await subscribe<RpcLog>(client, ['pendingLogs', { address }], take)
  await subscribe<RpcLog>(client, ['logs', { address }], take)
  const missed = { address, fromBlock: '0x0', toBlock: 'pending' } as const
  for (const log of await client.request({ method: 'eth_getLogs', params: [missed] })) take(log as RpcLog)
  await pay(4n)
  await pay(8n)
  const last = await pay(16n)
  const seenAtOnce = [...amounts]
  // Twelve times 200 ms: whatever the rhythm, a block has been sealed since.
  for (let i = 0; i < 12; i++) await later()
  const { blockHash } = await client.getTransactionReceipt({ hash: last })
  return {
    name: await client.readContract({ ...token, functionName: 'name' }),
    statuses,
    balances,
    seenAtOnce,
    amounts,
    blockHash,
  }
}

async function told(profile: (typeof PROFILES)[number]) {
  const devnet = await startedAsBase({ profile })
  const client = await preconfirmedClient(devnet, 'WebSocket')
  return story(client, () => devnet.advance({ ms: 200 }))
}

describe('one client', () => {
  it.each(PROFILES)('works on %s', async (profile) => {
    const { name, statuses, balances, seenAtOnce, amounts, blockHash } = await told(profile)
    expect(name).toBe('Gold')
    expect(statuses).toEqual(Array(5).fill('success'))
    // Each payment can be read as soon as its receipt is there, 200 ms after it was sent.
    expect(balances).toEqual([1n, 3n, 7n, 15n, 31n])
    // Each log is seen once, as early, and not again when its block is sealed.
    expect(seenAtOnce).toEqual([1, 2, 4, 8, 16])
    expect(amounts).toEqual(seenAtOnce)
    expect(blockHash).not.toBe(ZERO_HASH)
  })
})

describe('what changes under it', () => {
  it.each([
    ['base-flashblocks', { blocks: 0n, isZero: true, pendingLogs: 1, logs: 0, heads: 0 }],
    ['base-denim', { blocks: 2n, isZero: false, pendingLogs: 0, logs: 1, heads: 2 }],
  ] as const)('on %s, in the 200 ms after each of two transactions', async (profile, expected) => {
    const devnet = await startedAsBase({ profile })
    const client = await preconfirmedClient(devnet, 'WebSocket')
    const counts = { pendingLogs: 0, logs: 0, heads: 0 }
    await subscribe(client, ['pendingLogs'], () => counts.pendingLogs++)
    await subscribe(client, ['logs', {}], () => counts.logs++)
    await subscribe(client, ['newHeads'], () => counts.heads++)
    const deployment = await client.deployContract({ ...Token, args: ['Gold', 'GOLD'] })
    await devnet.advance({ ms: 200 })
    const { contractAddress } = await client.getTransactionReceipt({ hash: deployment })
    const mint = {
      address: contractAddress!,
      abi: Token.abi,
      functionName: 'mint',
      args: [STRANGER, 1n],
    } as const
    const hash = await client.writeContract({ ...mint, gas: 100_000n })
    await devnet.advance({ ms: 200 })
    const { blockHash } = await client.getTransactionReceipt({ hash })
    const blocks = await client.getBlockNumber()
    expect({ blocks, isZero: blockHash === ZERO_HASH, ...counts }).toEqual(expected)
  })
})
