/** The stories of `everyStory`: which are played, how they fail, and how they are told. */
import { createPublicClient, http } from 'viem'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  deliveryBot,
  goldOf,
  indexer,
  pays,
  type Shop,
  shopOn,
  socketIndexer,
} from '../../fixtures/explore/apps.ts'
import { storyText } from '../../src/explore/stories/storyText.ts'
import type { Devnet } from '../../src/index.ts'
import { type EveryStoryOptions, everyStory, StoryFailed, story } from '../../src/testing/index.ts'
import { expectEveryStory } from '../../src/testing/vitest/index.ts'

const start = shopOn()
const nothing = { run: () => ({}), holds: () => {} }
const BOTH_PAY = [pays('alice', 10n), pays('bob', 20n)]

/** Returns the error for the shortest story that fails. */
async function failureOf<App>(options: EveryStoryOptions<Shop, App>, from = start): Promise<StoryFailed> {
  const failure = await everyStory(from, options).catch((error) => error)
  expect(failure).toBeInstanceOf(StoryFailed)
  return failure
}

describe('the text of a story', () => {
  it.each([
    '',
    'act 1',
    'act 1; tick; act 2; lost; tick 3',
    'act 1; tick 2; reorg 1 wait; slice 2 1; tick; cut; act 2',
  ])('"%s" is printed as it is parsed', (text) => expect(storyText(story(text))).toBe(text))

  it.each([
    ['act', 'story: expected "act 1" or "tick 2", with a number from 1 to 9999, got "act"'],
    ['tick 0', 'story: expected "act 1" or "tick 2", with a number from 1 to 9999, got "tick 0"'],
    ['loost; tick', 'story: expected an act, a tick or a fault, got "loost"; did you mean lost?'],
    ['tick; lost', 'story: expected an act or a tick after "lost"'],
  ])('"%s" is refused', (text, message) => expect(() => story(text)).toThrow(message))
})

describe('everyStory', () => {
  it('plays all stories of a small scope, and says how many', async () => {
    const played = await everyStory(start, {
      ...nothing,
      acts: [pays('alice', 1n)],
      faults: ['lost', 'slice'],
      ticks: 3,
    })
    expect(played).toEqual({
      sentence:
        'covered: all 6 stories with up to 2 faults in 3 ticks; ' +
        'random: 6 stories from the seed 1, with real timers',
      stories: 6,
      faults: 2,
      isComplete: true,
      random: 6,
    })
  })

  it('ends at the limit of stories, and says so', async () => {
    const options = { ...nothing, acts: BOTH_PAY, stories: 80, seconds: 60 }
    expect(await everyStory(start, options)).toMatchObject({
      random: 27,
      sentence:
        'covered: all 53 stories with up to 1 fault in 5 ticks; random: 27 stories from the seed 1, ' +
        'with real timers; ended by the limit of 80 stories',
    })
  })

  it('ends at the limit of time, and says so', async () => {
    const { sentence, isComplete } = await everyStory(start, { ...nothing, acts: BOTH_PAY, seconds: 0.1 })
    expect(isComplete).toBe(false)
    expect(sentence).toMatch(/; ended by the limit of 0.1 seconds$/)
  })

  it('plays the same stories for the same seed, and others for another', async () => {
    const blocksOf = async (seed: number) => {
      const blocks: unknown[] = []
      const holds = async (_: unknown, devnet: Devnet) =>
        blocks.push(await devnet.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }))
      await everyStory(start, { ...nothing, holds, acts: BOTH_PAY, stories: 80, seconds: 60, seed })
      return blocks.map((block) => (block as { hash: string }).hash)
    }
    const first = await blocksOf(1)
    expect(first).toHaveLength(80)
    expect(await blocksOf(1)).toEqual(first)
    expect(await blocksOf(2)).not.toEqual(first)
  })

  it('tells the shortest story of two faults, and replays it', async () => {
    const options: EveryStoryOptions<Shop, { faults: string[] }> = {
      run(devnet) {
        const faults: string[] = []
        devnet.on('fault', ({ kind }) => faults.push(kind))
        return { faults }
      },
      acts: BOTH_PAY,
      holds({ faults }) {
        if (faults.includes('omitSlice') && faults.includes('dropTransaction'))
          throw new Error('the app shows 30, the chain 20')
      },
      seconds: 20,
    }
    const failure = await failureOf(options)
    expect(failure.message.replace(/^covered: .*$/m, 'covered: …')).toBe(
      [
        'the app fails in a story with 2 faults: the app shows 30, the chain 20',
        '  1. act 1 sends the transaction of alice',
        '  2. slice 1 of block 4 is lost, with the transaction of alice',
        '  3. block 4 is sealed without the transaction of alice, which is gone for good',
        '  4. when all is quiet, `holds` fails: the app shows 30, the chain 20',
        'covered: …',
        "Replay it with this option: story: story('act 1; lost; tick; dropped never 1; tick')",
      ].join('\n'),
    )
    expect(failure).toMatchObject({
      faults: 2,
      part: 'holds',
      cause: { message: 'the app shows 30, the chain 20' },
    })
    expect(await failureOf({ ...options, story: story(failure.story) })).toMatchObject({
      lines: failure.lines,
    })
    expect(
      await everyStory(start, { ...options, story: 'act 1; lost; tick; dropped never 2; tick' }),
    ).toMatchObject({
      sentence: 'covered: this story, in which 1 fault had no occasion, with real timers',
    })
  })

  it('says that a story passed when it was played again', async () => {
    let played = 0
    const { message } = await failureOf({ ...nothing, holds: () => ++played !== 3, acts: BOTH_PAY })
    expect(message).toContain('The story passed when it was played again')
  })

  it('closes each app', async () => {
    let open = 0
    const run = () => {
      open++
      return { close: () => open-- }
    }
    await everyStory(start, { ...nothing, run, stories: 10 })
    expect(open).toBe(0)
  })
})

describe('a story fails', () => {
  const onSeal = (fail: () => void) => (devnet: Devnet) => {
    devnet.on('sealed', fail)
  }
  const fails = () => {
    throw new Error('no')
  }

  it.each<[string, Partial<EveryStoryOptions<Shop, unknown>>]>([
    ['run', { run: fails }],
    ['act 1', { acts: [async () => fails()] }],
    ['always', { always: fails }],
    ['holds', { holds: () => false }],
    ['escaped', { run: onSeal(() => void Promise.reject(new Error('no'))) }],
    ['escaped', { run: onSeal(fails) }],
  ])('in the part %s', async (part, options) => {
    expect(await failureOf({ ...nothing, ...options })).toMatchObject({
      part,
      faults: 0,
      story: part === 'act 1' ? part : '',
    })
  })

  it.each<[string, object, string]>([
    ['an act that mines', { acts: [(devnet: Devnet) => devnet.mine()] }, 'act 1 made a block or a slice'],
    ['an unknown fault', { faults: ['droped'] }, 'there is no kind of fault "droped"; did you mean dropped?'],
    ['an unknown option', { hold: 1 }, 'everyStory: hold: there is no such field; did you mean holds?'],
    ['an unknown act', { story: 'act 1' }, 'story: expected an act from 1 to 0, got act 1'],
  ])('with an error of another kind after %s', async (_, options, message) => {
    const failure = await everyStory(start, { ...nothing, ...options }).catch((error) => error)
    expect(failure).not.toBeInstanceOf(StoryFailed)
    expect(failure.message).toContain(message)
  })
})

describe('a fault', () => {
  const bot = shopOn({ receipts: 'preconfirmed', ticksPerBlock: 2 })
  const asksForReceipt = 'eth_getTransactionReceipt is'

  it.each([
    ['slice none', 'slice 2 of block 4 has the transaction of alice'],
    ['lost', 'slice 1 of block 4 is lost, with the transaction of alice'],
    ['late', 'slice 1 of block 4 is late, with the transaction of alice'],
    ['repeated', 'slice 1 of block 4 is repeated'],
    ['absent', 'pending is absent for 2 slices, from slice 1 of block 4 on, with the transaction of alice'],
    ['stale', 'pending is stale for 2 slices, from slice 1 of block 4 on, with the transaction of alice'],
    ['tick 2; dropped next 1', 'block 4 is sealed without the transaction of alice, which waits again'],
    [
      'tick 2; act 2; dropped never 1',
      'block 4 is sealed without the transaction of alice, which is gone for good',
    ],
    [
      'act 2; tick 2; reordered',
      'block 4 is sealed with the transaction of bob and the transaction of alice',
    ],
    ['act 2; slice 2', 'slice 1 of block 4 has the transaction of bob'],
    ['act 2; slice 2 1', 'slice 1 of block 4 has the transaction of bob and the transaction of alice'],
    ['tick 3; reorg 1 keep', 'block 4 is sealed in its place with the transaction of alice'],
    ['slow eth_getTransactionReceipt', `${asksForReceipt} answered one step later`],
    ['refused eth_getTransactionReceipt', `${asksForReceipt} refused (503)`],
    ['lagging eth_getTransactionReceipt', `${asksForReceipt} answered by a replica that lags one step`],
    ['unanswered eth_getTransactionReceipt', `${asksForReceipt} never answered`],
  ])('"%s" happens, and is told', async (text, line) => {
    const { lines } = await failureOf(
      {
        run: (devnet, shop) => deliveryBot(devnet, shop, true),
        acts: [(_, __, app) => app.pay(), pays('bob', 20n)],
        holds: () => false,
        story: `act 1; ${text}; tick`,
      },
      bot,
    )
    expect(lines).toContainEqual(line)
  })

  it('"cut" happens, and is told', async () => {
    const run = (devnet: Devnet, shop: Shop) => socketIndexer(devnet, shop, true)
    const { lines } = await failureOf({ run, holds: () => false, story: 'cut; tick' })
    expect(lines).toContain('the WebSocket connections are cut')
  })
})

describe('an app without the bug passes', () => {
  afterEach(() => void vi.useRealTimers())
  const options: EveryStoryOptions<Shop, { total: bigint }> = {
    run: (devnet, shop) => indexer(devnet, shop, true),
    acts: BOTH_PAY,
    holds: async ({ total }, devnet, shop) => total === (await goldOf(shop, devnet)),
    maxFaults: 1,
    seconds: 60,
  }

  it.each([
    ['blocks without slices', { profile: 'base-denim' }, 40],
    ['blocks of ten slices', { profile: 'base-flashblocks' }, 100],
  ] as const)('on a chain with %s', async (_, devnet, stories) => {
    const played = await everyStory(shopOn(devnet), options)
    expect(played.isComplete).toBe(true)
    expect(played.stories).toBeGreaterThan(stories)
  })

  it('with the timers of the test, which the sentence names', async () => {
    expect((await expectEveryStory(start, options)).sentence).toContain('with real timers')
    vi.useFakeTimers()
    let elapsedMs = 0
    const run = (devnet: Devnet, shop: Shop) => {
      const timer = setInterval(() => (elapsedMs += 100), 100)
      return Object.assign(indexer(devnet, shop, true), { close: () => clearInterval(timer) })
    }
    const { sentence } = await expectEveryStory(start, { ...options, run, maxFaults: 0 })
    expect(sentence).toContain('with fake timers')
    expect(elapsedMs).toBeGreaterThanOrEqual(2 * 15_000)
  })

  it('with viem over HTTP, whose time limits end requests that are never answered', async () => {
    vi.useFakeTimers()
    const played = await expectEveryStory(start, {
      async run(devnet, shop) {
        const { url } = await devnet.listen({ port: 0 })
        const client = createPublicClient({ transport: http(url), pollingInterval: 200, cacheTime: 0 })
        const app = {
          isPaid: false,
          async pay() {
            const { hash } = await pays('alice', 10n)(devnet, shop)
            void client.waitForTransactionReceipt({ hash, timeout: 0 }).then(() => {
              app.isPaid = true
            })
          },
        }
        return app
      },
      acts: [(_, __, app) => app.pay()],
      holds: ({ isPaid }) => isPaid,
      faults: ['unanswered'],
      maxFaults: 1,
      seconds: 60,
    })
    expect(played).toMatchObject({ isComplete: true, faults: 1 })
    expect(played.stories).toBeGreaterThan(4)
  })
})
