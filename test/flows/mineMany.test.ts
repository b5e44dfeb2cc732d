/** Mining many blocks at once: others have their turn meanwhile, and it ends when the devnet is closed. */
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'

const MILLION = '0xf4240'

async function withDevnet(options: DevnetOptions, use: (devnet: Devnet) => Promise<void>): Promise<void> {
  const devnet = await createDevnet(options)
  try {
    await use(devnet)
  } finally {
    await devnet.close()
  }
}

const numberOf = async (devnet: Devnet) => Number(await devnet.request({ method: 'eth_blockNumber' }))

describe('anvil_mine of a million blocks', () => {
  it('lets transactions and questions have their turn', async () => {
    await withDevnet({ tickMs: 20 }, async (devnet) => {
      void devnet.request({ method: 'anvil_mine', params: [MILLION] })
      await turn()
      const [from, to] = devnet.accounts
      const { receipt } = await devnet.send({ from: from!.address, to: to!.address, value: 1n })
      const number = await numberOf(devnet)
      expect(number).toBeGreaterThan(0)
      expect(number).toBeLessThan(900_000)
      expect(receipt.cumulativeGasUsed).toBe(21_000n)
    })
  })

  it('tells how far it is', async () => {
    await withDevnet({ rhythm: 'manual' }, async (devnet) => {
      const seen: { work: string; done: number; total: number }[] = []
      devnet.on('progress', (progress) => seen.push(progress))
      void devnet.request({ method: 'anvil_mine', params: [MILLION] })
      while (seen.length < 3) await turn()
      expect(seen[0]).toMatchObject({ work: 'mine', total: 1_000_000 })
      expect(seen[2]!.done).toBeGreaterThan(seen[0]!.done)
    })
  })

  it('ends when the devnet is closed', async () => {
    await withDevnet({ rhythm: 'manual' }, async (devnet) => {
      const mining = devnet.request({ method: 'hardhat_mine', params: [MILLION] })
      await turn()
      await devnet.close()
      await mining
      expect(devnet.latest.header.number).toBeLessThan(900_000n)
    })
  })
})

describe('anvil_mine of some blocks', () => {
  it('mines exactly so many, one after the other, though others wait', async () => {
    await withDevnet({ rhythm: 'manual' }, async (devnet) => {
      const mining = devnet.request({ method: 'anvil_mine', params: ['0x1388', '0xa'] })
      const snapshot = devnet.request({ method: 'evm_snapshot' })
      await Promise.all([mining, snapshot])
      expect(await numberOf(devnet)).toBe(5_000)
      const block = (await devnet.request({
        method: 'eth_getBlockByNumber',
        params: ['0x1388', false],
      })) as { timestamp: string }
      const first = (await devnet.request({
        method: 'eth_getBlockByNumber',
        params: ['0x1', false],
      })) as { timestamp: string }
      expect(Number(block.timestamp) - Number(first.timestamp)).toBe(49_990)
    })
  })
})
