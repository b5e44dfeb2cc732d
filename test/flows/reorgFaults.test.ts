/** Reorgs as a client sees them: on demand, on a schedule, and with other transactions in the place of those that were there. */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { flashblocks, receipt, ticks } from '../support/chains/faultScenes.ts'
import { heard, pay, received } from '../support/chains/watched.ts'
import { ask, clientOf, STRANGER } from '../support/clients/clients.ts'

describe('a reorg', () => {
  async function paidThrice(): Promise<{ devnet: Devnet; hashes: Hex[] }> {
    const devnet = await flashblocks()
    const hashes: Hex[] = []
    for (let i = 0; i < 3; i++) {
      hashes.push(await pay(devnet))
      await devnet.mine()
    }
    return { devnet, hashes }
  }

  it('takes the newest blocks off on demand, and brings their transactions back', async () => {
    const { devnet, hashes } = await paidThrice()
    const before = await receipt(devnet, hashes[2]!)
    const removed = await devnet.faults.reorg({ depth: 2, transactions: 'keep' })
    expect(removed.map(({ block }) => block.header.number)).toEqual([2n, 3n])
    const after = await receipt(devnet, hashes[2]!)
    expect(after!.blockNumber).toBe(before!.blockNumber)
    expect(after!.blockHash).not.toBe(before!.blockHash)
  })

  it('puts others in their place, which nobody sent before', async () => {
    const { devnet, hashes } = await paidThrice()
    const client = clientOf(devnet, 1)
    const raw = await client.signTransaction(
      await client.prepareTransactionRequest({ to: STRANGER, value: 9n }),
    )
    await devnet.faults.reorg({ depth: 1, transactions: [[raw]] })
    expect(await received(devnet, 'latest')).toBe(2 + 9)
    expect(await ask(devnet, 'eth_getTransactionByHash', hashes[2])).toMatchObject({ blockNumber: null })
  })

  it('refuses a transaction that no block may have, and says so', async () => {
    const { devnet } = await paidThrice()
    const lines = heard(devnet)
    const client = clientOf(devnet, 1)
    const request = await client.prepareTransactionRequest({ to: STRANGER, value: 9n })
    const foreign = await client.account.signTransaction({ ...request, chainId: 1 } as never)
    await devnet.faults.reorg({ depth: 1, transactions: [[foreign]] })
    expect(lines).toEqual(['removed 3', 'dropped invalidChainId', 'sealed 3'])
  })

  it('lets a given transaction wait whose time has not come', async () => {
    const { devnet } = await paidThrice()
    const client = clientOf(devnet, 1)
    const [zero, one] = await Promise.all(
      [0, 1].map(async (nonce) =>
        client.signTransaction(await client.prepareTransactionRequest({ to: STRANGER, value: 9n, nonce })),
      ),
    )
    await devnet.faults.reorg({ depth: 1, transactions: [[one!]] })
    await ask(devnet, 'eth_sendRawTransaction', zero)
    await devnet.mine()
    expect(await received(devnet, 'latest')).toBe(3 + 18)
  })

  it('says which transaction is given up for one that comes back', async () => {
    const { devnet, hashes } = await paidThrice()
    const lines = heard(devnet)
    const client = clientOf(devnet)
    const rival = await client.signTransaction(
      await client.prepareTransactionRequest({ to: STRANGER, value: 9n, nonce: 2 }),
    )
    await devnet.faults.reorg({ depth: 1, transactions: [[rival]] })
    await devnet.faults.reorg({ depth: 1, transactions: 'wait' })
    expect(lines).toEqual(['removed 3', 'sealed 3', 'dropped replaced', 'removed 3', 'sealed 3'])
    expect(await ask(devnet, 'eth_getTransactionByHash', hashes[2])).toBeNull()
  })

  it('comes on a schedule, right after a block is sealed', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1 })
    const lines = heard(devnet)
    await devnet.faults.planReorg({ depth: 2, transactions: 'wait' }, { block: 2 })
    await devnet.tick()
    await pay(devnet)
    await ticks(devnet, 2)
    expect(lines).toEqual([
      'slice 1.1 +0',
      'sealed 1',
      'slice 2.1 +1',
      'sealed 2',
      'fault reorg 2',
      'removed 1,2',
      'sealed 1',
      'sealed 2',
      'slice 3.1 +1',
    ])
  })

  it('waits until so many blocks can be taken off', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1 })
    const lines = heard(devnet)
    await devnet.faults.planReorg({ depth: 3, transactions: 'keep' })
    await ticks(devnet, 5)
    expect(lines.filter((line) => line.startsWith('fault') || line.startsWith('removed'))).toEqual([
      'fault reorg 3',
      'removed 1,2,3',
    ])
  })

  it('leaves what is final, and says how much could go', async () => {
    const { devnet } = await paidThrice()
    await expect(devnet.faults.reorg({ depth: 4, transactions: 'keep' })).rejects.toThrow(
      'depth: expected at most 3 blocks, which are not final yet, got 4',
    )
  })
})
