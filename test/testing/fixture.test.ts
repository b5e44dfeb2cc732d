/** Fixtures: built once, handed to each test on a fork of its own. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createWalletClient, custom, getContract, numberToHex, publicActions } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import market from '../../fixtures/market.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { defineFixture } from '../../src/testing/fixture.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

async function pay(devnet: Devnet, wei = 1): Promise<void> {
  const [from] = devnet.accounts
  await ask(devnet, 'eth_sendTransaction', { from: from!.address, to: STRANGER, value: numberToHex(wei) })
  await devnet.mine()
}

const balance = async (devnet: Devnet) => Number(await ask(devnet, 'eth_getBalance', STRANGER))
const height = async (devnet: Devnet) => Number(await ask(devnet, 'eth_blockNumber'))

describe('a fixture', () => {
  it('is built once, however many use it at the same time and later', async () => {
    const build = vi.fn(async (devnet: Devnet) => pay(devnet))
    const paid = defineFixture(build)
    await Promise.all([paid.use(), paid.use(), paid.use()])
    await paid.use()
    expect(build).toHaveBeenCalledOnce()
  })

  it('is not built before it is used', () => {
    const build = vi.fn()
    defineFixture(build)
    expect(build).not.toHaveBeenCalled()
  })

  it('gives each use a fork that no other sees', async () => {
    const paid = defineFixture((devnet) => pay(devnet))
    const [one, other] = await Promise.all([paid.use(), paid.use()])
    await pay(one.devnet, 10)
    expect(await balance(one.devnet)).toBe(11)
    expect(await balance(other.devnet)).toBe(1)
    expect(await balance((await paid.use()).devnet)).toBe(1)
  })

  it('answers what it returned beside the fork', async () => {
    const { devnet, token, supply } = await defineFixture(async () => ({ token: STRANGER, supply: 5n })).use()
    expect([token, supply]).toEqual([STRANGER, 5n])
    expect(await height(devnet)).toBe(0)
  })

  it('that fails rejects all who wait with what it threw, and is built anew by the next', async () => {
    const reason = new Error('no money')
    const build = vi.fn(async () => ({ paid: true }))
    build.mockRejectedValueOnce(reason)
    const broken = defineFixture(build)
    const outcomes = await Promise.allSettled([broken.use(), broken.use(), broken.use()])
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
      Array(3).fill(reason),
    )
    expect(await broken.use()).toMatchObject({ paid: true })
    expect(build).toHaveBeenCalledTimes(2)
  })

  it('is built by one who uses it while it fails', async () => {
    let builds = 0
    const broken = defineFixture(() => {
      builds++
      throw new Error('at once')
    })
    await expect(broken.use()).rejects.toThrow('at once')
    await expect(broken.use()).rejects.toThrow('at once')
    expect(builds).toBe(2)
  })

  it('may use another within', async () => {
    const build = vi.fn((devnet: Devnet) => pay(devnet))
    const paid = defineFixture(build)
    const copied = defineFixture(async (devnet) => {
      const { devnet: other } = await paid.use()
      await pay(devnet, 2 * (await balance(other)))
      await pay(other, 100)
    })
    expect(await balance((await copied.use()).devnet)).toBe(2)
    expect(await balance((await paid.use()).devnet)).toBe(1)
    expect(build).toHaveBeenCalledOnce()
  })

  it('is the market on every fork, deployed once', async () => {
    const { devnet, gold, owner } = await market.use()
    const client = createWalletClient({ transport: custom(devnet) }).extend(publicActions)
    const token = { address: gold, abi: Token.abi } as const
    const before = await client.readContract({ ...token, functionName: 'balanceOf', args: [STRANGER] })
    await client.writeContract({
      ...token,
      functionName: 'transfer',
      args: [STRANGER, 7n],
      account: owner,
      chain: null,
    })
    await devnet.mine()
    expect(before).toBe(0n)
    expect(await client.readContract({ ...token, functionName: 'balanceOf', args: [STRANGER] })).toBe(7n)
    const again = await market.use()
    expect(again.gold).toBe(gold)
    expect(await height(again.devnet)).toBe(4)
  })
})

describe('the fork of a fixture', () => {
  it('is manual, under the manual clock, unless something else is said', async () => {
    const plain = defineFixture(() => {})
    expect((await plain.use()).devnet.settings.rhythm).toBe('manual')
    await using instant = (await plain.use({ rhythm: 'instant' })).devnet
    await ask(instant, 'eth_sendTransaction', { from: instant.accounts[0]!.address, to: STRANGER })
    expect(await height(instant)).toBe(1)
  })

  it('has the options of the fixture, its rhythm too', async () => {
    const options = { chainId: 5, accounts: 2, rhythm: 'instant' } as const
    const { devnet } = await defineFixture(() => {}, { devnet: options }).use()
    expect(devnet.settings).toMatchObject(options)
  })

  it('begins at the same block however long the fixture waited, when it was built by time', async () => {
    const timed = defineFixture(
      async (devnet) => {
        await devnet.mine()
        await new Promise<void>((resolve) => devnet.on('sealed', () => resolve()))
        return { height: await height(devnet) }
      },
      { devnet: { rhythm: 'interval', tickMs: 1 } },
    )
    const first = await timed.use({ rhythm: 'manual' })
    const running = await timed.use()
    await new Promise<void>((resolve) => running.devnet.on('sealed', () => resolve()))
    await running.devnet.close()
    const last = await timed.use({ rhythm: 'manual' })
    expect(await height(last.devnet)).toBe(await height(first.devnet))
    expect(await height(first.devnet)).toBe(first.height)
  })

  it('has the ABIs, impersonations and waiting transactions that the fixture left', async () => {
    const left = defineFixture(async (devnet) => {
      devnet.abis.add({ Token })
      await ask(devnet, 'anvil_impersonateAccount', STRANGER)
      await ask(devnet, 'anvil_setBalance', STRANGER, '0xde0b6b3a7640000')
      await ask(devnet, 'eth_sendTransaction', { from: STRANGER, to: STRANGER })
    })
    const { devnet } = await left.use()
    expect([...devnet.abis].map(({ name }) => name)).toEqual(['Token'])
    expect(await ask(devnet, 'eth_accounts')).toContain(STRANGER)
    await devnet.mine()
    expect(await ask(devnet, 'eth_getTransactionCount', STRANGER)).toBe('0x1')
  })

  it('cannot be changed by who kept the devnet that the fixture was built on', async () => {
    let kept: Devnet | undefined
    const leaky = defineFixture((devnet) => {
      kept = devnet
    })
    await leaky.use()
    await expect(pay(kept!)).rejects.toThrow('closed')
    expect(await balance((await leaky.use()).devnet)).toBe(0)
  })

  it('is held by nobody when its test is over, closed or not', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const paid = defineFixture((devnet) => pay(devnet))
    const used: WeakRef<Devnet>[] = []
    for (let test = 0; test < 100; test++) {
      const { devnet } = await paid.use()
      await pay(devnet)
      used.push(new WeakRef(devnet))
      if (test % 2 === 0) await devnet.close()
    }
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    // The last may still stand in a register.
    expect(used.filter((devnet) => devnet.deref() !== undefined).length).toBeLessThanOrEqual(1)
  })
})

describe('the values of a fixture', () => {
  it('are frozen, however deep, as far as they are plain data', async () => {
    const values = await defineFixture(() => ({
      list: [{ amount: 1n }],
      nested: { deep: { value: 1 } },
      act: () => 5,
    })).use()
    expect(() => Object.assign(values.list[0]!, { amount: 2n })).toThrow(TypeError)
    expect(() => (values.list as unknown[]).push(1)).toThrow(TypeError)
    expect(() => Object.assign(values.nested.deep, { value: 2 })).toThrow(TypeError)
    expect(values.act()).toBe(5)
  })

  it('may contain themselves', async () => {
    const ring: { self?: unknown } = {}
    ring.self = ring
    expect((await defineFixture(() => ({ ring })).use()).ring.self).toBe(ring)
  })

  it('that are more than data stay what they are', async () => {
    class Counter {
      count = 0
    }
    const bytes = Uint8Array.of(1, 2)
    const tools = { count: 0, add: () => {} }
    const values = { counter: new Counter(), map: new Map([[1, { a: 1 }]]), bytes, tools }
    const used = await defineFixture(() => values).use()
    used.counter.count++
    used.map.get(1)!.a++
    used.bytes[0] = 5
    used.tools.count++
    expect([used.counter.count, used.map.get(1)!.a, bytes[0], tools.count]).toEqual([1, 2, 5, 1])
  })

  it("may be viem's contracts and clients, which go on working", async () => {
    const devnet = await started({ rhythm: 'instant' })
    const deployed = defineFixture(async () => {
      const [account] = devnet.accounts
      const client = createWalletClient({ transport: custom(devnet) }).extend(publicActions)
      const hash = await client.deployContract({ ...Store, account: account!.address, chain: null })
      const { contractAddress } = await client.getTransactionReceipt({ hash })
      return { client, store: getContract({ address: contractAddress!, abi: Store.abi, client }) }
    })
    const { client, store } = await deployed.use()
    expect(await store.read.get([1n])).toBe(0n)
    expect(await client.getBlockNumber()).toBe(1n)
  })

  it('are nothing where the fixture returns nothing', async () => {
    expect(Object.keys(await defineFixture(() => {}).use())).toEqual(['devnet'])
  })

  it.each([
    [null, 'null'],
    [5, 'a number'],
    [STRANGER, 'a string'],
    [[STRANGER], 'an array'],
    [new Map(), 'an object of the class Map'],
  ])('are refused unless they are an object: %s', async (values, got) => {
    const wrong = defineFixture(() => values as object, { name: 'wrong' })
    await expect(wrong.use()).rejects.toThrow(
      `fixture wrong: expected an object of values, such as { token }, or nothing to be returned, got ${got}`,
    )
    await expect(wrong(await started())).rejects.toThrow(TypeError)
  })

  it('are refused where one would hide the fork', async () => {
    const hiding = defineFixture(function hiding(devnet) {
      return { devnet }
    })
    await expect(hiding.use()).rejects.toThrow('fixture hiding: a value is named "devnet"')
  })
})

describe('a fixture as a function', () => {
  it('is built on the given devnet, each time', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const paid = defineFixture(async (chain) => {
      await pay(chain)
      return { to: STRANGER }
    })
    expect(await paid(devnet)).toEqual({ to: STRANGER })
    await paid(devnet)
    expect(await balance(devnet)).toBe(2)
  })

  it('says what to call where it got no devnet', async () => {
    const paid = defineFixture(() => {}, { name: 'paid' }) as unknown as () => Promise<void>
    await expect(paid()).rejects.toThrow(
      'fixture paid: expected a devnet to build on; use() creates one and returns it with the values',
    )
  })
})

describe('an extended fixture', () => {
  const paid = () => {
    const build = vi.fn(async (devnet: Devnet) => {
      await pay(devnet)
      return { first: 1, both: 'below' }
    })
    return { build, fixture: defineFixture(build) }
  }

  it('is built on a fork of the other, and has the values of both', async () => {
    const { build, fixture } = paid()
    const more = fixture.extend(async (devnet, { first }) => {
      await pay(devnet, 10)
      return { second: first + 1, both: 'above' }
    })
    const [{ devnet, ...values }, below] = await Promise.all([more.use(), fixture.use()])
    expect(values).toEqual({ first: 1, second: 2, both: 'above' })
    expect(await balance(devnet)).toBe(11)
    expect(await balance(below.devnet)).toBe(1)
    expect(build).toHaveBeenCalledOnce()
  })

  it('can be extended, and be one of several', async () => {
    const { build, fixture } = paid()
    const extended = [2, 3, 4].map((wei) =>
      fixture.extend((devnet) => pay(devnet, wei)).extend((devnet) => pay(devnet, 10 * wei)),
    )
    const uses = await Promise.all(extended.map((more) => more.use()))
    expect(await Promise.all(uses.map(({ devnet }) => balance(devnet)))).toEqual([23, 34, 45])
    expect(uses.map(({ first }) => first)).toEqual([1, 1, 1])
    expect(build).toHaveBeenCalledOnce()
  })

  it('is built as a whole on a devnet that is given', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const more = paid().fixture.extend((chain) => pay(chain, 10))
    expect(await more(devnet)).toEqual({ first: 1, both: 'below' })
    expect(await balance(devnet)).toBe(11)
  })

  it('has the rhythm of what it extends', async () => {
    const instant = defineFixture(() => {}, { devnet: { rhythm: 'instant' } }).extend(() => {})
    expect((await instant.use()).devnet.settings.rhythm).toBe('instant')
  })

  it('fails with what the other throws', async () => {
    const broken = defineFixture(() => {
      throw new Error('below')
    })
    await expect(broken.extend(() => {}).use()).rejects.toThrow('below')
  })
})

describe('the options of a fixture', () => {
  it('are refused where there is none of the name', () => {
    const options = { cahce: true } as object
    expect(() => defineFixture(function shop() {}, options)).toThrow(
      'fixture shop: expected one of the options cache, inputs, name, devnet, got "cahce"',
    )
  })

  it('are without a devnet where another fixture decides it', () => {
    const options = { devnet: {} } as object
    expect(() => defineFixture(() => {}).extend(() => {}, options)).toThrow(
      'got "devnet"; the extended fixture decides the devnet',
    )
  })

  it('for the devnet are those of createDevnet', async () => {
    const wrong = { tickMs: 0 }
    const reason = await createDevnet(wrong).catch((error) => error.message)
    await expect(defineFixture(() => {}, { devnet: wrong }).use()).rejects.toThrow(reason)
  })
})
