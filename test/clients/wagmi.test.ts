/** wagmi's core: its mock connector over HTTP, and its injected connector with the devnet itself as the wallet. */
import {
  type Config,
  connect,
  createConfig,
  deployContract,
  disconnect,
  estimateFeesPerGas,
  estimateGas,
  getBalance,
  getBlock,
  getBlockNumber,
  getConnection,
  getTransaction,
  getTransactionCount,
  injected,
  mock,
  multicall,
  readContract,
  readContracts,
  sendCalls,
  sendTransaction,
  signMessage,
  signTypedData,
  simulateContract,
  switchChain,
  verifyMessage,
  verifyTypedData,
  waitForCallsStatus,
  waitForTransactionReceipt,
  watchBlockNumber,
  watchBlocks,
  watchContractEvent,
  watchPendingTransactions,
  writeContract,
} from '@wagmi/core'
import { type Chain, getAddress, type Hex, http, parseEther } from 'viem'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { devnetChain, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'

/** As an app is configured for tests: the accounts are mocked, what is asked goes to the devnet. */
async function overHttp(devnet: Devnet): Promise<Config> {
  const { url } = await devnet.listen({ port: 0 })
  const chain: Chain = { ...devnetChain, rpcUrls: { default: { http: [url] } } }
  const [first, second] = devnet.accounts
  return createConfig({
    chains: [chain],
    connectors: [mock({ accounts: [first!.address, second!.address] })],
    transports: { [chain.id]: http(url, { retryCount: 0 }) },
    pollingInterval: 5,
    cacheTime: 0,
  })
}

/** As with a browser's wallet, which the devnet's provider stands in for. */
async function inProcess(devnet: Devnet): Promise<Config> {
  // The connector looks for wallets only where there is a window.
  vi.stubGlobal('window', {})
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return createConfig({
    multiInjectedProviderDiscovery: false,
    chains: [devnetChain],
    connectors: [injected({ target: { id: 'devnet', name: 'Devnet', provider: devnet.provider as never } })],
    transports: { [devnetChain.id]: devnet.transport() },
    pollingInterval: 5,
    cacheTime: 0,
  })
}

const WAYS = [
  { name: 'over HTTP', configure: overHttp },
  { name: 'in process', configure: inProcess },
]

describe.each(WAYS)('wagmi $name', ({ configure }) => {
  /** A devnet that makes a block of each transaction, and an app that is connected to it. */
  async function connected(options: DevnetOptions = {}) {
    const devnet = await started({ rhythm: 'instant', ...options })
    const config = await configure(devnet)
    await connect(config, { connector: config.connectors[0]! })
    const { address } = getConnection(config)
    return { devnet, config, address: address! }
  }

  async function deployed(config: Config, contract: typeof Emitter | typeof Reverter): Promise<Hex> {
    const hash = await deployContract(config, { abi: contract.abi as never, bytecode: contract.bytecode })
    const { contractAddress } = await waitForTransactionReceipt(config, { hash })
    return contractAddress!
  }

  it('connects, and disconnects', async () => {
    const { devnet, config, address } = await connected()
    expect(getConnection(config)).toMatchObject({ status: 'connected', chainId: 31337 })
    expect(address).toBe(getAddress(devnet.accounts[0]!.address))
    await disconnect(config)
    expect(getConnection(config)).toMatchObject({ status: 'disconnected' })
    await expect(sendTransaction(config, { to: STRANGER })).rejects.toThrow('Connector not connected')
  })

  it('deploys, writes, waits and reads', async () => {
    const { config, address } = await connected()
    const deployment = await deployContract(config, { ...Token, args: ['Gold', 'GOLD'] })
    const { contractAddress } = await waitForTransactionReceipt(config, { hash: deployment })
    const token = { address: contractAddress!, abi: Token.abi } as const
    const { request } = await simulateContract(config, {
      ...token,
      functionName: 'mint',
      args: [STRANGER, 5n],
    })
    const hash = await writeContract(config, request)
    expect(await waitForTransactionReceipt(config, { hash })).toMatchObject({ status: 'success' })
    expect(await readContract(config, { ...token, functionName: 'balanceOf', args: [STRANGER] })).toBe(5n)
    const reads = [
      { ...token, functionName: 'name' },
      { ...token, functionName: 'owner' },
    ] as const
    expect(await multicall(config, { contracts: reads, allowFailure: false })).toEqual(['Gold', address])
    expect(await readContracts(config, { contracts: reads })).toMatchObject([
      { status: 'success', result: 'Gold' },
      { status: 'success', result: address },
    ])
  })

  it('sends money and looks', async () => {
    const { config, address } = await connected()
    const hash = await sendTransaction(config, { to: STRANGER, value: parseEther('1') })
    await waitForTransactionReceipt(config, { hash })
    expect(await getBalance(config, { address: STRANGER })).toMatchObject({ value: 10n ** 18n, decimals: 18 })
    expect(await getTransactionCount(config, { address })).toBe(1)
    expect(await getTransaction(config, { hash })).toMatchObject({
      from: address.toLowerCase(),
      type: 'eip1559',
    })
    expect(await getBlockNumber(config)).toBe(1n)
    expect(await getBlock(config)).toMatchObject({ number: 1n, transactions: [hash] })
    expect(await estimateGas(config, { to: STRANGER, value: 1n })).toBe(21_000n)
    expect(await estimateFeesPerGas(config)).toMatchObject({ maxPriorityFeePerGas: 10n ** 9n })
  })

  it('waits until a transaction is pre-confirmed, and has it sealed later', async () => {
    const { devnet, config } = await connected({ rhythm: 'manual', receipts: 'preconfirmed' })
    const hash = await sendTransaction(config, { to: STRANGER, value: 1n, gas: 21_000n })
    await devnet.tick()
    expect(await waitForTransactionReceipt(config, { hash })).toMatchObject({ blockHash: ZERO_HASH })
    await devnet.seal()
    const { hash: blockHash } = await getBlock(config, { blockNumber: 1n })
    expect(await waitForTransactionReceipt(config, { hash })).toMatchObject({ blockHash })
  })

  it('signs messages and typed data', async () => {
    const { config, address } = await connected()
    const signature = await signMessage(config, { message: 'hello' })
    expect(await verifyMessage(config, { address, message: 'hello', signature })).toBe(true)
    const data = {
      types: { Vote: [{ name: 'yes', type: 'bool' }] },
      primaryType: 'Vote',
      domain: { name: 'Parliament', chainId: 31337 },
      message: { yes: true },
    } as const
    const signed = await signTypedData(config, data)
    expect(await verifyTypedData(config, { ...data, address, signature: signed })).toBe(true)
  })

  it.each(['base', 'geth'] as const)('learns why a call reverted, in the dialect %s', async (dialect) => {
    const { config } = await connected({ dialect })
    const reverter = { address: await deployed(config, Reverter), abi: Reverter.abi } as const
    const custom = { ...reverter, functionName: 'revertCustom', args: [7n] } as const
    await expect(readContract(config, custom)).rejects.toThrow('Custom(uint256 code, address caller)')
    const string = { ...reverter, functionName: 'writeThenRevertString' } as const
    await expect(simulateContract(config, string)).rejects.toThrow('Something went wrong')
    await expect(writeContract(config, string)).rejects.toThrow('Something went wrong')
    const hash = await writeContract(config, { ...string, gas: 100_000n })
    // wagmi calls it again to learn why, and reads the words alone.
    const reason =
      dialect === 'geth' ? 'Execution reverted with reason: Something went wrong' : 'Execution reverted'
    await expect(waitForTransactionReceipt(config, { hash })).rejects.toThrow(reason)
  })

  it('watches blocks and their numbers', async () => {
    const { devnet, config } = await connected({ rhythm: 'manual' })
    const numbers: bigint[] = []
    const blocks: bigint[] = []
    const watched = { emitMissed: true, emitOnBegin: true, pollingInterval: 5 }
    const add = { onBlockNumber: (number: bigint) => numbers.push(number) }
    onTestFinished(watchBlockNumber(config, { ...watched, ...add }))
    onTestFinished(watchBlocks(config, { ...watched, onBlock: ({ number }) => blocks.push(number) }))
    await vi.waitUntil(() => numbers.length === 1 && blocks.length === 1, SOON)
    for (let block = 0; block < 3; block++) await devnet.mine()
    await vi.waitUntil(() => numbers.length >= 4 && blocks.length >= 4, SOON)
    expect(numbers).toEqual([0n, 1n, 2n, 3n])
    expect(blocks).toEqual([0n, 1n, 2n, 3n])
  })

  it('watches events and waiting transactions', async () => {
    const { config } = await connected()
    const emitter = { address: await deployed(config, Emitter), abi: Emitter.abi } as const
    const values: unknown[] = []
    const hashes: unknown[] = []
    onTestFinished(
      watchContractEvent(config, {
        ...emitter,
        eventName: 'Touched',
        fromBlock: 0n,
        onLogs: (logs) => values.push(...logs.map(({ args }) => args.value)),
      }),
    )
    onTestFinished(watchPendingTransactions(config, { onTransactions: (found) => hashes.push(...found) }))
    const touch = { ...emitter, functionName: 'touch' } as const
    await vi.waitUntil(async () => {
      await writeContract(config, { ...touch, value: 7n })
      return values.length > 0 && hashes.length > 0
    }, SOON)
    expect(values[0]).toBe(7n)
  })
})

describe('wagmi in process', () => {
  it('follows the chain and the accounts of the wallet', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const config = await inProcess(devnet)
    await connect(config, { connector: config.connectors[0]! })
    await devnet.impersonate(STRANGER)
    await vi.waitUntil(() => getConnection(config).addresses!.includes(STRANGER), SOON)
    await devnet.request({ method: 'anvil_setChainId', params: [5] })
    await vi.waitUntil(() => getConnection(config).chainId === 5, SOON)
    await devnet.close()
    await vi.waitUntil(() => getConnection(config).status === 'disconnected', SOON)
  })

  it('is not connected before somebody wants it', async () => {
    const config = await inProcess(await started({ rhythm: 'instant' }))
    await new Promise((resolve) => setImmediate(resolve))
    expect(getConnection(config)).toMatchObject({ status: 'disconnected' })
  })

  it('learns that the wallet has its chain, and no other', async () => {
    const devnet = await started({ rhythm: 'instant' })
    vi.stubGlobal('window', {})
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    const config = createConfig({
      multiInjectedProviderDiscovery: false,
      chains: [devnetChain, { ...devnetChain, id: 42 }],
      connectors: [
        injected({ target: { id: 'devnet', name: 'Devnet', provider: devnet.provider as never } }),
      ],
      transports: { [devnetChain.id]: devnet.transport(), 42: devnet.transport() },
    })
    await connect(config, { connector: config.connectors[0]! })
    expect(await switchChain(config, { chainId: devnetChain.id })).toMatchObject({ id: devnetChain.id })
    await expect(switchChain(config, { chainId: 42 })).rejects.toThrow('Unrecognized chain ID "0x2a"')
  })
})

describe('wagmi over HTTP', () => {
  it('sends several calls, and waits for all of them', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const config = await overHttp(devnet)
    await connect(config, { connector: config.connectors[0]! })
    const payment = { to: STRANGER, value: 1n } as const
    const { id } = await sendCalls(config, { calls: [payment, payment] })
    const { status, receipts } = await waitForCallsStatus(config, { id, pollingInterval: 5 })
    expect(status).toBe('success')
    expect(receipts).toMatchObject([{ blockNumber: 1n }, { blockNumber: 2n }])
    expect(await getBalance(config, { address: STRANGER })).toMatchObject({ value: 2n })
  })

  it('switches between two devnets', async () => {
    const here = await started({ rhythm: 'manual' })
    const there = await started({ rhythm: 'manual', chainId: 42 })
    await there.mine()
    const [hereUrl, thereUrl] = [(await here.listen({ port: 0 })).url, (await there.listen({ port: 0 })).url]
    const config = createConfig({
      chains: [devnetChain, { ...devnetChain, id: 42 }],
      connectors: [mock({ accounts: [here.accounts[0]!.address] })],
      transports: { [devnetChain.id]: http(hereUrl), 42: http(thereUrl) },
    })
    await connect(config, { connector: config.connectors[0]! })
    expect(await getBlockNumber(config)).toBe(0n)
    await switchChain(config, { chainId: 42 })
    expect(getConnection(config).chainId).toBe(42)
    expect(await getBlockNumber(config)).toBe(1n)
  })
})
