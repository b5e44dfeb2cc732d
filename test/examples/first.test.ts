import { expect, test } from 'preseal/vitest'

test('a payment shows under pending before its block is sealed', async ({ devnet, accounts }) => {
  const bob = accounts[1]!.address
  // The first account pays. With `accepted`, `send` returns as soon as the payment waits for the sequencer.
  const { hash } = await devnet.send({ to: bob, value: 1n, until: 'accepted' })

  await devnet.tick() // the sequencer pre-confirms the payment: `pending` has it, `latest` does not
  await expect(hash).toBePreconfirmed()
  await expect(hash).toChangeBalance(devnet, bob, 1n) // by this payment, at `pending`

  await devnet.seal() // the sequencer seals the block: `latest` has the payment
  await expect(hash).toBeSealed()
})
