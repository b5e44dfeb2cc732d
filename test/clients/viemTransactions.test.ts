/** Transactions that viem sends and waits for, over each of its ways to a devnet. */
import { concatHex, encodeFunctionData, getAddress, type Hex, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createNonceManager, jsonRpc } from 'viem/nonce'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Store } from '../../fixtures/contracts/Store.ts'
import { clientOf, connected, deploy, STRANGER, WAYS, ZERO_HASH } from '../support/clients/clients.ts'
import { overhear } from '../support/clients/overhear.ts'
import { SOON } from '../support/clients/until.ts'

const TOPIC: Hex = `0x${'ab'.repeat(32)}`

describe.each(WAYS)('viem $name', (way) => {
  describe('waits', () => {
    it('for a receipt', async () => {
      const { devnet, client } = await connected(way, { rhythm: 'manual' })
      const hash = await client.sendTransaction({ to: STRANGER, value: 1n })
      const waiting = client.waitForTransactionReceipt({ hash })
      await devnet.mine()
      expect(await waiting).toMatchObject({ status: 'success', blockNumber: 1n })
    })

    it('for a receipt, and gets that of the pre-confirmation first', async () => {
      const { devnet, client } = await connected(way, { rhythm: 'manual', receipts: 'preconfirmed' })
      const hash = await client.sendTransaction({ to: STRANGER, value: 1n })
      await devnet.tick()
      expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ blockHash: ZERO_HASH })
    })

    it('for confirmations, and gets the sealed receipt', async () => {
      const { devnet, client } = await connected(way, { rhythm: 'manual' })
      const hash = await client.sendTransaction({ to: STRANGER, value: 1n })
      const waiting = client.waitForTransactionReceipt({ hash, confirmations: 3 })
      for (let block = 0; block < 3; block++) await devnet.mine()
      const { hash: blockHash } = await client.getBlock({ blockNumber: 1n })
      expect(await waiting).toMatchObject({ blockHash, blockNumber: 1n })
    })

    it('for a transaction that is replaced', async () => {
      const { devnet, client, transport } = await connected(way, { rhythm: 'manual' })
      const fees = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: parseGwei('1') }
      const hash = await client.sendTransaction({ ...fees, nonce: 0, to: STRANGER, value: 1n })
      const { overheard, asked } = overhear(transport)
      const onReplaced = vi.fn()
      const waiting = clientOf(devnet, 0, overheard).waitForTransactionReceipt({ hash, onReplaced })
      // It has to know the transaction before it can miss it.
      await vi.waitUntil(() => asked('eth_getTransactionByHash'), SOON)
      const better = { maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: parseGwei('2') }
      const winner = await client.sendTransaction({ ...better, nonce: 0, to: STRANGER, value: 1n })
      await devnet.mine()
      expect(await waiting).toMatchObject({ transactionHash: winner })
      expect(onReplaced).toHaveBeenCalledWith(expect.objectContaining({ reason: 'repriced' }))
    })

    it('for blocks', async () => {
      const { devnet, client } = await connected(way, { rhythm: 'manual' })
      const numbers: bigint[] = []
      const onBlockNumber = (number: bigint) => numbers.push(number)
      onTestFinished(
        client.watchBlockNumber({ onBlockNumber, emitOnBegin: true, emitMissed: true, pollingInterval: 5 }),
      )
      await vi.waitUntil(() => numbers.length === 1, SOON)
      for (let block = 0; block < 3; block++) await devnet.mine()
      await vi.waitUntil(() => numbers.length >= 4, SOON)
      expect(numbers).toEqual([0n, 1n, 2n, 3n])
    })
  })

  describe('sends transactions', () => {
    it.each([
      ['legacy', { type: 'legacy' }],
      ['eip2930', { type: 'eip2930', accessList: [{ address: STRANGER, storageKeys: [TOPIC] }] }],
      ['eip1559', { type: 'eip1559' }],
      ['eip1559', { accessList: [{ address: STRANGER, storageKeys: [TOPIC] }] }],
    ] as const)('of type %s', async (type, fields) => {
      const { client } = await connected(way)
      const hash = await client.sendTransaction({
        ...(fields as { type: 'eip1559' }),
        to: STRANGER,
        value: 1n,
      })
      expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', type })
      const transaction = await client.getTransaction({ hash })
      expect(transaction).toMatchObject({ type, typeHex: expect.any(String), value: 1n, chainId: 31337 })
      if ('accessList' in fields) expect(transaction.accessList).toEqual(fields.accessList)
    })

    it('of type eip7702, which give an account code', async () => {
      const { devnet, client } = await connected(way)
      const contractAddress = await deploy(client, Store)
      const guest = privateKeyToAccount(devnet.accounts[1]!.privateKey)
      const authorization = await client.signAuthorization({ account: guest, contractAddress })
      const data = encodeFunctionData({ abi: Store.abi, functionName: 'set', args: [1n, 42n] })
      const hash = await client.sendTransaction({
        authorizationList: [authorization],
        to: guest.address,
        data,
      })
      expect(await client.getTransactionReceipt({ hash })).toMatchObject({
        status: 'success',
        type: 'eip7702',
      })
      expect(await client.getCode({ address: guest.address })).toBe(
        concatHex(['0xef0100', contractAddress.toLowerCase() as Hex]),
      )
      expect(await client.getDelegation({ address: guest.address })).toBe(getAddress(contractAddress))
      const get = { address: guest.address, abi: Store.abi, functionName: 'get', args: [1n] } as const
      expect(await client.readContract(get)).toBe(42n)
      expect((await client.getTransaction({ hash })).authorizationList).toMatchObject([
        { nonce: 0, chainId: 31337, address: contractAddress.toLowerCase() },
      ])
    })

    it('of type eip7702, signed by the sender itself', async () => {
      const { client } = await connected(way)
      const contractAddress = await deploy(client, Store)
      const authorization = await client.signAuthorization({ contractAddress, executor: 'self' })
      const hash = await client.sendTransaction({
        authorizationList: [authorization],
        to: client.account.address,
      })
      expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
      expect(await client.getDelegation({ address: client.account.address })).toBe(
        getAddress(contractAddress),
      )
      expect(await client.getTransactionCount({ address: client.account.address })).toBe(3)
    })

    it('many at once, with its nonce manager', async () => {
      const { devnet, client } = await connected(way, { rhythm: 'manual' })
      // viem's own `nonceManager` lives as long as the process, and would count on from the devnet before.
      const nonceManager = createNonceManager({ source: jsonRpc() })
      const account = privateKeyToAccount(devnet.accounts[1]!.privateKey, { nonceManager })
      const payment = { account, to: STRANGER, value: 1n } as const
      await Promise.all(Array.from({ length: 8 }, () => client.sendTransaction(payment)))
      await devnet.mine()
      expect(await client.getBalance({ address: STRANGER })).toBe(8n)
    })

    it('one after another without waiting', async () => {
      const { devnet, client } = await connected(way, { rhythm: 'manual' })
      for (let i = 0; i < 5; i++) await client.sendTransaction({ to: STRANGER, value: 1n })
      await devnet.mine()
      expect(await client.getBalance({ address: STRANGER })).toBe(5n)
      expect((await client.getBlock()).transactions).toHaveLength(5)
    })
  })
})
