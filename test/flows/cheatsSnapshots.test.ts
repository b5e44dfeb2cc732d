/** Going back and branching off: snapshots, reverts, resets and forks take cheats along. */
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const START = 1_735_689_600 // 2025-01-01T00:00:00Z

function pay(devnet: Devnet, fields: object = {}): Promise<Hex> {
  return ask(devnet, 'eth_sendTransaction', {
    from: devnet.accounts[0]!.address,
    to: STRANGER,
    value: '0x1',
    gas: '0x5208',
    ...fields,
  })
}

async function latest(devnet: Devnet) {
  return ask<Record<string, unknown>>(devnet, 'eth_getBlockByNumber', 'latest', false)
}

/** Everything that can be bent, bent. */
async function bend(devnet: Devnet): Promise<void> {
  await ask(devnet, 'anvil_setCoinbase', STRANGER)
  await ask(devnet, 'anvil_setNextBlockBaseFeePerGas', '0x5')
  await ask(devnet, 'anvil_setBlockTimestampInterval', 7)
  await ask(devnet, 'anvil_impersonateAccount', STRANGER)
  await ask(devnet, 'anvil_setBalance', STRANGER, '0xffffffffffffffff')
}

/** What the next block is like, with a transaction of who may only be impersonated. */
async function nextBlock(devnet: Devnet): Promise<unknown> {
  const sent = await pay(devnet, { from: STRANGER }).then(
    () => 'sent',
    ({ code }) => code,
  )
  await devnet.mine()
  const { miner, baseFeePerGas, timestamp, number, transactions } = await latest(devnet)
  return { miner, baseFeePerGas, timestamp, number, transactions, sent }
}

describe('a snapshot by number', () => {
  it('is gone back to, once, with all that came after it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const ids: Hex[] = []
    for (let i = 0; i < 3; i++) {
      ids.push(await ask<Hex>(devnet, 'evm_snapshot'))
      await devnet.mine()
    }
    expect(ids).toEqual(['0x1', '0x2', '0x3'])
    expect(await ask(devnet, 'evm_revert', '0x2')).toBe(true)
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x1')
    for (const id of ['0x2', '0x3', '0x4', '0x0', 99]) expect(await ask(devnet, 'evm_revert', id)).toBe(false)
    expect(await ask(devnet, 'evm_snapshot')).toBe('0x4')
    expect(await ask(devnet, 'anvil_revert', '0x1')).toBe(true)
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
  })

  it('brings back state, pool, open block, time and cheats', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await pay(devnet)
    await devnet.tick()
    await pay(devnet, { nonce: '0x5' })
    await bend(devnet)
    const { mark } = devnet.snapshot()
    const id = await ask(devnet, 'evm_snapshot')
    await ask(devnet, 'evm_increaseTime', 1_000)
    await ask(devnet, 'anvil_dropAllTransactions')
    await ask(devnet, 'anvil_stopImpersonatingAccount', STRANGER)
    await ask(devnet, 'anvil_setCoinbase', devnet.accounts[0]!.address)
    await ask(devnet, 'anvil_mine', 3)
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x1')
    expect(await ask(devnet, 'evm_revert', id)).toBe(true)
    const now = devnet.snapshot().mark
    expect(now.chain).toBe(mark.chain)
    expect(now.pool).toBe(mark.pool)
    expect(now.cheats).toBe(mark.cheats)
    expect(now.clock).toEqual(mark.clock)
  })

  it('is listed with the block that it stands at', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    await ask(devnet, 'anvil_snapshot')
    const { hash } = await latest(devnet)
    expect(await ask(devnet, 'anvil_metadata')).toMatchObject({ snapshots: { '0x1': [1, hash] } })
  })
})

describe('a devnet that was bent', () => {
  it('is as bent when it is restored, and in its forks', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await bend(devnet)
    const snapshot = devnet.snapshot()
    const fork = devnet.fork()
    onTestFinished(() => fork.close())
    const seen = await nextBlock(devnet)
    expect(seen).toMatchObject({
      miner: STRANGER,
      baseFeePerGas: '0x5',
      timestamp: numberToHex(START + 7),
      transactions: [expect.any(String)],
      sent: 'sent',
    })
    await ask(devnet, 'anvil_setCoinbase', devnet.accounts[0]!.address)
    expect(await nextBlock(fork)).toEqual(seen)
    await devnet.restore(snapshot)
    expect(await nextBlock(devnet)).toEqual(seen)
  })

  it('does not bend its forks any more, nor they it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const fork = devnet.fork()
    onTestFinished(() => fork.close())
    await bend(devnet)
    expect(await nextBlock(fork)).toMatchObject({ miner: `0x${'00'.repeat(20)}`, sent: -32000 })
    expect(await ask(fork, 'eth_getBalance', STRANGER)).toBe('0x0')
    expect(await nextBlock(devnet)).toMatchObject({ miner: STRANGER, sent: 'sent' })
  })

  it('gives its forks the interval that it has now', async () => {
    const devnet = await started({ rhythm: 'manual', tickMs: 100 })
    await ask(devnet, 'anvil_setIntervalMining', 3_600)
    const fork = devnet.fork({ rhythm: 'interval' })
    onTestFinished(() => fork.close())
    expect(await ask(fork, 'anvil_getIntervalMining')).toBe(3_600)
  })
})

describe('a reset', () => {
  it('goes back to the beginning, as if nothing had ever been done', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const story = async () => {
      await pay(devnet)
      await devnet.tick()
      await pay(devnet, { nonce: '0x5' })
      await ask(devnet, 'evm_increaseTime', 60)
      await ask(devnet, 'anvil_mine', 3)
      return latest(devnet)
    }
    const first = await story()
    await bend(devnet)
    await ask(devnet, 'evm_snapshot')
    expect(await ask(devnet, 'hardhat_reset')).toBe(true)
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
    expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'pending')).toBe('0x0')
    expect(await ask(devnet, 'evm_revert', '0x1')).toBe(false)
    expect(await story()).toEqual(first)
  })

  it('undoes what was done to block 0', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await bend(devnet)
    await ask(devnet, 'anvil_reset')
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x0')
    expect(await nextBlock(devnet)).toMatchObject({ miner: `0x${'00'.repeat(20)}`, sent: -32000 })
  })

  it('takes steering back from time that runs', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await ask(devnet, 'evm_increaseTime', 1_000_000)
    await ask(devnet, 'anvil_reset', { forking: { blockNumber: null } })
    await devnet.mine()
    const { timestamp } = await latest(devnet)
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(1_000)
  })

  it.each([
    ['hardhat_reset', { forking: { blockNumber: 1 } }, 'this devnet is on no network'],
    ['anvil_setRpcUrl', 'http://127.0.0.1:1', 'this devnet is on no network'],
  ])('of a network where there is none is refused in so many words: %s', async (method, param, message) => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    await expect(ask(devnet, method, param)).rejects.toMatchObject({
      code: -32004,
      message: expect.stringContaining(message),
    })
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x1')
  })
})
