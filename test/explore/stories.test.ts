/** Known bugs of apps: each is found with default settings, and the mended version passes. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  blockExplorer,
  dashboard,
  deliveryBot,
  goldOf,
  indexer,
  ledger,
  payer,
  pays,
  type Shop,
  shopOn,
  socketIndexer,
  wallet,
} from '../../fixtures/explore/apps.ts'
import type { Devnet } from '../../src/index.ts'
import { type EveryStoryOptions, type Stories, StoryFailed } from '../../src/testing/index.ts'
import { expectEveryStory } from '../../src/testing/vitest/index.ts'

interface Bug {
  /** The shortest story, which has one fault. */
  readonly text: string
  /** Plays stories, with default settings unless `limits` are given. */
  play(isMended: boolean, limits?: { readonly seconds: number }): Promise<Stories>
}

const start = shopOn()
const startWithSlices = shopOn({ ticksPerBlock: 3, receipts: 'preconfirmed' })

function bug<App>(
  text: string,
  options: (isMended: boolean) => EveryStoryOptions<Shop, App>,
  from: typeof start = start,
): Bug {
  return { text, play: (isMended, limits) => expectEveryStory(from, { ...options(isMended), ...limits }) }
}

const totalIsRight = async (app: { readonly total: bigint }, devnet: Devnet, shop: Shop) =>
  expect(`the app shows ${app.total}`).toBe(`the app shows ${await goldOf(shop, devnet)}`)

const BOTH_PAY = [pays('alice', 10n), pays('bob', 20n)]

/** Checks that the shop got the ether of all payments, and no more. */
const paidOnce =
  (wei: bigint) =>
  async (_: unknown, devnet: Devnet, { shop }: Shop) =>
    expect(BigInt(await devnet.request({ method: 'eth_getBalance', params: [shop, 'latest'] }))).toBe(wei)

/** The app that has timers. */
const PAGE = 'a page that shows a dropped payment as paid'

const BUGS: Record<string, Bug> = {
  'an indexer that forgets removed logs': bug('act 1; tick 2; reorg 1 keep; tick', (isMended) => ({
    run: (devnet, shop) => indexer(devnet, shop, isMended),
    acts: BOTH_PAY,
    holds: totalIsRight,
  })),
  'a ledger that counts a repeated slice twice': bug('act 2; repeated; tick', (isMended) => ({
    run: (devnet, shop) => ledger(devnet, shop, isMended),
    acts: BOTH_PAY,
    holds: () => {},
    always: ({ shown }) => expect(shown).toBeLessThanOrEqual(30n),
  })),
  'a bot that trusts a zero block hash': bug(
    'act 1; tick 3; dropped never 1; tick',
    (isMended) => ({
      run: (devnet, shop) => deliveryBot(devnet, shop, isMended),
      acts: [(_, __, bot) => bot.pay()],
      holds: async ({ receipt }, devnet, shop) =>
        expect(receipt === null ? 0n : 10n).toBe(await goldOf(shop, devnet)),
    }),
    startWithSlices,
  ),
  [PAGE]: bug('act 1; tick 2; reorg 1 drop; tick', (isMended) => ({
    run: (devnet, shop) => wallet(devnet, shop, isMended),
    acts: [(_, __, page) => page.pay()],
    holds: async ({ status }, devnet, shop) =>
      expect(status).toBe((await goldOf(shop, devnet)) === 10n ? 'paid' : 'waiting'),
  })),
  'a cache keyed by number': bug('act 1; tick 2; reorg 1 wait; tick', (isMended) => ({
    run: (devnet, shop) => blockExplorer(devnet, shop, isMended),
    acts: BOTH_PAY,
    holds: totalIsRight,
  })),
  'a dashboard whose reads go to a replica that lags': bug(
    'act 2; tick; lagging eth_call; tick',
    (isMended) => ({
      run: (devnet, shop) => dashboard(devnet, shop, isMended),
      acts: BOTH_PAY,
      holds: totalIsRight,
    }),
  ),
  'a backend that asks for each nonce': bug('act 1; lost; tick; act 2', (isMended) => ({
    run: (devnet, shop) => payer(devnet, shop, { nonce: isMended ? 'counted' : 'asked', again: 'same' }),
    acts: [(_, __, backend) => backend.pay(10n), (_, __, backend) => backend.pay(20n)],
    holds: paidOnce(30n),
  })),
  'a payment that is sent again after a reorg': bug('act 1; tick 2; reorg 1 wait; tick', (isMended) => ({
    run: (devnet, shop) => payer(devnet, shop, { nonce: 'counted', again: isMended ? 'same' : 'new' }),
    acts: [(_, __, backend) => backend.pay(10n)],
    holds: paidOnce(10n),
  })),
  'an indexer that misses logs while it is not connected': bug('act 1; tick; cut; tick', (isMended) => ({
    run: (devnet, shop) => socketIndexer(devnet, shop, isMended),
    acts: BOTH_PAY,
    holds: totalIsRight,
  })),
}

describe('everyStory finds', () => {
  afterEach(() => void vi.useRealTimers())

  for (const [name, { text, play }] of Object.entries(BUGS)) {
    it(`${name}, and nothing in the mended version`, async () => {
      if (name === PAGE) vi.useFakeTimers()
      const found = await play(false, { seconds: 30 }).catch((error) => error)
      expect(found).toBeInstanceOf(StoryFailed)
      expect({ faults: found.faults, story: found.story }).toEqual({ faults: 1, story: text })
      await play(true, { seconds: 1 })
    })
  }
})
