/** Nested, alternating and parallel fixtures: each test sees exactly its fixture's state, whatever ran before or runs now. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { numberToHex } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { defineFixture, type Fixture } from '../../src/testing/fixture.ts'
import { ask, STRANGER } from '../support/clients/clients.ts'
import { type Random, withRandom } from '../support/random/random.ts'

/** A payment to the stranger, and whether it is mined; or what else can be done to a devnet. */
type Deed =
  | { readonly kind: 'pay'; readonly wei: number; readonly sender: number }
  | { readonly kind: 'mine' | 'tick' | 'snapshotAndRevert' }
  | { readonly kind: 'store'; readonly slot: number; readonly value: number }

function anyDeed(random: Random): Deed {
  const kind = random.pick(['pay', 'pay', 'pay', 'mine', 'tick', 'snapshotAndRevert', 'store'] as const)
  if (kind === 'pay') return { kind, wei: random.between(1, 1_000), sender: random.below(3) }
  if (kind === 'store') return { kind, slot: random.below(4), value: random.between(1, 255) }
  return { kind }
}

async function act(devnet: Devnet, deed: Deed): Promise<void> {
  switch (deed.kind) {
    case 'pay': {
      const { address: from } = devnet.accounts[deed.sender]!
      const payment = { from, to: STRANGER, value: numberToHex(deed.wei), gas: '0x5208' }
      await ask(devnet, 'eth_sendTransaction', payment)
      return
    }
    case 'mine':
      return devnet.mine()
    case 'tick':
      return devnet.tick()
    case 'snapshotAndRevert': {
      const id = await ask(devnet, 'evm_snapshot')
      await act(devnet, { kind: 'pay', wei: 5, sender: 0 })
      await devnet.mine()
      await ask(devnet, 'evm_revert', id)
      return
    }
    case 'store': {
      const word = (value: number) => numberToHex(value, { size: 32 })
      await ask(devnet, 'anvil_setStorageAt', STRANGER, word(deed.slot), word(deed.value))
    }
  }
}

async function actAll(devnet: Devnet, deeds: readonly Deed[]): Promise<void> {
  for (const deed of deeds) await act(devnet, deed)
}

/** What can be told of a devnet: all of it, as its state file has it; and what the stranger has once all is mined. */
async function seen(devnet: Devnet): Promise<{ file: string; balance: number }> {
  const file = Buffer.concat([...devnet.dump()]).toString()
  const later = devnet.fork()
  await later.mine()
  const balance = Number(await ask(later, 'eth_getBalance', STRANGER))
  return { file, balance }
}

interface Planned {
  readonly fixture: Fixture<{ readonly total: number }>
  /** All that it does, with what it is built on. */
  readonly deeds: readonly Deed[]
  /** How often it was built, and how often that fails before it does not. */
  readonly builds: { count: number; failures: number }
  /** What a fork of it looks like. */
  expected: Awaited<ReturnType<typeof seen>> | undefined
}

const total = (deeds: readonly Deed[]) =>
  deeds.reduce((sum, deed) => sum + (deed.kind === 'pay' ? deed.wei : 0), 0)

/** A fixture on nothing, on another, or one that looks at another while it is built. */
function planned(random: Random, others: readonly Planned[], folder: string): Planned {
  const own = random.list(random.between(1, 5), () => anyDeed(random))
  const builds = { count: 0, failures: random.chance(0.3) ? random.between(1, 2) : 0 }
  const below = others.length > 0 && random.chance(0.6) ? random.pick(others) : undefined
  const watched = others.length > 0 && random.chance(0.4) ? random.pick(others) : undefined
  const deeds = [...(below?.deeds ?? []), ...own]
  const build = async (devnet: Devnet) => {
    builds.count++
    for (const [index, deed] of own.entries()) {
      await act(devnet, deed)
      if (index > 0 || watched === undefined) continue
      const { devnet: other } = await used(watched)
      await act(other, { kind: 'mine' })
    }
    if (builds.failures > 0) {
      builds.failures--
      throw new Error('on purpose')
    }
    return { total: total(deeds) }
  }
  // Their texts are the same: what they do has to be told.
  const options = random.chance(0.3) ? { cache: folder, inputs: [others.length] } : {}
  const fixture = below === undefined ? defineFixture(build, options) : below.fixture.extend(build, options)
  return { fixture, deeds, builds, expected: undefined }
}

/** Uses it until it is built. */
async function used({ fixture }: Planned): ReturnType<Planned['fixture']['use']> {
  for (;;) {
    try {
      return await fixture.use()
    } catch (error) {
      if ((error as Error).message !== 'on purpose') throw error
    }
  }
}

/** A test: it looks, does what it likes, and sees nothing but that. */
async function runTest(random: Random, plan: Planned): Promise<void> {
  const deeds = random.list(random.below(6), () => anyDeed(random))
  const isClosed = random.chance(0.5)
  const { devnet, total: told } = await used(plan)
  const before = await seen(devnet)
  expect(before).toEqual(plan.expected)
  expect([told, before.balance]).toEqual([total(plan.deeds), total(plan.deeds)])
  await actAll(devnet, deeds)
  expect((await seen(devnet)).balance).toBe(total(plan.deeds) + total(deeds))
  if (isClosed) await devnet.close()
}

describe('fixtures in any order', () => {
  it(
    'give each test exactly their state, one after the other, in one another and at the same time',
    withRandom(async (random) => {
      const folder = await mkdtemp(join(tmpdir(), 'preseal-fixtures-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      for (let suite = 0; suite < 6; suite++) {
        const place = join(folder, String(suite))
        const plans: Planned[] = []
        while (plans.length < 6) plans.push(planned(random, plans, place))
        for (const plan of plans) {
          await using straight = await createDevnet({ rhythm: 'manual' })
          await actAll(straight, plan.deeds)
          plan.expected = await seen(straight)
        }
        const failures = plans.map(({ builds }) => builds.failures)
        for (let round = 0; round < 4; round++) {
          const together = random.list(random.between(1, 6), () => random.pick(plans))
          await Promise.all(together.map((plan) => runTest(random, plan)))
        }
        await Promise.all(plans.map((plan) => runTest(random, plan)))
        expect(plans.map(({ builds }) => builds.count)).toEqual(failures.map((count) => count + 1))
      }
    }),
  )
})
