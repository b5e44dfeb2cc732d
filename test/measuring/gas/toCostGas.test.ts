/** The gas that a test expects of a transaction: as a number, or a range. */
import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { Shop } from '../../../fixtures/contracts/Shop.ts'
import { assertThat } from '../../../src/testing/index.ts'
import { test } from '../../../src/testing/vitest/index.ts'
import { ask } from '../../support/clients/clients.ts'

describe('toCostGas', () => {
  // The gas of a transfer to an account without code (Yellow Paper, G_transaction).
  const TRANSFER = 21_000

  test('passes if the transaction uses this gas, however it is given', async ({
    devnet,
    client,
    accounts,
  }) => {
    const to = accounts[1]!.address
    await expect(devnet.send({ to, value: 1n })).toCostGas(TRANSFER)
    await expect(client.sendTransaction({ to, value: 1n })).toCostGas(BigInt(TRANSFER))
    const hash = await client.sendTransaction({ to, value: 1n })
    await expect(hash).toCostGas(TRANSFER, { devnet })
    await expect(client.getTransactionReceipt({ hash })).toCostGas(TRANSFER)
    await expect(ask(devnet, 'eth_getTransactionReceipt', hash)).toCostGas(TRANSFER)
    await expect(client.estimateGas({ to, value: 1n })).toCostGas(TRANSFER)
    await expect(hash).not.toCostGas(TRANSFER + 1)
  })

  test('passes in a range, and within a tolerance', async ({ devnet, accounts }) => {
    const { hash } = await devnet.send({ to: accounts[1]!.address, value: 1n })
    await expect(hash).toCostGas({ min: TRANSFER })
    await expect(hash).toCostGas({ max: 21_000n })
    await expect(hash).toCostGas({ min: 1, max: 30_000 })
    await expect(hash).not.toCostGas({ max: 20_999 })
    await expect(hash).toCostGas(20_900, { tolerance: 100 })
    await expect(hash).not.toCostGas(20_899, { tolerance: 100n })
    await expect(hash).toCostGas(20_000, { tolerance: '5%' })
    await expect(hash).not.toCostGas(20_000, { tolerance: '4.9 %' })
  })

  test('says what was expected, what came, and how much that differs', async ({ devnet, accounts }) => {
    const { hash } = await devnet.send({ to: accounts[1]!.address, value: 1n })
    await assert.rejects(assertThat(hash).toCostGas(20_000, { devnet }), {
      code: 'ERR_ASSERTION',
      message: 'expected the transaction to cost 20,000 gas, but it cost 21,000 gas: +1,000 gas (+5.00 %)',
    })
    await assert.rejects(assertThat(hash).toCostGas(42_000, { devnet, tolerance: 1 }), {
      message:
        'expected the transaction to cost 42,000 gas, from 41,999 to 42,001, but it cost 21,000 gas: -21,000 gas (-50.00 %)',
    })
    await assert.rejects(assertThat(hash).toCostGas({ min: 1, max: 2n }, { devnet }), {
      message: 'expected the transaction to cost at least 1 and at most 2 gas, but it cost 21,000 gas',
    })
    await assert.rejects(assertThat(hash).not.toCostGas(TRANSFER, { devnet }), {
      message: 'expected the transaction not to cost 21,000 gas, but it cost 21,000 gas',
    })
  })

  test('of a transaction that failed is an error that says why it failed', async ({ devnet }) => {
    const shop = await devnet.deploy(Shop, { args: [3n] })
    const failing = devnet.write({ ...shop, functionName: 'buy', args: [9n, ''] })
    await expect(expect(failing).toCostGas(1)).rejects.toThrow(
      'expected the transaction to succeed, but it reverted with InsufficientStock(available: 3, wanted: 9)',
    )
  })

  it.each([
    [{ at: 5 }, undefined, 'toCostGas: at: there is no such field'],
    [{}, undefined, 'toCostGas: expected { min }, { max } or both, got neither'],
    [-1, undefined, 'toCostGas: expected a number of gas, { min, max }, or the name of a snapshot, got -1'],
    [1.5, undefined, 'got 1.5'],
    [null, undefined, 'got null'],
    [{ max: '5' }, undefined, 'toCostGas: expected gas as min and max, got "5"'],
    [1, { tolerance: '1' }, 'toCostGas: tolerance: expected gas, or percent such as \'1%\', got "1"'],
    [1, { tolerant: 1 }, 'toCostGas: tolerant: there is no such field'],
  ])('refuses %j %j', async (expected, options, message) => {
    await expect(assertThat(5n).toCostGas(expected as never, options as never)).rejects.toThrow(message)
  })

  it('refuses what is no transaction', async () => {
    await expect(assertThat('gas').toCostGas(1)).rejects.toThrow('expected a transaction: its hash')
  })
})
