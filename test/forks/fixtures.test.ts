/** Fixtures and served chains on a network: the node is asked once, whatever the number of tests and chains. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import market, { type Market } from '../../fixtures/market.ts'
import { createDevnet, type Devnet, serveChains } from '../../src/index.ts'
import { defineFixture, fixtureFromJson } from '../../src/testing/index.ts'
import { askAt } from '../support/clients/askAt.ts'
import { ask } from '../support/clients/clients.ts'
import { askedOf, failure } from '../support/nodes/networkOf.ts'
import { startCli } from '../support/processes/process.ts'

const RICH = '0x00000000000000000000000000000000000f1c41'

let network: Devnet
let where: Market
let url: string
let folder: string

const balance = (devnet: Devnet, at: string) => ask(devnet, 'eth_getBalance', at, 'latest')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'preseal-forks-'))
  network = await createDevnet({ rhythm: 'manual', chainId: 4242 })
  where = await market(network)
  await ask(network, 'anvil_setBalance', RICH, '0x77')
  await network.mine()
  url = (await network.listen({ port: 0 })).url
})

afterAll(async () => {
  await network.close()
  rmSync(folder, { recursive: true })
})

describe('a fixture', () => {
  it('of code is built once on a fork of the network, and each test has its own', async () => {
    const { provider, asked } = askedOf(network)
    const fixture = defineFixture(
      async (devnet) => {
        await devnet.send({ to: RICH, value: 1n })
        return { rich: RICH }
      },
      { devnet: { fork: { provider, block: 5 } } },
    )
    const first = await fixture.use()
    await first.devnet.send({ to: RICH, value: 5n })
    asked.length = 0
    const second = await fixture.use()
    expect([await balance(first.devnet, RICH), await balance(second.devnet, RICH)]).toEqual(['0x7d', '0x78'])
    expect(asked).toEqual([])
    // What the one fetches the other has.
    await ask(first.devnet, 'eth_getCode', where.gold, 'latest')
    asked.length = 0
    expect(await ask(second.devnet, 'eth_getCode', where.gold, 'latest')).toMatch(/^0x60/)
    expect(asked).toEqual([])
  })

  it('of code is kept on disk, and loaded from there', async () => {
    let builds = 0
    const fixture = () =>
      defineFixture(
        async (devnet) => {
          builds++
          await devnet.send({ to: RICH, value: 1n })
        },
        { name: 'onNetwork', cache: folder, devnet: { fork: { url, block: 5 } } },
      )
    for (let i = 0; i < 2; i++) {
      const { devnet } = await fixture().use()
      expect(await balance(devnet, RICH)).toBe('0x78')
      expect(await ask(devnet, 'eth_getCode', where.gold, 'latest')).toMatch(/^0x60/)
    }
    expect(builds).toBe(1)
  })

  it('of JSON names its network, in the file or beside it', async () => {
    const json = { fork: { url, block: 5 }, transactions: [{ to: RICH, value: '1' }] }
    const file = join(folder, 'fixture.json')
    writeFileSync(file, JSON.stringify(json))
    const { fork: _, ...without } = json
    for (const fixture of [
      fixtureFromJson(json),
      fixtureFromJson(file),
      fixtureFromJson(without, { devnet: { fork: { provider: network, block: 5 } } }),
    ]) {
      const { devnet } = await fixture.use()
      expect(await balance(devnet, RICH)).toBe('0x78')
    }
    await using plain = await createDevnet({ rhythm: 'manual' })
    expect(await failure(fixtureFromJson(json)(plain))).toContain('fork: expected a devnet on a network')
    await using forked = await createDevnet({ rhythm: 'manual', fork: { provider: network } })
    await fixtureFromJson(json)(forked)
    expect(await balance(forked, RICH)).toBe('0x78')
  })
})

describe('served chains', () => {
  it('are forks of one fork, and ask the network once', async () => {
    const { provider, asked } = askedOf(network)
    await using base = await createDevnet({ rhythm: 'manual', fork: { provider, block: 5 } })
    await using server = await serveChains(base, { port: 0 })
    const chains = [1, 2, 3].map((i) => `${server.url}/c/test${i}`)
    expect(await askAt(chains[0]!, 'eth_getBalance', RICH, 'latest')).toBe('0x77')
    await askAt(chains[0]!, 'anvil_setBalance', RICH, '0x1')
    asked.length = 0
    expect(await Promise.all(chains.map((at) => askAt(at, 'eth_getBalance', RICH, 'latest')))).toEqual([
      '0x1',
      '0x77',
      '0x77',
    ])
    expect(asked).toEqual([])
    // One chain begins on another block, and has another node; the others stay.
    await askAt(chains[1]!, 'anvil_reset', { forking: { blockNumber: 2 } })
    expect(await askAt(chains[1]!, 'eth_blockNumber')).toBe('0x2')
    expect(await askAt(chains[2]!, 'eth_blockNumber')).toBe('0x5')
    await server.reset('test1')
    expect(await askAt(chains[0]!, 'eth_getBalance', RICH, 'latest')).toBe('0x77')
  })

  it('of the command line begin on the network that flags or a config name', async () => {
    const config = join(folder, 'preseal.config.mjs')
    writeFileSync(
      config,
      `export default { fork: { url: ${JSON.stringify(url)}, block: 5 }, rhythm: 'manual' }`,
    )
    for (const flags of [
      ['--fork-url', `${url}@5`, '--rhythm', 'manual'],
      ['--config', config],
    ]) {
      const cli = startCli('serve', '--port', '0', '--json', ...flags)
      const [line] = await cli.printed(/^\{"event":"listening".*\}$/m)
      const { url: at } = JSON.parse(line) as { url: string }
      expect(await askAt(`${at}/c/one`, 'eth_getBalance', RICH, 'latest')).toBe('0x77')
      expect(await askAt(`${at}/c/two`, 'eth_chainId')).toBe('0x1092')
      cli.kill('SIGINT')
      expect((await cli.ended).code).toBe(0)
    }
  })
})
