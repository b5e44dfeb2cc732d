// NODE_OPTIONS=--experimental-vm-modules npx jest
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { defineFixture, matchers } from 'preseal/testing'

expect.extend(matchers)

/** Built once for all tests of this file. */
const funded = defineFixture(async (devnet) => {
  const [alice, bob] = devnet.accounts.map(({ address }) => address)
  await devnet.deal(alice, { wei: 10n ** 18n })
  return { alice, bob }
})

describe('with a fork for each test', () => {
  test('a payment is pre-confirmed before it is sealed', async () => {
    const { devnet, alice, bob } = await funded.use()
    const { hash } = await devnet.send({ from: alice, to: bob, value: 5n, until: 'accepted' })
    await devnet.tick()
    await expect(hash).toBePreconfirmed(devnet)
    await expect(hash).toChangeBalance(devnet, bob, 5n)
    await devnet.tick()
    await expect(hash).toBeSealed(devnet)
  })

  test('a payment that nobody can afford is refused', async () => {
    const { devnet, alice, bob } = await funded.use()
    await expect(devnet.send({ from: alice, to: bob, value: 10n ** 18n + 1n })).rejects.toThrow(
      'insufficient funds',
    )
  })
})

describe('with one chain for all tests, which goes back after each', () => {
  let shared
  let beginning
  beforeEach(async () => {
    shared ??= await funded.use({ rhythm: 'instant' })
    beginning = shared.devnet.snapshot()
  })
  afterEach(() => shared.devnet.restore(beginning))

  test.each(['one', 'another'])('%s test begins at the beginning', async () => {
    const { devnet, alice, bob } = shared
    expect(await devnet.request({ method: 'eth_blockNumber' })).toBe('0x0')
    const { hash } = await devnet.send({ from: alice, to: bob, value: 5n })
    await expect(hash).toBeSealed(devnet)
  })
})
