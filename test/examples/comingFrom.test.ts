/** What the page for users of anvil, Hardhat and ganache says is here, is here, and nothing of theirs is left out. */
import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import plugin from '@nomicfoundation/hardhat-network-helpers'
import { createDevnet } from 'preseal'
import { type Hex, parseEther } from 'viem'
import { describe, expect, it, test } from 'vitest'
import { foundryBinary, foundryVersion } from '../../scripts/foundry.ts'
import { OPTIONS } from '../../src/options/options.ts'
import { pay } from '../support/chains/watched.ts'
import { ask, STRANGER, ZERO_HASH } from '../support/clients/clients.ts'
import { PAGES, rowsOf, spansOf } from '../support/docs/pages.ts'
import { startCli } from '../support/processes/process.ts'

const page = PAGES.get('docs/coming-from.md')!
const HEADINGS = ['anvil', 'Hardhat', 'ganache'] as const

const hasAnvil = foundryVersion('anvil') !== undefined

/** Flags that begin with two dashes, in code. */
function flagsIn(cell: string): string[] {
  return spansOf(cell).flatMap((span) => span.match(/^--[\w.-]+/) ?? [])
}

describe('the page for users of other devnets', () => {
  // Absent where its binary does not run.
  it.runIf(hasAnvil)('has each flag of anvil, once', () => {
    const help = execFileSync(foundryBinary('anvil')!, ['--help'], { encoding: 'utf8' })
    const theirs = [...help.matchAll(/^ {2,6}(?:-\w, )?(--[a-z0-9-]+)/gm)].map(([, flag]) => flag!)
    const known = theirs.filter((flag) => !['--help', '--version'].includes(flag))
    expect(
      rowsOf(page, 'anvil')
        .flatMap(([flag]) => flagsIn(flag!))
        .sort(),
    ).toEqual(known.sort())
  })

  it('sends to flags that are here', async () => {
    const { stdout } = await startCli('--help').ended
    const ours = new Set(stdout.match(/--[\w-]+/g))
    const sent = HEADINGS.flatMap((heading) => rowsOf(page, heading).flatMap((row) => flagsIn(row.at(-1)!)))
    expect(sent.filter((flag) => !ours.has(flag))).toEqual([])
  })

  it('says of flags that they are the same only where they are', async () => {
    const { stdout } = await startCli('--help').ended
    const ours = new Set(stdout.match(/--[\w-]+/g))
    const same = rowsOf(page, 'anvil').filter(([, here]) => here!.startsWith('the same'))
    expect(same.flatMap(([flag]) => flagsIn(flag!)).filter((flag) => !ours.has(flag))).toEqual([])
  })

  it('sends to options that are here', () => {
    const cells = HEADINGS.flatMap((heading) => rowsOf(page, heading).map((row) => row.at(-1)!))
    const named = cells.flatMap((cell) => [...cell.matchAll(/options? `(\w+)`/g)].map(([, name]) => name))
    const given = cells.flatMap((cell) =>
      spansOf(cell).flatMap((span) => [...span.matchAll(/(\w+): ['\d]/g)]),
    )
    const all = [...named, ...given.map(([, name]) => name)]
    expect(all.length).toBeGreaterThan(8)
    expect(all.filter((name) => !Object.hasOwn(OPTIONS, name!))).toEqual([])
  })

  it('has each of Hardhat’s network helpers', async () => {
    const { networkHelpers } = await connected()
    const own = (value: object) =>
      [...Object.keys(value), ...Object.getOwnPropertyNames(Object.getPrototypeOf(value))].filter(
        (name) => name !== 'constructor' && !name.startsWith('#'),
      )
    const helpers = own(networkHelpers).filter((name) => name !== 'time')
    const times = own((networkHelpers as { time: object }).time).map((name) => `time.${name}`)
    const shown = rowsOf(page, 'Hardhat').flatMap(([helper]) => spansOf(helper!))
    expect([...helpers, ...times].filter((name) => !shown.includes(name))).toEqual([])
  })
})

/** A connection as Hardhat hands it to its plugins. */
async function connected(): Promise<{ networkHelpers: object }> {
  const hooks = await plugin.hookHandlers!.network!()
  const { newConnection } = await hooks.default()
  const connection = { provider: { request: async () => null }, networkName: 'devnet' }
  return (await newConnection!({} as never, async () => connection as never)) as never
}

describe('what is different', () => {
  it('is no receipt: it comes with the sealed block', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const hash = await pay(devnet)
    await devnet.tick()
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toBeNull()
    await devnet.tick()
    const { hash: blockHash } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ blockHash })
  })

  it('is a receipt that has no block hash yet, where the chain stands in for one with Flashblocks', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual', receipts: 'preconfirmed' })
    const hash = await pay(devnet)
    await devnet.tick()
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ blockHash: ZERO_HASH })
  })

  it('is gone under the rhythm "instant"', async () => {
    await using devnet = await createDevnet({ rhythm: 'instant' })
    const hash = await pay(devnet)
    const { blockHash } = await ask<{ blockHash: Hex }>(devnet, 'eth_getTransactionReceipt', hash)
    expect(blockHash).toBe((await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', '0x1', false)).hash)
  })

  it('is not who has how much: the first account is that of anvil and Hardhat', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const { address } = devnet.accounts[0]!
    expect(address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(BigInt(await ask<Hex>(devnet, 'eth_getBalance', address))).toBe(parseEther('10000'))
    expect(devnet.settings.chainId).toBe(31337)
  })

  it('is time under the manual clock, which stands at the beginning of 2025', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const { timestamp } = await ask<{ timestamp: Hex }>(devnet, 'eth_getBlockByNumber', '0x0', false)
    expect(new Date(Number(timestamp) * 1_000).toISOString()).toBe('2025-01-01T00:00:00.000Z')
  })

  it('is over how many blocks logs can be asked for', async () => {
    const all = { fromBlock: '0x0', toBlock: 'latest' }
    await using devnet = await createDevnet({ rhythm: 'manual' })
    await ask(devnet, 'anvil_mine', 2_000)
    await expect(ask(devnet, 'eth_getLogs', all)).rejects.toThrow()
    await using open = await createDevnet({ rhythm: 'manual', logRangeLimit: 0 })
    await ask(open, 'anvil_mine', 2_000)
    expect(await ask(open, 'eth_getLogs', all)).toEqual([])
  })

  it('is how much gas a transaction may have, and how long code may be', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    await expect(pay(devnet, 0, { gas: '0x1000001' })).rejects.toThrow()
    await expect(pay(devnet, 0, { gas: '0x1000000' })).resolves.toBeDefined()
    const creating = (bytes: number) => `0x61${bytes.toString(16)}5ff3` // PUSH2 bytes PUSH0 RETURN
    const call = (data: string) => ask(devnet, 'eth_call', { data, gas: '0x1000000' })
    await expect(call(creating(24_577))).rejects.toThrow()
    expect(await call(creating(24_576))).toHaveLength(2 + 2 * 24_576)
  })

  it('is that a network with another chain id needs another devnet', async () => {
    await using network = await createDevnet({ rhythm: 'manual', chainId: 5 })
    const { url } = await network.listen({ port: 0 })
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const forking = { forking: { jsonRpcUrl: url } }
    await expect(ask(devnet, 'hardhat_reset', forking)).rejects.toThrow('has the chain id 5')
  })

  it('is that what would fail is refused at its estimate, and fails in a block where gas is given', async () => {
    await using devnet = await createDevnet({ rhythm: 'instant' })
    await ask(devnet, 'anvil_setCode', STRANGER, '0x5f5ffd') // PUSH0 PUSH0 REVERT
    const [from] = devnet.accounts
    const fields = { from: from!.address, to: STRANGER }
    await expect(ask(devnet, 'eth_sendTransaction', fields)).rejects.toThrow()
    const hash = await ask(devnet, 'eth_sendTransaction', { ...fields, gas: '0x186a0' })
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x0' })
  })
})

const dumped = 'fixtures/stateFiles/anvil.json'

test('a state file of anvil goes on here', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  await devnet.load(createReadStream(dumped)) // or preseal --load-state
  const newest = await devnet.request({ method: 'eth_blockNumber' })
  expect(Number(newest)).toBeGreaterThan(0)
})
