/** Events of transactions, as each library tells of them, and what is said where they are others. */
import { BrowserProvider, Contract } from 'ethers'
import { type Hex, toEventSelector } from 'viem'
import { describe } from 'vitest'
import { Web3 } from 'web3'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { expect, testWith } from '../../src/testing/vitest/index.ts'
import { complaint, stall } from '../support/chains/stall.ts'

const test = testWith(stall)
const testAtOnce = testWith(stall, { rhythm: 'instant' })

const order = (shop: Hex) =>
  ({ abi: Shop.abi, address: shop, functionName: 'buy', args: [2n, 'please'] }) as const
const transfer = (token: Hex, to: Hex, value: bigint) =>
  ({ abi: Token.abi, address: token, functionName: 'transfer', args: [to, value] }) as const

describe('an event is found', () => {
  test('of what viem sends, which is mined if it waits', async ({ devnet, client, alice, shop }) => {
    const hash = client.writeContract(order(shop))
    await expect(hash).toEmit(Shop.abi, 'Sold')
    await expect(hash).toEmit(Shop.abi, 'Sold', [alice, 2n, 'please'])
    await expect(await hash).toBeSealed(devnet)
  })

  test('of a transaction that is pre-confirmed, and stays so', async ({ devnet, client, shop }) => {
    const hash = await client.writeContract(order(shop))
    await devnet.tick()
    await expect(hash).toEmit(Shop.abi, 'Sold', { amount: 2 })
    await expect(hash).toBePreconfirmed(devnet)
  })

  test('of what the devnet sends', async ({ devnet, shop }) => {
    await expect(devnet.write(order(shop))).toEmit(Shop.abi, 'Sold', { amount: 2n })
    const accepted = devnet.write({ ...order(shop), args: [1n, ''], until: 'accepted' })
    await expect(accepted).toEmit(Shop.abi, 'Sold', { amount: 1n })
  })

  testAtOnce("in viem's receipt, and in that of JSON-RPC", async ({ devnet, client, shop }) => {
    const hash = await client.writeContract(order(shop))
    const receipt = await client.waitForTransactionReceipt({ hash })
    await expect(receipt).toEmit(Shop.abi, 'Sold', { note: 'please' })
    const raw = devnet.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    await expect(raw).toEmit(Shop.abi, 'Sold', { note: 'please' })
  })

  testAtOnce('of what ethers sends, and in its receipt', async ({ devnet, shop }) => {
    const provider = new BrowserProvider(devnet, undefined, { pollingInterval: 5, cacheTimeout: -1 })
    const contract = new Contract(shop, Shop.abi, await provider.getSigner())
    const response = await contract.getFunction('buy').send(1, 'now')
    await expect(response).toEmit(Shop.abi, 'Sold', { amount: 1n })
    await expect(response.wait()).toEmit(Shop.abi, 'Sold', { amount: 1n })
    provider.destroy()
  })

  testAtOnce('of what web3.js sends', async ({ devnet, alice, shop }) => {
    const contract = new new Web3(devnet as never).eth.Contract(Shop.abi, shop)
    const send = () => contract.methods.buy!(1n, 'now').send({ from: alice })
    await expect(send).toEmit(Shop.abi, 'Sold', { buyer: alice })
  })

  test('with addresses in any case, and asymmetric matchers', async ({ client, alice, bob, token }) => {
    const hash = await client.writeContract(transfer(token, bob, 5n))
    const shouted = bob.toUpperCase().replace('X', 'x')
    await expect(hash).toEmit(Token.abi, 'Transfer', [alice, shouted, expect.any(BigInt)])
    await expect(hash).toEmit(Token.abi, 'Transfer', { to: expect.stringMatching(/^0x/) })
    await expect(hash).not.toEmit(Token.abi, 'Transfer', { value: expect.any(String) })
  })

  test('of one contract, if its address is said', async ({ client, alice, bob, token }) => {
    const hash = await client.writeContract(transfer(token, bob, 5n))
    await expect(hash).toEmit(Token.abi, 'Transfer', undefined, {
      address: token.toUpperCase().replace('X', 'x'),
    })
    await expect(hash).not.toEmit(Token.abi, 'Transfer', undefined, { address: alice })
  })

  test('by an ABI of lines', async ({ client, bob, token }) => {
    const lines = ['event Transfer(address indexed from, address indexed to, uint256 value)'] as const
    await expect(client.writeContract(transfer(token, bob, 5n))).toEmit(lines, 'Transfer', { value: 5n })
  })
})

describe('what is said', () => {
  test('lists what was emitted, and names what differs', async ({ client, alice, bob, token }) => {
    const hash = await client.writeContract(transfer(token, bob, 5n))
    const event = `Transfer(from: ${alice}, to: ${bob}, value: 5)`.toLowerCase()
    const said = await complaint(expect(hash).toEmit(Token.abi, 'Transfer', [alice, bob, 6n]))
    expect(said.toLowerCase()).toBe(
      [
        `expected the event transfer(${alice}, ${bob}, 6), but these were emitted:`,
        `  ${event} of ${token}`,
        '  value: expected 6, got 5',
      ]
        .join('\n')
        .toLowerCase(),
    )
    const other = await complaint(expect(hash).toEmit(Shop.abi, 'Sold'))
    expect(other.toLowerCase()).toBe(
      `expected the event sold, but these were emitted:\n  ${event} of ${token}`.toLowerCase(),
    )
    const unwanted = await complaint(expect(hash).not.toEmit(Token.abi, 'Transfer', { value: 5n }))
    expect(unwanted.toLowerCase()).toBe(
      `expected no event transfer(value: 5), but there was ${event} of ${token}`.toLowerCase(),
    )
  })

  test('shows the topics of what nobody knows', async ({ devnet, client }) => {
    const hash = await client.deployContract(Emitter)
    await devnet.mine()
    const { contractAddress: address } = await client.getTransactionReceipt({ hash })
    const log = { abi: Emitter.abi, address: address!, functionName: 'touch' } as const
    const said = await complaint(expect(client.writeContract(log)).toEmit(Shop.abi, 'Sold'))
    expect(said).toContain(`a log with the topics [${toEventSelector('Touched(address,uint256)')}, 0x`)
    devnet.abis.add({ Emitter })
    const named = await complaint(expect(client.writeContract(log)).toEmit(Shop.abi, 'Sold'))
    expect(named).toContain('\n  Touched(sender: 0x')
  })

  test('does not list hundreds', async ({ devnet, client }) => {
    const hash = await client.deployContract(Emitter)
    await devnet.mine()
    const { contractAddress: address } = await client.getTransactionReceipt({ hash })
    const topic = `0x${'11'.repeat(32)}` as const
    const many = {
      abi: Emitter.abi,
      address: address!,
      functionName: 'emitMany',
      args: [100n, topic],
    } as const
    const said = await complaint(
      expect(client.writeContract(many)).toEmit(Emitter.abi, 'Many', { index: 100n }),
    )
    expect(said.split('\n')).toHaveLength(14)
    expect(said).toMatch(/\n {2}and 88 others$/)
  })

  test('tells that there were none', async ({ client, bob }) => {
    const payment = client.sendTransaction({ to: bob, value: 1n })
    expect(await complaint(expect(payment).toEmit(Shop.abi, 'Sold'))).toBe(
      'expected the event Sold, but the transaction emitted no events',
    )
  })

  test('tells of a transaction that reverted, whether or not the event was wanted', async ({
    client,
    shop,
  }) => {
    const tooMany = { ...order(shop), args: [5n, 'please'] } as const
    const reverted =
      'expected the transaction to emit Sold, but it reverted with InsufficientStock(available: 3, wanted: 5)'
    expect(await complaint(expect(client.writeContract(tooMany)).toEmit(Shop.abi, 'Sold'))).toBe(reverted)
    expect(await complaint(expect(client.writeContract(tooMany)).not.toEmit(Shop.abi, 'Sold'))).toBe(reverted)
  })

  test('tells of what is no transaction', async ({ client }) => {
    expect(await complaint(expect(client.getChainId()).not.toEmit(Shop.abi, 'Sold'))).toBe(
      'expected a transaction that emits Sold, but the request answered 31337',
    )
  })

  test('knows names that are misspelt', async ({ client, shop }) => {
    const hash = await client.writeContract(order(shop))
    // @ts-expect-error the ABI has no such event
    const sale = expect(hash).toEmit(Shop.abi, 'Sale')
    expect(await complaint(sale)).toBe('the ABI has no event Sale: its events are Sold')
  })
})
