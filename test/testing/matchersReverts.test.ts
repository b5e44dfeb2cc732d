/** Transactions and calls that fail, as each library tells of them, and what is said where they do not. */
import { BrowserProvider, Contract } from 'ethers'
import { concat, type Hex, pad, toFunctionSelector } from 'viem'
import { describe, onTestFinished } from 'vitest'
import { Web3 } from 'web3'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet } from '../../src/index.ts'
import { inUse } from '../../src/testing/matchers/verdict.ts'
import { expect, testWith } from '../../src/testing/vitest/index.ts'
import { complaint, stall } from '../support/chains/stall.ts'
import { clientOf } from '../support/clients/clients.ts'

const { abi } = Shop
const test = testWith(stall)
const testAtOnce = testWith(stall, { rhythm: 'instant' })
/** What geth's words are said of. */
const testLikeGeth = testWith({ dialect: 'geth', rhythm: 'instant', consoleLogs: false })

/** More than the three that the shop has. */
const order = (shop: Hex, amount: bigint) =>
  ({ abi, address: shop, functionName: 'buy', args: [amount, 'please'] }) as const
const TOO_FEW = [abi, 'InsufficientStock', [3n, 5n]] as const

/** Sends to a function of the reverter, with gas, so that it fails when it runs. */
const writer =
  (devnet: Devnet, address: Hex) =>
  (functionName: string, args: readonly unknown[] = []) =>
    clientOf(devnet).writeContract({ abi: Reverter.abi, address, functionName, args, gas: 500_000n } as never)

describe('a failure is recognized', () => {
  test('when viem simulates', async ({ client, shop }) => {
    await expect(client.simulateContract(order(shop, 5n))).toRevertWith(...TOO_FEW)
  })

  test('when viem sends', async ({ client, shop }) => {
    await expect(client.writeContract(order(shop, 5n))).toRevertWith(...TOO_FEW)
  })

  test('by the hash of a transaction that still waits, which is mined', async ({ devnet, client, shop }) => {
    const hash = await client.writeContract({ ...order(shop, 5n), gas: 300_000n })
    await expect(hash).toRevertWith(...TOO_FEW)
    await expect(hash).toBeSealed(devnet)
  })

  test('by the hash of a transaction that is pre-confirmed, and stays so', async ({
    devnet,
    client,
    shop,
  }) => {
    const hash = await client.writeContract({ ...order(shop, 5n), gas: 300_000n })
    await devnet.tick()
    await expect(hash).toRevertWith(...TOO_FEW)
    await expect(hash).toBePreconfirmed(devnet)
  })

  testAtOnce("by viem's receipt", async ({ client, shop }) => {
    const hash = await client.writeContract({ ...order(shop, 5n), gas: 300_000n })
    const receipt = await client.waitForTransactionReceipt({ hash })
    await expect(receipt).toRevert()
    await expect(receipt).toRevertWith(...TOO_FEW)
  })

  testAtOnce('when ethers calls, sends and waits', async ({ devnet, shop }) => {
    const provider = new BrowserProvider(devnet, undefined, { pollingInterval: 5, cacheTimeout: -1 })
    const buy = new Contract(shop, abi, await provider.getSigner()).getFunction('buy')
    await expect(buy.staticCall(5, '')).toRevertWith(...TOO_FEW)
    await expect(buy.send(5, '')).toRevertWith(...TOO_FEW)
    const response = await buy.send(5, '', { gasLimit: 300_000 })
    await expect(response).toRevertWith(...TOO_FEW)
    await expect(response.wait()).toRevertWith(...TOO_FEW)
    provider.destroy()
  })

  testAtOnce('when web3.js calls and sends', async ({ devnet, alice, shop }) => {
    const contract = new new Web3(devnet as never).eth.Contract(abi, shop)
    const buy = contract.methods.buy!(5n, '')
    await expect(buy.call({ from: alice })).toRevertWith(...TOO_FEW)
    await expect(buy.send({ from: alice })).toRevertWith(...TOO_FEW)
    await expect(buy.send({ from: alice, gas: '300000' })).toRevertWith(...TOO_FEW)
  })

  test('when the devnet itself sends, without gas and with it', async ({ devnet, shop }) => {
    const buy = devnet.write({ ...order(shop, 5n) })
    await expect(buy).toRevertWith(...TOO_FEW)
    const sent = devnet.write({ ...order(shop, 5n), gas: 300_000n })
    await expect(sent).toRevertWith(...TOO_FEW)
    const accepted = devnet.write({ ...order(shop, 5n), gas: 300_000n, until: 'accepted' })
    await expect(accepted).toRevertWith(...TOO_FEW)
    const bought = devnet.write(order(shop, 2n))
    await expect(bought).not.toRevert()
  })

  testLikeGeth('in the words of geth', async ({ devnet }) => {
    const client = clientOf(devnet)
    const hash = await client.deployContract({ ...Reverter })
    const { contractAddress } = await client.getTransactionReceipt({ hash })
    const request = { abi: Reverter.abi, address: contractAddress!, account: client.account.address }
    const revert = client.readContract({ ...request, functionName: 'revertString' })
    await expect(revert).toRevertWith('Something went wrong')
    await expect(client.readContract({ ...request, functionName: 'invalidOpcode' })).toRevert()
    await expect(client.readContract({ ...request, functionName: 'outOfGas' })).toRevert()
  })

  test('when there is no reason, no gas, no such opcode', async ({ devnet, reverter }) => {
    const write = writer(devnet, reverter)
    const plain = await complaint(expect(write('writeThenRevertEmpty')).not.toRevert())
    expect(plain).toBe('expected no revert, but it reverted without a reason')
    const halt = await complaint(expect(write('writeThenOutOfGas')).not.toRevert())
    expect(halt).toBe('expected no revert, but it failed: out of gas')
    const invalid = await complaint(expect(write('writeThenInvalidOpcode')).not.toRevert())
    expect(invalid).toBe('expected no revert, but it failed: invalid opcode: INVALID')
  })
})

describe('a failure is compared', () => {
  test('by the text of require, as a whole or with a pattern', async ({ devnet, reverter }) => {
    const hash = await writer(devnet, reverter)('writeThenRevertString')
    await expect(hash).toRevertWith('Something went wrong')
    await expect(hash).toRevertWith(/went wrong$/)
    await expect(hash).not.toRevertWith('Something went')
    const said = await complaint(expect(hash).toRevertWith('Something'))
    expect(said).toBe('expected a revert with "Something", but it reverted with "Something went wrong"')
  })

  test('by a text that is the name of an error, with what to write instead', async ({
    devnet,
    token,
    alice,
    bob,
  }) => {
    const call = { abi: Token.abi, address: token, functionName: 'transfer', args: [bob, 1_001n] } as const
    const said = await complaint(expect(devnet.write(call)).toRevertWith('InsufficientBalance'))
    expect(said.split('\n')).toEqual([
      `expected a revert with "InsufficientBalance", but it reverted with InsufficientBalance(account: ${alice}, have: 1000, want: 1001)`,
      '  an error is named with its ABI: toRevertWith(abi, "InsufficientBalance")',
    ])
  })

  test("by the code of Solidity's panic", async ({ devnet, reverter }) => {
    const hash = await writer(devnet, reverter)('writeThenPanicOverflow')
    await expect(hash).toRevertWith({ panic: 0x11 })
    const said = await complaint(expect(hash).toRevertWith({ panic: 0x12 }))
    expect(said).toBe(
      'expected a revert with the panic 0x12, but it panicked with 0x11 (arithmetic underflow or overflow)',
    )
  })

  test('by arguments in a list or by name, with what asymmetric matchers say', async ({
    devnet,
    alice,
    reverter,
  }) => {
    const hash = await writer(devnet, reverter)('writeThenRevertCustom', [7n])
    const custom = Reverter.abi
    await expect(hash).toRevertWith(custom, 'Custom')
    await expect(hash).toRevertWith(custom, 'Custom', [7, alice.toUpperCase().replace('X', 'x')])
    await expect(hash).toRevertWith(custom, 'Custom', { code: 7n })
    await expect(hash).toRevertWith(custom, 'Custom', [expect.any(BigInt), expect.stringMatching(/^0x/)])
    await expect(hash).not.toRevertWith(custom, 'Custom', { code: expect.any(String) })
    await expect(hash).not.toRevertWith(custom, 'Custom', [7n] as never)
    await expect(hash).toRevertWith(/^Custom\(code: 7, caller: 0x/)
  })

  test('by an ABI of lines', async ({ client, shop }) => {
    const lines = ['error InsufficientStock(uint256 available, uint256 wanted)'] as const
    await expect(client.simulateContract(order(shop, 5n))).toRevertWith(lines, 'InsufficientStock', {
      wanted: 5n,
    })
  })
})

describe('what is said', () => {
  test('names the arguments that differ', async ({ client, shop }) => {
    const read = client.simulateContract(order(shop, 5n))
    expect(await complaint(expect(read).toRevertWith(abi, 'InsufficientStock', [3n, 6n]))).toBe(
      [
        'expected a revert with InsufficientStock(3, 6), but it reverted with InsufficientStock(available: 3, wanted: 5)',
        '  wanted: expected 6, got 5',
      ].join('\n'),
    )
  })

  test('names an error by the ABIs of the devnet', async ({ devnet, reverter }) => {
    const selector = toFunctionSelector('TooLate(uint256)')
    const write = () => writer(devnet, reverter)('writeThenRevertBytes', [concat([selector, pad('0x7')])])
    const strange = await complaint(expect(write).toRevertWith(Reverter.abi, 'Custom'))
    expect(strange).toBe(
      `expected a revert with Custom, but it reverted with ${selector}${'7'.padStart(64, '0')}, an error of no known ABI (add it with devnet.abis.add)`,
    )
    devnet.abis.add(['error TooLate(uint256 by)'])
    const named = await complaint(expect(write).toRevertWith(Reverter.abi, 'Custom'))
    expect(named).toBe('expected a revert with Custom, but it reverted with TooLate(by: 7)')
  })

  test('tells what succeeded', async ({ client, shop }) => {
    const hash = await client.writeContract(order(shop, 2n))
    expect(await complaint(expect(hash).toRevert())).toBe(
      `expected a revert, but the transaction ${hash} succeeded`,
    )
    expect(await complaint(expect(client.getChainId()).toRevertWith('sorry'))).toBe(
      'expected a revert with "sorry", but it answered 31337',
    )
  })

  test('does not take every error for a revert', async ({ client, bob, shop }) => {
    const poor = () => client.sendTransaction({ to: bob, value: 10n ** 30n })
    expect(await complaint(expect(poor).toRevert())).toContain('insufficient funds')
    expect(await complaint(expect(poor).not.toRevert())).toContain('insufficient funds')
    const broken = () => Promise.reject(new TypeError(`no ${shop}`))
    expect(await complaint(expect(broken).not.toRevert())).toBe(`no ${shop}`)
  })

  test('tells why a transaction that waits cannot be run', async ({ client, bob }) => {
    const hash = await client.sendTransaction({ to: bob, value: 1n, nonce: 9, gas: 21_000n })
    expect(await complaint(expect(hash).not.toRevert())).toBe(
      `the transaction ${hash} was not run: its nonce is 9; a transaction with nonce 4 must be included first`,
    )
  })

  test('knows names that are misspelt', async ({ client, shop }) => {
    const read = () => client.simulateContract(order(shop, 5n))
    // @ts-expect-error the ABI has no such error
    const error = expect(read).toRevertWith(abi, 'InsufficientStok', [3n, 5n])
    expect(await complaint(error)).toBe(
      'the ABI has no error InsufficientStok: its errors are InsufficientStock',
    )
    // @ts-expect-error the error has no such argument
    const argument = expect(read).toRevertWith(abi, 'InsufficientStock', { want: 5n })
    expect(await complaint(argument)).toBe(
      'InsufficientStock has no argument "want": it has available, wanted',
    )
    const nothing = expect(read).toRevertWith(undefined as never)
    expect(await complaint(nothing)).toBe(
      'toRevertWith: expected (abi, name, args?), a text, a pattern or { panic: 0x11 }, got undefined',
    )
  })

  test('asks for the devnet where two running tests have the transaction', async ({
    devnet,
    client,
    bob,
  }) => {
    const hash = await client.sendTransaction({ to: bob, value: 1n })
    inUse.add(devnet.fork())
    onTestFinished(() => inUse.clear())
    expect(await complaint(expect(hash).not.toRevert())).toBe(
      `2 devnets of running tests have the transaction ${hash}; choose one: { devnet }`,
    )
    await expect(hash).not.toRevert({ devnet })
  })

  test('takes 32 bytes that are no transaction for an answer', async ({ devnet, shop }) => {
    const slot = () => devnet.request({ method: 'eth_getStorageAt', params: [shop, '0x0', 'latest'] })
    expect(await complaint(expect(slot).toRevert())).toBe(
      `expected a revert, but it answered 0x${'3'.padStart(64, '0')}`,
    )
  })
})
