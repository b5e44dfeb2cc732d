/** Time as a test moves it: by commands, over long spans, and block by block. */
import { describe, expect, it } from 'vitest'
import { type Devnet, type DevnetOptions, replay } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

/** Where the rhythm `manual` begins. */
const START = Date.UTC(2025, 0, 1) / 1_000
const DAY = 86_400

interface RpcBlock {
  readonly number: string
  readonly timestamp: string
  readonly hash: string
  readonly baseFeePerGas: string
}

async function block(devnet: Devnet, tag = 'latest') {
  const { number, timestamp, hash, baseFeePerGas } = await ask<RpcBlock>(
    devnet,
    'eth_getBlockByNumber',
    tag,
    false,
  )
  return { number: Number(number), timestamp: Number(timestamp), hash, baseFeePerGas: BigInt(baseFeePerGas) }
}

/** Sends from the account at `index`, whatever the base fee; answers the hash. */
async function pay(devnet: Devnet, fields: Record<string, unknown> = {}, index = 0): Promise<string> {
  const from = devnet.accounts[index]!.address
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', gas: '0x5208', ...fields })
}

describe('advance over a long span', () => {
  it('moves time by a year, and makes few blocks', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.advance({ days: 365 })
    // The newest sealed block was opened a tick before the open one.
    const { number, timestamp } = await block(devnet)
    expect(timestamp).toBe(START + 365 * DAY - 1)
    expect((await block(devnet, 'pending')).timestamp).toBe(START + 365 * DAY)
    expect(number).toBeLessThan(500)
  })

  it('finalizes what was sent before it, and brings the base fee to rest', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { receipt } = await devnet.send({ to: STRANGER, value: 1n })
    await devnet.advance({ days: 7 })
    expect((await block(devnet, 'finalized')).number).toBeGreaterThanOrEqual(Number(receipt.blockNumber))
    const { number, baseFeePerGas } = await block(devnet)
    expect((await block(devnet, `0x${(number - 1).toString(16)}`)).baseFeePerGas).toBe(baseFeePerGas)
  })

  it('adds units up, and is refused for those that there are not', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.advance({ weeks: 1, days: 1, hours: 1, minutes: 1, seconds: 1, ms: 0 })
    expect((await block(devnet, 'pending')).timestamp).toBe(START + 8 * DAY + 3_661)
    await expect(devnet.advance({ day: 1 } as never)).rejects.toThrow(
      'advance: day: there is no such field; did you mean days?',
    )
    await expect(devnet.advance({})).rejects.toThrow(
      'expected a length of time, such as { days: 7 }, got none',
    )
    await expect(devnet.advance({ days: Number.NaN })).rejects.toThrow(
      'advance: expected days of at least 0, got NaN',
    )
  })

  it('gives the same hashes for the same commands, also after a fork, and can be taken back', async () => {
    const one = await started({ rhythm: 'manual' })
    const two = one.fork()
    const before = one.snapshot()
    for (const devnet of [one, two]) {
      await pay(devnet)
      await devnet.advance({ days: 30 })
      await pay(devnet)
      await devnet.advance({ hours: 5 })
    }
    expect(await block(one)).toEqual(await block(two))
    const after = await block(one)
    await one.restore(before)
    expect((await block(one)).timestamp).toBe(START)
    await pay(one)
    await one.advance({ days: 30 })
    await pay(one)
    await one.advance({ hours: 5 })
    expect(await block(one)).toEqual(after)
    await two.close()
  })

  it('is played again by a replay', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const recording = await devnet.record()
    await pay(devnet)
    await devnet.advance({ days: 30 })
    await devnet.increaseTime({ days: 1 })
    await devnet.mine({ blocks: 3, intervalSeconds: 10 })
    await devnet.setTime(START + 40 * DAY)
    await devnet.mine()
    await block(devnet)
    recording.end()
    expect((await replay(recording.text)).difference).toBeUndefined()
  })

  it('makes each tick while a fault is planned, and refuses more than a million of them', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const reorged: number[] = []
    devnet.on('reorged', (removed) => reorged.push(Number(removed[0]!.block.header.number)))
    await devnet.faults.add({ kind: 'reorg', depth: 1, transactions: 'keep', when: { block: 5_100 } })
    await expect(devnet.advance({ days: 30 })).rejects.toThrow(
      'advance: 2592000000 ms are 12960000 ticks of 200 ms; while a fault is planned, no tick is skipped, and at most 1000000 are made at once; use increaseTime',
    )
    await devnet.advance({ ms: 5_200 * 200 })
    expect(reorged).toEqual([5_100])
    await devnet.advance({ days: 30 })
    expect((await block(devnet)).number).toBeLessThan(5_500)
  })
})

/** Beside ticks one by one: what waits gets into the same blocks at the same times, and the chain stands where it stood. */
describe.each<[string, DevnetOptions]>([
  ['a block with each tick', { gasLimit: 50_000n }],
  ['blocks of three slices', { ticksPerBlock: 3, gasLimit: 50_000n }],
  ['blocks opened and sealed within a tick', { ticksPerBlock: 0 }],
  ['no empty blocks', { sealEmptyBlocks: false }],
])('advance beside ticks: %s', (_, options) => {
  it('does the same with what waits', async () => {
    const begun = await started({
      rhythm: 'manual',
      tickMs: 1_000,
      baseFee: 1_000n,
      finalizedDistance: 64,
      ...options,
    })
    const hashes = [
      await pay(begun),
      await pay(begun),
      await pay(begun, {}, 1),
      // Runs when the base fee has fallen; does not ever run; comes never, as one before it is missing.
      await pay(begun, { maxFeePerGas: '0x1f4', maxPriorityFeePerGas: '0x0' }, 2),
      await pay(begun, { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x0' }, 3),
      await pay(begun, { nonce: '0x5' }, 4),
    ]
    const byTicks = begun.fork()
    const TICKS = 5_003
    await begun.advance({ seconds: TICKS })
    for (let tick = 0; tick < TICKS; tick++) await byTicks.tick()
    for (const hash of hashes) {
      const receipts = await Promise.all(
        [begun, byTicks].map((devnet) => ask(devnet, 'eth_getTransactionReceipt', hash)),
      )
      expect(receipts[0]).toEqual(receipts[1])
    }
    for (const question of [
      ['txpool_content'],
      ['eth_getBalance', STRANGER, 'latest'],
      ['eth_gasPrice'],
    ] as const) {
      const [method, ...params] = question
      expect(await ask(begun, method, ...params)).toEqual(await ask(byTicks, method, ...params))
    }
    const [one, two] = [await block(begun), await block(byTicks)]
    expect(one.timestamp).toBe(two.timestamp)
    expect(one.baseFeePerGas).toBe(two.baseFeePerGas)
    expect(one.number).toBeLessThanOrEqual(two.number)
    // And what is sent then is in a block as many ticks later.
    const later = await Promise.all([pay(begun, {}, 5), pay(byTicks, {}, 5)])
    await Promise.all([begun.advance({ seconds: 7 }), byTicks.advance({ seconds: 7 })])
    const [first, second] = await Promise.all([
      ask<{ blockTimestamp?: string; gasUsed: string }>(begun, 'eth_getTransactionReceipt', later[0]),
      ask<{ blockTimestamp?: string; gasUsed: string }>(byTicks, 'eth_getTransactionReceipt', later[1]),
    ])
    expect(first.gasUsed).toBe(second.gasUsed)
    expect((await block(begun)).timestamp).toBe((await block(byTicks)).timestamp)
    await byTicks.close()
  })
})

describe('increaseTime', () => {
  it('moves time without a block: pending has it at once, latest with the next', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.tick()
    await devnet.increaseTime({ days: 7 })
    expect((await block(devnet, 'pending')).timestamp).toBe(START + 7 * DAY)
    expect(await block(devnet)).toMatchObject({ number: 0, timestamp: START })
    await devnet.mine()
    expect(await block(devnet)).toMatchObject({ number: 1, timestamp: START + 7 * DAY })
  })

  it('takes seconds, as numbers of either kind', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.increaseTime(60)
    await devnet.increaseTime(40n)
    await devnet.mine()
    expect((await block(devnet)).timestamp).toBe(START + 100)
  })

  it.each([-1, 0.5, Number.NaN, { ms: 1 }])(
    'is refused for %j, which is no whole number of seconds',
    async (duration) => {
      const devnet = await started({ rhythm: 'manual' })
      await expect(devnet.increaseTime(duration)).rejects.toThrow(
        /^increaseTime: seconds: expected a whole number from 0 to/,
      )
    },
  )

  it('is refused for units that there are not', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(devnet.increaseTime({ month: 1 } as never)).rejects.toThrow(
      'increaseTime: month: there is no such field; known are weeks, days, hours, minutes, seconds, ms',
    )
    await expect(devnet.increaseTime(undefined as never)).rejects.toThrow(RangeError)
  })
})

describe('setTime', () => {
  it('takes a Date, or seconds since 1970', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.setTime(new Date('2030-01-01T00:00:00.900Z'))
    await devnet.mine()
    expect((await block(devnet)).timestamp).toBe(Date.UTC(2030, 0, 1) / 1_000)
    await devnet.setTime(2_000_000_000n)
    await devnet.mine()
    expect((await block(devnet)).timestamp).toBe(2_000_000_000)
  })

  it('is refused for what is past, and for milliseconds', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(devnet.setTime(START - 1)).rejects.toThrow(
      `setTime: expected a Date, or whole seconds since 1970 from ${START} (the newest block) on, got ${START - 1}`,
    )
    await expect(devnet.setTime(START * 1_000)).rejects.toThrow('; milliseconds are given as new Date(ms)')
    await expect(devnet.setTime(new Date('no date'))).rejects.toThrow('got Invalid Date')
  })
})

describe('mine', () => {
  it('mines as many blocks as are asked for, as far apart', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine(5)
    expect(await block(devnet)).toMatchObject({ number: 5, timestamp: START })
    await devnet.mine({ blocks: 3, intervalSeconds: 12 })
    expect(await block(devnet)).toMatchObject({ number: 8, timestamp: START + 24 })
    await devnet.mine({})
    expect((await block(devnet)).number).toBe(9)
  })

  it.each([0, -1, 1.5, 1_000_001, '5'])('is refused for %j', async (blocks) => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(devnet.mine({ blocks } as never)).rejects.toThrow(
      `mine: blocks: expected a whole number from 1 to 1000000, got ${blocks}`,
    )
    await expect(devnet.mine({ block: 5 } as never)).rejects.toThrow(
      'mine: block: there is no such field; did you mean blocks?',
    )
  })
})
