// node --test
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertThat, defineFixture, reportOnFailure } from 'preseal/testing'

/** Built once, however many tests use it. */
const funded = defineFixture(async (devnet) => {
  const [alice, bob] = devnet.accounts.map(({ address }) => address)
  await devnet.deal(alice, { wei: 10n ** 18n })
  return { alice, bob }
})

describe('with a fork for each test', { concurrency: true }, () => {
  test('a payment is pre-confirmed before it is sealed', async () => {
    const { devnet, alice, bob } = await funded.use()
    const { hash } = await devnet.send({ from: alice, to: bob, value: 5n, until: 'accepted' })
    await devnet.tick()
    await assertThat(hash).toBePreconfirmed(devnet)
    await assertThat(hash).toChangeBalance(devnet, bob, 5n)
    await devnet.tick()
    await assertThat(hash).toBeSealed(devnet)
  })

  test('a payment that nobody can afford is refused', async () => {
    const { devnet, alice, bob } = await funded.use()
    await assert.rejects(devnet.send({ from: alice, to: bob, value: 10n ** 18n + 1n }), /insufficient funds/)
  })
})

test('a payment changes the balance of its recipient', async (t) => {
  const { devnet, bob } = await funded.use()
  await reportOnFailure(t, devnet)
  const sent = await devnet.send({ to: bob, value: 5n })
  await assertThat(sent).toChangeBalance(devnet, bob, 5n)
})

describe('with one chain for all tests, which goes back after each', async () => {
  const { devnet, alice, bob } = await funded.use({ rhythm: 'instant' })
  const beginning = devnet.snapshot()
  const blockNumber = () => devnet.request({ method: 'eth_blockNumber' })

  for (const name of ['one', 'another']) {
    test(`${name} test begins at the beginning`, async () => {
      await devnet.restore(beginning)
      assert.equal(await blockNumber(), '0x0')
      await devnet.send({ from: alice, to: bob, value: 5n })
      assert.equal(await blockNumber(), '0x1')
    })
  }
})
