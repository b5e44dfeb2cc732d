/** ethers 6 on a chain with Flashblocks: what docs.base.org tells its users to do, `tx.wait(0)` and `pending`. */
import {
  Contract,
  ContractFactory,
  type JsonRpcApiProvider,
  JsonRpcProvider,
  Wallet,
  WebSocketProvider,
} from 'ethers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { STRANGER, ZERO_HASH } from '../support/clients/clients.ts'
import { startedAsBase, TRANSPORTS } from '../support/clients/preconfirmedClients.ts'

describe.each(TRANSPORTS)('ethers over %s', (transport) => {
  async function connected() {
    const devnet = await startedAsBase()
    const { url, webSocketUrl } = await devnet.listen({ port: 0 })
    const options = { staticNetwork: true, cacheTimeout: -1, pollingInterval: 5 } as const
    const provider: JsonRpcApiProvider =
      transport === 'HTTP'
        ? new JsonRpcProvider(url, undefined, options)
        : new WebSocketProvider(webSocketUrl, undefined, options)
    onTestFinished(() => void provider.destroy())
    const wallet = new Wallet(devnet.accounts[0]!.privateKey, provider)
    return { devnet, provider, wallet }
  }

  it('has no receipt with wait(0) until the next slice, and then the pre-confirmed one', async () => {
    const { devnet, wallet } = await connected()
    const sent = await wallet.sendTransaction({ to: STRANGER, value: 1n })
    expect(await sent.wait(0)).toBeNull()
    await devnet.tick()
    const receipt = await sent.wait(0)
    expect(receipt).toMatchObject({ status: 1, blockNumber: 1, blockHash: ZERO_HASH, index: 1 })
  })

  it('waits for more confirmations, and gets the sealed receipt', async () => {
    const { devnet, provider, wallet } = await connected()
    const sent = await wallet.sendTransaction({ to: STRANGER, value: 1n })
    await devnet.tick()
    const waiting = sent.wait(2)
    await devnet.seal()
    await devnet.seal()
    const block = await provider.getBlock(1)
    expect(await waiting).toMatchObject({ status: 1, blockNumber: 1, blockHash: block!.hash })
    expect(block!.hash).not.toBe(ZERO_HASH)
  })

  it('reads balances, counts, blocks and logs at pending', async () => {
    const { devnet, provider, wallet } = await connected()
    const factory = new ContractFactory(Token.abi, Token.bytecode, wallet)
    const deployment = await factory.deploy('Gold', 'GOLD', { gasLimit: 2_000_000n })
    await devnet.tick()
    await deployment.deploymentTransaction()!.wait(0)
    const token = new Contract(await deployment.getAddress(), Token.abi, wallet)
    const minting = await token.getFunction('mint').send(STRANGER, 5n, { gasLimit: 100_000n })
    await devnet.tick()
    await minting.wait(0)
    const pending = { blockTag: 'pending' } as const
    expect(await token.getFunction('balanceOf').staticCall(STRANGER, pending)).toBe(5n)
    expect(await provider.getTransactionCount(wallet, 'pending')).toBe(2)
    expect(await provider.getTransactionCount(wallet, 'latest')).toBe(0)
    expect(await provider.getBlock('pending')).toMatchObject({ number: 1, hash: ZERO_HASH })
    const logs = await token.queryFilter('Transfer', 'pending', 'pending')
    expect(logs).toMatchObject([{ transactionHash: minting.hash, blockNumber: 1, blockHash: ZERO_HASH }])
    expect(await token.queryFilter('Transfer', 0, 'latest')).toEqual([])
  })

  it('sees what it was paid at pending, and can send it on', async () => {
    const { devnet, provider, wallet } = await connected()
    const poor = Wallet.createRandom(provider)
    await wallet.sendTransaction({ to: poor.address, value: 10n ** 18n })
    await devnet.tick()
    expect(await provider.getBalance(poor, 'pending')).toBe(10n ** 18n)
    expect(await provider.getBalance(poor, 'latest')).toBe(0n)
    // What it asks to have estimated is estimated on latest, where nobody was paid yet.
    const payment = { to: STRANGER, value: 1n }
    await expect(poor.sendTransaction(payment)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
    const sent = await poor.sendTransaction({ ...payment, gasLimit: 21_000n })
    await devnet.tick()
    expect(await sent.wait(0)).toMatchObject({ status: 1, blockNumber: 1 })
    expect(await provider.getBalance(STRANGER, 'pending')).toBe(1n)
  })
})
