/** Older rules: each hardfork can deploy, write and read, and knows no more than it knew. */
import { type Hex, numberToHex, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { HARDFORKS, type Hardfork } from '../../src/model/hardfork/hardfork.ts'
import { ask, clientOf, inProcess, STRANGER, started } from '../support/clients/clients.ts'

function has(hardfork: Hardfork, since: Hardfork): boolean {
  return HARDFORKS.indexOf(hardfork) >= HARDFORKS.indexOf(since)
}

/**
 * Answers the word in slot 0; called with data, first writes them there. In instructions that all hardforks know:
 * CALLDATASIZE ISZERO PUSH1 12 JUMPI PUSH1 0 CALLDATALOAD PUSH1 0 SSTORE STOP
 * JUMPDEST PUSH1 0 SLOAD PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN
 */
const CODE: Hex = '0x3615600c57600035600055005b60005460005260206000f3'
/** PUSH1 24 PUSH1 12 PUSH1 0 CODECOPY PUSH1 24 PUSH1 0 RETURN, then the code. */
const INIT_CODE: Hex = `0x6018600c60003960186000f3${CODE.slice(2)}`
const WORD = numberToHex(42, { size: 32 })

async function on(hardfork: Hardfork): Promise<Devnet> {
  return started({ rhythm: 'instant', hardfork })
}

async function deployed(devnet: Devnet): Promise<Hex> {
  const from = devnet.accounts[0]!.address
  const hash = await ask(devnet, 'eth_sendTransaction', { from, data: INIT_CODE })
  return (await ask<{ contractAddress: Hex }>(devnet, 'eth_getTransactionReceipt', hash)).contractAddress
}

describe.each(HARDFORKS)('%s', (hardfork) => {
  it('deploys, writes and reads', async () => {
    const devnet = await on(hardfork)
    const to = await deployed(devnet)
    expect(await ask(devnet, 'eth_getCode', to)).toBe(CODE)
    const from = devnet.accounts[0]!.address
    const hash = await ask(devnet, 'eth_sendTransaction', { from, to, data: WORD })
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x1',
      type: has(hardfork, 'london') ? '0x2' : '0x0',
    })
    expect(await ask(devnet, 'eth_call', { to })).toBe(WORD)
  })

  it('is written to and read from by viem', async () => {
    const devnet = await on(hardfork)
    const to = await deployed(devnet)
    const client = clientOf(devnet, 1, inProcess(devnet))
    const hash = await client.sendTransaction({ to, data: WORD })
    const { status, type } = await client.waitForTransactionReceipt({ hash })
    expect({ status, type }).toEqual({
      status: 'success',
      type: has(hardfork, 'london') ? 'eip1559' : 'legacy',
    })
    expect(await client.call({ to })).toEqual({ data: WORD })
  })

  it('estimates to what is used', async () => {
    const devnet = await on(hardfork)
    const to = await deployed(devnet)
    const message = { from: devnet.accounts[0]!.address, to, data: WORD }
    const gas = await ask(devnet, 'eth_estimateGas', message)
    const hash = await ask(devnet, 'eth_sendTransaction', { ...message, gas })
    const receipt = await ask(devnet, 'eth_getTransactionReceipt', hash)
    expect(receipt).toMatchObject({ status: '0x1', gasUsed: gas })
  })

  it('has the header fields of its time', async () => {
    const devnet = await on(hardfork)
    const block = await ask<object>(devnet, 'eth_getBlockByNumber', 'latest', false)
    const since: [string, Hardfork][] = [
      ['baseFeePerGas', 'london'],
      ['withdrawalsRoot', 'shanghai'],
      ['blobGasUsed', 'cancun'],
      ['parentBeaconBlockRoot', 'cancun'],
      ['requestsHash', 'prague'],
    ]
    for (const [field, first] of since) expect(field in block).toBe(has(hardfork, first))
  })

  it.each([
    ['legacy', 'byzantium'],
    ['eip2930', 'berlin'],
    ['eip1559', 'london'],
    ['eip7702', 'prague'],
  ] as const)('takes transactions of type %s if it is %s or later', async (type, since) => {
    const devnet = await on(hardfork)
    const account = privateKeyToAccount(devnet.accounts[0]!.privateKey)
    const price =
      type === 'legacy' || type === 'eip2930'
        ? { gasPrice: parseGwei('5') }
        : { maxFeePerGas: parseGwei('5'), maxPriorityFeePerGas: 1n }
    const authorization = await account.signAuthorization({ chainId: 31337, address: STRANGER, nonce: 1 })
    const raw = await account.signTransaction({
      type: type as 'eip7702',
      chainId: 31337,
      nonce: 0,
      to: STRANGER,
      gas: 100_000n,
      ...(price as { maxFeePerGas: bigint }),
      authorizationList: [authorization],
    })
    const sending = ask(devnet, 'eth_sendRawTransaction', raw)
    if (has(hardfork, since)) expect(await sending).toMatch(/^0x[0-9a-f]{64}$/)
    else
      await expect(sending).rejects.toMatchObject({
        code: -32000,
        message: /^transaction type not supported/,
      })
  })
})

describe('the instruction PUSH0', () => {
  it.each([
    ['paris', /^EVM error: /],
    ['shanghai', undefined],
  ] as const)('on %s', async (hardfork, error) => {
    const devnet = await on(hardfork)
    const code = { [STRANGER]: { code: '0x5f5f5260205ff3' } }
    const calling = ask(devnet, 'eth_call', { to: STRANGER }, 'latest', code)
    if (error === undefined) expect(await calling).toBe(numberToHex(0, { size: 32 }))
    else
      await expect(calling).rejects.toMatchObject({
        code: -32003,
        message: expect.stringMatching(error),
      })
  })
})

describe('the most gas that a transaction may ask for', () => {
  it.each([
    ['prague', undefined],
    ['osaka', 'transaction gas limit too high (cap: 16777216, tx: 16777217)'],
  ] as const)('on %s', async (hardfork, error) => {
    const devnet = await on(hardfork)
    const payment = { from: devnet.accounts[0]!.address, to: STRANGER, gas: numberToHex(2 ** 24 + 1) }
    const sending = ask(devnet, 'eth_sendTransaction', payment)
    if (error === undefined) expect(await sending).toMatch(/^0x/)
    else await expect(sending).rejects.toMatchObject({ code: -32000, message: error })
  })
})
