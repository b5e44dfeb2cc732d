/** The story that an exploration found, in the report of the test that fails with it. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { goldOf, indexer, pays, type Shop, shopOn } from '../../fixtures/explore/apps.ts'
import { type Devnet, replay } from '../../src/index.ts'
import { RecordedChains } from '../../src/reports/tests/recordedChains.ts'
import { failureOf } from '../../src/reports/tests/testFailure.ts'
import { type AppOptions, everyStory, explore, pay } from '../../src/testing/index.ts'
import { started } from '../support/clients/clients.ts'
import { rejection } from '../support/compilers/stackTraces.ts'

/** Begins a test, which ends with the error of `exploring`. Returns the error and the recorded story. */
async function found(exploring: () => Promise<unknown>) {
  const chains = new RecordedChains()
  onTestFinished(async () => void (await chains.end()))
  await chains.begin(await started())
  const error = await rejection(exploring)
  const { story } = chains
  await chains.end()
  if (story?.chain.kind !== 'here') throw new Error('expected a recorded story')
  const { found, chain } = story
  const failure = (thrown: unknown) =>
    failureOf({ names: ['a test'], file: 'test', errors: [thrown], story: found }, chain)
  return { error: error as Error, chain, failure }
}

const exploreShop = (shop: Shop['shop']) =>
  explore(
    { use: async () => ({ devnet: await started({ rhythm: 'manual' }) }) },
    {
      actions: () => ({ pays: pay(shop, { value: 5n }) }),
      invariants: { few: (world) => world.balance(shop) < 10n },
    },
  )

const SHOP = '0x5000000000000000000000000000000000000005'

describe('a broken rule', () => {
  it('has its actions in words, the coverage and the code, whatever the runner keeps of the error', async () => {
    const { error, failure } = await found(() => exploreShop(SHOP))
    const [sentence] = /^systematic: .*$/m.exec(error.message)!
    const steps = [0, 1].map(() => `pays() by account 0 with 5 wei`)
    const code = `await devnet.send({ to: '${SHOP}', from: devnet.accounts[0].address, value: 5n })`
    const story = {
      failed: 'invariant few does not hold after 2 actions',
      steps,
      notes: [sentence],
      code: [code, code].join('\n'),
    }
    const ofVitest = { name: 'RuleBroken', message: error.message }
    const ofPlaywright = { message: `RuleBroken: ${error.message}` }
    for (const thrown of [error, ofVitest, ofPlaywright]) {
      expect((await failure(thrown)).errors).toMatchObject([{ name: 'RuleBroken', story }])
    }
  })

  it('has a chain on which the actions are transactions', async () => {
    const { chain } = await found(() => exploreShop(SHOP))
    let balance = 0n
    await replay(chain.recording.text, {
      look: async (devnet) => {
        balance = BigInt(await devnet.request({ method: 'eth_getBalance', params: [SHOP, 'latest'] }))
      },
    })
    expect(balance).toBe(10n)
  })

  it('is no part of an error with another message', async () => {
    const { failure } = await found(() => exploreShop(SHOP))
    expect((await failure(new Error('expected 1 to be 2'))).errors[0]?.story).toBeUndefined()
  })
})

describe('the chain of a story with an app', () => {
  const start = shopOn({ ticksPerBlock: 2 })

  /** The newest block, whose hash depends on all blocks before. */
  const newest = (devnet: Devnet) =>
    devnet.provider.request({ method: 'eth_getBlockByNumber', params: ['latest', true] })

  async function expectSameReplay(story: string, timers: Pick<AppOptions<Shop, void>, 'advance'> = {}) {
    let played: unknown
    const { error, chain } = await found(() =>
      everyStory(start, {
        async run({ provider }) {
          const ask = () => provider.request({ method: 'eth_getBlockByNumber', params: ['pending', false] })
          provider.on('message', () => void ask().catch(() => {}))
          for (const feed of ['newFlashblocks', 'newHeads']) {
            await provider.request({ method: 'eth_subscribe', params: [feed] })
          }
        },
        acts: [pays('alice', 10n), pays('bob', 20n), pays('alice', 30n)],
        async holds(_, devnet) {
          played = await newest(devnet)
          return false
        },
        story,
        ...timers,
      }),
    )
    expect(error.message).toContain(`story('${story}')`)
    let again: unknown
    const look = async (devnet: Devnet) => {
      again = await newest(devnet)
    }
    expect((await replay(chain.recording.text, { look })).difference).toBeUndefined()
    expect(again).toEqual(played)
  }

  it.each([
    'act 1; act 2; slice 2 1; tick 3',
    'act 1; act 2; slice none; tick',
    'act 1; act 2; slice 2; tick; slice none; tick 2',
    'act 1; lost; tick 2; act 2; late; tick 2; act 3; repeated; tick',
    'act 1; absent; tick; act 2; stale; tick 2',
    'act 1; act 2; tick 2; dropped never 1; tick',
    'act 1; act 2; tick 2; reordered; tick; reorg 1 wait; tick',
    'act 1; tick 3; reorg 1 drop; tick; act 2; tick',
    'act 1; act 2; lagging eth_getBlockByNumber; tick 3',
    'act 1; slow eth_getBlockByNumber; tick; act 2; tick 3',
    'act 1; refused eth_getBlockByNumber; tick; unanswered eth_getBlockByNumber; tick; act 2; tick',
  ])('is the same when the recording is replayed: %s', (story) => expectSameReplay(story))

  it('is the same when the timers of the test are fake', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)
    await expectSameReplay('act 1; tick 3; reorg 1 wait; tick; act 2', { advance })
  })

  it('is that of the shortest story that the error tells', async () => {
    const { error, chain, failure } = await found(() =>
      everyStory(shopOn(), {
        run: (devnet, shop) => indexer(devnet, shop, false),
        acts: [pays('alice', 10n)],
        holds: async ({ total }, devnet, shop) => total === (await goldOf(shop, devnet)),
        faults: ['reorg'],
        seconds: 30,
      }),
    )
    expect(chain.recording.text.match(/"call":"reorg"/g)).toHaveLength(1)
    expect((await failure(error)).errors[0]?.story).toMatchObject({
      failed: 'the app fails in a story with 1 fault: holds returned false',
      code: "story: story('act 1; tick 2; reorg 1 keep; tick')",
    })
  })
})
