import { expect, test } from 'preseal/vitest'

test('a payment shows under pending before its block is sealed', async ({ devnet, accounts }) => {
  const bob = accounts[1]!.address
  const { hash } = await devnet.send({ to: bob, value: 1n, until: 'accepted' })

  await devnet.tick() // pre-confirmed: `pending` has it, `latest` does not
  await expect(hash).toBePreconfirmed()
  await expect(hash).toChangeBalance(devnet, bob, 1n)

  await devnet.tick() // sealed: it is in a block
  await expect(hash).toBeSealed()
})
