/** The examples of contracts in docs/explore.md. `Coin` and `Vault` are compiled from fixtures/explore/bugs.sol. */
import { readFileSync } from 'node:fs'
import { contractsOf } from '../explore/exploreContracts.ts'

const contract = contractsOf('bugs')
const [Coin, Vault] = [contract('Coin'), contract('Vault')]

// From here on as the page has it.

import { call, defineFixture, explore, oneOf } from 'preseal/testing'
import { expect, test } from 'vitest'

const vaultOfTwo = defineFixture(async (devnet) => {
  const [mallory, victim] = devnet.accounts.map(({ address }) => address)
  const coin = await devnet.deploy(Coin, { args: [[mallory, victim], 10_000n] })
  const vault = await devnet.deploy(Vault, { args: [coin.address, 0n] })
  for (const from of [mallory, victim]) {
    await devnet.write({ ...coin, functionName: 'approve', args: [vault.address, 10_000n], from })
  }
  return { coin, vault, mallory: mallory!, victim: victim! }
})

const exploreVault = () =>
  explore(vaultOfTwo, {
    actions: ({ coin, vault, mallory, victim }) => ({
      deposit: call(vault, 'deposit', { args: [oneOf(1n, 1_000n)], from: oneOf(mallory, victim) }),
      donate: call(coin, 'transfer', { args: [vault.address, 1_000n], from: mallory }),
      redeem: call(vault, 'redeem', { from: oneOf(mallory, victim) }),
    }),
    invariants: {
      fair(world, { coin, vault, victim }) {
        const coins = world.read(coin, 'balanceOf', victim) as bigint
        const worth = world.read(vault, 'worth', victim) as bigint
        if (coins + worth < 9_900n) throw new Error(`the victim has ${coins + worth} of 10000`)
      },
    },
  })

test('a first depositor can inflate the shares', async () => {
  await expect(exploreVault()).rejects.toThrow('invariant fair does not hold after 3 actions')
})

test('the page shows the message of the error', async () => {
  const page = readFileSync(new URL('../../docs/explore.md', import.meta.url), 'utf8')
  const error = await exploreVault().catch((error: unknown) => error)
  expect(page).toContain(`\`\`\`text\n${(error as Error).message}\n\`\`\``)
})
