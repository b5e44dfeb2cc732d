/** Requests of a connection to a network of the type `preseal`, and the errors that tests of Hardhat read. */
import { EventEmitter, once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hexlify, keccak256 } from 'ethers'
import type { EdrNetworkConfig } from 'hardhat/types/config'
import type { NetworkConnection } from 'hardhat/types/network'
import { encodeFunctionData } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import networkHooks from '../../src/hardhat/network.ts'
import type { DevnetOptions } from '../../src/index.ts'
import { hardhatProject } from '../support/compilers/hardhatProject.ts'

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const ETHER = 10n ** 18n

interface Given extends Partial<EdrNetworkConfig> {
  readonly options?: DevnetOptions
}

/** A folder with the artifacts of the contract Shop. */
async function artifactsOfShop(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-hardhat-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [file, text] of Object.entries(await hardhatProject('Shop'))) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  return join(folder, 'artifacts')
}

/** A connection as Hardhat passes it to hooks, whose requests go through them. */
async function connected({ options = {}, ...network }: Given = {}, artifacts = 'no folder') {
  const hooks = await networkHooks()
  const context = { config: { paths: { artifacts } } } as never
  const networkConfig = {
    type: 'preseal',
    accounts: { count: 20 },
    gas: 'auto',
    gasMultiplier: 1,
    gasPrice: 'auto',
    throwOnTransactionFailures: true,
    devnet: async () => ({ profile: 'hardhat', ...options }),
    ...network,
  }
  const given = { networkName: 'default', networkConfig, provider: new EventEmitter() }
  const connection = given as unknown as NetworkConnection<string>
  const refused = async () => {
    throw new Error('the plugin does not answer')
  }
  let id = 0
  const request = async (method: string, ...params: unknown[]) => {
    const message = { jsonrpc: '2.0', id: id++, method, params } as const
    const response = await hooks.onRequest!(context, connection, message, refused)
    expect(response).toMatchObject({ jsonrpc: '2.0', id: message.id })
    return (response as unknown as { result: never }).result
  }
  const close = () => hooks.closeConnection!(context, connection, async () => {})
  onTestFinished(close)
  const open = () => hooks.newConnection!(context, async () => connection as never)
  return { connection, request, close, open }
}

/** A connection with a shop that has 3 things. */
async function shop(given: Given = {}) {
  const one = await connected(given, await artifactsOfShop())
  await one.open()
  const { address } = await one.connection.preseal.deploy('Shop', { args: [3n] })
  return { ...one, address }
}

/** Calldata of `buy(amount, "")`. */
const buying = (amount: bigint) =>
  encodeFunctionData({ abi: Shop.abi, functionName: 'buy', args: [amount, ''] })

describe('a connection to a network of the type preseal', () => {
  it('answers with a devnet, which is its member preseal', async () => {
    const { connection, request, open } = await connected()
    await open()
    await connection.preseal.deal(BOB, { wei: 7n })
    expect(await request('eth_getBalance', BOB, 'latest')).toBe('0x7')
  })

  it('answers requests of plugins that come before the connection is complete', async () => {
    const { connection, request, open } = await connected()
    await request('hardhat_setBalance', BOB, '0x7')
    await open()
    expect(await connection.preseal.request({ method: 'eth_getBalance', params: [BOB, 'latest'] })).toBe(
      '0x7',
    )
  })

  it('is for other plugins one with a simulated network', async () => {
    const { connection, open } = await connected()
    await open()
    expect(connection.networkConfig.type).toBe('edr-simulated')
  })

  it('closes the devnet when it is closed', async () => {
    const { request, close, open } = await connected()
    await open()
    await close()
    await expect(request('eth_chainId')).rejects.toThrow('the devnet is closed')
  })

  it('emits the notifications of subscriptions', async () => {
    const { connection, request } = await connected()
    const subscription = await request('eth_subscribe', 'newHeads')
    const notified = once(connection.provider, 'notification')
    await request('hardhat_mine')
    expect(await notified).toMatchObject([{ subscription, result: { number: '0x1' } }])
  })

  it('gives each key of the configuration its balance', async () => {
    const keys = [1n, 2n].map((i) => `0x${i.toString(16).padStart(64, '0')}` as const)
    const { connection, request, open } = await connected({
      accounts: [5n, 6n].map((balance) => ({ balance })) as never,
      options: { privateKeys: keys },
    })
    await open()
    const balances = connection.preseal.accounts.map(({ address }) =>
      request('eth_getBalance', address, 'latest'),
    )
    expect(await Promise.all(balances)).toEqual(['0x5', '0x6'])
  })
})

describe('hardhat-ethers', () => {
  type Keccak256 = (message: Uint8Array) => Uint8Array

  /** Opens a connection to which hardhat-ethers then adds ethers, with `register` of its `keccak256`. */
  async function withEthers(register: (hash: Keccak256) => void) {
    const { connection, request, open } = await connected()
    await open()
    Object.assign(connection, { ethers: { keccak256: { register } } })
    return request
  }

  it('hashes with the hash function of the devnet', async () => {
    const registered: Keccak256[] = []
    const request = await withEthers((hash) => registered.push(hash))
    await request('eth_chainId')
    await request('eth_chainId')
    expect(registered.map((hash) => hexlify(hash(new Uint8Array())))).toEqual([keccak256('0x')])
  })

  it('hashes as before if the project has locked the hash function', async () => {
    const request = await withEthers(() => {
      throw new TypeError('keccak256 is locked')
    })
    expect(await request('eth_chainId')).toBe('0x7a69')
  })
})

describe('a connection to another network', () => {
  const other = () => connected({ devnet: undefined as never, type: 'http' as never })

  it('is answered by Hardhat, and has no devnet', async () => {
    const { connection, open } = await other()
    delete (connection.networkConfig as { devnet?: unknown }).devnet
    const hooks = await networkHooks()
    const next = async () => ({ jsonrpc: '2.0', id: 1, result: 'of Hardhat' }) as const
    const message = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' } as const
    expect(await hooks.onRequest!({} as never, connection, message, next)).toEqual(await next())
    await open()
    expect(() => connection.preseal).toThrow(
      'connection.preseal: expected a network of the type preseal, got the network default of the type http',
    )
  })
})

describe('a transaction without values', () => {
  it('comes from the first account', async () => {
    const { request } = await connected()
    const hash = await request('eth_sendTransaction', { to: BOB, value: '0x1' })
    expect(await request('eth_getTransactionByHash', hash)).toMatchObject({ from: ALICE })
  })

  it('has the sender, the gas and the gas price of the configuration', async () => {
    const { request } = await connected({ from: BOB, gas: 50_000n, gasPrice: 3n * 10n ** 9n })
    const hash = await request('eth_sendTransaction', { to: ALICE, value: '0x1' })
    expect(await request('eth_getTransactionByHash', hash)).toMatchObject({
      from: BOB,
      gas: '0xc350',
      gasPrice: '0xb2d05e00',
    })
  })

  it('has the estimated gas times the multiplier', async () => {
    const { request } = await connected({ gasMultiplier: 2 })
    const hash = await request('eth_sendTransaction', { to: BOB, value: '0x1' })
    expect(await request('eth_getTransactionByHash', hash)).toMatchObject({ gas: '0xa410' })
  })

  it('keeps the values that it has', async () => {
    const { request } = await connected({ from: BOB, gas: 50_000n, gasPrice: 1n })
    const given = { from: ALICE, to: BOB, gas: '0x5209', maxFeePerGas: '0xb2d05e00' }
    const hash = await request('eth_sendTransaction', given)
    expect(await request('eth_getTransactionByHash', hash)).toMatchObject(given)
  })
})

describe('code that reverts', () => {
  it('is an error of Hardhat’s provider, with its message and Solidity lines', async () => {
    const { request, address } = await shop()
    const error = await request('eth_call', { to: address, data: buying(5n) }).catch((error) => error)
    expect(error).toMatchObject({
      name: 'SolidityError',
      code: 3,
      message:
        "VM Exception while processing transaction: reverted with custom error 'InsufficientStock(3, 5)'",
      data: expect.stringMatching(/^0x/),
    })
    expect(Object.getOwnPropertyDescriptor(error, '_isProviderError')).toMatchObject({
      value: true,
      enumerable: false,
    })
    expect(error.stack).toMatch(
      /^SolidityError: VM Exception .*\n {4}at Shop\.buy \(.*contracts\/Shop\.sol:50:\d+\)\n/,
    )
    expect(error.stack).toContain('network.test.ts')
  })

  it('fails a transaction with explicit gas, too', async () => {
    const { request, address } = await shop()
    const transaction = { to: address, data: buying(5n), gas: '0x186a0' }
    const failure = await request('eth_sendTransaction', transaction).catch((error) => error)
    expect(failure.message).toContain('InsufficientStock(3, 5)')
    expect(await request('eth_getTransactionReceipt', failure.transactionHash)).toMatchObject({
      status: '0x0',
    })
    expect(await request('eth_getTransactionCount', ALICE, 'latest')).toBe('0x2')
  })

  it('leaves a receipt if the configuration says so', async () => {
    const { request, address } = await shop({ throwOnTransactionFailures: false })
    const hash = await request('eth_sendTransaction', { to: address, data: buying(5n), gas: '0x186a0' })
    expect(await request('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x0' })
  })

  it.each([
    [
      '0x12345678',
      "Transaction reverted: function selector was not recognized and there's no fallback function",
    ],
    [
      '0x',
      "Transaction reverted: function selector was not recognized and there's no fallback nor receive function",
    ],
    [buying(1n).slice(0, 10), 'Transaction reverted: function was called with incorrect parameters'],
  ])('has the message of Hardhat for the data %s', async (data, message) => {
    const { request, address } = await shop()
    await expect(request('eth_call', { to: address, data })).rejects.toThrow(message)
  })

  it.each([
    [
      'a reason',
      errorData('too poor'),
      "VM Exception while processing transaction: reverted with reason string 'too poor'",
    ],
    [
      'a panic',
      `4e487b71${'11'.padStart(64, '0')}`,
      'reverted with panic code 0x11 (Arithmetic operation overflowed outside of an unchecked block)',
    ],
    ['an unknown error', '12345678', 'reverted with an unrecognized custom error (return data: 0x12345678)'],
  ])('has the message of Hardhat for %s', async (_, data, message) => {
    const { request } = await connected()
    await request('hardhat_setCode', BOB, reverter(data))
    await expect(request('eth_call', { to: BOB })).rejects.toThrow(message)
  })
})

describe('another error', () => {
  it('is an error of Hardhat’s provider', async () => {
    const { request } = await connected()
    const error = await request('eth_foo').catch((error) => error)
    expect(error).toMatchObject({ name: 'ProviderError', code: -32601 })
    expect(error.stack).toMatch(/^ProviderError: the method eth_foo/)
  })

  it('of the account balance is no error of Solidity', async () => {
    const { request } = await connected()
    const value = `0x${(20_000n * ETHER).toString(16)}`
    const error = await request('eth_sendTransaction', { to: BOB, value, gas: '0x5208' }).catch(
      (error) => error,
    )
    expect(error.name).toBe('ProviderError')
  })
})

/** `Error(string)` as hex digits. */
function errorData(text: string): string {
  const bytes = Buffer.from(text).toString('hex')
  const words = [32, text.length].map((word) => word.toString(16).padStart(64, '0'))
  return `08c379a0${words.join('')}${bytes.padEnd(64, '0')}`
}

/** Code that reverts with `data`, which follows it. */
function reverter(data: string): string {
  const size = (data.length / 2).toString(16).padStart(2, '0')
  // PUSH1 size, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 size, PUSH1 0, REVERT
  return `0x60${size}600c60003960${size}6000fd${data}`
}
