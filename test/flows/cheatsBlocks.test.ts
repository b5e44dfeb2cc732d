/** Blocks by hand: mined, timed, and given values of their own. */
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'

const START = 1_735_689_600 // 2025-01-01T00:00:00Z
const COINBASE = '0x00000000000000000000000000000000c0135a5e'

function pay(devnet: Devnet, fields: object = {}): Promise<Hex> {
  return ask(devnet, 'eth_sendTransaction', {
    from: devnet.accounts[0]!.address,
    to: STRANGER,
    value: '0x1',
    gas: '0x5208',
    ...fields,
  })
}

type Field = 'hash' | 'parentHash' | 'miner' | 'extraData' | 'mixHash' | 'gasLimit' | 'baseFeePerGas'

async function block(devnet: Devnet, at = 'latest') {
  const found = await ask<Record<Field | 'number' | 'timestamp', Hex> & { transactions: Hex[] }>(
    devnet,
    'eth_getBlockByNumber',
    at,
    false,
  )
  return { ...found, number: Number(found.number), timestamp: Number(found.timestamp) }
}

async function timestamps(devnet: Devnet, from: number, to: number): Promise<number[]> {
  const seen: number[] = []
  for (let number = from; number <= to; number++) {
    seen.push((await block(devnet, numberToHex(number))).timestamp - START)
  }
  return seen
}

async function refused(answer: Promise<unknown>, code: number, words: string): Promise<void> {
  await expect(answer).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
}

describe('mining', () => {
  it('makes a block of what waits', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await pay(devnet)
    expect(await ask(devnet, 'evm_mine')).toBe('0x0')
    expect(await block(devnet)).toMatchObject({ number: 1, transactions: [hash] })
  })

  it('makes many, and moves time between them alone', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'hardhat_mine', '0x3', '0x3c')
    await ask(devnet, 'anvil_mine', 2, 5)
    await ask(devnet, 'anvil_mine')
    expect(await timestamps(devnet, 1, 6)).toEqual([0, 60, 120, 120, 125, 125])
  })

  it('makes none where none are asked for', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_mine', '0x0')
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
  })

  it('makes a block at a time of its own, and the clock goes on from there', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'evm_mine', START + 1_000)
    await ask(devnet, 'evm_mine', { timestamp: numberToHex(START + 2_000), blocks: 2 })
    await devnet.advance({ ms: 5_000 })
    await devnet.mine()
    expect((await timestamps(devnet, 1, 3)).concat((await block(devnet)).timestamp - START)).toEqual([
      1_000, 2_000, 2_000, 2_005,
    ])
  })

  it('tells what was mined where it is asked to', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await pay(devnet)
    const mined = await ask<{ number: Hex; transactions: object[] }[]>(devnet, 'evm_mine_detailed', {
      blocks: 2,
    })
    expect(mined.map(({ number }) => number)).toEqual(['0x1', '0x2'])
    expect(mined[0]!.transactions).toMatchObject([{ hash }])
  })

  it('makes one block where an object says no number of them', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'evm_mine', { timestamp: START + 1_000 })
    await ask(devnet, 'evm_mine', {})
    expect(await timestamps(devnet, 1, 2)).toEqual([1_000, 1_000])
    expect(await ask(devnet, 'evm_mine_detailed')).toMatchObject([{ number: '0x3' }])
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x3')
  })

  it('is done before anything that is asked afterwards', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const answers = [pay(devnet), ask(devnet, 'anvil_mine', '0x2'), ask(devnet, 'evm_snapshot')]
    await Promise.all(answers)
    await ask(devnet, 'evm_mine')
    await ask(devnet, 'evm_revert', '0x1')
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x2')
  })
})

describe('the rhythm', () => {
  it('becomes instant, and what waited is mined at once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const first = await pay(devnet)
    await ask(devnet, 'evm_setAutomine', true)
    expect(await ask(devnet, 'hardhat_getAutomine')).toBe(true)
    expect(await block(devnet)).toMatchObject({ number: 1, transactions: [first] })
    const second = await pay(devnet)
    expect(await block(devnet)).toMatchObject({ number: 2, transactions: [second] })
    await ask(devnet, 'evm_setAutomine', false)
    await pay(devnet)
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x2')
    expect(await ask(devnet, 'anvil_getAutomine')).toBe(false)
  })

  it('becomes instant, and what was pre-confirmed is sealed at once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await pay(devnet)
    await devnet.tick()
    await ask(devnet, 'anvil_setAutomine', true)
    expect(await block(devnet)).toMatchObject({ number: 1, transactions: [hash] })
  })

  it('is left alone by an automine that is switched off twice', async () => {
    const devnet = await started({ tickMs: 3_600_000 })
    await ask(devnet, 'evm_setAutomine', false)
    expect(await ask(devnet, 'anvil_getIntervalMining')).toBe(3_600)
  })

  it('becomes one of time, and stops', async () => {
    const devnet = await started({ rhythm: 'instant' })
    expect(await ask(devnet, 'anvil_getIntervalMining')).toBe(null)
    // Hardhat's milliseconds, which are recognised by their size.
    await ask(devnet, 'evm_setIntervalMining', [1_000, 2_000])
    expect(await ask(devnet, 'anvil_getIntervalMining')).toBe(1)
    expect(await ask(devnet, 'anvil_getAutomine')).toBe(false)
    await vi.waitUntil(async () => (await block(devnet)).number > 0, SOON)
    await ask(devnet, 'evm_setIntervalMining', 0)
    expect(await ask(devnet, 'anvil_getIntervalMining')).toBe(null)
  })

  it.each([
    ['anvil_setIntervalMining', 5, 5],
    ['anvil_setIntervalMining', '0x3e8', 1_000],
    ['evm_setIntervalMining', 5, 5],
    ['evm_setIntervalMining', 999, 999],
    ['evm_setIntervalMining', 1_000, 1],
    ['evm_setIntervalMining', 1_500, 2],
    ['evm_setIntervalMining', [500, 2_000], 1],
    ['evm_setIntervalMining', 5_000, 5],
    ['evm_setIntervalMining', [60_000, 120_000], 60],
  ])('of %s(%j) is a block every %i s', async (name, interval, seconds) => {
    const devnet = await started({ rhythm: 'instant', ticksPerBlock: 10 })
    await ask(devnet, name, interval)
    expect(await ask(devnet, 'anvil_getIntervalMining')).toBe(seconds)
  })

  it.each([[0], [[0, 0]]])('stays instant with the interval %j, as in Hardhat', async (interval) => {
    const devnet = await started({ rhythm: 'instant' })
    await ask(devnet, 'evm_setIntervalMining', interval)
    expect(await ask(devnet, 'hardhat_getAutomine')).toBe(true)
  })

  it("is ganache's to switch", async () => {
    const devnet = await started({ tickMs: 3_600_000 })
    expect(await ask(devnet, 'miner_stop')).toBe(true)
    expect(await ask(devnet, 'anvil_getIntervalMining')).toBe(null)
    expect(await ask(devnet, 'eth_mining')).toBe(false)
    expect(await ask(devnet, 'miner_start')).toBe(true)
    expect(await ask(devnet, 'eth_mining')).toBe(true)
  })

  it('lets time stand where it stood: it moves by whole intervals', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setIntervalMining', 1)
    await vi.waitUntil(async () => (await block(devnet)).number > 0, SOON)
    await ask(devnet, 'anvil_setIntervalMining', 0)
    expect((await block(devnet)).timestamp).toBe(START + (await block(devnet)).number)
  })
})

describe('time', () => {
  it('is moved without a block, and tells by how much in all', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await ask(devnet, 'evm_increaseTime', 60)).toBe(60)
    expect(await ask(devnet, 'evm_increaseTime', '0x3c')).toBe(120)
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
    await devnet.mine()
    expect(await timestamps(devnet, 1, 1)).toEqual([120])
  })

  it('moves the empty open block with it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.tick()
    await ask(devnet, 'evm_increaseTime', 60)
    expect((await block(devnet, 'pending')).timestamp).toBe(START + 60)
    await devnet.tick()
    expect(await timestamps(devnet, 1, 1)).toEqual([60])
  })

  it('does not move a block with pre-confirmed transactions', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await pay(devnet)
    await devnet.tick()
    const pending = await ask(devnet, 'eth_getBlockByNumber', 'pending', true)
    await ask(devnet, 'evm_increaseTime', 60)
    await ask(devnet, 'hardhat_setCoinbase', COINBASE)
    expect(await ask(devnet, 'eth_getBlockByNumber', 'pending', true)).toEqual(pending)
    await ask(devnet, 'anvil_mine', 2)
    expect(await timestamps(devnet, 1, 2)).toEqual([0, 60])
    expect([(await block(devnet, '0x1')).miner, (await block(devnet)).miner]).toEqual([
      `0x${'00'.repeat(20)}`,
      COINBASE,
    ])
  })

  it('is set in seconds or milliseconds, forward and back; blocks never go back', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await ask(devnet, 'evm_setTime', START + 100)).toBe(100)
    await devnet.mine()
    expect(await ask(devnet, 'evm_setTime', (START + 300) * 1_000)).toBe(200)
    await devnet.mine()
    expect(await ask(devnet, 'anvil_setTime', numberToHex(START))).toBe(0)
    await devnet.mine()
    expect(await timestamps(devnet, 1, 3)).toEqual([100, 300, 300])
  })

  it('makes no ticks when it is moved', async () => {
    const devnet = await started({ tickMs: 3_600_000 })
    await ask(devnet, 'evm_increaseTime', 100 * 3_600)
    await devnet.mine()
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x1')
  })

  it('of the next block is what it was set to, once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'evm_setNextBlockTimestamp', START + 500)
    await ask(devnet, 'evm_mine')
    await ask(devnet, 'evm_increaseTime', 7)
    await ask(devnet, 'evm_mine')
    expect(await timestamps(devnet, 1, 2)).toEqual([500, 507])
  })

  it('of the next block may be before the clock, but not before the block before', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'evm_increaseTime', 1_000)
    await ask(devnet, 'evm_setNextBlockTimestamp', START + 500)
    await ask(devnet, 'evm_mine')
    expect(await timestamps(devnet, 1, 1)).toEqual([500])
    const early = ask(devnet, 'evm_setNextBlockTimestamp', START + 499)
    await refused(early, -32602, `expected a timestamp of at least ${START + 500}`)
    await refused(ask(devnet, 'evm_mine', 1), -32602, `expected a timestamp of at least ${START + 500}`)
    await pay(devnet)
    await devnet.tick()
    await devnet.advance({ ms: 10_000 })
  })

  it('of each block is an interval after the one before, until that is removed', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setBlockTimestampInterval', 7)
    await ask(devnet, 'anvil_mine', 2)
    await ask(devnet, 'hardhat_setBlockTimestampInterval', 9_000)
    await ask(devnet, 'anvil_mine', 1)
    expect(await ask(devnet, 'anvil_removeBlockTimestampInterval')).toBe(true)
    expect(await ask(devnet, 'anvil_removeBlockTimestampInterval')).toBe(false)
    await ask(devnet, 'anvil_mine', 1)
    expect(await timestamps(devnet, 1, 4)).toEqual([7, 14, 23, 23])
  })
})

describe('a wish for the next block', () => {
  const wishes = async (devnet: Devnet) => {
    await ask(devnet, 'anvil_setNextBlockBaseFeePerGas', '0x5')
    await ask(devnet, 'hardhat_setPrevRandao', '0x7')
    await ask(devnet, 'evm_setBlockGasLimit', '0x1000000')
    await ask(devnet, 'anvil_setCoinbase', COINBASE)
    await ask(devnet, 'anvil_setNextBlockTimestamp', START + 40)
    await ask(devnet, 'miner_setExtra', '0xe77a')
  }
  const granted = {
    extraData: '0xe77a',
    baseFeePerGas: '0x5',
    mixHash: numberToHex(7, { size: 32 }),
    gasLimit: '0x1000000',
    miner: COINBASE,
    timestamp: START + 40,
  }

  it('is granted to the block that is opened next', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await wishes(devnet)
    const hash = await pay(devnet)
    await devnet.tick()
    expect(await block(devnet, 'pending')).toMatchObject({ ...granted, transactions: [hash] })
    await devnet.tick()
    expect(await block(devnet)).toMatchObject({ ...granted, number: 1, transactions: [hash] })
  })

  it('opens an empty open block anew', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 3 })
    await devnet.tick()
    await devnet.tick()
    await wishes(devnet)
    expect(await block(devnet, 'pending')).toMatchObject(granted)
    await devnet.tick()
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
    await devnet.tick()
    expect(await block(devnet)).toMatchObject({ ...granted, number: 1 })
  })

  it('waits for the block after one with transactions', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await pay(devnet)
    await devnet.tick()
    const pending = await block(devnet, 'pending')
    await wishes(devnet)
    expect(await block(devnet, 'pending')).toEqual(pending)
    await devnet.tick()
    expect(await block(devnet)).toMatchObject({ number: 1, timestamp: pending.timestamp })
    expect(await block(devnet, 'pending')).toMatchObject({ ...granted, number: 2 })
  })

  it('is for one block; coinbase and gas limit stay', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await wishes(devnet)
    await devnet.mine()
    await devnet.mine()
    const { baseFeePerGas, mixHash, gasLimit, miner } = await block(devnet)
    expect({ gasLimit, miner }).toEqual({ gasLimit: granted.gasLimit, miner: COINBASE })
    expect(mixHash).not.toBe(granted.mixHash)
    expect(baseFeePerGas).toBe('0x5')
    expect(await ask(devnet, 'eth_coinbase')).toBe(COINBASE)
  })

  it('is granted where blocks are sealed in the tick that opens them', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 0 })
    await wishes(devnet)
    await pay(devnet)
    await devnet.tick()
    await devnet.tick()
    expect(await block(devnet, '0x1')).toMatchObject(granted)
    expect((await block(devnet, '0x2')).mixHash).not.toBe(granted.mixHash)
  })

  it('lasts until a block is sealed, where empty ones are thrown away', async () => {
    const devnet = await started({ rhythm: 'manual', sealEmptyBlocks: false })
    await wishes(devnet)
    for (let tick = 0; tick < 5; tick++) await devnet.tick()
    await pay(devnet)
    await devnet.tick()
    await devnet.tick()
    expect(await block(devnet)).toMatchObject({ ...granted, number: 1 })
  })

  it('decides which transactions are let in, and what they should pay', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await ask(devnet, 'evm_setBlockGasLimit', 100_000)
    await refused(pay(devnet, { gas: numberToHex(100_001) }), -32000, 'exceeds block gas limit')
    await ask(devnet, 'anvil_setNextBlockBaseFeePerGas', numberToHex(10n ** 12n))
    expect(await ask(devnet, 'eth_gasPrice')).toBe(numberToHex(10n ** 12n + 10n ** 9n))
    const hash = await pay(devnet)
    expect(await block(devnet)).toMatchObject({
      baseFeePerGas: numberToHex(10n ** 12n),
      transactions: [hash],
    })
  })

  it('of a base fee is refused where blocks have none', async () => {
    const devnet = await started({ rhythm: 'manual', hardfork: 'berlin' })
    await refused(ask(devnet, 'anvil_setNextBlockBaseFeePerGas', 5), -32004, 'no base fee under berlin')
    await refused(ask(devnet, 'hardhat_setMinGasPrice', 5), -32004, 'no minimum gas price')
  })

  it('keeps blocks that can be hashed anywhere: the hash is that of the header', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await wishes(devnet)
    await devnet.mine()
    const { hash } = await block(devnet)
    await devnet.mine()
    expect((await block(devnet)).parentHash).toBe(hash)
  })
})
