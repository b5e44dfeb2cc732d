/** A chain is written down, and goes on elsewhere as if it had always been there. */
import { createReadStream, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import market from '../../fixtures/market.ts'
import { type Address, fromHex, type Hex, toHex } from '../../src/bytes/hex.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { HARDFORKS } from '../../src/model/hardfork/hardfork.ts'
import { standingAt } from '../support/chains/imports.ts'
import { GENESIS, LENGTH } from '../support/chains/minedChain.ts'
import { Mixture } from '../support/chains/mixture.ts'
import { sign } from '../support/chains/signing.ts'
import { dumped, everything, linesOf, loaded } from '../support/chains/stateFiles.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const OTHER: Address = '0x000000000000000000000000000000000000a11e'

/** That a file of `devnet` makes another one that is the same in all that can be asked, and in what it writes. */
async function expectSame(devnet: Devnet, options: DevnetOptions = {}): Promise<Devnet> {
  const file = dumped(devnet)
  const copy = await loaded(file, options)
  expect(await everything(copy)).toEqual(await everything(devnet))
  expect(dumped(copy).toString()).toBe(file.toString())
  return copy
}

/** Does one of the things that make a chain what it is. */
async function step(devnet: Devnet, random: Random, mixture: Mixture): Promise<void> {
  const accounts = [STRANGER, OTHER, devnet.accounts[0]!.address]
  const slot = `0x${random.below(3)}`
  const doings: (() => Promise<unknown>)[] = [
    () => devnet.tick(),
    () => devnet.tick(),
    async () => ask(devnet, 'eth_sendRawTransaction', toHex((await mixture.next()).raw)),
    async () => ask(devnet, 'eth_sendRawTransaction', toHex((await mixture.next()).raw)),
    () => ask(devnet, 'anvil_setBalance', random.pick([STRANGER, OTHER]), random.pick(['0x0', '0x5', '0x7'])),
    () =>
      ask(devnet, 'anvil_setCode', random.pick([STRANGER, OTHER]), random.pick(['0x', '0x6001', '0x6002'])),
    () =>
      ask(
        devnet,
        'anvil_setStorageAt',
        random.pick(accounts),
        slot,
        `0x${'00'.repeat(31)}0${random.below(3)}`,
      ),
    () => ask(devnet, 'evm_increaseTime', random.below(100)),
    () => devnet.seal(),
  ]
  await random.pick(doings)()
}

describe('a chain', () => {
  it('comes back the same: the market', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const places = await market(devnet)
    const copy = await expectSame(devnet)
    for (const address of Object.values(places)) {
      expect(await ask(copy, 'eth_getCode', address)).toBe(await ask(devnet, 'eth_getCode', address))
    }
  })

  it(
    'comes back the same whatever was done to it, and goes on the same',
    withRandom(async (random) => {
      for (const ticksPerBlock of [0, 1, 3]) {
        const options = { ticksPerBlock, coinbase: random.hex(20), randaoSeed: random.hex(32) }
        const devnet = await started({ rhythm: 'manual', ...options })
        const mixture = new Mixture(random, 'osaka', devnet.accounts)
        for (let i = 0; i < 120; i++) await step(devnet, random, mixture)
        const copy = await expectSame(devnet, options)
        for (let i = 0; i < 20; i++) {
          const raw = toHex((await mixture.next()).raw)
          for (const one of [devnet, copy]) {
            await ask(one, 'eth_sendRawTransaction', raw)
            await one.tick()
          }
        }
        expect(dumped(copy).equals(dumped(devnet))).toBe(true)
      }
    }),
  )

  it.each(HARDFORKS)('comes back the same under %s', (hardfork) =>
    withRandom(async (random) => {
      const options = { hardfork, chainId: 31_337, timestamp: 1_700_000_000 }
      const devnet = await started({ rhythm: 'manual', ...options })
      const mixture = new Mixture(random, hardfork, devnet.accounts)
      for (let i = 0; i < 25; i++) await step(devnet, random, mixture)
      await expectSame(devnet, options)
    })(),
  )

  it('comes back the same that others mined, under many hardforks one after the other', async () => {
    const devnet = await standingAt(LENGTH)
    await expectSame(devnet, { genesis: GENESIS })
  })

  it('comes back the same that is alike and was made in another way', async () => {
    const devnet = await standingAt(LENGTH)
    const direct = await started({ genesis: GENESIS, rhythm: 'manual' })
    await direct.import(devnet.export())
    const fork = devnet.fork()
    onTestFinished(() => fork.close())
    expect(dumped(fork).equals(dumped(devnet))).toBe(true)
    // Its clock was moved in other steps.
    expect(linesOf(dumped(direct)).slice(0, -2)).toEqual(linesOf(dumped(devnet)).slice(0, -2))
  })

  it('has its past: the state after each block, and logs that are found', async () => {
    const devnet = await started({ rhythm: 'manual' })
    for (const balance of ['0x1', '0x2', '0x3']) {
      await devnet.mine()
      await ask(devnet, 'anvil_setBalance', STRANGER, balance)
    }
    const copy = await loaded(dumped(devnet))
    for (const [number, balance] of [
      ['0x0', '0x0'],
      ['0x1', '0x1'],
      ['0x2', '0x2'],
      ['0x3', '0x3'],
    ]) {
      expect(await ask(copy, 'eth_getBalance', STRANGER, number)).toBe(balance)
    }
  })

  it('has what was done to block 0 apart from its own state', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x5')
    const copy = await expectSame(devnet)
    expect(copy.genesis()).toEqual(devnet.genesis())
    await ask(copy, 'anvil_reset')
    expect(await ask(copy, 'eth_getBalance', STRANGER, 'latest')).toBe('0x0')
  })

  it('does not show what was done and undone', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const before = dumped(devnet)
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x5')
    await ask(devnet, 'anvil_setStorageAt', STRANGER, '0x1', `0x${'00'.repeat(31)}01`)
    expect(dumped(devnet).equals(before)).toBe(false)
    await ask(devnet, 'anvil_setStorageAt', STRANGER, '0x1', `0x${'00'.repeat(32)}`)
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x0')
    // It exists now, with nothing.
    expect(linesOf(dumped(devnet))).toHaveLength(linesOf(before).length + 2)
  })

  it('has large storages and code that many have', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const storage = Object.fromEntries(
      Array.from({ length: 2_500 }, (_, i) => [`0x${(i + 1).toString(16)}`, `0x${(i + 7).toString(16)}`]),
    )
    const code = '0x60016002'
    const alloc = { [STRANGER]: { balance: '0x1', storage, code }, [OTHER]: { balance: '0x1', code } }
    const genesis = { ...devnet.genesis(), alloc }
    const large = await started({ rhythm: 'manual', genesis })
    await expectSame(large, { genesis })
    const lines = linesOf(dumped(large))
    expect(lines.filter((line) => line.includes(STRANGER))).toHaveLength(3)
    expect(lines.filter((line) => line.includes(code))).toHaveLength(1)
  })

  it('has no more than what was kept', async () => {
    const options = { history: { blocks: 5 } }
    const devnet = await started({ rhythm: 'manual', ...options })
    const [from, to] = devnet.accounts.map(({ address }) => address)
    for (let i = 0; i < 1_020; i++) {
      if (i % 10 === 0) await ask(devnet, 'eth_sendTransaction', { from, to, value: '0x1' })
      await devnet.mine()
    }
    const file = dumped(devnet)
    const copy = await loaded(file, options)
    expect(dumped(copy).equals(file)).toBe(true)
    for (const at of ['0x0', '0x1', '0x3f7', '0x3f8', '0x3f9', '0x3fc']) {
      const [theirs, ours] = await Promise.all(
        [devnet, copy].map((one) =>
          ask(one, 'eth_getBlockByNumber', at, true).catch(({ code, data }) => ({ code, data })),
        ),
      )
      expect(ours).toEqual(theirs)
    }
    await Promise.all([devnet.mine(), copy.mine()])
    expect(dumped(copy).equals(dumped(devnet))).toBe(true)
    const keepingLess = await loaded(file, { history: { blocks: 2 } })
    expect(await ask(keepingLess, 'eth_getBlockByNumber', '0x3fa', false).catch(({ code }) => code)).toBe(
      4444,
    )
  })

  it('has what is pre-confirmed, what waits in its order, and what is bent', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 4 })
    const [alice, bob, carol] = devnet.accounts.map(({ address, privateKey }) => ({
      address: address as Address,
      privateKey,
    }))
    await ask(devnet, 'anvil_setBalance', STRANGER, '0xde0b6b3a7640000')
    await ask(devnet, 'anvil_impersonateAccount', STRANGER)
    await ask(devnet, 'eth_sendTransaction', { from: STRANGER, to: OTHER, value: '0x1' })
    await devnet.tick()
    await devnet.tick()
    // Waiting: one after a gap, two that could run, of which the later pays more.
    for (const transaction of [
      sign(carol!, { nonce: 7n }),
      sign(alice!, { nonce: 0n }),
      sign(bob!, { nonce: 0n, maxPriorityFeePerGas: 5n * 10n ** 9n }),
    ]) {
      await ask(devnet, 'eth_sendRawTransaction', toHex(transaction.raw))
    }
    await ask(devnet, 'eth_sendTransaction', { from: STRANGER, to: OTHER, value: '0x2' })
    await ask(devnet, 'evm_setNextBlockTimestamp', 1_900_000_000)
    await ask(devnet, 'anvil_setNextBlockBaseFeePerGas', '0x9')
    await ask(devnet, 'anvil_setPrevRandao', `0x${'77'.repeat(32)}`)
    await ask(devnet, 'evm_setBlockGasLimit', '0x1000000')
    await ask(devnet, 'anvil_setCoinbase', OTHER)
    await ask(devnet, 'anvil_setBlockTimestampInterval', 12)
    const copy = await expectSame(devnet, { ticksPerBlock: 4 })
    for (let i = 0; i < 12; i++) await Promise.all([devnet.tick(), copy.tick()])
    expect(await everything(copy)).toEqual(await everything(devnet))
    expect(await ask(copy, 'eth_getTransactionCount', STRANGER, 'latest')).toBe('0x2')
  })

  it('can be written of a devnet that was loaded from another kind of options', async () => {
    const devnet = await started({ rhythm: 'manual', hardfork: 'prague' })
    await devnet.mine()
    const { config } = devnet.genesis() as { config: object }
    const copy = await loaded(dumped(devnet), { genesis: { config, alloc: {} } })
    expect(dumped(copy).equals(dumped(devnet))).toBe(true)
    expect(copy.hardfork).toBe('prague')
  })

  it('keeps a block 0 with more extra data than any other block may have', async () => {
    const base = await started({ rhythm: 'manual' })
    const genesis = { ...base.genesis(), extraData: `0x${'ab'.repeat(97)}` }
    await expectSame(await started({ rhythm: 'manual', genesis }), { genesis })
  })
})

describe('a dump', () => {
  it('is of the moment it was asked for, however slowly it is read', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const [from, to] = devnet.accounts.map(({ address }) => address)
    await ask(devnet, 'eth_sendTransaction', { from, to, value: '0x1' })
    const before = dumped(devnet)
    const dump = devnet.dump()
    await devnet.mine()
    await ask(devnet, 'anvil_setBalance', to, '0x1')
    expect(Buffer.concat([...dump]).equals(before)).toBe(true)
  })

  it('comes in pieces of a size that does not grow with the chain', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.advance({ ms: 400_000 })
    const sizes = [...devnet.dump()].map(({ length }) => length)
    expect(sizes.length).toBeGreaterThan(10)
    expect(Math.max(...sizes)).toBeLessThan(100_000)
  })

  it('ends with the number of its lines and their sha256', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const text = dumped(devnet).toString()
    const lines = text.trimEnd().split('\n')
    const before = text.slice(0, text.lastIndexOf('{"end"'))
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(before))
    expect(JSON.parse(lines.at(-1)!)).toEqual({
      end: lines.length - 1,
      sha256: Buffer.from(digest).toString('hex'),
    })
  })
})

describe('loading', () => {
  it('takes bytes, pieces of any size, streams, and what gzip packed', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await market(devnet)
    const file = dumped(devnet)
    const packed = gzipSync(file)
    const folder = await mkdtemp(join(tmpdir(), 'preseal-state-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    writeFileSync(join(folder, 'state'), file)
    const bytewise = function* (bytes: Uint8Array, size: number) {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const sources = [
      file,
      new Uint8Array(file),
      devnet.dump(),
      bytewise(file, 1_000),
      bytewise(file.subarray(), 7),
      createReadStream(join(folder, 'state')),
      packed,
      bytewise(packed, 5),
    ]
    for (const source of sources) {
      const copy = await started({ rhythm: 'manual' })
      await copy.load(source)
      expect(dumped(copy).equals(file)).toBe(true)
    }
  })

  it('answers the newest block', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    const { hash } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    const copy = await started({ rhythm: 'manual' })
    expect(await copy.load(devnet.dump())).toEqual({ number: 1n, hash })
  })

  it('lets the chain go on meanwhile, and then takes its place as a whole', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.advance({ ms: 100_000 })
    const file = dumped(devnet)
    const copy = await started({ rhythm: 'manual' })
    await copy.mine()
    const numbers = new Set<unknown>()
    let isLoaded = false
    const loading = copy.load(file).then(() => {
      isLoaded = true
    })
    while (!isLoaded) {
      numbers.add(await ask(copy, 'eth_blockNumber'))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await loading
    expect([...numbers]).toEqual(['0x1'])
    expect(dumped(copy).equals(file)).toBe(true)
  })

  it('lets go of what it did not read to its end, and passes on what it throws', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const file = dumped(devnet)
    let isReturned = false
    const source = async function* () {
      try {
        yield Buffer.from('{"preseal":"state","version":99}\n')
        yield file
      } finally {
        isReturned = true
      }
    }
    await expect(devnet.load(source())).rejects.toThrow('version')
    expect(isReturned).toBe(true)
    for (const packed of [file, gzipSync(file)]) {
      const failing = async function* () {
        yield packed.subarray(0, 500)
        throw new Error('the disk is gone')
      }
      await expect(devnet.load(failing())).rejects.toThrow('the disk is gone')
    }
    await expect(devnet.load('text' as never)).rejects.toThrow(TypeError)
  })

  it('leaves snapshots that go back to what was before', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await ask(devnet, 'anvil_setBalance', STRANGER, '0x5')
    const id = await ask(devnet, 'evm_snapshot')
    const mark = devnet.snapshot()
    await devnet.load((await started({ rhythm: 'manual' })).dump())
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x0')
    expect(await ask(devnet, 'evm_revert', id)).toBe(true)
    expect(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')).toBe('0x5')
    await devnet.restore(mark)
  })
})

describe('time', () => {
  it('that stands is what it was in the file', async () => {
    const devnet = await started({ rhythm: 'manual', timestamp: 1_800_000_000 })
    await ask(devnet, 'evm_increaseTime', 100)
    const copy = await loaded(dumped(devnet))
    expect(await ask(copy, 'evm_increaseTime', 1)).toBe(101)
    await copy.mine()
    const { timestamp } = await ask<{ timestamp: Hex }>(copy, 'eth_getBlockByNumber', 'latest', false)
    expect(Number(timestamp)).toBe(1_800_000_101)
  })

  it('that runs goes on, and is not behind that of the file', async () => {
    const secondsOf = async (devnet: Devnet) => {
      await devnet.mine()
      return Number(
        (await ask<{ timestamp: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)).timestamp,
      )
    }
    const future = 4_000_000_000
    const past = await started({ rhythm: 'manual', timestamp: 1_000_000_000 })
    const ahead = await started({ rhythm: 'manual', timestamp: future })
    for (const rhythm of ['instant', 'interval'] as const) {
      const now = Math.floor(Date.now() / 1_000)
      const seconds = await secondsOf(await loaded(dumped(past), { rhythm }))
      expect(seconds).toBeGreaterThanOrEqual(now)
      expect(seconds).toBeLessThan(future)
      expect(await secondsOf(await loaded(dumped(ahead), { rhythm }))).toBeGreaterThanOrEqual(future)
    }
  })

  it('that was set back is not behind the newest block where it runs', async () => {
    const devnet = await started({ rhythm: 'manual', timestamp: 4_000_000_000 })
    await ask(devnet, 'evm_setTime', 1_000_000_000)
    const copy = await loaded(dumped(devnet), { rhythm: 'instant' })
    await ask(copy, 'evm_mine')
    await ask(copy, 'evm_increaseTime', 5)
    await ask(copy, 'evm_mine')
    const { timestamp } = await ask<{ timestamp: Hex }>(copy, 'eth_getBlockByNumber', 'latest', false)
    expect(Number(timestamp)).toBeGreaterThanOrEqual(4_000_000_005)
  })
})

describe('anvil_dumpState and anvil_loadState', () => {
  it('pack the same file, and take it packed or not', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await market(devnet)
    const file = dumped(devnet)
    const hex = await ask<Hex>(devnet, 'anvil_dumpState')
    expect(gunzipSync(fromHex(hex)).equals(file)).toBe(true)
    for (const state of [hex, toHex(file)]) {
      const copy = await started({ rhythm: 'manual' })
      expect(await ask(copy, 'anvil_loadState', state)).toBe(true)
      expect(dumped(copy).equals(file)).toBe(true)
    }
  })

  it('refuse what is none with the line, and what unpacks to more than the limit', async () => {
    const devnet = await started({ rhythm: 'manual', stateLimit: 100_000 })
    const refusal = (state: Hex) =>
      ask(devnet, 'anvil_loadState', state).catch(({ code, message }) => ({ code, message }))
    expect(await refusal('0x1234')).toEqual({
      code: -32602,
      message: expect.stringContaining('params[0]: line 1: expected a state file of preseal'),
    })
    expect(await refusal(toHex(gzipSync(dumped(devnet)).subarray(0, -9)))).toMatchObject({ code: -32602 })
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
    expect(bomb.length).toBeLessThan(100_000)
    expect(await refusal(toHex(bomb))).toEqual({
      code: -32602,
      message: expect.stringContaining('at most 100000 bytes in all (option stateLimit)'),
    })
  })
})
