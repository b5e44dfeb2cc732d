import type { Devnet } from 'preseal'
import { defineFixture, story } from 'preseal/testing'
import { expect, expectEveryStory, test } from 'preseal/vitest'

const opened = defineFixture(() => ({ shop: '0x00000000000000000000000000000000000050b5' as const }))

/** A till that shows the ether that a shop got, from the newest block of each number. */
async function startTill({ provider }: Devnet, { shop }: { shop: string }) {
  const payments = new Map<string, { total: bigint }>()
  provider.on('message', async ({ data }) => {
    const { number, hash } = data.result as { number: string; hash: string }
    const payment = { total: 0n }
    payments.set(number, payment)
    for (let attempts = 0; attempts < 3 && payment.total === 0n; attempts++) {
      // A request may be refused, and another replica may not have the block yet.
      payment.total = await paidIn(provider, hash, shop).catch(() => 0n)
    }
  })
  await provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
  return {
    get total() {
      return [...payments.values()].reduce((sum, { total }) => sum + total, 0n)
    },
  }
}

/** Adds up the payments to the shop in a block. */
async function paidIn(provider: Devnet['provider'], hash: string, shop: string) {
  const block = await provider.request({ method: 'eth_getBlockByHash', params: [hash, true] })
  const { transactions } = block as { transactions: { to: string; value: string }[] }
  return transactions.reduce((sum, { to, value }) => (to === shop ? sum + BigInt(value) : sum), 0n)
}

async function showsWhatTheShopHas(till: { total: bigint }, devnet: Devnet, { shop }: { shop: string }) {
  const balance = BigInt(await devnet.request({ method: 'eth_getBalance', params: [shop, 'latest'] }))
  if (till.total !== balance) throw new Error(`the till shows ${till.total}, the shop has ${balance}`)
}

test('the till is right in every story', async () => {
  await expectEveryStory(opened, {
    run: startTill,
    acts: [
      (devnet, { shop }) => devnet.send({ to: shop, value: 10n, until: 'accepted' }),
      (devnet, { shop }) => devnet.send({ to: shop, value: 20n, until: 'accepted' }),
    ],
    holds: showsWhatTheShopHas,
  })
})

/** A till that adds each payment that it reads, and forgets that a block can be removed. */
async function startForgetfulTill({ provider }: Devnet, { shop }: { shop: string }) {
  const till = { total: 0n }
  provider.on('message', async ({ data }) => {
    till.total += await paidIn(provider, (data.result as { hash: string }).hash, shop)
  })
  await provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
  return till
}

test('a till that forgets reorgs is found', async () => {
  const stories = expectEveryStory(opened, {
    run: startForgetfulTill,
    acts: [(devnet, { shop }) => devnet.send({ to: shop, value: 10n, until: 'accepted' })],
    holds: showsWhatTheShopHas,
    faults: ['repeated', 'dropped', 'reorg'],
  })
  await expect(stories).rejects.toThrow(`\
the app fails in a story with 1 fault: the till shows 20, the shop has 10
  1. act 1 sends the transaction of account 0
  2. slice 1 of block 1 has the transaction of account 0
  3. block 1 is sealed with the transaction of account 0
  4. a reorg: block 1 is removed
  5. block 1 is sealed in its place with the transaction of account 0
  6. when all is quiet, \`holds\` fails: the till shows 20, the shop has 10
covered: the story without faults in 4 ticks and 4 stories with 1 fault, with real timers
Replay it with this option: story: story('act 1; tick 2; reorg 1 keep; tick')`)
})

test('the story that was found passes', async () => {
  await expectEveryStory(opened, {
    run: startTill,
    acts: [(devnet, { shop }) => devnet.send({ to: shop, value: 10n, until: 'accepted' })],
    holds: showsWhatTheShopHas,
    story: story('act 1; tick 2; reorg 1 keep; tick'),
  })
})
