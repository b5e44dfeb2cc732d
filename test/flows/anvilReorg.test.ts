/** `anvil_reorg` and `anvil_rollback` do what anvil does: the same commands to both, the same chains after them. */
import { createTestClient, custom, type Hex, http, publicActions, type Transport, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { spawnAnvil } from '../../scripts/anvil.ts'
import type { Devnet } from '../../src/index.ts'
import { started } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'
import { isAnvilHere } from '../support/nodes/besideAnvil.ts'

const STRANGER: Hex = '0x00000000000000000000000000000000000abcde'

type Ask = (method: string, ...params: readonly unknown[]) => Promise<unknown>

function clientFor(transport: Transport) {
  const settings = { chain: foundry, mode: 'anvil', transport } as const
  return createTestClient(settings).extend(publicActions).extend(walletActions)
}

type Client = ReturnType<typeof clientFor>

const askerOf =
  (client: Client): Ask =>
  (method, ...params) =>
    client.request({ method, params } as never)

async function ours(): Promise<{ devnet: Devnet; client: Client }> {
  const devnet = await started({ rhythm: 'instant' })
  return { devnet, client: clientFor(custom(devnet, { retryCount: 0 })) }
}

async function theirs(): Promise<Client> {
  const anvil = (await spawnAnvil([]))!
  onTestFinished(() => anvil.stop())
  return clientFor(http(anvil.url, { retryCount: 0 }))
}

/** Signed by the given development account: one wei to a stranger. */
async function payment(devnet: Devnet, sender: number, nonce: number): Promise<Hex> {
  return privateKeyToAccount(devnet.accounts[sender]!.privateKey).signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    to: STRANGER,
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  })
}

/** Sends so many payments of the first account, each in a block of its own. anvil makes that after it answered. */
async function pay(client: Client, devnet: Devnet, payments: number): Promise<void> {
  for (let nonce = 0; nonce < payments; nonce++) {
    const hash = await client.sendRawTransaction({ serializedTransaction: await payment(devnet, 0, nonce) })
    await vi.waitFor(() => client.getTransactionReceipt({ hash }), SOON)
  }
}

/** What can be seen of the chain that does not depend on times. */
async function seen(client: Client): Promise<unknown> {
  const latest = await client.getBlockNumber({ cacheTime: 0 })
  const numbers = Array.from({ length: Number(latest) + 1 }, (_, i) => BigInt(i))
  const blocks = await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })))
  const [first] = await client.getAddresses()
  return {
    blocks: blocks.map(({ transactions }) => transactions),
    balance: await client.getBalance({ address: STRANGER }),
    nonce: await client.getTransactionCount({ address: first! }),
    pooled: (await client.getTxpoolStatus()).pending,
  }
}

describe.skipIf(!isAnvilHere)('beside anvil', () => {
  it('blocks are taken off, and what was in them is gone', async () => {
    const [{ devnet, client }, anvil] = await Promise.all([ours(), theirs()])
    for (const one of [client, anvil]) {
      await pay(one, devnet, 4)
      expect(await askerOf(one)('anvil_rollback', 2)).toBeNull()
    }
    expect(await seen(client)).toEqual(await seen(anvil))
    for (const one of [client, anvil]) expect(await askerOf(one)('anvil_rollback', null)).toBeNull()
    const left = await seen(client)
    expect(left).toEqual(await seen(anvil))
    expect(left).toMatchObject({ balance: 1n, nonce: 1, pooled: 0 })
  })

  it('others come in their place, signed or to be signed, each in the block that it is for', async () => {
    const [{ devnet, client }, anvil] = await Promise.all([ours(), theirs()])
    const raw = await payment(devnet, 0, 1)
    const request = {
      from: devnet.accounts[1]!.address,
      to: STRANGER,
      value: '0x5',
      gas: '0x5208',
      maxFeePerGas: '0x2540be400',
      maxPriorityFeePerGas: '0x1',
    }
    for (const one of [client, anvil]) {
      await pay(one, devnet, 4)
      expect(
        await askerOf(one)('anvil_reorg', 3, [
          [request, 0],
          [raw, 1],
        ]),
      ).toBeNull()
    }
    const after = await seen(client)
    expect(after).toMatchObject({ balance: 7n, nonce: 2, pooled: 0 })
    const [mine, other] = [after, await seen(anvil)] as { blocks: Hex[][] }[]
    expect(mine!.blocks.map(({ length }) => length)).toEqual([0, 1, 1, 1, 0])
    expect(mine).toEqual(other)
  })

  it('without any others as many empty blocks come', async () => {
    const [{ devnet, client }, anvil] = await Promise.all([ours(), theirs()])
    for (const one of [client, anvil]) {
      await pay(one, devnet, 3)
      expect(await askerOf(one)('anvil_reorg', 2, [])).toBeNull()
    }
    expect(await seen(client)).toEqual(await seen(anvil))
  })
})

describe('anvil_reorg', () => {
  it('refuses what it cannot do and leaves the chain as it was', async () => {
    const { devnet, client } = await ours()
    const ask = askerOf(client)
    await pay(client, devnet, 1)
    const before = await seen(client)
    const wrong: [params: unknown[], message: string][] = [
      [[2, []], 'params[0]: depth: expected at most 1 blocks, which are not final yet, got 2'],
      [[1, [[{ from: STRANGER, to: STRANGER }, 0]]], 'expected a sender whose key is known here'],
      [[1, [['0x1234', 0]]], 'params[1][0][0]: expected a signed transaction'],
      [[1, [[{}, 1]]], 'expected the index of a new block, below 1, got 1'],
      [[1, ['0x']], 'params[1][0]: expected a pair [transaction, index of the block]'],
      [[1, [[{}, 0, 0]]], 'params[1][0]: expected a pair [transaction, index of the block]'],
      [
        [2, [[{ to: STRANGER }, 0]]],
        'params[0]: depth: expected at most 1 blocks, which are not final yet, got 2',
      ],
    ]
    for (const [params, message] of wrong)
      await expect(ask('anvil_reorg', ...params)).rejects.toThrow(message)
    await expect(ask('anvil_rollback', 2)).rejects.toThrow('depth: expected at most 1 blocks')
    expect(await seen(client)).toEqual(before)
  })

  it.each([1, 2])('gives nonces that go on from the newest block that stays: %i of 2 off', async (depth) => {
    const { devnet, client } = await ours()
    await pay(client, devnet, 2)
    const request = { from: devnet.accounts[0]!.address, to: STRANGER, value: '0x1' }
    await askerOf(client)('anvil_reorg', depth, [
      [request, 0],
      [request, depth - 1],
      [{ ...request, from: devnet.accounts[1]!.address }, depth - 1],
    ])
    expect(await seen(client)).toMatchObject({ balance: 5n - BigInt(depth), nonce: 4 - depth, pooled: 0 })
  })

  it('keeps the nonce and the gas that a transaction names, in whatever order they come', async () => {
    const { devnet, client } = await ours()
    await pay(client, devnet, 2)
    const request = { from: devnet.accounts[0]!.address, to: STRANGER, value: '0x5', gas: '0x7530' }
    await askerOf(client)('anvil_reorg', 2, [
      [{ ...request, nonce: '0x1' }, 1],
      [{ ...request, nonce: '0x0' }, 0],
    ])
    const blocks = await Promise.all(
      [1n, 2n].map((blockNumber) => client.getBlock({ blockNumber, includeTransactions: true })),
    )
    expect(blocks.map(({ transactions }) => transactions)).toMatchObject([
      [{ nonce: 0, gas: 30_000n }],
      [{ nonce: 1, gas: 30_000n }],
    ])
  })

  it('takes an object as well', async () => {
    const { devnet, client } = await ours()
    await pay(client, devnet, 2)
    await askerOf(client)('anvil_reorg', { depth: 1, tx_block_pairs: [[await payment(devnet, 1, 0), 0]] })
    expect(await seen(client)).toMatchObject({ balance: 2n, nonce: 1 })
  })
})
