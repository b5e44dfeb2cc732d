/** What transactions change in balances of wei and tokens. */
import type { Hex } from 'viem'
import { describe } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { expect, testWith } from '../../src/testing/vitest/index.ts'
import { complaint, stall } from '../support/chains/stall.ts'

const test = testWith(stall)
const testAtOnce = testWith(stall, { rhythm: 'instant' })
const testOnBase = testWith({ profile: 'base-flashblocks', rhythm: 'instant' })

const transfer = (token: Hex, to: Hex, value: bigint) =>
  ({ abi: Token.abi, address: token, functionName: 'transfer', args: [to, value] }) as const

describe('the change of a balance', () => {
  test('is that of what is sent, given as a promise, function, hash or receipt', async ({
    devnet,
    client,
    bob,
  }) => {
    const pay = () => client.sendTransaction({ to: bob, value: 5n })
    await expect(pay).toChangeBalance(devnet, bob, 5n)
    await expect(pay()).toChangeBalance(devnet, bob, 5n)
    const hash = await pay()
    await expect(hash).toChangeBalance(devnet, bob, 5n)
    await expect(client.getTransactionReceipt({ hash })).toChangeBalance(devnet, { address: bob }, 5n)
    await expect(hash).not.toChangeBalance(devnet, bob, 4n)
  })

  test('is that of the transaction alone, whatever its block does', async ({ devnet, client, bob }) => {
    const pay = (value: bigint, nonce: number) =>
      client.sendTransaction({ to: bob, value, nonce, gas: 21_000n })
    const hashes = [await pay(5n, 4), await pay(7n, 5), await pay(11n, 6)]
    await expect(hashes[1]).toChangeBalance(devnet, bob, 7n)
    await expect(hashes[2]).toChangeBalance(devnet, bob, 11n)
  })

  test('is there when it is pre-confirmed', async ({ devnet, client, bob }) => {
    const hash = await client.sendTransaction({ to: bob, value: 5n })
    await devnet.tick()
    await expect(hash).toChangeBalance(devnet, bob, 5n)
    await expect(hash).toBePreconfirmed(devnet)
  })

  testAtOnce('has no fee in it, unless it is to', async ({ devnet, client, alice, bob }) => {
    const hash = await client.sendTransaction({ to: bob, value: 5n })
    const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
    await expect(hash).toChangeBalance(devnet, alice, -5n)
    await expect(hash).toChangeBalance(devnet, alice, -5n - gasUsed * effectiveGasPrice, { includeFee: true })
  })

  testOnBase('has no fee for L1 in it either', async ({ devnet, client, accounts }) => {
    const [alice, bob] = accounts
    const hash = await client.sendTransaction({ to: bob!.address, value: 5n })
    await expect(hash).toChangeBalance(devnet, alice!, -5n)
  })

  test('is none of an account that is not touched', async ({ devnet, client, bob, shop }) => {
    const hash = await client.sendTransaction({ to: bob, value: 5n })
    await expect(hash).toChangeBalance(devnet, shop, 0n)
  })

  test('is counted by hand where a function answers no transaction', async ({ devnet, client, bob }) => {
    const twice = async () => {
      for (const value of [5n, 6n]) {
        await client.sendTransaction({ to: bob, value })
        await devnet.mine()
      }
    }
    await expect(twice).toChangeBalance(devnet, bob, 11n)
  })

  test('may be what an asymmetric matcher says', async ({ devnet, client, bob }) => {
    const pay = () => client.sendTransaction({ to: bob, value: 5n })
    await expect(pay).toChangeBalance(devnet, bob, expect.any(BigInt))
  })

  test('is told with the balances before and after', async ({ devnet, client, bob }) => {
    const pay = () => client.sendTransaction({ to: bob, value: 5n })
    const had = await client.getBalance({ address: bob })
    expect(await complaint(expect(pay).toChangeBalance(devnet, bob, 6n))).toBe(
      `expected the balance of ${bob} to change by 6 wei, but it changed by 5 wei, from ${had} to ${had + 5n}`,
    )
    expect(await complaint(expect(pay).not.toChangeBalance(devnet, bob, 5n))).toBe(
      `expected the balance of ${bob} not to change by 5 wei, but it changed by 5 wei, from ${had + 5n} to ${had + 10n}`,
    )
  })

  test('is none of a transaction that reverts, whether or not it was wanted', async ({
    devnet,
    client,
    alice,
    shop,
  }) => {
    devnet.abis.add({ Shop })
    const buy = () =>
      client.writeContract({ abi: Shop.abi, address: shop, functionName: 'buy', args: [5n, ''], value: 9n })
    const reverted =
      'expected a transaction that changes a balance, but it reverted with InsufficientStock(available: 3, wanted: 5)'
    expect(await complaint(expect(buy).toChangeBalance(devnet, alice, -9n))).toBe(reverted)
    expect(await complaint(expect(buy).not.toChangeBalance(devnet, alice, -9n))).toBe(reverted)
  })

  test('is asked of an address, and of a transaction', async ({ devnet, client, bob }) => {
    const pay = () => client.sendTransaction({ to: bob, value: 5n })
    expect(await complaint(expect(pay).toChangeBalance(devnet, 'bob', 5n))).toBe(
      'expected an address (0x and 40 hex digits) or { address }, got "bob"',
    )
    expect(await complaint(expect(client.getChainId()).toChangeBalance(devnet, bob, 5n))).toBe(
      'expected a transaction, a promise of one or a function, got 31337: the balance before is unknown',
    )
  })
})

describe('the change of a balance of tokens', () => {
  test('is that of the transaction alone', async ({ devnet, client, alice, bob, token }) => {
    const pay = (value: bigint, nonce: number) =>
      client.writeContract({ ...transfer(token, bob, value), nonce, gas: 100_000n })
    const hashes = [await pay(5n, 4), await pay(7n, 5), await pay(11n, 6)]
    await expect(hashes[1]).toChangeTokenBalance(devnet, token, bob, 7n)
    await expect(hashes[1]).toChangeTokenBalance(devnet, token, alice, -7n)
    await expect(hashes[2]).toChangeTokenBalance(devnet, token, bob, 11n)
  })

  test('is there from the first token to the last', async ({ devnet, client, alice, bob, token }) => {
    await expect(() => client.writeContract(transfer(token, bob, 1_000n))).toChangeTokenBalance(
      devnet,
      token,
      alice,
      -1_000n,
    )
    const approved = { abi: Token.abi, address: token, functionName: 'approve', args: [bob, 1n] } as const
    await expect(client.writeContract(approved)).toChangeTokenBalance(devnet, token, bob, 0n)
  })

  test('is there when it is pre-confirmed', async ({ devnet, client, bob, token }) => {
    const hash = await client.writeContract(transfer(token, bob, 5n))
    await devnet.tick()
    await expect(hash).toChangeTokenBalance(devnet, token, bob, 5n)
    await expect(hash).toBePreconfirmed(devnet)
  })

  test('is none in a token that the transaction makes', async ({ devnet, client, alice }) => {
    const hash = await client.deployContract({ ...Token, args: ['Silver', 'SILVER'] })
    await devnet.mine()
    const { contractAddress } = await client.getTransactionReceipt({ hash })
    await expect(hash).toChangeTokenBalance(devnet, contractAddress!, alice, 0n)
  })

  test('is told with what was there before and after', async ({ devnet, client, bob, token }) => {
    const pay = () => client.writeContract(transfer(token, bob, 5n))
    expect(await complaint(expect(pay).toChangeTokenBalance(devnet, token, bob, 4n))).toBe(
      `expected the balance of ${bob} in the token ${token} to change by 4, but it changed by 5, from 0 to 5`,
    )
  })

  test('is asked of a token', async ({ devnet, client, alice, bob }) => {
    const pay = () => client.sendTransaction({ to: bob, value: 5n })
    expect(await complaint(expect(pay).toChangeTokenBalance(devnet, alice, bob, 5n))).toBe(
      `expected a token at ${alice}, which has no code`,
    )
  })
})
