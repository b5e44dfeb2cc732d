/** A transaction's life, stage by stage: it waits, is pre-confirmed, is sealed. What a client sees at each. */
import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  numberToHex,
  parseEther,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { ask, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'

type Json = Record<string, unknown>

const TOPIC: Hex = `0x${'ab'.repeat(32)}`
const NOBODY: Hex = `0x${'00'.repeat(20)}`
/** keccak256 of Transfer(address,address,uint256) and of Many(bytes32,uint256). */
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const PENDING = { fromBlock: 'pending', toBlock: 'pending' }

/**
 * A devnet with a sealed token, and four signed transactions that wait: a payment and tokens for a stranger, a new
 * contract, and a call of it that logs.
 */
async function pooled(options: DevnetOptions) {
  const devnet = await started({ rhythm: 'manual', receipts: 'preconfirmed', ...options })
  const [deployer, sender] = devnet.accounts.map(({ privateKey }) => privateKeyToAccount(privateKey))
  const token = getContractAddress({ from: deployer!.address, nonce: 0n }).toLowerCase() as Hex
  const emitter = getContractAddress({ from: sender!.address, nonce: 1n }).toLowerCase() as Hex
  const signer =
    (account: typeof sender) =>
    (nonce: number, to: Hex | null, data: Hex, value = 0n) =>
      account!.signTransaction({
        type: 'eip1559',
        chainId: 31337,
        nonce,
        to,
        data,
        value,
        gas: 1_500_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 1n,
      })
  const send = async (raw: Hex) => ask<Hex>(devnet, 'eth_sendRawTransaction', raw)

  const byDeployer = signer(deployer)
  await send(await byDeployer(0, null, encodeDeployData({ ...Token, args: ['Gold', 'GOLD'] })))
  await send(await byDeployer(1, token, mint(sender!.address, 1_000n)))
  await devnet.mine()

  const bySender = signer(sender)
  const many = encodeFunctionData({ abi: Emitter.abi, functionName: 'emitMany', args: [2n, TOPIC] })
  const raws = {
    payment: await bySender(0, STRANGER, '0x', parseEther('1')),
    deployment: await bySender(1, null, Emitter.bytecode),
    tokens: await bySender(2, token, transfer(STRANGER, 100n)),
    logs: await bySender(3, emitter, many),
  }
  const hashes = {
    payment: await send(raws.payment),
    deployment: await send(raws.deployment),
    tokens: await send(raws.tokens),
    logs: await send(raws.logs),
  }
  return { devnet, token, emitter, sender: sender!.address.toLowerCase() as Hex, raws, hashes }
}

/** The same after the tick that takes the transactions in. */
async function preconfirmed(options: DevnetOptions) {
  const story = await pooled(options)
  await story.devnet.tick()
  return story
}

/** The same after the ticks that fill the block, and the one that seals it. */
async function sealed(ticksPerBlock: number, options: DevnetOptions = {}) {
  const story = await preconfirmed({ ticksPerBlock, ...options })
  for (let tick = 0; tick < ticksPerBlock; tick++) await story.devnet.tick()
  return story
}

function mint(to: Hex, value: bigint): Hex {
  return encodeFunctionData({ abi: Token.abi, functionName: 'mint', args: [to, value] })
}

function transfer(to: Hex, value: bigint): Hex {
  return encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [to, value] })
}

type Story = Awaited<ReturnType<typeof pooled>>

/** Everything that the four transactions change, as `at` shows it. */
async function seenAt({ devnet, token, emitter, sender }: Story, at: 'latest' | 'pending') {
  const balanceOf = encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [STRANGER] })
  return {
    balance: await ask(devnet, 'eth_getBalance', STRANGER, at),
    senderBalance: await ask(devnet, 'eth_getBalance', sender, at),
    nonce: await ask(devnet, 'eth_getTransactionCount', sender, at),
    contractNonce: await ask(devnet, 'eth_getTransactionCount', emitter, at),
    code: await ask(devnet, 'eth_getCode', emitter, at),
    tokens: await ask(devnet, 'eth_call', { to: token, data: balanceOf }, at),
    estimate: await ask(devnet, 'eth_estimateGas', dependent(token), at).catch(
      (error: Error) => error.message,
    ),
    logs: (await ask<Json[]>(devnet, 'eth_getLogs', { fromBlock: at, toBlock: at })).map(
      ({ blockHash: _, ...log }) => log,
    ),
  }
}

/** A call that only works once the stranger has got the tokens. */
function dependent(token: Hex) {
  return { from: STRANGER, to: token, data: transfer(NOBODY, 100n) }
}

describe.each([1, 10])('a transaction on a devnet with %i tick(s) per block', (ticksPerBlock) => {
  const options = { ticksPerBlock }

  describe('that waits', () => {
    it.each(['latest', 'pending'] as const)('has changed nothing at %s', async (at) => {
      const story = await pooled(options)
      expect({ ...(await seenAt(story, at)), nonce: 'see below' }).toEqual({
        balance: '0x0',
        senderBalance: numberToHex(parseEther('10000')),
        nonce: 'see below',
        contractNonce: '0x0',
        code: '0x',
        tokens: numberToHex(0, { size: 32 }),
        estimate: 'execution reverted',
        logs:
          at === 'latest' ? [expect.objectContaining({ topics: expect.arrayContaining([TRANSFER]) })] : [],
      })
    })

    it('counts in the pending nonce at once, and not in the latest', async () => {
      const { devnet, sender } = await pooled(options)
      expect(await ask(devnet, 'eth_getTransactionCount', sender, 'pending')).toBe('0x4')
      expect(await ask(devnet, 'eth_getTransactionCount', sender, 'latest')).toBe('0x0')
    })

    it('is found by its hash, without a place', async () => {
      const { devnet, sender, hashes } = await pooled(options)
      expect(await ask(devnet, 'eth_getTransactionByHash', hashes.payment)).toMatchObject({
        hash: hashes.payment,
        from: sender,
        to: STRANGER,
        value: numberToHex(parseEther('1')),
        blockHash: null,
        blockNumber: null,
        transactionIndex: null,
      })
    })

    it('has no receipt', async () => {
      const { devnet, hashes } = await pooled(options)
      expect(await ask(devnet, 'eth_getTransactionReceipt', hashes.payment)).toBeNull()
    })

    it('can be sent once only', async () => {
      const { devnet, raws } = await pooled(options)
      const again = ask(devnet, 'eth_sendRawTransaction', raws.payment)
      await expect(again).rejects.toMatchObject({ code: -32000, message: 'already known' })
    })
  })

  describe('that is pre-confirmed', () => {
    it('shows its payment at pending alone', async () => {
      const { devnet } = await preconfirmed(options)
      expect(await ask(devnet, 'eth_getBalance', STRANGER, 'pending')).toBe(numberToHex(parseEther('1')))
      expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x0')
    })

    it('shows its nonce at pending alone', async () => {
      const { devnet, sender } = await preconfirmed(options)
      expect(await ask(devnet, 'eth_getTransactionCount', sender, 'pending')).toBe('0x4')
      expect(await ask(devnet, 'eth_getTransactionCount', sender, 'latest')).toBe('0x0')
    })

    it('shows the code that it deployed at pending alone', async () => {
      const { devnet, emitter } = await preconfirmed(options)
      expect(await ask(devnet, 'eth_getCode', emitter, 'pending')).toBe(Emitter.deployedBytecode)
      expect(await ask(devnet, 'eth_getCode', emitter, 'latest')).toBe('0x')
    })

    it('shows its logs from pending to pending, with a zero block hash and their indices in the block', async () => {
      const { devnet, token, emitter, hashes } = await preconfirmed(options)
      const logs = await ask<Json[]>(devnet, 'eth_getLogs', PENDING)
      expect(
        logs.map(({ address, transactionHash, transactionIndex, logIndex }) => ({
          address,
          transactionHash,
          transactionIndex,
          logIndex,
        })),
      ).toEqual([
        { address: token, transactionHash: hashes.tokens, transactionIndex: '0x2', logIndex: '0x0' },
        { address: emitter, transactionHash: hashes.logs, transactionIndex: '0x3', logIndex: '0x1' },
        { address: emitter, transactionHash: hashes.logs, transactionIndex: '0x3', logIndex: '0x2' },
      ])
      for (const log of logs)
        expect(log).toMatchObject({ blockHash: ZERO_HASH, blockNumber: '0x2', removed: false })
    })

    it('shows its logs by address and topic too', async () => {
      const { devnet, token, emitter } = await preconfirmed(options)
      const of = (criteria: object) => ask<Json[]>(devnet, 'eth_getLogs', { ...PENDING, ...criteria })
      expect(await of({ address: emitter })).toHaveLength(2)
      expect(await of({ address: [token, emitter] })).toHaveLength(3)
      expect(await of({ topics: [TRANSFER] })).toHaveLength(1)
      expect(await of({ topics: [null, TOPIC] })).toHaveLength(2)
      expect(await of({ address: STRANGER })).toEqual([])
    })

    it('has no logs up to latest', async () => {
      const { devnet, emitter } = await preconfirmed(options)
      const filter = { address: emitter, fromBlock: 'earliest', toBlock: 'latest' }
      expect(await ask(devnet, 'eth_getLogs', filter)).toEqual([])
    })

    it('lets a call that depends on it succeed at pending and fail at latest', async () => {
      const { devnet, token } = await preconfirmed(options)
      expect(await ask(devnet, 'eth_call', dependent(token), 'pending')).toBe(numberToHex(1, { size: 32 }))
      await expect(ask(devnet, 'eth_call', dependent(token), 'latest')).rejects.toMatchObject({
        code: -32000,
        message: 'execution reverted',
        data: expect.stringMatching(/^0x[0-9a-f]{200}$/),
      })
    })

    it('lets an estimate that depends on it succeed at pending and fail at latest', async () => {
      const { devnet, token } = await preconfirmed(options)
      expect(await ask(devnet, 'eth_estimateGas', dependent(token), 'pending')).toMatch(/^0x[0-9a-f]{4}$/)
      const failing = ask(devnet, 'eth_estimateGas', dependent(token), 'latest')
      await expect(failing).rejects.toMatchObject({ code: -32000, message: 'execution reverted' })
    })

    it('lets the money that it brought be spent at pending alone', async () => {
      const { devnet, sender } = await preconfirmed(options)
      const spending = { from: STRANGER, to: sender, value: numberToHex(parseEther('1')) }
      expect(await ask(devnet, 'eth_estimateGas', spending, 'pending')).toBe('0x5208')
      const failing = ask(devnet, 'eth_estimateGas', spending, 'latest')
      await expect(failing).rejects.toMatchObject({
        code: -32003,
        message: expect.stringMatching(/^insufficient funds/),
      })
    })

    it('has a receipt with a zero block hash', async () => {
      const { devnet, emitter, hashes } = await preconfirmed(options)
      const receipt = await ask(devnet, 'eth_getTransactionReceipt', hashes.deployment)
      expect(receipt).toMatchObject({
        blockHash: ZERO_HASH,
        blockNumber: '0x2',
        transactionIndex: '0x1',
        status: '0x1',
        contractAddress: emitter,
      })
    })

    it('is found by its hash, with number and index and no block hash', async () => {
      const { devnet, hashes } = await preconfirmed(options)
      expect(await ask(devnet, 'eth_getTransactionByHash', hashes.tokens)).toMatchObject({
        hash: hashes.tokens,
        blockHash: null,
        blockNumber: '0x2',
        transactionIndex: '0x2',
      })
    })

    it('stands in the pending block, whose number cannot be asked for', async () => {
      const { devnet, hashes } = await preconfirmed(options)
      const block = await ask(devnet, 'eth_getBlockByNumber', 'pending', false)
      expect(block).toMatchObject({
        number: '0x2',
        hash: ZERO_HASH,
        transactions: [hashes.payment, hashes.deployment, hashes.tokens, hashes.logs],
      })
      expect(await ask(devnet, 'eth_getBlockByNumber', '0x2', false)).toBeNull()
      const byNumber = ask(devnet, 'eth_getBalance', STRANGER, '0x2')
      await expect(byNumber).rejects.toMatchObject({ code: -32001, message: 'block not found: 0x2' })
    })

    it('stays so until the block has had its ticks', async () => {
      const story = await preconfirmed(options)
      const before = await seenAt(story, 'pending')
      for (let tick = 1; tick < ticksPerBlock; tick++) await story.devnet.tick()
      expect(await seenAt(story, 'pending')).toEqual(before)
      expect(await ask(story.devnet, 'eth_blockNumber')).toBe('0x1')
    })
  })

  describe('that is sealed', () => {
    it('shows at latest exactly what pending showed', async () => {
      const story = await preconfirmed(options)
      const before = await seenAt(story, 'pending')
      for (let tick = 0; tick < ticksPerBlock; tick++) await story.devnet.tick()
      expect(await ask(story.devnet, 'eth_blockNumber')).toBe('0x2')
      expect(await seenAt(story, 'latest')).toEqual(before)
    })

    it('shows at pending the same, but for the logs', async () => {
      const story = await sealed(ticksPerBlock)
      const { logs: _, ...latest } = await seenAt(story, 'latest')
      expect(await seenAt(story, 'pending')).toEqual({ ...latest, logs: [] })
    })

    it('leaves no logs from pending to pending', async () => {
      const { devnet } = await sealed(ticksPerBlock)
      expect(await ask(devnet, 'eth_getLogs', PENDING)).toEqual([])
    })

    it('has the same logs with the same indices and the real block hash', async () => {
      const story = await preconfirmed(options)
      const before = await ask<Json[]>(story.devnet, 'eth_getLogs', PENDING)
      for (let tick = 0; tick < ticksPerBlock; tick++) await story.devnet.tick()
      const block = await ask<Json>(story.devnet, 'eth_getBlockByNumber', 'latest', false)
      expect(block.hash).not.toBe(ZERO_HASH)
      const after = before.map((log) => ({ ...log, blockHash: block.hash }))
      expect(await ask(story.devnet, 'eth_getLogs', {})).toEqual(after)
      expect(await ask(story.devnet, 'eth_getLogs', { blockHash: block.hash })).toEqual(after)
    })

    it('has its logs once in a range that ends with pending', async () => {
      const { devnet } = await sealed(ticksPerBlock)
      expect(await ask(devnet, 'eth_getLogs', { fromBlock: '0x2', toBlock: 'pending' })).toHaveLength(3)
    })

    it('has the same receipt with the real block hash', async () => {
      const { devnet, hashes } = await preconfirmed(options)
      const before = await ask<Json>(devnet, 'eth_getTransactionReceipt', hashes.logs)
      for (let tick = 0; tick < ticksPerBlock; tick++) await devnet.tick()
      const { hash } = await ask<Json>(devnet, 'eth_getBlockByNumber', 'latest', false)
      const logs = (before.logs as Json[]).map((log) => ({ ...log, blockHash: hash }))
      const receipt = await ask(devnet, 'eth_getTransactionReceipt', hashes.logs)
      expect(receipt).toEqual({ ...before, blockHash: hash, logs })
    })

    it('is found by its hash in the same place, with the real block hash', async () => {
      const { devnet, hashes } = await preconfirmed(options)
      const before = await ask<Json>(devnet, 'eth_getTransactionByHash', hashes.logs)
      for (let tick = 0; tick < ticksPerBlock; tick++) await devnet.tick()
      const { hash } = await ask<Json>(devnet, 'eth_getBlockByNumber', 'latest', false)
      const after = await ask(devnet, 'eth_getTransactionByHash', hashes.logs)
      expect(after).toEqual({ ...before, blockHash: hash })
    })

    it('can be called by its block number and hash', async () => {
      const { devnet, token } = await sealed(ticksPerBlock)
      const { hash } = await ask<Json>(devnet, 'eth_getBlockByNumber', '0x2', false)
      const yes = numberToHex(1, { size: 32 })
      expect(await ask(devnet, 'eth_call', dependent(token), '0x2')).toBe(yes)
      expect(await ask(devnet, 'eth_call', dependent(token), { blockHash: hash })).toBe(yes)
    })
  })
})

describe('a transaction on a devnet with ten ticks per block', () => {
  it('joins those that are pre-confirmed, with indices that go on', async () => {
    const { devnet, token, hashes, sender } = await preconfirmed({ ticksPerBlock: 10 })
    const before = await ask<Json[]>(devnet, 'eth_getLogs', PENDING)
    const call = { from: sender, to: token, data: transfer(NOBODY, 1n) }
    const late = await ask<Hex>(devnet, 'eth_sendTransaction', call)
    expect(await ask(devnet, 'eth_getLogs', PENDING)).toEqual(before)
    await devnet.tick()
    const logs = await ask<Json[]>(devnet, 'eth_getLogs', PENDING)
    expect(logs.slice(0, 3)).toEqual(before)
    expect(logs.slice(3)).toEqual([
      expect.objectContaining({ transactionHash: late, transactionIndex: '0x4', logIndex: '0x3' }),
    ])
    const block = await ask(devnet, 'eth_getBlockByNumber', 'pending', false)
    expect(block).toMatchObject({ number: '0x2', transactions: [...Object.values(hashes), late] })
    const place = { blockNumber: '0x2', transactionIndex: '0x4' }
    expect(await ask(devnet, 'eth_getTransactionByHash', late)).toMatchObject(place)
    const receipt = await ask<Json>(devnet, 'eth_getTransactionReceipt', late)
    expect(receipt).toMatchObject({ ...place, transactionHash: late, logs: [{ logIndex: '0x3' }] })
    const previous = await ask<Json>(devnet, 'eth_getTransactionReceipt', hashes.logs)
    expect(Number(receipt.cumulativeGasUsed)).toBe(
      Number(previous.cumulativeGasUsed) + Number(receipt.gasUsed),
    )
  })
})

describe('a transaction on a devnet with no ticks between blocks', () => {
  const options = { ticksPerBlock: 0 }

  it('waits until the tick', async () => {
    const story = await pooled(options)
    for (const at of ['latest', 'pending'] as const) {
      expect(await seenAt(story, at)).toMatchObject({ balance: '0x0', code: '0x' })
    }
    expect(await ask(story.devnet, 'eth_getTransactionCount', story.sender, 'pending')).toBe('0x4')
  })

  it('is sealed by the tick that takes it in', async () => {
    const { devnet, hashes } = await preconfirmed(options)
    const block = await ask<Json>(devnet, 'eth_getBlockByNumber', 'latest', false)
    expect(block).toMatchObject({ number: '0x2', transactions: Object.values(hashes) })
    const receipt = await ask(devnet, 'eth_getTransactionReceipt', hashes.logs)
    expect(receipt).toMatchObject({ status: '0x1', blockHash: block.hash })
  })

  it('is shown by pending and by latest alike', async () => {
    const story = await preconfirmed(options)
    const { logs: _, ...latest } = await seenAt(story, 'latest')
    expect(latest).toMatchObject({ balance: numberToHex(parseEther('1')), nonce: '0x4' })
    expect(await seenAt(story, 'pending')).toMatchObject(latest)
    const block = await ask(story.devnet, 'eth_getBlockByNumber', 'latest', true)
    expect(await ask(story.devnet, 'eth_getBlockByNumber', 'pending', true)).toEqual(block)
  })

  it('never has logs from pending to pending', async () => {
    const { devnet } = await preconfirmed(options)
    expect(await ask(devnet, 'eth_getLogs', PENDING)).toEqual([])
    expect(await ask(devnet, 'eth_getLogs', {})).toHaveLength(3)
  })
})

describe('the same commands', () => {
  it('give the same hashes on every devnet', async () => {
    const latest = async (devnet: Devnet) => ask(devnet, 'eth_getBlockByNumber', 'latest', true)
    const [one, other] = [await sealed(10), await sealed(10)]
    expect(await latest(one.devnet)).toEqual(await latest(other.devnet))
  })
})
