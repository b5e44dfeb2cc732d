/** viem on a chain with Flashblocks, with its own `basePreconf`: it sends, waits and reads before anything is sealed. */
import { getContractAddress, parseEther, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { basePreconf } from 'viem/chains'
import { createNonceManager, jsonRpc } from 'viem/nonce'
import { describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { STRANGER, ZERO_HASH } from '../support/clients/clients.ts'
import {
  type PreconfirmedClient,
  preconfirmedClient,
  startedAsBase,
  TRANSPORTS,
} from '../support/clients/preconfirmedClients.ts'

/** A token that is pre-confirmed, in the first slice of block 1. */
async function deployed(client: PreconfirmedClient, tick: () => Promise<void>) {
  const hash = await client.deployContract({ ...Token, args: ['Gold', 'GOLD'] })
  await tick()
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  return { address: contractAddress!, abi: Token.abi } as const
}

it("viem's chain is one with pre-confirmations each 200 ms", () => {
  expect(basePreconf).toMatchObject({ id: 8453, experimental_preconfirmationTime: 200 })
})

describe.each(TRANSPORTS)('viem over %s', (transport) => {
  async function connected() {
    const devnet = await startedAsBase()
    return { devnet, client: await preconfirmedClient(devnet, transport), tick: () => devnet.tick() }
  }

  it('waits for the pre-confirmed receipt, whose block has no hash yet', async () => {
    const { client, tick } = await connected()
    const hash = await client.sendTransaction({ to: STRANGER, value: 1n })
    await tick()
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({
      status: 'success',
      blockNumber: 1n,
      blockHash: ZERO_HASH,
      // Behind the deposit.
      transactionIndex: 1,
    })
    expect(await client.getBlockNumber()).toBe(0n)
    expect(await client.getTransaction({ hash })).toMatchObject({ blockHash: null, blockNumber: 1n })
  })

  it('reads what is pre-confirmed unless it asks for something else', async () => {
    const { devnet, client, tick } = await connected()
    const token = await deployed(client, tick)
    const mint = { ...token, functionName: 'mint', args: [STRANGER, 5n] } as const
    const gas = await client.estimateContractGas({ ...mint, blockTag: 'pending' })
    await client.writeContract({ ...mint, gas })
    await client.sendTransaction({ to: STRANGER, value: 7n, nonce: 2 })
    await tick()
    const balanceOf = { ...token, functionName: 'balanceOf', args: [STRANGER] } as const
    expect(await client.readContract(balanceOf)).toBe(5n)
    expect(await client.getBalance({ address: STRANGER })).toBe(7n)
    expect(await client.getBalance({ address: STRANGER, blockTag: 'latest' })).toBe(0n)
    await expect(client.readContract({ ...balanceOf, blockTag: 'latest' })).rejects.toThrow(
      'returned no data',
    )
    await devnet.seal()
    expect(await client.readContract({ ...balanceOf, blockTag: 'latest' })).toBe(5n)
  })

  it('gets the pre-confirmed block where it asks for a block', async () => {
    const { client, tick } = await connected()
    await client.sendTransaction({ to: STRANGER, value: 1n })
    await tick()
    const block = await client.getBlock({ includeTransactions: true })
    expect(block).toMatchObject({ number: 1n, hash: ZERO_HASH, stateRoot: ZERO_HASH })
    expect(block.transactions).toMatchObject([{ type: 'deposit' }, { type: 'eip1559', blockHash: null }])
    expect(await client.getBlock({ blockTag: 'latest' })).toMatchObject({ number: 0n })
  })

  it('finds the logs of what is pre-confirmed', async () => {
    const { client, tick } = await connected()
    const token = await deployed(client, tick)
    await client.writeContract({ ...token, functionName: 'mint', args: [STRANGER, 5n], gas: 100_000n })
    await tick()
    const range = { fromBlock: 'pending', toBlock: 'pending' } as const
    expect(await client.getContractEvents({ ...token, ...range })).toMatchObject([
      { eventName: 'Transfer', args: { to: STRANGER, value: 5n }, blockHash: ZERO_HASH, blockNumber: 1n },
    ])
    expect(await client.getContractEvents({ ...token, fromBlock: 'earliest', toBlock: 'latest' })).toEqual([])
  })

  it('sends and waits in one request', async () => {
    const { devnet, client } = await connected()
    const request = await client.prepareTransactionRequest({ to: STRANGER, value: 1n })
    const serializedTransaction = await client.signTransaction(request)
    devnet.on('accepted', () => void devnet.tick())
    expect(await client.sendRawTransactionSync({ serializedTransaction })).toMatchObject({
      status: 'success',
      blockNumber: 1n,
      blockHash: ZERO_HASH,
    })
  })

  it('gets the sealed receipt where it wants confirmations', async () => {
    const { devnet, client, tick } = await connected()
    const hash = await client.sendTransaction({ to: STRANGER, value: 1n })
    await tick()
    const waiting = client.waitForTransactionReceipt({ hash, confirmations: 2, pollingInterval: 5 })
    await devnet.seal()
    await devnet.seal()
    const { hash: blockHash } = await client.getBlock({ blockNumber: 1n })
    expect(blockHash).not.toBe(ZERO_HASH)
    expect(await waiting).toMatchObject({ blockNumber: 1n, blockHash })
  })

  it('uses a nonce twice where it sends twice before a slice, as on Base, and once with a nonce manager', async () => {
    const { devnet, client, tick } = await connected()
    const fees = { maxFeePerGas: parseGwei('10'), maxPriorityFeePerGas: 1n }
    await client.sendTransaction({ ...fees, to: STRANGER, value: 1n })
    const again = client.sendTransaction({ ...fees, to: STRANGER, value: 2n })
    await expect(again).rejects.toThrow('replacement transaction underpriced')
    await tick()
    await client.sendTransaction({ ...fees, to: STRANGER, value: 4n })
    const nonceManager = createNonceManager({ source: jsonRpc() })
    const account = privateKeyToAccount(devnet.accounts[1]!.privateKey, { nonceManager })
    const payment = { ...fees, account, to: STRANGER } as const
    await Promise.all([8n, 16n].map((value) => client.sendTransaction({ ...payment, value })))
    await tick()
    expect(await client.getBalance({ address: STRANGER })).toBe(1n + 4n + 8n + 16n)
  })

  it('estimates on latest unless it is told to, where what is pre-confirmed is not there yet', async () => {
    const { devnet, client, tick } = await connected()
    await client.sendTransaction({ to: STRANGER, value: parseEther('1') })
    await tick()
    const spending = { account: STRANGER, to: devnet.accounts[1]!.address, value: 1n } as const
    await expect(client.estimateGas(spending)).rejects.toThrow('insufficient funds')
    expect(await client.estimateGas({ ...spending, blockTag: 'pending' })).toBe(21_000n)
  })

  it('knows where a contract will be before there is a block with it', async () => {
    const { client, tick } = await connected()
    const token = await deployed(client, tick)
    const expected = getContractAddress({ from: client.account.address, nonce: 0n })
    expect(token.address.toLowerCase()).toBe(expected.toLowerCase())
    expect(await client.getCode({ address: token.address, blockTag: 'pending' })).toBe(Token.deployedBytecode)
    expect(await client.getCode({ address: token.address, blockTag: 'latest' })).toBeUndefined()
  })

  it('does all of it on the real clock', async () => {
    const devnet = await startedAsBase({ rhythm: 'interval', tickMs: 20 })
    const client = await preconfirmedClient(devnet, transport)
    const token = await deployed(client, async () => {})
    const mint = { ...token, functionName: 'mint', args: [STRANGER, 5n] } as const
    for (const total of [5n, 10n, 15n]) {
      const gas = await client.estimateContractGas({ ...mint, blockTag: 'pending' })
      await client.waitForTransactionReceipt({ hash: await client.writeContract({ ...mint, gas }) })
      expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [STRANGER] })).toBe(total)
    }
  })
})
