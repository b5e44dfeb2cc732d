/** What `explore` does beside finding known bugs: random sequences, words, replays, limits, wrong input. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet } from '../../src/index.ts'
import {
  argumentsOf,
  call,
  defineFixture,
  type ExploreOptions,
  explore,
  oneOf,
  pay,
  RuleBroken,
  wait,
} from '../../src/testing/index.ts'
import { contractsOf } from './exploreContracts.ts'

const bug = contractsOf('bugs')
const puzzle = contractsOf('puzzles')

const lock = defineFixture(async (devnet) => ({
  lock: await devnet.deploy(bug('Lock'), { args: [123_456_789_012n] }),
}))
type LockOptions = ExploreOptions<Awaited<ReturnType<typeof lock.use>>>

const everyLock: LockOptions = {
  actions: ({ lock }) => ({
    turn: call(lock, 'turn'),
    first: call(lock, 'first'),
    open: call(lock, 'open', { args: argumentsOf(lock.abi, 'open') }),
  }),
  invariants: { closed: (world, { lock }) => !world.read(lock, 'isOpen') },
}

/** Returns the error of an exploration that must find something. */
async function found(exploration: Promise<unknown>): Promise<RuleBroken> {
  const error = await exploration.catch((error: unknown) => error)
  expect(error).toBeInstanceOf(RuleBroken)
  return error as RuleBroken
}

describe('random sequences', () => {
  const open: LockOptions = {
    ...everyLock,
    actions: (values) => ({ ...everyLock.actions(values), open: call(values.lock, 'open', { args: [77n] }) }),
    states: 1,
    seconds: 30,
  }

  it('find constants of the code, and the sequence is as short as possible', async () => {
    const { story } = await found(explore(lock, open))
    expect(story.map(({ action, args }) => [action, ...args])).toEqual([
      ['turn'],
      ['turn'],
      ['turn'],
      ['first', 918_273_645n],
      ['open', 77n],
    ])
  })

  it('find values of the storage, at which an assertion fails', async () => {
    const actions: LockOptions['actions'] = ({ lock }) => ({
      turn: call(lock, 'turn'),
      first: call(lock, 'first', { args: [918_273_645n] }),
      open: call(lock, 'open'),
    })
    const { rule, story } = await found(explore(lock, { actions, states: 1, seconds: 30 }))
    expect(rule).toBe('an assertion in open')
    expect(story.at(-1)!.args).toEqual([123_456_789_012n])
    expect(story).toHaveLength(5)
  })

  it('are the same for the same seed', async () => {
    const [first, again] = [
      await found(explore(lock, { ...open, seed: 5 })),
      await found(explore(lock, { ...open, seed: 5 })),
    ]
    expect(again.message).toBe(first.message)
  })

  it('take values from an arbitrary of fast-check, and shrink them with it', async () => {
    // As fast-check's `integer({ min: 10 })`: https://fast-check.dev/docs/core-blocks/arbitraries
    const above10 = {
      generate: (random: { nextInt(min: number, max: number): number }) => ({
        value: BigInt(random.nextInt(10, 1_000)),
        context: undefined,
      }),
      *shrink(value: bigint) {
        if (value > 10n) yield { value: value - 1n, context: undefined }
      },
    }
    const { story } = await found(
      explore(
        defineFixture(async (devnet) => ({ token: await devnet.deploy(Token, { args: ['T', 'T'] }) })),
        {
          actions: ({ token }) => ({ mint: call(token, 'mint', { args: [oneOf(devnetAccount), above10] }) }),
          invariants: { small: (world, { token }) => world.read(token, 'totalSupply') < 500n },
          states: 1,
        },
      ),
    )
    const minted = story.map(({ args }) => args[1] as bigint)
    expect(minted.reduce((sum, each) => sum + each, 0n)).toBe(500n)
  })
})

const devnetAccount = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describe('a broken rule', () => {
  const bank = defineFixture(async (devnet) => {
    const [alice] = devnet.accounts.map(({ address }) => address)
    const bank = await devnet.deploy(bug('Bank'), { args: [false] })
    return { bank, thief: await devnet.deploy(bug('Thief'), { args: [bank.address] }), alice: alice! }
  })
  const stealing = () =>
    explore(bank, {
      actions: ({ bank, thief, alice }) => ({
        deposit: call(bank, 'deposit', { from: alice, value: 5n }),
        prepare: call(thief, 'deposit', { from: alice, value: 5n }),
        steal: call(thief, 'steal', { from: alice }),
        later: wait({ hours: 1 }),
      }),
      invariants: {
        solvent(world, { bank, thief, alice }) {
          const [ofAlice, ofThief] = [alice, thief.address].map(
            (owner) => world.read(bank, 'deposits', owner) as bigint,
          )
          const [has, owes] = [world.balance(bank.address), ofAlice! + ofThief!]
          if (has < owes) throw new Error(`the bank has ${has} and owes ${owes}`)
        },
      },
      depth: 4,
      length: 0,
    })

  it('is told with its story, what was covered, and code that does the same on a devnet', async () => {
    const { message, story } = await found(stealing())
    expect(message.split('\n')).toEqual([
      'invariant solvent does not hold after 3 actions: the bank has 0 and owes 5',
      '  1. deposit() by alice with 5 wei',
      '  2. prepare() by alice with 5 wei',
      '  3. steal() by alice',
      expect.stringMatching(/^systematic: all states within 2 actions, and \d+ states in total/),
      'The same on a devnet, with the values of the fixture:',
      ...story.map(({ code }) => `  ${code}`),
    ])
  })

  it('has code that breaks it on a devnet', async () => {
    const { story } = await found(stealing())
    const { devnet, ...values } = await bank.use()
    const names = Object.keys(values)
    for (const { code } of story) {
      const run = new Function('devnet', ...names, `return (async () => { ${code} })()`)
      await run(devnet, ...Object.values(values))
    }
    const owes = await devnet.read({ ...values.bank, functionName: 'deposits', args: [values.alice] })
    const has = BigInt(
      await devnet.request({ method: 'eth_getBalance', params: [values.bank.address, 'latest'] }),
    )
    expect(has < (owes as bigint)).toBe(true)
    await devnet.close()
  })
})

describe('what is covered', () => {
  const queue = defineFixture(async (devnet) => ({
    queue: await devnet.deploy(puzzle('BoundedQueue'), { args: [2n] }),
  }))
  type Options = ExploreOptions<Awaited<ReturnType<typeof queue.use>>>
  const actions: Options['actions'] = ({ queue }) => ({
    put: call(queue, 'put', { args: [oneOf(1, 2)] }),
    take: call(queue, 'take'),
  })

  it.each([
    [{}, /^systematic: all 7 states that the actions reach \(30 calls run, 12 known from equal calls\)$/],
    [{ depth: 1, length: 0 }, /^systematic: all 3 states within 1 action \(/],
    [
      { states: 4, length: 0 },
      /^systematic: all states within 1 action, and 4 states in total, which is the limit \(/,
    ],
    [
      { depth: 1, seconds: 0.2 },
      /^systematic: all 3 states within 1 action \(.*\); random: [\d,]+ sequences?, [\d,]+ calls$/,
    ],
  ])('is said in one sentence, with %o', async (limits, sentence) => {
    expect((await explore(queue, { actions, ...limits })).sentence).toMatch(sentence)
  })

  it('names the branches of Solidity that no call reached', async () => {
    const artifacts = fileURLToPath(new URL('../../fixtures/artifacts/market.json', import.meta.url))
    const build = async (devnet: Devnet) => {
      devnet.artifacts.add(artifacts)
      return { shop: await devnet.deploy(Shop, { args: [3n] }) }
    }
    const { neverReached, sentence } = await explore(defineFixture(build), {
      actions: ({ shop }) => ({ buy: call(shop, 'buy', { args: [oneOf(1n), ''] }) }),
      depth: 2,
      length: 0,
    })
    expect(neverReached).toEqual([50, 63, 65].map((line) => `fixtures/contracts/Shop.sol:${line}`))
    expect(sentence).toMatch(/; 3 branches never reached: fixtures\/contracts\/Shop\.sol:50, /)
  })
})

describe('rules', () => {
  const token = defineFixture(async (devnet) => ({ token: await devnet.deploy(Token, { args: ['T', 'T'] }) }))

  it('a call that must succeed breaks one by a revert', async () => {
    const { rule, message } = await found(
      explore(token, {
        actions: ({ token }) => ({
          transfer: call(token, 'transfer', { args: [devnetAccount, 1n], mustSucceed: true }),
        }),
      }),
    )
    expect(rule).toBe('transfer must succeed')
    expect(message).toMatch(/^transfer must succeed does not hold after 1 action: reverted: /)
  })

  it('are asked before the first action', async () => {
    const { message } = await found(
      explore(token, { actions: () => ({ later: wait({ seconds: 1 }) }), invariants: { none: () => false } }),
    )
    expect(message).toMatch(/^invariant none does not hold at the start\n/)
  })

  it('hold for balances after payments', async () => {
    const receiver = '0x00000000000000000000000000000000000000bb'
    const { story } = await found(
      explore(token, {
        actions: () => ({ pay: pay(receiver, { value: oneOf(1n, 2n) }) }),
        invariants: { poor: (world) => world.balance(receiver) < 4n },
      }),
    )
    expect(story.map(({ value }) => value)).toEqual([2n, 2n])
  })
})

describe('wrong input is refused', () => {
  const token = defineFixture(async (devnet) => ({ token: await devnet.deploy(Token, { args: ['T', 'T'] }) }))
  type Options = ExploreOptions<Awaited<ReturnType<typeof token.use>>>
  const mint: Options['actions'] = ({ token }) => ({
    mint: call(token, 'mint', { args: [devnetAccount, 1n] }),
  })

  it.each<[string, Options, string]>([
    ['no action', { actions: () => ({}) }, 'explore: actions: expected at least one action, got none'],
    [
      'an unknown option',
      { actions: mint, dept: 3 } as never,
      'explore: dept: there is no such field; did you mean depth?',
    ],
    [
      'an unknown function',
      { actions: ({ token }) => ({ mint: call(token, 'mind' as 'mint') }) },
      'action mint: functionName: expected a function of the ABI, got "mind"; did you mean mint?',
    ],
    [
      'a wrong argument',
      { actions: ({ token }) => ({ mint: call(token, 'mint', { args: [devnetAccount, -1n] }) }) },
      'action mint: mint: args[1] (value): expected a whole number (a bigint, such as 5n) from 0 to 2^256 - 1, got -1n',
    ],
    [
      'an invariant that waits',
      { actions: mint, invariants: { late: async () => true } },
      'invariant late: expected a function that returns at once, got a promise; world.read does not wait',
    ],
  ])('%s', async (_, options, message) => {
    await expect(explore(token, options)).rejects.toThrow(message)
  })

  it('a wait of no time', () => {
    expect(() => wait({ ms: 200 })).toThrow('wait: expected whole seconds of at least 1, got 0.2')
  })
})
