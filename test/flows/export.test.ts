/** A chain goes out as a file and a genesis.json, and comes back the same, here and in EthereumJS. */

import { createReadStream, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import market from '../../fixtures/market.ts'
import { toHex } from '../../src/bytes/hex.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { PREDEPLOYS, SYSTEM_CONTRACTS } from '../../src/model/bytecode/predeploys.ts'
import { HARDFORKS } from '../../src/model/hardfork/hardfork.ts'
import { hashOf } from '../support/chains/alteredBlocks.ts'
import { chain, expectHead, standingAt } from '../support/chains/imports.ts'
import { GENESIS, LENGTH } from '../support/chains/minedChain.ts'
import { type GenesisJson, genesisBlockOf, Verifier } from '../support/chains/miner.ts'
import { Mixture } from '../support/chains/mixture.ts'
import { sign } from '../support/chains/signing.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, started } from '../support/clients/clients.ts'
import { type Random, withRandom } from '../support/random/random.ts'

/** The genesis.json as a file would have it. */
function genesisOf(devnet: Devnet): GenesisJson {
  return JSON.parse(JSON.stringify(devnet.genesis())) as GenesisJson
}

function fileOf(devnet: Devnet): Buffer {
  return Buffer.concat([...devnet.export()])
}

/** Another devnet that begins as this one did, and has taken in what it exports. */
async function copyOf(devnet: Devnet, options: DevnetOptions = {}): Promise<Devnet> {
  const copy = await started({ genesis: genesisOf(devnet), rhythm: 'manual', ...options })
  await copy.import(devnet.export(), { rules: 'devnet' })
  return copy
}

/** All that anybody may ask of the newest block, with all transactions. */
function latest(devnet: Devnet): Promise<unknown> {
  return ask(devnet, 'eth_getBlockByNumber', 'latest', true)
}

/** Makes `length` blocks with about as many transactions, of all kinds that the hardfork has. */
async function fill(devnet: Devnet, random: Random, length: number, perBlock: number): Promise<void> {
  const { hardfork, systemContracts } = devnet.settings
  const mixture = new Mixture(random, hardfork!, devnet.accounts, systemContracts)
  for (let i = 0; i < length; i++) {
    for (let left = perBlock; random.chance(left); left--) {
      await ask(devnet, 'eth_sendRawTransaction', toHex((await mixture.next()).raw))
    }
    await devnet.tick()
  }
}

describe('an exported chain', () => {
  it('comes back byte for byte: the market', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const places = await market(devnet)
    const copy = await copyOf(devnet)
    expect(fileOf(copy)).toEqual(fileOf(devnet))
    expect(await latest(copy)).toEqual(await latest(devnet))
    for (const address of Object.values(places)) {
      const [theirs, ours] = await Promise.all([devnet, copy].map((one) => ask(one, 'eth_getCode', address)))
      expect(ours).toBe(theirs)
    }
  })

  it(
    'comes back byte for byte: a thousand random blocks',
    withRandom(async (random) => {
      const devnet = await started({ rhythm: 'manual', ticksPerBlock: 0, coinbase: random.hex(20) })
      await fill(devnet, random, 1_000, 0.3)
      const copy = await copyOf(devnet)
      expect(await ask(copy, 'eth_blockNumber')).toBe('0x3e8')
      expect(await latest(copy)).toEqual(await latest(devnet))
      expect(fileOf(copy).equals(fileOf(devnet))).toBe(true)
    }),
  )

  it('comes back byte for byte: what others mined', async () => {
    expect(fileOf(await standingAt(LENGTH)).equals(chain.file)).toBe(true)
  })

  it.each(HARDFORKS)('of %s is one that EthereumJS would have made', (hardfork) =>
    withRandom(async (random) => {
      const isNew = hardfork === 'prague' || hardfork === 'osaka'
      const options = { hardfork, systemContracts: isNew, coinbase: random.hex(20), timestamp: 1_700_000_000 }
      const devnet = await started({ rhythm: 'manual', ticksPerBlock: 0, ...options })
      await fill(devnet, random, 8, 2)
      const copy = await copyOf(devnet)
      expect(fileOf(copy)).toEqual(fileOf(devnet))
      const verifier = await Verifier.start(genesisOf(devnet))
      for (const encoded of devnet.export()) expect(await verifier.accept(encoded)).toBe(hashOf(encoded))
    })(),
  )

  it('is a stream of blocks, each made when it is asked for', async () => {
    const devnet = await started({ rhythm: 'manual' })
    for (let i = 0; i < 3; i++) await devnet.mine()
    const exported = devnet.export()
    // What is sealed later belongs to the next export.
    await devnet.mine()
    expect([...exported]).toHaveLength(3)
    expect([...devnet.export()]).toHaveLength(4)
    const [first] = devnet.export()
    expect(hashOf(first!)).toBe((await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', '0x1', false)).hash)
  })

  it('goes through a file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'preseal-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const path = join(directory, 'chain.rlp')
    const devnet = await started({ rhythm: 'manual' })
    for (let i = 0; i < 5; i++) await devnet.mine()
    writeFileSync(path, fileOf(devnet))
    const copy = await started({ genesis: genesisOf(devnet), rhythm: 'manual' })
    const stream = createReadStream(path, { highWaterMark: 100 })
    expect(await copy.import(stream, { rules: 'devnet' })).toEqual({ imported: 5, known: 0 })
    expect(stream.destroyed).toBe(true)
    expect(await latest(copy)).toEqual(await latest(devnet))
  })

  it('is empty where nothing was sealed', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.tick()
    expect(fileOf(devnet)).toHaveLength(0)
  })

  it('has to have all its blocks', async () => {
    const devnet = await started({ rhythm: 'manual', history: { blocks: 3 } })
    for (let i = 0; i < 3; i++) await devnet.mine()
    expect([...devnet.export()]).toHaveLength(3)
    await devnet.mine()
    expect(() => devnet.export()).toThrow(RangeError)
    expect(() => devnet.export()).toThrow(/^export: blocks 1 to 1 were pruned/)
  })

  it('goes on, in the copy, as it would have gone on', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await market(devnet)
    const copy = await copyOf(devnet)
    const next = async (one: Devnet) => {
      const { raw } = sign(devnet.accounts[3]!, { to: devnet.accounts[4]!.address, value: 5n })
      const transaction = await ask<Hex>(one, 'eth_sendRawTransaction', toHex(raw))
      await one.mine()
      const { stateRoot, timestamp, number } = (await latest(one)) as Record<string, Hex>
      return { transaction, stateRoot, timestamp, number }
    }
    expect(await next(copy)).toEqual(await next(devnet))
  })

  it('brings a fork to where its parent went', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const fork = devnet.fork()
    onTestFinished(() => fork.close())
    await market(devnet)
    expect(await fork.import(devnet.export(), { rules: 'devnet' })).toEqual({ imported: 4, known: 0 })
    expect(await latest(fork)).toEqual(await latest(devnet))
  })
})

describe('the genesis.json of a devnet', () => {
  it.each(HARDFORKS)('of %s has the same block 0, here and for EthereumJS', async (hardfork) => {
    const systemContracts = hardfork === 'prague' || hardfork === 'osaka'
    const options = {
      hardfork,
      systemContracts,
      coinbase: `0x${'c0'.repeat(20)}`,
      accounts: 3,
      baseFee: 7n,
    } as const
    const devnet = await started({ ...options, rhythm: 'manual', gasLimit: 12_345_678n, chainId: 2 ** 40 })
    const genesis = genesisOf(devnet)
    const copy = await started({ genesis, rhythm: 'manual' })
    const first = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', '0x0', true)
    expect(await ask(copy, 'eth_getBlockByNumber', '0x0', true)).toEqual(first)
    expect(toHex((await genesisBlockOf(genesis)).hash())).toBe(first.hash)
    expect(await ask(copy, 'eth_chainId')).toBe('0x10000000000')
    expect(copy.hardfork).toBe(hardfork)
    // And once more: a copy's copy.
    expect(genesisOf(copy)).toEqual(genesis)
    const accounts = [...devnet.accounts, ...PREDEPLOYS, ...(systemContracts ? SYSTEM_CONTRACTS : [])]
    expect(Object.keys(genesis.alloc).sort()).toEqual(accounts.map(({ address }) => onWire(address)).sort())
  })

  it('is that of the beginning, whatever happened since', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const before = genesisOf(devnet)
    await market(devnet)
    expect(genesisOf(devnet)).toEqual(before)
  })

  it('of an imported chain is the one that it began with', async () => {
    const devnet = await standingAt(LENGTH)
    const copy = await copyOf(devnet)
    await expectHead(copy, LENGTH)
    expect(toHex((await genesisBlockOf(genesisOf(devnet))).hash())).toBe(toHex(chain.genesisBlock.hash()))
    const { alloc, config } = genesisOf(devnet)
    expect(new Set(Object.keys(alloc))).toEqual(new Set(Object.keys(GENESIS.alloc)))
    // That blocks were mined is no rule.
    expect({ ...config, ethash: {} }).toEqual(GENESIS.config)
  })
})
