/**
 * What Hardhat's users are used to, as options and as the profile `hardhat`: the block context of calls and estimates, no limit of
 * code, quantities in other forms. What is expected is what Hardhat 3.18's own network (EDR) answers to the same requests.
 */
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const CODE: Hex = '0x000000000000000000000000000000000000c0de'
/** Answers NUMBER and TIMESTAMP. */
const CONTEXT = '0x435f524260205260405ff3'
/** NUMBER or TIMESTAMP, as an opcode, has to be `value`, or it reverts. */
const requiring = (opcode: '43' | '42', value: number) =>
  `0x${opcode}63${value.toString(16).padStart(8, '0')}14600d575f5ffd5b00`
const SET_TIME = 1_900_000_000

async function withCode(code: string, options = {}) {
  const devnet = await started({ profile: 'hardhat', timestamp: 1_800_000_000, ...options })
  await ask(devnet, 'hardhat_setCode', CODE, code)
  await ask(devnet, 'hardhat_mine', '0x5')
  return devnet
}

async function contextAt(devnet: Devnet, ...block: unknown[]): Promise<[number: number, time: number]> {
  const words = await ask<Hex>(devnet, 'eth_call', { to: CODE }, ...block)
  return [Number(words.slice(0, 66)), Number(`0x${words.slice(66)}`)]
}

describe('the time of blocks', () => {
  const START = 1_800_000_000
  const TIME = '0x425f5260205ff3'
  const still = (options = {}) =>
    started({ profile: 'hardhat', rhythm: 'manual', timestamp: START, ...options })
  const timeOf = async (devnet: Devnet, block = 'latest') =>
    Number((await ask<{ timestamp: Hex }>(devnet, 'eth_getBlockByNumber', block, false)).timestamp)

  it('is at least a second after the parent, and the clock goes on from there', async () => {
    const devnet = await still()
    for (const time of [START + 1, START + 2, START + 3]) {
      await ask(devnet, 'evm_mine')
      expect(await timeOf(devnet)).toBe(time)
    }
    await ask(devnet, 'evm_increaseTime', 10)
    await ask(devnet, 'evm_mine')
    expect(await timeOf(devnet)).toBe(START + 13)
  })

  it('is seen by calls and estimates in the block to come', async () => {
    const devnet = await still()
    await ask(devnet, 'hardhat_setCode', CODE, TIME)
    await ask(devnet, 'evm_mine')
    expect(Number(await ask<Hex>(devnet, 'eth_call', { to: CODE }))).toBe(START + 2)
    await ask(devnet, 'hardhat_setCode', CODE, requiring('42', START + 2))
    const from = devnet.accounts[0]!.address
    expect(Number(await ask(devnet, 'eth_estimateGas', { from, to: CODE }))).toBeGreaterThan(21_000)
  })

  it('cannot be set to the time of the parent', async () => {
    const devnet = await still()
    await ask(devnet, 'evm_mine')
    await expect(ask(devnet, 'evm_setNextBlockTimestamp', START + 1)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`expected a timestamp of at least ${START + 2}`),
    })
    await ask(devnet, 'evm_setNextBlockTimestamp', START + 2)
    await ask(devnet, 'evm_mine')
    expect(await timeOf(devnet)).toBe(START + 2)
  })

  it('is a second more with each tick of 200 ms', async () => {
    const devnet = await still({ tickMs: 200 })
    for (const time of [START + 1, START + 2, START + 3]) {
      await devnet.tick()
      expect(await timeOf(devnet, 'pending')).toBe(time)
    }
  })

  it('may be that of the parent with allowBlocksWithSameTimestamp', async () => {
    const devnet = await still({ allowBlocksWithSameTimestamp: true })
    await ask(devnet, 'evm_mine')
    expect(await timeOf(devnet)).toBe(START)
  })
})

describe('calls and estimates in the block to come', () => {
  it('see its number and the time that was set for it, where no block is named or pending is', async () => {
    const devnet = await withCode(CONTEXT)
    await ask(devnet, 'evm_setNextBlockTimestamp', SET_TIME)
    expect(await contextAt(devnet)).toEqual([6, SET_TIME])
    expect(await contextAt(devnet, null)).toEqual([6, SET_TIME])
    expect(await contextAt(devnet, 'pending')).toEqual([6, SET_TIME])
    const { timestamp } = await ask<{ timestamp: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    expect(await contextAt(devnet, 'latest')).toEqual([5, Number(timestamp)])
    expect((await contextAt(devnet, '0x4'))[0]).toBe(4)
  })

  it('succeed where only that block lets them, as Hardhat’s estimates do', async () => {
    const devnet = await withCode(requiring('43', 6))
    const from = devnet.accounts[0]!.address
    expect(Number(await ask(devnet, 'eth_estimateGas', { from, to: CODE }))).toBeGreaterThan(21_000)
    expect(Number(await ask(devnet, 'eth_estimateGas', { from, to: CODE }, 'pending'))).toBeGreaterThan(
      21_000,
    )
    await expect(ask(devnet, 'eth_estimateGas', { from, to: CODE }, 'latest')).rejects.toMatchObject({
      code: 3,
    })
    expect(await ask(devnet, 'eth_createAccessList', { from, to: CODE })).not.toHaveProperty('error')
  })

  it('need no balance for value and gas, unless checkCallBalance asks for it', async () => {
    const call = { from: STRANGER, to: CODE, value: '0xa', gasPrice: '0x77359400' }
    const devnet = await withCode('0x345f5260205ff3') // CALLVALUE
    expect(Number(await ask<Hex>(devnet, 'eth_call', call))).toBe(10)
    // As of EDR.
    expect(await ask(devnet, 'eth_estimateGas', call)).toBe('0x5217')
    const other = await withCode('0x345f5260205ff3', { checkCallBalance: true })
    for (const method of ['eth_call', 'eth_estimateGas']) {
      await expect(ask(other, method, call)).rejects.toThrow(/^Sender doesn't have enough funds/)
    }
  })

  it('keep the state of latest, whatever is pre-confirmed', async () => {
    const devnet = await started({ rhythm: 'manual', callContext: 'next' })
    await ask(devnet, 'anvil_setCode', CODE, '0x61555531435f5260205260405ff3') // NUMBER, and the stranger's BALANCE
    const from = devnet.accounts[0]!.address
    await ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x7', gas: '0x5208' })
    await devnet.tick()
    const words = await ask<Hex>(devnet, 'eth_call', { to: CODE })
    expect([Number(words.slice(0, 66)), Number(`0x${words.slice(66)}`)]).toEqual([1, 0])
    const pending = await ask<Hex>(devnet, 'eth_call', { to: CODE }, 'pending')
    expect([Number(pending.slice(0, 66)), Number(`0x${pending.slice(66)}`)]).toEqual([1, 7])
  })

  it('are those of the block itself by default', async () => {
    const devnet = await withCode(CONTEXT, { callContext: 'block' })
    expect((await contextAt(devnet))[0]).toBe(5)
    expect((await contextAt(devnet, 'pending'))[0]).toBe(5)
  })
})

it('a transaction that is sent without gas is estimated in the block that takes it in, whatever calls see', async () => {
  const devnet = await withCode(requiring('42', SET_TIME), { callContext: 'block' })
  await ask(devnet, 'evm_setNextBlockTimestamp', SET_TIME)
  const from = devnet.accounts[0]!.address
  const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { from, to: CODE })
  expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
})

describe('the limit of code', () => {
  /** Init code that returns so many zero bytes. */
  const deploying = (bytes: number) => `0x62${bytes.toString(16).padStart(6, '0')}5ff3`

  async function deployed(devnet: Devnet, data: string) {
    const from = devnet.accounts[0]!.address
    const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { from, data, gas: numberToHex(15_000_000) })
    await devnet.mine()
    const receipt = await ask<{ status: Hex; contractAddress: Hex }>(
      devnet,
      'eth_getTransactionReceipt',
      hash,
    )
    const code = await ask<Hex>(devnet, 'eth_getCode', receipt.contractAddress)
    return { status: receipt.status, size: code.length / 2 - 1 }
  }

  it('is EIP-170’s by default, another where it is given, and none at 0', async () => {
    const usual = await started({ rhythm: 'manual' })
    expect(await deployed(usual, deploying(24_576))).toEqual({ status: '0x1', size: 24_576 })
    expect(await deployed(usual, deploying(24_577))).toEqual({ status: '0x0', size: 0 })
    const given = await started({ rhythm: 'manual', codeSizeLimit: 30_000 })
    expect(await deployed(given, deploying(30_000))).toEqual({ status: '0x1', size: 30_000 })
    expect(await deployed(given, deploying(30_001))).toEqual({ status: '0x0', size: 0 })
    const none = await started({ profile: 'hardhat' })
    expect(await deployed(none, deploying(60_000))).toEqual({ status: '0x1', size: 60_000 })
  })

  it('is twice as much for init code (EIP-3860)', async () => {
    const long = (bytes: number) => `0x5f5ff3${'00'.repeat(bytes - 3)}`
    const given = await started({ rhythm: 'manual', codeSizeLimit: 30_000 })
    expect(await deployed(given, long(60_000))).toMatchObject({ status: '0x1' })
    await expect(deployed(given, long(60_001))).rejects.toThrow(
      'max initcode size exceeded: code size 60001, limit 60000',
    )
    const none = await started({ profile: 'hardhat' })
    expect(await deployed(none, long(100_000))).toMatchObject({ status: '0x1' })
  })

  it('can be set beside a genesis, and is a fork’s too', async () => {
    const genesis = (await started({ rhythm: 'manual' })).genesis()
    const devnet = await started({ rhythm: 'manual', genesis, codeSizeLimit: 0 })
    const from = STRANGER
    await ask(devnet, 'anvil_setBalance', from, numberToHex(10n ** 20n))
    await ask(devnet, 'anvil_impersonateAccount', from)
    const fork = devnet.fork()
    const data = deploying(30_000)
    const hash = await ask<Hex>(fork, 'eth_sendTransaction', { from, data, gas: numberToHex(15_000_000) })
    await fork.mine()
    expect(await ask(fork, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  })
})

describe('quantities', () => {
  it('may be JSON numbers and have leading zeros where the devnet is lenient', async () => {
    const devnet = await withCode(CONTEXT)
    const from = devnet.accounts[0]!.address
    expect(await ask(devnet, 'eth_getBlockByNumber', 3, false)).toMatchObject({ number: '0x3' })
    expect(await ask(devnet, 'eth_getBlockTransactionCountByNumber', 3)).toBe('0x0')
    expect(await ask(devnet, 'eth_getTransactionByBlockNumberAndIndex', 3, '0x0')).toBeNull()
    expect(await ask(devnet, 'eth_getTransactionCount', from, '0x03')).toBe('0x0')
    expect((await contextAt(devnet, '0x04'))[0]).toBe(4)
    const call = { from, to: STRANGER, gas: 100_000, value: 1 }
    expect(await ask(devnet, 'eth_call', call)).toBe('0x')
    expect(await ask(devnet, 'eth_estimateGas', call)).toBe('0x5208')
    expect(await ask(devnet, 'eth_sendTransaction', call)).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x1')
    expect(await ask(devnet, 'eth_getLogs', { fromBlock: 0, toBlock: 'latest' })).toEqual([])
    const { hash } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', 0, false)
    expect(await ask(devnet, 'eth_getBalance', STRANGER, hash)).toBe('0x0')
  })

  it('that are no numbers at all are refused all the same', async () => {
    const devnet = await withCode(CONTEXT)
    for (const block of [-1, 1.5, '5', {}, true, '0x']) {
      await expect(ask(devnet, 'eth_getBlockByNumber', block, false)).rejects.toMatchObject({ code: -32602 })
    }
  })

  it('are as the specification has them otherwise', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(ask(devnet, 'eth_getBlockByNumber', 0, false)).rejects.toMatchObject({ code: -32602 })
    await expect(ask(devnet, 'eth_call', { to: STRANGER, gas: 1 })).rejects.toMatchObject({ code: -32602 })
  })

  it('of an authorization’s signature may be 32 bytes with leading zeros everywhere, as ethers and Hardhat send them', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const from = devnet.accounts[0]!.address
    const part = `0x${'00'.repeat(31)}05`
    const authorization = { chainId: '0x7a69', address: STRANGER, nonce: '0x0', yParity: '0x0' }
    const estimate = (r: string, s: string) =>
      ask(devnet, 'eth_estimateGas', { from, to: from, authorizationList: [{ ...authorization, r, s }] })
    expect(await estimate(part, part)).toBe(await estimate('0x5', '0x5'))
    await expect(estimate('0x05', '0x5')).rejects.toMatchObject({ code: -32602 })
  })
})

it('code that halted answers empty data, as Hardhat does, only where the devnet is lenient', async () => {
  const halt = async (options: DevnetOptions) => {
    const devnet = await started(options)
    await ask(devnet, 'hardhat_setCode', CODE, '0xfe')
    const error = await ask(devnet, 'eth_call', { to: CODE }).catch((refusal: object) => refusal)
    return error as { code: number; data?: unknown }
  }
  expect(await halt({ profile: 'hardhat' })).toMatchObject({ code: -32000, data: '0x' })
  expect(await halt({ rhythm: 'instant', dialect: 'geth' })).not.toHaveProperty('data', '0x')
})

it('the profile hardhat is Hardhat’s own network: chain id, accounts, a block for each transaction, its codes of errors', async () => {
  const devnet = await started({ profile: 'hardhat' })
  expect(devnet.settings).toMatchObject({ chainId: 31337, rhythm: 'instant', receipts: 'sealed' })
  expect(devnet.accounts).toHaveLength(20)
  // The last of the twenty that Hardhat prints.
  expect(devnet.accounts[19]!.address.toLowerCase()).toBe('0x8626f6940e2eb28930efb4cef49b2d1f2c9c1199')
})

describe('a transaction that the next block cannot include', () => {
  const TOO_HIGH = { nonce: '0x5' }
  const TOO_CHEAP = { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1', gas: '0x5208' }
  const send = (devnet: Devnet, fields: object) =>
    ask<Hex>(devnet, 'eth_sendTransaction', { from: devnet.accounts[0]!.address, to: STRANGER, ...fields })
  const waiting = (devnet: Devnet) => ask<readonly unknown[]>(devnet, 'eth_pendingTransactions')

  it('is refused while each is mined at once', async () => {
    const devnet = await started({ profile: 'hardhat' })
    await expect(send(devnet, TOO_HIGH)).rejects.toMatchObject({
      code: -32_000,
      message:
        "Nonce too high. Expected nonce to be 0 but got 5. Note that transactions can't be queued when automining.",
    })
    await expect(send(devnet, TOO_CHEAP)).rejects.toThrow(
      'Transaction maxFeePerGas (1) is too low for the next block',
    )
    expect(await waiting(devnet)).toEqual([])
  })

  it('is refused with blocks at an interval, too, if each is also mined at once', async () => {
    const devnet = await started({
      profile: 'hardhat',
      rhythm: 'interval',
      tickMs: 60_000,
      mixedMining: true,
    })
    await expect(send(devnet, TOO_HIGH)).rejects.toThrow('Nonce too high')
  })

  it('waits without automine', async () => {
    const devnet = await started({ profile: 'hardhat' })
    await ask(devnet, 'evm_setAutomine', false)
    await send(devnet, TOO_HIGH)
    await send(devnet, TOO_CHEAP)
    expect(await waiting(devnet)).toHaveLength(2)
    // The next nonce after those that wait.
    await ask(devnet, 'evm_setAutomine', true)
    await expect(send(devnet, { nonce: '0x7' })).rejects.toThrow(
      'Nonce too high. Expected nonce to be 1 but got 7',
    )
  })

  it('waits by default, and is refused in any profile with allowQueuedTransactions: false', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await send(devnet, TOO_HIGH)
    expect(await waiting(devnet)).toHaveLength(1)
    const other = await started({ rhythm: 'instant', allowQueuedTransactions: false })
    await expect(send(other, TOO_HIGH)).rejects.toThrow('nonce too high')
  })
})

describe('the nonce of an account', () => {
  it('is not set to a lower value', async () => {
    const devnet = await started({ profile: 'hardhat' })
    await ask(devnet, 'hardhat_setNonce', STRANGER, '0x5')
    await ask(devnet, 'hardhat_setNonce', STRANGER, '0x5')
    await expect(ask(devnet, 'hardhat_setNonce', STRANGER, '0x4')).rejects.toMatchObject({
      code: -32_000,
      message: 'New nonce (4) must not be smaller than the existing nonce (5)',
    })
    expect(await ask(devnet, 'eth_getTransactionCount', STRANGER)).toBe('0x5')
  })

  it('is set to a lower value with allowLowerNonces', async () => {
    const devnet = await started({ profile: 'hardhat', allowLowerNonces: true })
    await ask(devnet, 'hardhat_setNonce', STRANGER, '0x5')
    await ask(devnet, 'hardhat_setNonce', STRANGER, '0x4')
    expect(await ask(devnet, 'eth_getTransactionCount', STRANGER)).toBe('0x4')
  })
})
