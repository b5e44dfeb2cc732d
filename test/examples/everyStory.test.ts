/** The examples of applications in docs/explore.md. */
import { readFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'

// Other files of tests run in the same process.
afterAll(() => void vi.useRealTimers())

// From here on as the page has it.

import type { Devnet } from 'preseal'
import { defineFixture, type Story, story } from 'preseal/testing'
import { expectEveryStory } from 'preseal/vitest'
import { createPublicClient, custom } from 'viem'
import { beforeEach, test, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())

const opened = defineFixture(async (devnet) => {
  const [customer, shop] = devnet.accounts.map(({ address }) => address)
  const gold = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
  await devnet.write({ ...gold, functionName: 'mint', args: [customer!, 100n] })
  return { gold, shop: shop! }
})

/** A till that shows the gold that a shop received. */
class Till {
  total = 0n
  readonly close: () => void

  constructor({ provider }: Devnet, { gold, shop }: Awaited<ReturnType<typeof opened>>) {
    const client = createPublicClient({ transport: custom(provider), pollingInterval: 200 })
    this.close = client.watchContractEvent({
      ...gold,
      eventName: 'Transfer',
      args: { to: shop },
      strict: true,
      onLogs: (logs) => {
        for (const log of logs) this.add(log)
      },
    })
  }

  add({ args }: { args: { value: bigint }; removed: boolean }) {
    this.total += args.value
  }
}

const playTill = (App: typeof Till, only?: Story) =>
  expectEveryStory(opened, {
    run: (devnet, values) => new App(devnet, values),
    acts: [
      (devnet, { gold, shop }) =>
        devnet.write({ ...gold, functionName: 'transfer', args: [shop, 10n], until: 'accepted' }),
    ],
    async holds({ total }, devnet, { gold, shop }) {
      const has = await devnet.read({ ...gold, functionName: 'balanceOf', args: [shop] })
      if (total !== has) throw new Error(`the till shows ${total}, the shop has ${has}`)
    },
    story: only,
  })

test('a till that ignores removed logs is found, with the message on the page', async () => {
  const page = readFileSync(new URL('../../docs/explore.md', import.meta.url), 'utf8')
  const error = await playTill(Till).catch((error: unknown) => error)
  expect(page).toContain(`\`\`\`text\n${(error as Error).message}\n\`\`\``)
})

/** A till that subtracts a payment again if a reorg removes its log. */
class MendedTill extends Till {
  override add({ args, removed }: { args: { value: bigint }; removed: boolean }) {
    this.total += removed ? -args.value : args.value
  }
}

test('the mended till is right in every story', async () => {
  await playTill(MendedTill)
})

test('the story that was found passes', async () => {
  await playTill(MendedTill, story('act 1; tick 2; reorg 1 keep; tick'))
})
