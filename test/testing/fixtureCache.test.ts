/** Fixtures on disk: the next process loads what this one built, or builds it where it is not what it was. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createWalletClient, custom, encodeErrorResult, getContract, publicActions } from 'viem'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { defineFixture, type FixtureOptions } from '../../src/testing/fixture.ts'
import { loadedOrBuilt } from '../../src/testing/fixtureCache.ts'
import { fixtureFromJson } from '../../src/testing/jsonFixture.ts'
import { ask, STRANGER } from '../support/clients/clients.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-fixtures-'))
  return () => rm(folder, { recursive: true, force: true })
})

/** What was told on standard error. */
function warnings(): string[] {
  const told: string[] = []
  const warn = vi.spyOn(console, 'warn').mockImplementation((text) => void told.push(text))
  onTestFinished(() => warn.mockRestore())
  return told
}

let builds = 0

async function deployed(devnet: Devnet) {
  builds++
  const [account] = devnet.accounts
  const client = createWalletClient({ transport: custom(devnet) }).extend(publicActions)
  const hash = await client.deployContract({
    ...Token,
    args: ['Gold', 'GOLD'],
    account: account!.address,
    chain: null,
  })
  await devnet.mine()
  devnet.abis.add({ Token })
  devnet.abis.add(['error Odd(uint8 code)'], { name: 'Odd', address: STRANGER })
  devnet.abis.add({ Reverter })
  await ask(devnet, 'anvil_impersonateAccount', STRANGER)
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  return { token: contractAddress!, supply: 5n, id: Uint8Array.of(1, 2), at: new Date(0), nothing: undefined }
}

/** The same fixture in another process: nothing of it is there but what is on the disk. */
const inNextProcess = (options: FixtureOptions = {}, build = deployed) =>
  defineFixture(build, { cache: folder, ...options })

/** What is seen of a fork. */
async function seen(devnet: Devnet) {
  return {
    latest: await ask(devnet, 'eth_getBlockByNumber', 'latest', true),
    accounts: await ask(devnet, 'eth_accounts'),
    abis: [...devnet.abis],
    settings: devnet.settings,
    state: Buffer.concat([...devnet.dump()]),
  }
}

/** How often `use` had the fixture built. */
async function built(use: () => Promise<unknown>): Promise<number> {
  const before = builds
  await use()
  return builds - before
}

async function onlyFile(): Promise<string> {
  const [file, ...others] = await readdir(folder)
  expect(others).toEqual([])
  return join(folder, file!)
}

describe('a fixture that is kept on disk', () => {
  it('is loaded by the next process, with the same chain, values and ABIs', async () => {
    const first = await inNextProcess().use()
    const { devnet, ...values } = first
    expect(await built(async () => Object.assign(first, await inNextProcess().use()))).toBe(0)
    const { devnet: loaded, ...others } = first
    expect(others).toStrictEqual(values)
    expect(await seen(loaded)).toEqual(await seen(devnet))
    const data = encodeErrorResult({ abi: Reverter.abi, errorName: 'Custom', args: [7n, STRANGER] })
    expect((await loaded.abis.decodeError(data))?.name).toBe('Custom')
  })

  it('is the same where it was not kept on disk', async () => {
    const { devnet: plain, ...values } = await defineFixture(deployed).use()
    const { devnet: kept, ...others } = await inNextProcess().use()
    expect(others).toStrictEqual(values)
    expect(await seen(kept)).toEqual(await seen(plain))
  })

  it('has frozen values when it is loaded, too', async () => {
    await inNextProcess({}, async () => ({ list: [1] }) as never).use()
    const { list } = (await inNextProcess({}, async () => ({ list: [1] }) as never).use()) as never as {
      list: number[]
    }
    expect(() => list.push(2)).toThrow(TypeError)
  })

  it('may return nothing', async () => {
    const nothing = () => defineFixture(async () => {}, { cache: folder })
    await nothing().use()
    expect(Object.keys(await nothing().use())).toEqual(['devnet'])
  })

  it.each<[string, FixtureOptions]>([
    ['the options of its devnet', { devnet: { chainId: 5 } }],
    ['its name', { name: 'other' }],
    ['an input', { inputs: [{ amount: 5n }] }],
    ['the text of a function among its inputs', { inputs: [() => 5] }],
    ['a fixture among its inputs', { inputs: [defineFixture(() => {})] }],
  ])('is built anew when %s is another', async (_, options) => {
    await inNextProcess().use()
    expect(await built(() => inNextProcess(options).use())).toBe(1)
    expect(await built(() => inNextProcess(options).use())).toBe(0)
    expect(await built(() => inNextProcess().use())).toBe(0)
  })

  it('is built anew when its text is another', async () => {
    await inNextProcess().use()
    const changed = vi.fn(async () => {})
    const options = { cache: folder, name: 'deployed' }
    await defineFixture(async (_: Devnet) => changed(), options).use()
    expect(changed).toHaveBeenCalledOnce()
  })

  it('is built anew when the fixture that it is made of is another', async () => {
    const of = (inputs: unknown[]) => defineFixture(defineFixture(deployed, { inputs }), { cache: folder })
    expect(await built(() => of([1]).use())).toBe(1)
    expect(await built(() => of([2]).use())).toBe(1)
    expect(await built(() => of([1]).use())).toBe(0)
  })

  it('is built anew by another version of preseal', async () => {
    const place = { folder, name: 'some', parts: [] }
    const of = (version: string) => {
      const fresh = async () => {
        const devnet = await createDevnet({ rhythm: 'manual' })
        onTestFinished(() => devnet.close())
        const { request } = devnet
        devnet.request = ((asked: { method: string }) =>
          asked.method === 'web3_clientVersion'
            ? Promise.resolve(version)
            : request.call(devnet, asked as never)) as Devnet['request']
        return devnet
      }
      const build = vi.fn(async () => ({ devnet: await fresh(), values: {} }))
      return { build, use: () => loadedOrBuilt(place, fresh, build) }
    }
    const [old, next, again] = [of('preseal/1'), of('preseal/2'), of('preseal/1')]
    for (const one of [old, next, again]) await one.use()
    expect([old, next, again].map(({ build }) => build.mock.calls.length)).toEqual([1, 1, 0])
  })

  it('is kept beside others of its name', async () => {
    await inNextProcess().use()
    await inNextProcess({ inputs: [1] }).use()
    expect((await readdir(folder)).every((name) => /^deployed-[0-9a-f]{32}\.fixture$/.test(name))).toBe(true)
    expect(await readdir(folder)).toHaveLength(2)
  })

  it('is written by several at once without harm', async () => {
    const told = warnings()
    const uses = await Promise.all(Array.from({ length: 8 }, () => inNextProcess().use()))
    const states = await Promise.all(uses.map(({ devnet }) => seen(devnet)))
    for (const state of states) expect(state).toEqual(states[0])
    await onlyFile()
    expect(await built(() => inNextProcess().use())).toBe(0)
    expect(told).toEqual([])
  })
})

describe('a file that is not what was written', () => {
  const damages: [string, (bytes: Buffer) => Buffer][] = [
    ['is empty', () => Buffer.alloc(0)],
    ['is something else', () => Buffer.from('{"name":"something else"}\n')],
    ['was cut off', (bytes) => bytes.subarray(0, -100)],
    ['was cut off within its first lines', (bytes) => bytes.subarray(0, 200)],
    ['has another value', (bytes) => changed(bytes, '"$bigint":"5"', '"$bigint":"6"')],
    ['has another chain', (bytes) => changed(bytes, '"kind":"head"', '"kind":"heap"')],
    ['has no end', (bytes) => bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length - 2) + 1)],
  ]

  function changed(bytes: Buffer, from: string, to: string): Buffer {
    const at = bytes.indexOf(from)
    // Any byte will do where the words are others.
    const place = at === -1 ? bytes.length - 200 : at + from.length - 2
    const copy = Buffer.from(bytes)
    copy[place] = at === -1 ? copy[place]! ^ 1 : to.charCodeAt(from.length - 2)
    return copy
  }

  it.each(damages)('because it %s is told once, built anew and replaced', async (_, damage) => {
    const told = warnings()
    const first = await inNextProcess().use()
    const file = await onlyFile()
    const good = await readFile(file)
    await writeFile(file, damage(good))
    const fixture = inNextProcess()
    expect(await built(() => Promise.all([fixture.use(), fixture.use()]))).toBe(1)
    const { devnet, ...values } = await fixture.use()
    expect(await seen(devnet)).toEqual(await seen(first.devnet))
    expect(values.token).toBe(first.token)
    expect(told).toEqual([expect.stringContaining(`preseal: ${file} is not a complete fixture file`)])
    expect(await readFile(file)).toEqual(good)
  })
})

describe('the folder of the fixtures', () => {
  it('is that of the package that is worked on, wherever in it one is', async () => {
    await writeFile(join(folder, 'package.json'), '{}')
    const deep = join(folder, 'test/deep')
    await mkdir(deep, { recursive: true })
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(deep)
    onTestFinished(() => cwd.mockRestore())
    await inNextProcess({ cache: true }).use()
    expect(await readdir(join(folder, 'node_modules/.cache/preseal'))).toHaveLength(1)
    expect(await built(() => inNextProcess({ cache: true }).use())).toBe(0)
  })

  it('is that of where one is, if no package is around it', async () => {
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
    onTestFinished(() => cwd.mockRestore())
    await inNextProcess({ cache: true }).use()
    expect(await readdir(join(folder, 'node_modules/.cache/preseal'))).toHaveLength(1)
  })

  it('has nothing half written in it where a file cannot be put there', async () => {
    const told = warnings()
    await inNextProcess().use()
    const file = await onlyFile()
    await rm(file)
    // What is in the way is a folder that is not empty.
    await mkdir(join(file, 'in the way'), { recursive: true })
    expect((await inNextProcess().use()).supply).toBe(5n)
    expect(told).toHaveLength(2)
    expect(await readdir(folder)).toEqual([basename(file)])
  })

  it('that cannot be written to is told, and the fixture is there all the same', async () => {
    const told = warnings()
    const cache = join(folder, 'taken')
    await writeFile(cache, 'not a folder')
    expect((await inNextProcess({ cache }).use()).supply).toBe(5n)
    expect(told).toEqual([
      expect.stringContaining('cannot be read'),
      expect.stringContaining('cannot be written; the next process builds it again'),
    ])
  })
})

describe('what cannot be kept on disk', () => {
  it('is named: a value that does something', async () => {
    const client = createWalletClient({ transport: custom({ request: async () => {} }) })
    const build = async () => ({
      deep: [{ token: getContract({ address: STRANGER, abi: Token.abi, client }) }],
    })
    await expect(defineFixture(build, { cache: folder }).use()).rejects.toThrow(
      /^fixture build: the value deep\[0\]\.token\.\w+ is a proxy, which cannot be stored on disk; omit the option cache, or return data/,
    )
    expect(await readdir(folder)).toEqual([])
  })

  it('is named: an input that does something', async () => {
    const options = { cache: folder, inputs: [{ deep: new Map() }] }
    await expect(defineFixture(function shop() {}, options).use()).rejects.toThrow(
      'fixture shop: inputs[0].deep is an object of the class Map, which cannot be compared',
    )
  })
})

describe('an extended fixture that is kept on disk', () => {
  const calls: string[] = []
  const below = (options: FixtureOptions = {}) =>
    defineFixture(async (devnet) => {
      calls.push('below')
      await devnet.mine()
      return { height: 1n }
    }, options)
  const above = (options: FixtureOptions = {}) =>
    below(options).extend(
      async (devnet) => {
        calls.push('above')
        await devnet.mine()
        return { name: 'above' }
      },
      { cache: folder },
    )

  it('is loaded as a whole, and what it extends is not even built', async () => {
    const { devnet, ...values } = await above().use()
    expect(calls.splice(0)).toEqual(['below', 'above'])
    const { devnet: loaded, ...others } = await above().use()
    expect(calls.splice(0)).toEqual([])
    expect(others).toEqual(values)
    expect(values).toEqual({ height: 1n, name: 'above' })
    expect(await seen(loaded)).toEqual(await seen(devnet))
  })

  it('is built anew when what it extends is another', async () => {
    await above().use()
    calls.splice(0)
    await above({ devnet: { chainId: 5 } }).use()
    expect(calls.splice(0)).toEqual(['below', 'above'])
  })

  it('cannot change the values of what it extends, kept on disk or not', async () => {
    for (const cache of [undefined, folder, folder]) {
      const more = below(cache === undefined ? {} : { cache }).extend((_, values) => {
        Object.assign(values, { height: 9n })
      })
      await expect(more.use()).rejects.toThrow(TypeError)
    }
  })

  it('is built on what is kept of the other', async () => {
    await below({ cache: folder }).use()
    calls.splice(0)
    const more = below({ cache: folder }).extend((devnet) => devnet.mine())
    expect(await ask((await more.use()).devnet, 'eth_blockNumber')).toBe('0x2')
    expect(calls.splice(0)).toEqual([])
  })
})

describe('a JSON fixture that is kept on disk', () => {
  const rich = (balance: number) => ({ accounts: { [STRANGER]: { name: 'rich', balance } } })

  it('is built anew when the file says something else', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'preseal-')), 'rich.json')
    const use = async () => (await fixtureFromJson<'rich'>(file, { cache: folder }).use()).devnet
    for (const balance of [5, 6, 5]) {
      await writeFile(file, JSON.stringify(rich(balance)))
      expect(await ask(await use(), 'eth_getBalance', STRANGER)).toBe(`0x${balance}`)
    }
    expect(await readdir(folder)).toHaveLength(2)
  })
})
