/** `preseal/vitest`: a devnet for each test, what it begins with, and what else tests may ask for. */
import { beforeEach, describe, onTestFinished } from 'vitest'
import type { Devnet } from '../../src/index.ts'
import { defineFixture } from '../../src/testing/index.ts'
import { inUse } from '../../src/testing/matchers/verdict.ts'
import { type DevnetContext, expect, it, test, testWith } from '../../src/testing/vitest/index.ts'
import { chainOf, type SharedPort, setup } from '../../src/testing/vitest/setup.ts'
import { complaint, stall } from '../support/chains/stall.ts'
import { ask } from '../support/clients/clients.ts'
import { framesOf } from '../support/compilers/stackTraces.ts'

describe('a test', () => {
  const seen: Devnet[] = []
  const contexts: object[] = []

  test.for([1, 2])('has a devnet of its own (%i)', async (_, { task, devnet, accounts }) => {
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
    contexts.push(task.context)
    await devnet.mine()
    expect(seen).not.toContain(devnet)
    seen.push(devnet)
    expect(accounts).toBe(devnet.accounts)
    expect(devnet.settings.rhythm).toBe('manual')
  })

  it('leaves no devnet open behind it, and none to be found', async () => {
    expect(seen).toHaveLength(2)
    expect(inUse.size).toBe(0)
    // vitest keeps these until all tests of the file are done.
    for (const context of contexts) expect(context).not.toHaveProperty('devnet')
    for (const devnet of seen) await expect(ask(devnet, 'eth_blockNumber')).rejects.toThrow('closed')
  })

  test('makes no devnet that it does not ask for', ({ task }) => {
    expect(inUse.size).toBe(0)
    expect(task.context).not.toHaveProperty('devnet')
  })

  test('has a client, whose reads see what is pre-confirmed', async ({ devnet, client, accounts }) => {
    const [alice, bob] = accounts
    expect(client.account.address).toBe(alice!.address)
    const before = await client.getBalance({ address: bob!.address })
    const hash = await client.sendTransaction({ to: bob!.address, value: 5n })
    expect(await client.getBalance({ address: bob!.address })).toBe(before)
    await devnet.tick()
    expect(await client.getBalance({ address: bob!.address })).toBe(before + 5n)
    await expect(hash).toBePreconfirmed(devnet)
    await client.mine({ blocks: 1 })
    await expect(hash).toBeSealed(devnet)
    expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  })
})

describe('a test that begins with options', () => {
  const testOnBase = testWith({ profile: 'base-flashblocks', chainId: 8453, rhythm: 'instant' })

  testOnBase('has them', async ({ devnet, client }) => {
    expect(devnet.settings).toMatchObject({ l2: 'base', rhythm: 'instant' })
    expect(await client.getChainId()).toBe(8453)
    expect(client.chain.id).toBe(8453)
  })

  const testInTime = testWith({ tickMs: 1 }, { rhythm: 'interval' })

  testInTime('may be one in which time runs', async ({ devnet }) => {
    const sealed = new Promise((resolve) => {
      onTestFinished(devnet.on('sealed', resolve))
    })
    await sealed
  })
})

describe('a test that begins with a fixture', () => {
  let built = 0
  const funded = defineFixture(async (devnet) => {
    built++
    const owner = devnet.accounts[0]!.address
    await ask(devnet, 'anvil_setBalance', owner, '0x7')
    return { owner, accounts: 'of the fixture' }
  })
  const testFunded = testWith(funded)
  const richer = testFunded.extend<{ twice: string }>({
    twice: async ({ fixture }, use) => use(fixture.owner + fixture.owner),
  })

  testFunded.for([1, 2])('has its values (%i)', async (_, { devnet, owner }) => {
    expect(await ask(devnet, 'eth_getBalance', owner, 'latest')).toBe('0x7')
    await ask(devnet, 'anvil_setBalance', owner, '0x8')
    expect(built).toBe(1)
  })

  testFunded('has them where preseal has others, too', async ({ accounts, fixture, owner }) => {
    expect(accounts).toBe('of the fixture')
    expect(fixture.owner).toBe(owner)
  })

  richer('can be extended', ({ twice, owner }) => {
    expect(twice).toBe(owner + owner)
  })

  testFunded.concurrent.for([1, 2, 3])(
    'runs beside others (%i)',
    async (value, { devnet, owner, expect }) => {
      await ask(devnet, 'anvil_setBalance', owner, `0x1${value}`)
      await Promise.resolve()
      expect(await ask(devnet, 'eth_getBalance', owner, 'latest')).toBe(`0x1${value}`)
    },
  )

  describe('in hooks', () => {
    let before: string
    beforeEach<{ owner: string }>(({ owner }) => {
      before = owner
    })

    testFunded('has them, too', ({ owner }) => {
      expect(before).toBe(owner)
    })
  })

  const testOfFunction = testWith(async ({ accounts }) => ({ many: accounts.length }))

  testOfFunction('takes a function as well', ({ many }) => {
    expect(many).toBe(10)
  })

  const testOfNames = testWith(() => ({ name: 'Gold', length: 4 }))

  testOfNames('may have values that bear the names of what any function has', ({ name, length }) => {
    expect([name, length]).toEqual(['Gold', 4])
  })

  const testOfTask = testWith(() => ({ task: 'to be done' }))

  testOfTask.fails('cannot have one that would take from tests what vitest gives them', ({ devnet }) => {
    expect(devnet).toBeDefined()
  })
})

describe('a test that runs out of time', () => {
  /** Far more than it takes to send a transaction, on a machine that has other things to do, too. */
  const LIMIT_MS = 3_000
  const ends = new Map<string, string>()
  const testLate = testWith({}).extend<{ ending: unknown }>({
    // vitest takes the errors away of a test that is to fail.
    ending: async ({ onTestFinished }, use) => {
      onTestFinished(({ task }) => {
        ends.set(task.name, task.result?.errors?.[0]?.message ?? '')
      })
      await use(undefined)
    },
  })
  const waitFor =
    (ticks: number) =>
    async ({ devnet, client, ending }: DevnetContext & { ending: unknown }) => {
      expect(ending).toBeUndefined()
      const hash = await client.sendTransaction({ to: client.account.address, value: 1n })
      for (let tick = 0; tick < ticks; tick++) await devnet.tick()
      await client.waitForTransactionReceipt({ hash, confirmations: 2 })
    }

  testLate.concurrent.fails('waits for a transaction that nobody runs', waitFor(0), LIMIT_MS)
  testLate.concurrent.fails('waits for a block that nobody seals', waitFor(1), LIMIT_MS)
  testLate.concurrent.fails('waits for more than its transaction', waitFor(2), LIMIT_MS)

  it('is told so', () => {
    const told = (name: string) =>
      ends
        .get(name)!
        .replace(/0x\w{64}/, 'X')
        .split('\n')
        .slice(2)
    expect(told('waits for a transaction that nobody runs')).toEqual([
      'The transaction X is in no block: the next slice will include it; under the rhythm manual a command makes slices: devnet.tick(), devnet.mine(), evm_mine',
    ])
    expect(told('waits for a block that nobody seals')).toEqual([
      'The transaction X is in no sealed block: it is pre-confirmed in block 1, transaction 0, and sealed with it, on request: devnet.tick(), devnet.mine(), evm_mine',
    ])
    expect(told('waits for more than its transaction')).toEqual([])
  })
})

describe('a matcher that a test does not await', () => {
  const ends: { message: string; stack: string }[] = []
  const testEnding = testWith({}).extend<{ ending: unknown }>({
    // vitest takes the errors away of a test that is to fail.
    ending: async ({ onTestFinished }, use) => {
      onTestFinished(({ task }) => {
        for (const { message, stack = '' } of task.result?.errors ?? []) ends.push({ message, stack })
      })
      await use(undefined)
    },
  })
  const sent = (devnet: Devnet, accounts: Devnet['accounts']) =>
    devnet.send({ to: accounts[1]!.address, value: 1n })

  testEnding.fails('fails the test where it passes', async ({ ending, devnet, accounts }) => {
    expect(ending).toBeUndefined()
    void expect(await sent(devnet, accounts)).not.toRevert()
  })
  testEnding.fails('fails the test where it fails', async ({ ending, devnet, accounts }) => {
    expect(ending).toBeUndefined()
    void expect(await sent(devnet, accounts)).toRevert()
  })

  testEnding('is not one that is awaited later, or handed on', async ({ ending, devnet, accounts }) => {
    expect(ending).toBeUndefined()
    const { hash } = await sent(devnet, accounts)
    const later = expect(hash).toBeSealed()
    const others = [
      expect(hash).not.toRevert(),
      expect(hash)
        .toBeSealed()
        .finally(() => {}),
    ]
    await devnet.mine()
    await later
    await Promise.all(others)
    await expect(expect(hash).toRevert()).rejects.toThrow('expected a revert')
    await expect.soft(hash).toBeSealed()
    return expect(hash).toBeSealed()
  })

  it('is named with its line', () => {
    expect(ends.map(({ message }) => message.replace(/0x\w{64}/, 'X'))).toEqual([
      'expect(…).not.toRevert(…) was not awaited, so the test did not wait for its result; write: await expect(…).not.toRevert(…)',
      'expected a revert, but the transaction X succeeded',
    ])
    for (const { stack } of ends) expect(framesOf({ stack })[0]).toContain('vitest.test.ts')
  })
})

describe('tests that run at once', () => {
  const testAtOnce = testWith(stall)

  testAtOnce.concurrent.for([1, 2])(
    'know their own transactions (%i)',
    async (value, { devnet, client, bob, expect }) => {
      const hash = await client.sendTransaction({ to: bob, value: BigInt(value) })
      await expect(hash).toChangeBalance(devnet, bob, BigInt(value))
      await expect(hash).toBeSealed()
      await expect(hash).not.toRevert()
    },
  )
})

describe('the shared port', () => {
  it('has chains of the fixture, and ends with the run', async () => {
    const provided: SharedPort[] = []
    const end = await setup(stall, { port: 0 })({ provide: (_key, value) => provided.push(value) })
    const [port] = provided
    const chain = chainOf(port, 'worker-1')
    const balance = async ({ url }: { url: string }) => {
      const { alice } = await stall.use()
      const call = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionCount', params: [alice, 'latest'] }
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      })
      return ((await answer.json()) as { result: string }).result
    }
    expect(await balance(chain)).toBe('0x4')
    expect(chain.webSocketUrl).toBe(`${port!.webSocketUrl}/c/worker-1`)
    await end()
    await expect(balance(chain)).rejects.toThrow()
  })

  test('says what is missing where there is none', async () => {
    const asked = Promise.resolve().then(() => chainOf(undefined, 'x'))
    expect(await complaint(asked)).toContain("globalSetup: 'preseal/vitest/setup'")
  })
})
