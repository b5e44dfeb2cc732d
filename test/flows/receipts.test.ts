/** When a receipt exists for clients, by the option `receipts`: with the sealed block, or with the slice (CONTRACT 6). */
import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { PROFILES } from '../../src/options/profiles.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, clientOf, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'

type Json = Record<string, unknown>

const manual = (options: DevnetOptions = {}) => started({ rhythm: 'manual', ...options })

function pay(devnet: Devnet): Promise<Hex> {
  const from = devnet.accounts[0]!.address
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', gas: '0x5208' })
}

const receipt = (devnet: Devnet, hash: Hex) => ask<Json | null>(devnet, 'eth_getTransactionReceipt', hash)

describe('a pre-confirmed transaction of which clients are told when it is sealed', () => {
  async function preconfirmed() {
    const devnet = await manual()
    const hash = await pay(devnet)
    await devnet.tick()
    return { devnet, hash }
  }

  it('has no receipt, and gets it with the block in which latest has what it did', async () => {
    const { devnet, hash } = await preconfirmed()
    expect(await receipt(devnet, hash)).toBeNull()
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x0')
    await devnet.tick()
    const { hash: blockHash } = await ask<Json>(devnet, 'eth_getBlockByNumber', 'latest', false)
    expect(await receipt(devnet, hash)).toMatchObject({ status: '0x1', blockHash, blockNumber: '0x1' })
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x1')
  })

  it('is found by its hash as one that waits, by its sender and nonce likewise', async () => {
    const { devnet, hash } = await preconfirmed()
    const waiting = { hash, blockHash: null, blockNumber: null, transactionIndex: null }
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toMatchObject(waiting)
    const { from } = await ask<{ from: Hex }>(devnet, 'eth_getTransactionByHash', hash)
    expect(await ask(devnet, 'eth_getTransactionBySenderAndNonce', from, '0x0')).toMatchObject(waiting)
    await devnet.tick()
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: '0x1' })
    expect(await ask(devnet, 'eth_getTransactionBySenderAndNonce', from, '0x0')).toMatchObject({
      blockNumber: '0x1',
    })
  })

  it('has its place and its receipt in the block that `pending` names', async () => {
    const { devnet, hash } = await preconfirmed()
    const place = { blockHash: null, blockNumber: '0x1', transactionIndex: '0x0' }
    expect(await ask(devnet, 'eth_getBlockByNumber', 'pending', true)).toMatchObject({
      transactions: [{ hash, ...place }],
    })
    expect(await ask(devnet, 'eth_getTransactionByBlockNumberAndIndex', 'pending', '0x0')).toMatchObject({
      hash,
      ...place,
    })
    expect(await ask(devnet, 'eth_getBlockReceipts', 'pending')).toMatchObject([
      { transactionHash: hash, status: '0x1', blockHash: ZERO_HASH },
    ])
  })

  it('is known to base_transactionStatus until it is sealed', async () => {
    const { devnet, hash } = await preconfirmed()
    expect(await ask(devnet, 'base_transactionStatus', hash)).toEqual({ status: 'Known' })
    await devnet.tick()
    expect(await ask(devnet, 'base_transactionStatus', hash)).toEqual({ status: 'Unknown' })
  })

  it('is waited for in process as far as somebody wants', async () => {
    const devnet = await manual()
    const payment = { to: STRANGER, value: 1n }
    const { hash, receipt: early } = await devnet.send({ ...payment, until: 'preconfirmed' })
    expect(early).toMatchObject({ status: 'success', blockHash: ZERO_HASH })
    expect(await receipt(devnet, hash)).toBeNull()
    const steps = await ask<Json[]>(devnet, 'preseal_getTimeline', hash)
    expect(steps.map(({ step }) => step)).toEqual(['pooled', 'preconfirmed'])
  })
})

describe('eth_sendRawTransactionSync', () => {
  it('answers with the sealed block, where that is when receipts exist', async () => {
    const devnet = await manual()
    const client = clientOf(devnet)
    const request = await client.prepareTransactionRequest({ to: STRANGER, value: 1n })
    const answered = vi.fn()
    const answer = ask<Json>(devnet, 'eth_sendRawTransactionSync', await client.signTransaction(request))
    void answer.then(answered)
    await devnet.tick()
    await ask(devnet, 'eth_chainId')
    expect(answered).not.toHaveBeenCalled()
    await devnet.tick()
    expect(await answer).toMatchObject({ blockNumber: '0x1', status: '0x1' })
    expect((await answer).blockHash).not.toBe(ZERO_HASH)
  })
})

describe('viem with a stock chain', () => {
  it('waits for a pre-confirmed transaction, and takes it for no other than itself', async () => {
    const devnet = await manual()
    const client = clientOf(devnet)
    const hash = await client.sendTransaction({ to: STRANGER, value: 1n })
    await devnet.tick()
    const onReplaced = vi.fn()
    const waiting = client.waitForTransactionReceipt({ hash, onReplaced })
    await client.getBlockNumber()
    await devnet.tick()
    expect((await waiting).blockHash).not.toBe(ZERO_HASH)
    expect(onReplaced).not.toHaveBeenCalled()
  })
})

it('the profiles with Flashblocks have receipts of what is pre-confirmed, all others of what is sealed', async () => {
  const when = Object.entries(PROFILES).map(([name, { receipts = 'sealed' }]) => [name, receipts])
  expect(Object.fromEntries(when)).toMatchObject({
    default: 'sealed',
    ethereum: 'sealed',
    'base-denim': 'sealed',
    'base-flashblocks': 'preconfirmed',
    'op-flashblocks': 'preconfirmed',
  })
})

describe('a transaction that ran out of gas', () => {
  /** A pre-confirmed token, a call of it, and the gas that `latest` estimates for that, where there is no token yet. */
  async function tooEarly() {
    const devnet = await manual({ receipts: 'preconfirmed' })
    const { address: to } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'], until: 'preconfirmed' })
    const data = encodeFunctionData({ abi: Token.abi, functionName: 'mint', args: [STRANGER, 5n] })
    const from = devnet.accounts[0]!.address
    const gas = await ask<Hex>(devnet, 'eth_estimateGas', { from, to, data })
    return { devnet, call: { from, to, data }, gas }
  }

  const told = (devnet: Devnet, hash: Hex) =>
    ask<{ status: string; reason: string }>(devnet, 'preseal_explain', hash)

  it('because latest had no code yet where its gas was estimated, is explained as that', async () => {
    const { devnet, call, gas } = await tooEarly()
    const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { ...call, gas })
    await devnet.tick()
    expect(await receipt(devnet, hash)).toMatchObject({ status: '0x0' })
    const why = `out of gas; its gas was estimated too early: when it was sent, latest was block 0, where ${onWire(call.to)} had no code yet`
    expect(await told(devnet, hash)).toMatchObject({
      status: 'preconfirmed',
      reason: expect.stringContaining(`it is pre-confirmed in block 2, transaction 0, and failed: ${why}`),
    })
    await devnet.seal()
    await devnet.mine()
    expect((await told(devnet, hash)).reason).toContain(
      `it is sealed in block 2, transaction 0, and failed: ${why}`,
    )
  })

  it('is explained so in process, too', async () => {
    const { devnet, call, gas } = await tooEarly()
    const { to, data } = call
    await expect(devnet.send({ to, data, gas: BigInt(gas) })).rejects.toThrow(
      'failed: out of gas; its gas was estimated too early',
    )
  })

  it('with more gas than a transfer needs, or after latest had the code, ran out of gas and no more', async () => {
    const { devnet, call, gas } = await tooEarly()
    const more = await ask<Hex>(devnet, 'eth_sendTransaction', { ...call, gas: numberToHex(40_000) })
    await devnet.mine()
    const late = await ask<Hex>(devnet, 'eth_sendTransaction', { ...call, gas })
    await devnet.mine()
    for (const hash of [more, late]) expect((await told(devnet, hash)).reason).toMatch(/failed: out of gas$/)
  })
})

it('preseal_explain of a transaction that reverted says what it reverted with', async () => {
  const devnet = await manual()
  const { address: to } = await devnet.deploy(Reverter)
  const from = devnet.accounts[0]!.address
  const explained = async (call: { functionName: string; args?: unknown[] }) => {
    const data = encodeFunctionData({ abi: Reverter.abi, ...call } as never)
    const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { from, to, data, gas: '0x186a0' })
    await devnet.mine()
    const { reason, failure } = await ask<Json>(devnet, 'preseal_explain', hash)
    return [reason, failure]
  }
  const [withText] = await explained({ functionName: 'writeThenRevertString' })
  expect(withText).toMatch(/^it is sealed in block 2, transaction 0, and failed: execution reverted: \w+/)
  const [, withError] = await explained({ functionName: 'writeThenRevertCustom', args: [7n] })
  expect(withError).toBe(`execution reverted: Custom(code: 7, caller: ${from})`)
  const [, withNothing] = await explained({ functionName: 'writeThenRevertEmpty' })
  expect(withNothing).toBe('execution reverted, and no reason was given')
})
