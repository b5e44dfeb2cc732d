/** viem's public and wallet clients, over HTTP and over the in-process provider: contracts, blocks, logs, and what is pre-confirmed. */
import {
  createClient,
  formatEther,
  getAddress,
  getContract,
  getContractAddress,
  type Hex,
  numberToHex,
  parseAbi,
  parseEther,
  parseGwei,
  publicActions,
  type Transport,
  walletActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet } from '../../src/index.ts'
import {
  clientOf,
  connected,
  deploy,
  deployToken,
  devnetChain,
  STRANGER,
  WAYS,
  ZERO_HASH,
} from '../support/clients/clients.ts'
import { overhear } from '../support/clients/overhear.ts'
import { SOON } from '../support/clients/until.ts'

const TOPIC: Hex = `0x${'ab'.repeat(32)}`

describe.each(WAYS)('viem $name', (way) => {
  describe('deploys, writes and reads', () => {
    it('with an account whose key it holds', async () => {
      const { client } = await connected(way)
      const deployment = await client.deployContract({ ...Token, args: ['Gold', 'GOLD'] })
      const { contractAddress, status } = await client.waitForTransactionReceipt({ hash: deployment })
      expect(status).toBe('success')
      const token = { address: contractAddress!, abi: Token.abi } as const
      const hash = await client.writeContract({ ...token, functionName: 'mint', args: [STRANGER, 5n] })
      expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
      expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [STRANGER] })).toBe(5n)
      expect(await client.readContract({ ...token, functionName: 'name' })).toBe('Gold')
      expect(await client.readContract({ ...token, functionName: 'owner' })).toBe(client.account.address)
    })

    it('with an account that the devnet holds', async () => {
      const { devnet, transport } = await connected(way)
      const nobody = createClient({ chain: devnetChain, transport, pollingInterval: 20 })
        .extend(publicActions)
        .extend(walletActions)
      const addresses = await nobody.getAddresses()
      expect(addresses).toEqual(devnet.accounts.map(({ address }) => getAddress(address)))
      const account = addresses[1]!
      const deployment = await nobody.deployContract({ ...Token, account, args: ['Gold', 'GOLD'] })
      const { contractAddress, from } = await nobody.waitForTransactionReceipt({ hash: deployment })
      expect(getAddress(from)).toBe(account)
      const token = { address: contractAddress!, abi: Token.abi, account } as const
      await nobody.writeContract({ ...token, functionName: 'mint', args: [account, 5n] })
      const balance = await nobody.readContract({ ...token, functionName: 'balanceOf', args: [account] })
      expect(balance).toBe(5n)
      const hash = await nobody.sendTransaction({ account, to: STRANGER, value: parseEther('1') })
      expect(await nobody.getTransaction({ hash })).toMatchObject({ type: 'eip1559', nonce: 2 })
      expect(formatEther(await nobody.getBalance({ address: STRANGER }))).toBe('1')
    })

    it('through a contract instance', async () => {
      const { client } = await connected(way)
      const store = getContract({ address: await deploy(client, Store), abi: Store.abi, client })
      await store.write.set([1n, 42n])
      expect(await store.read.get([1n])).toBe(42n)
      expect(await client.getStorageAt({ address: store.address, slot: '0x1' })).toBe(
        numberToHex(42, { size: 32 }),
      )
    })

    it('by the request that a simulation answered', async () => {
      const { client } = await connected(way)
      const address = await deployToken(client)
      await client.writeContract({
        address,
        abi: Token.abi,
        functionName: 'mint',
        args: [client.account.address, 9n],
      })
      const { request, result } = await client.simulateContract({
        address,
        abi: Token.abi,
        functionName: 'transfer',
        args: [STRANGER, 9n],
      })
      expect(result).toBe(true)
      const hash = await client.writeContract(request)
      expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    })

    it('and sees what is pre-confirmed by asking for pending', async () => {
      const { devnet, client } = await connected(way, { rhythm: 'manual', receipts: 'preconfirmed' })
      const hash = await client.deployContract({ ...Store, args: [] })
      await devnet.tick()
      const address = getContractAddress({ from: client.account.address, nonce: 0n })
      const get = { address, abi: Store.abi, functionName: 'get', args: [1n] } as const
      expect(await client.readContract({ ...get, blockTag: 'pending' })).toBe(0n)
      await expect(client.readContract(get)).rejects.toThrow('returned no data ("0x")')
      expect(await client.getTransactionReceipt({ hash })).toMatchObject({ blockHash: ZERO_HASH })
      expect(await client.getBlock({ blockTag: 'pending' })).toMatchObject({
        number: 1n,
        hash: ZERO_HASH,
        transactions: [hash],
      })
    })
  })

  describe('looks', () => {
    it('at accounts', async () => {
      const { client } = await connected(way)
      const address = await deploy(client, Store)
      expect(await client.getCode({ address })).toBe(Store.deployedBytecode)
      expect(await client.getTransactionCount({ address: client.account.address })).toBe(1)
      expect(await client.getBalance({ address: STRANGER, blockTag: 'safe' })).toBe(0n)
    })

    it('at the chain', async () => {
      const { client } = await connected(way)
      await deploy(client, Store)
      expect(await client.getChainId()).toBe(31337)
      expect(await client.getBlockNumber()).toBe(1n)
      const block = await client.getBlock({ includeTransactions: true })
      expect(block).toMatchObject({ number: 1n, baseFeePerGas: 875_000_000n, gasLimit: 30_000_000n })
      expect(block.transactions[0]).toMatchObject({ blockHash: block.hash, type: 'eip1559', to: null })
      expect(await client.getBlock({ blockHash: block.hash })).toMatchObject({ number: 1n })
      await expect(client.getBlock({ blockNumber: 5n })).rejects.toThrow('could not be found')
    })

    it('at fees', async () => {
      const { client } = await connected(way)
      await deploy(client, Store)
      expect(await client.getGasPrice()).toBeGreaterThan(parseGwei('1'))
      expect(await client.estimateMaxPriorityFeePerGas()).toBe(parseGwei('1'))
      const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
      expect(maxFeePerGas).toBeGreaterThan(maxPriorityFeePerGas)
      const history = await client.getFeeHistory({ blockCount: 2, rewardPercentiles: [50] })
      expect(history).toMatchObject({ oldestBlock: 0n, reward: [[0n], [parseGwei('1')]] })
    })

    it('for what does not exist', async () => {
      const { client } = await connected(way)
      await expect(client.getTransaction({ hash: TOPIC })).rejects.toThrow('could not be found')
      await expect(client.getTransactionReceipt({ hash: TOPIC })).rejects.toThrow('could not be found')
      expect(await client.getCode({ address: STRANGER })).toBeUndefined()
    })
  })

  describe('finds logs', () => {
    it('by contract, event and arguments', async () => {
      const { client } = await connected(way)
      const emitter = { address: await deploy(client, Emitter), abi: Emitter.abi } as const
      await client.writeContract({ ...emitter, functionName: 'emitMany', args: [3n, TOPIC] })
      await client.writeContract({ ...emitter, functionName: 'touch', value: 7n })
      const range = { fromBlock: 'earliest', toBlock: 'latest' } as const
      const all = await client.getContractEvents({ ...emitter, ...range })
      expect(all.map(({ eventName, logIndex }) => [eventName, logIndex])).toEqual([
        ['Many', 0],
        ['Many', 1],
        ['Many', 2],
        ['Touched', 0],
      ])
      const many = { ...emitter, ...range, eventName: 'Many' } as const
      expect(await client.getContractEvents({ ...many, args: { topic: TOPIC } })).toHaveLength(3)
      expect(await client.getContractEvents({ ...many, args: { topic: ZERO_HASH } })).toEqual([])
      const [event] = parseAbi(['event Touched(address indexed sender, uint256 value)'])
      const [touched] = await client.getLogs({ ...range, event, args: { sender: client.account.address } })
      expect(touched?.args).toEqual({ sender: client.account.address, value: 7n })
    })

    it('that are pre-confirmed', async () => {
      const { devnet, client } = await connected(way, { rhythm: 'manual' })
      const hash = await client.deployContract({ ...Emitter, args: [] })
      await devnet.mine()
      const { contractAddress } = await client.getTransactionReceipt({ hash })
      const emitter = { address: contractAddress!, abi: Emitter.abi } as const
      await client.writeContract({ ...emitter, functionName: 'touch', value: 7n })
      await devnet.tick()
      const pending = await client.getContractEvents({ ...emitter, fromBlock: 'pending', toBlock: 'pending' })
      expect(pending).toMatchObject([{ eventName: 'Touched', blockHash: ZERO_HASH, blockNumber: 2n }])
      expect(await client.getContractEvents({ ...emitter, fromBlock: 'earliest' })).toEqual([])
    })

    it('as they come, each once', async () => {
      const { devnet, client } = await connected(way, { rhythm: 'manual' })
      const hash = await client.deployContract({ ...Emitter, args: [] })
      await devnet.mine()
      const { contractAddress } = await client.getTransactionReceipt({ hash })
      const emitter = { address: contractAddress!, abi: Emitter.abi } as const
      const seen: (bigint | undefined)[] = []
      const unwatch = client.watchContractEvent({
        ...emitter,
        eventName: 'Touched',
        fromBlock: 2n,
        pollingInterval: 5,
        onLogs: (logs) => seen.push(...logs.map(({ args }) => args.value)),
      })
      onTestFinished(unwatch)
      for (const value of [1n, 2n, 3n]) {
        await client.writeContract({ ...emitter, functionName: 'touch', value })
        await devnet.mine()
        await vi.waitUntil(() => seen.length >= Number(value), SOON)
      }
      expect(seen).toEqual([1n, 2n, 3n])
    })

    it('as they come, from when it began to watch', async () => {
      const { devnet, client, transport } = await connected(way, { rhythm: 'manual' })
      const hash = await client.deployContract({ ...Emitter, args: [] })
      await devnet.mine()
      const { contractAddress } = await client.getTransactionReceipt({ hash })
      const emitter = { address: contractAddress!, abi: Emitter.abi } as const
      const { overheard, asked } = overhear(transport)
      const onLogs = vi.fn()
      const watcher = clientOf(devnet, 0, overheard)
      onTestFinished(watcher.watchContractEvent({ ...emitter, pollingInterval: 5, onLogs }))
      await vi.waitUntil(() => asked('eth_getFilterChanges'), SOON)
      await client.writeContract({ ...emitter, functionName: 'touch', value: 1n })
      await devnet.mine()
      await vi.waitUntil(() => onLogs.mock.calls.length > 0, SOON)
      expect(onLogs.mock.calls).toMatchObject([[[{ eventName: 'Touched', args: { value: 1n } }]]])
    })
  })

  describe('reads what is pre-confirmed, where its chain says that there is such a thing,', () => {
    /** The account's client, with viem's flag for such chains. */
    function ahead(devnet: Devnet, transport: Transport) {
      const chain = { ...devnetChain, experimental_preconfirmationTime: 20 }
      const account = privateKeyToAccount(devnet.accounts[0]!.privateKey)
      return createClient({ account, chain, transport }).extend(publicActions).extend(walletActions)
    }

    it('before anything is sealed', async () => {
      const { devnet, transport } = await connected(way, { rhythm: 'manual', receipts: 'preconfirmed' })
      const client = ahead(devnet, transport)
      const hash = await client.deployContract({ ...Token, args: ['Gold', 'GOLD'] })
      await devnet.tick()
      const { contractAddress, blockHash } = await client.waitForTransactionReceipt({ hash })
      expect(blockHash).toBe(ZERO_HASH)
      const token = { address: contractAddress!, abi: Token.abi } as const
      expect(await client.readContract({ ...token, functionName: 'name' })).toBe('Gold')
      const mint = { ...token, functionName: 'mint', args: [STRANGER, 1n] } as const
      const { request } = await client.simulateContract(mint)
      const gas = await client.estimateContractGas({ ...mint, blockTag: 'pending' })
      await client.writeContract({ ...request, gas })
      await devnet.tick()
      expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [STRANGER] })).toBe(1n)
    })

    it('and estimates on that, because it lets the node fill transactions in', async () => {
      const { devnet, transport } = await connected(way, { rhythm: 'manual' })
      const client = ahead(devnet, transport)
      await client.deployContract({ ...Token, args: ['Gold', 'GOLD'] })
      await devnet.tick()
      const address = getContractAddress({ from: client.account.address, nonce: 0n })
      const mint = { address, abi: Token.abi, functionName: 'mint', args: [STRANGER, 1n] } as const
      const enough = await client.estimateContractGas({ ...mint, blockTag: 'pending' })
      expect(await client.estimateContractGas(mint)).toBe(enough)
    })

    it('under the default rhythm, right after each receipt', async () => {
      const { devnet, transport } = await connected(way, { rhythm: 'interval' })
      const client = ahead(devnet, transport)
      const hash = await client.deployContract({ ...Token, args: ['Gold', 'GOLD'] })
      const { contractAddress } = await client.waitForTransactionReceipt({ hash })
      const token = { address: contractAddress!, abi: Token.abi } as const
      const mint = { ...token, functionName: 'mint', args: [STRANGER, 1n] } as const
      const gas = await client.estimateContractGas({ ...mint, blockTag: 'pending' })
      const minting = await client.writeContract({ ...mint, gas })
      await client.waitForTransactionReceipt({ hash: minting })
      expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [STRANGER] })).toBe(1n)
    })
  })
})
