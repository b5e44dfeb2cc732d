/** The rhythm over JSON-RPC, slices and blocks on demand, and what waiting transactions wait for. */
import { describe, expect, it, vi } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { SocketClient } from '../support/clients/socket.ts'
import { SOON } from '../support/clients/until.ts'

type Json = Record<string, unknown>

function send(devnet: Devnet, more: object = {}): Promise<string> {
  const from = devnet.accounts[0]!.address
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', ...more })
}

describe('preseal_getRhythm', () => {
  it('tells the rhythm, its times and the block under construction', async () => {
    const devnet = await started({ profile: 'base-flashblocks', rhythm: 'manual' })
    expect(await ask(devnet, 'preseal_getRhythm')).toEqual({
      rhythm: 'manual',
      tickMs: 200,
      ticksPerBlock: 10,
      blockMs: 2_000,
      time: Date.UTC(2025, 0, 1),
      nextTickMs: null,
      openBlock: null,
      receipts: 'preconfirmed',
    })
    await devnet.tick()
    expect(await ask(devnet, 'preseal_getRhythm')).toMatchObject({
      time: Date.UTC(2025, 0, 1) + 200,
      openBlock: { blockNumber: '0x1', slice: '0x1' },
    })
  })

  it('tells when the next tick is due where time makes ticks', async () => {
    const devnet = await started({ rhythm: 'interval', tickMs: 60_000 })
    const { time, nextTickMs } = await ask<{ time: number; nextTickMs: number }>(devnet, 'preseal_getRhythm')
    expect(nextTickMs).toBeGreaterThan(time)
    expect(nextTickMs - time).toBeLessThanOrEqual(60_000)
  })
})

describe('preseal_setRhythm', () => {
  it('changes the time between blocks, or between ticks, and keeps the rhythm', async () => {
    const devnet = await started({ profile: 'base-flashblocks', rhythm: 'manual' })
    expect(await ask(devnet, 'preseal_setRhythm', { blockMs: 1_000 })).toMatchObject({
      rhythm: 'manual',
      blockMs: 1_000,
      tickMs: 100,
    })
    expect(await ask(devnet, 'preseal_setRhythm', { tickMs: 50 })).toMatchObject({ blockMs: 500, tickMs: 50 })
    await devnet.advance({ ms: 500 })
    const { openBlock } = await ask<{ openBlock: Json }>(devnet, 'preseal_getRhythm')
    expect(openBlock).toMatchObject({ blockNumber: '0x1', slice: '0xa' })
  })

  it('starts and stops the making of slices by time', async () => {
    const devnet = await started({ rhythm: 'interval', tickMs: 3_600_000 })
    await ask(devnet, 'preseal_setRhythm', { tickMs: 5 })
    const hash = await send(devnet)
    await vi.waitUntil(async () => (await ask(devnet, 'eth_getTransactionReceipt', hash)) !== null, SOON)
    expect(await ask(devnet, 'preseal_setRhythm', { rhythm: 'manual' })).toMatchObject({
      rhythm: 'manual',
      nextTickMs: null,
    })
    expect(await ask(devnet, 'preseal_setRhythm', { rhythm: 'instant' })).toMatchObject({ rhythm: 'instant' })
    const at = await send(devnet)
    expect(await ask(devnet, 'eth_getTransactionReceipt', at)).not.toBe(null)
  })

  it.each([
    [{ rhythm: 'fast' }, /params\[0\]\.rhythm: expected "interval", "manual" or "instant", got "fast"/],
    [{ blockMs: 0 }, /params\[0\]\.blockMs: expected milliseconds from 1 to 86400000, got 0/],
    [{ tickMs: 1e9 }, /params\[0\]\.tickMs/],
    [{ blockMs: 10, tickMs: 10 }, /params\[0\]\.tickMs: expected blockMs or tickMs, not both/],
    [{ seconds: 1 }, /params\[0\]\.seconds: expected nothing but rhythm, blockMs and tickMs/],
    [7, /params\[0\]: expected an object/],
  ])('refuses %j', async (change, message) => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(ask(devnet, 'preseal_setRhythm', change)).rejects.toThrow(message)
  })
})

it.each(['manual', 'interval'] as const)(
  'a slice and a block are made on demand under %s',
  async (rhythm) => {
    const devnet = await started({ profile: 'base-flashblocks', rhythm, tickMs: 3_600_000 })
    const { webSocketUrl } = await devnet.listen({ port: 0 })
    const client = await SocketClient.connect(webSocketUrl)
    try {
      await send(devnet)
      const first = (await client.ask('preseal_tick')).result as Json
      expect(first).toMatchObject({ blockNumber: '0x1', slice: '0x1' })
      await send(devnet)
      expect((await client.ask('preseal_tick')).result).toMatchObject({ blockNumber: '0x1', slice: '0x2' })
      const sealed = (await client.ask('preseal_seal')).result as Json
      const latest = await ask<Json>(devnet, 'eth_getBlockByNumber', 'latest', false)
      expect(sealed).toEqual({ blockNumber: '0x1', blockHash: latest.hash })
    } finally {
      client.close()
    }
  },
)
