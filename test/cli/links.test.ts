/** Links of what the command line prints: URLs of failed transactions, and links of terminals that have them. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress, type Hex } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { EventPrinter, type EventPrinterOptions } from '../../src/cli/eventPrinter.ts'
import { linked, uncontrolled, withLinks } from '../../src/cli/links.ts'
import { routeOf } from '../../src/page/routes.ts'
import { buy, openShop, SHOP } from '../support/chains/shop.ts'
import { askAt } from '../support/clients/askAt.ts'
import { ask } from '../support/clients/clients.ts'
import { PRESEAL, startNode } from '../support/processes/process.ts'

const PAGE = 'http://127.0.0.1:8545/'

/** A shop, and what is printed about it where there is a page, or none. */
async function reported(manner: Partial<EventPrinterOptions>, hasPage = true) {
  const scene = await openShop()
  const printed: string[] = []
  const reporter = new EventPrinter(
    scene.devnet,
    { format: 'text', trace: false, consoleLogs: false, ...manner },
    (line) => printed.push(line),
  )
  reporter.begin(hasPage ? PAGE : undefined)
  const lines = async () => {
    await reporter.flush()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours depend on where the tests run.
    return printed.splice(0).map((line) => line.replaceAll(/\u001b\[[\d;]*m/g, ''))
  }
  return { ...scene, lines }
}

/** A link as terminals have it (OSC 8). */
const link = (path: string, text: string) => `\u001b]8;;${PAGE}${path}\u001b\\${text}\u001b]8;;\u001b\\`
const addressLink = (address: string) => link(`address/${address}`, address)

describe('what is printed of a failed transaction', () => {
  it('has its URL in a line of its own, and no link on a terminal without links', async () => {
    const { devnet, send, lines } = await reported({})
    const hash = await send({ data: buy(9n) })
    await devnet.mine()
    const [block, failed, url] = await lines()
    expect([block, failed].join()).not.toContain('http')
    expect(url).toBe(`      ${PAGE}tx/${hash}`)
    expect(routeOf(new URL(url!.trim()).pathname)).toEqual({ view: 'transaction', hash })
  })

  it('has none without a page', async () => {
    const { devnet, send, lines } = await reported({ hasHyperlinks: true }, false)
    await send({ data: buy(9n) })
    await devnet.mine()
    const all = await lines()
    expect(all).toHaveLength(2)
    expect(all.join()).not.toContain('\u001b')
  })
})

it('programs get the URLs of blocks, of failed and of dropped transactions as `page`', async () => {
  const { devnet, send, lines } = await reported({ format: 'json', hasHyperlinks: true })
  const failed = await send({ data: buy(9n) })
  await devnet.mine()
  const dropped = await send({ data: buy(1n) })
  await ask(devnet, 'anvil_dropTransaction', dropped)
  const objects = (await lines()).map((line) => JSON.parse(line))
  const { hash } = objects[0]
  expect(objects).toMatchObject([
    {
      event: 'sealed',
      page: `${PAGE}block/${hash}`,
      failed: [{ hash: failed, page: `${PAGE}tx/${failed}` }],
    },
    { event: 'dropped', page: `${PAGE}tx/${dropped}` },
  ])
  expect(routeOf(new URL(objects[0].page).pathname)).toEqual({ view: 'block', id: hash })
})

describe('a terminal that has links', () => {
  it('gets them for the block, its hash, transactions and addresses', async () => {
    const { devnet, from, send, lines } = await reported({ hasHyperlinks: true })
    const hash = await send({ data: buy(1n) })
    await devnet.mine()
    const [block, bought] = await lines()
    const blockHash = /0x[0-9a-f]{64}/.exec(block!)![0]
    expect(block).toContain(link('block/1', 'block 1'))
    expect(block).toContain(link(`block/${blockHash}`, blockHash))
    expect(bought).toContain(
      `  ${link(`tx/${hash}`, hash)}  ${addressLink(getAddress(from))} → ${addressLink(getAddress(SHOP))}  0x`,
    )
    const dropped = await send({ data: buy(1n) })
    await ask(devnet, 'anvil_dropTransaction', dropped)
    expect(await lines()).toEqual([`  dropped ${link(`tx/${dropped}`, dropped)}: removed on request`])
  })

  it('gets them for addresses among arguments, coloured or not, and none for other data', () => {
    const manner = { pageUrl: PAGE, hasHyperlinks: true }
    const address = getAddress(SHOP)
    const word = `0x${'ab'.repeat(32)}` as const
    expect(withLinks(manner, `buy(at: ${address}, ${word})`)).toBe(
      `buy(at: ${addressLink(address)}, ${word})`,
    )
    expect(withLinks(manner, word, new Set([word]))).toBe(link(`tx/${word}`, word))
    for (const colour of ['\u001b[2m', '\u001b[1;31m', '\u001b[m']) {
      expect(withLinks(manner, `${colour}${address}\u001b[22m`)).toBe(
        `${colour}${addressLink(address)}\u001b[22m`,
      )
    }
    for (const other of [`${address}…`, `${address}00`, word, `m${address}`]) {
      expect(withLinks(manner, other)).toBe(other)
    }
    expect(linked({ ...manner, pageUrl: undefined }, 'block/1', '1')).toBe('1')
  })

  it('gets none of what a contract wrote to control it', async () => {
    const { devnet, send, lines } = await reported({ hasHyperlinks: true, consoleLogs: true })
    const evil = '\u001b]8;;http://evil.test\u001b\\0x\u0007\u009b2J'
    await send({ data: buy(1n, evil) })
    const [named] = Shop.abi.filter((item) => 'name' in item && item.name === 'buy')
    const inputs = named!.inputs.map((input) => ({ ...input, name: `${input.name}${evil}` }))
    const misnamed = { ...named!, inputs }
    devnet.abis.add({ abi: [misnamed] })
    await devnet.mine()
    const all = (await lines()).join('\n')
    expect(all).toContain('\\x1B]8;;http://evil.test')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: links to the page, which are ours.
    const others = all.replaceAll(/\u001b\]8;;(http:\/\/127\.0\.0\.1:8545\/[\w/]+)?\u001b\\/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(others).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })
})

it('of control characters, colours, tabs and ends of lines stay', () => {
  const kept = '\u001b[1;31mred\u001b[0m\tone\r\ntwo\r'
  expect(uncontrolled(kept)).toBe(kept)
  expect(uncontrolled('\u001b[2J\u001b]0;title\u0007\ra\u009b')).toBe('\\x1B[2J\\x1B]0;title\\x07\\x0Da\\x9B')
})

describe('preseal', () => {
  /** Starts it with a fixture that returns an address; FORCE_HYPERLINK stands for a terminal that has links. */
  async function started(...flags: string[]) {
    const file = join(await mkdtemp(join(tmpdir(), 'preseal-')), 'shop.mjs')
    await writeFile(file, `export default () => ({ shop: '${SHOP}' })`)
    const env = { ...process.env, NO_COLOR: '1', FORCE_HYPERLINK: '1' }
    const cli = startNode([PRESEAL[1], ...flags, '--port', '0', '--fixture', file], env)
    onTestFinished(() => cli.kill('SIGKILL'))
    const [, port] = await cli.printed(/^Listening on [^\n]*:(\d+)$/m)
    return { cli, url: `http://127.0.0.1:${port}` }
  }

  it('links accounts, and what a fixture returned, to the page', async () => {
    const { cli, url } = await started('--host', '0.0.0.0')
    for (const address of ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', SHOP]) {
      expect(cli.stdout).toContain(`\u001b]8;;${url}/address/${address}\u001b\\${address}\u001b]8;;\u001b\\`)
    }
  })

  it('prints no links with --no-page', async () => {
    const { cli } = await started('--no-page')
    expect(cli.stdout).toContain(SHOP)
    expect(cli.stdout).not.toContain('\u001b')
  })

  it('links to the page of the chain that it tells of', async () => {
    const { cli, url } = await started('serve', '--rhythm', 'instant')
    const chain = `${url}/c/alice`
    const [from] = await askAt<Hex[]>(chain, 'eth_accounts')
    // PUSH1 0 PUSH1 0 REVERT as init code.
    const fields = { from, gas: '0x186a0', data: '0x60006000fd' }
    const hash = await askAt<Hex>(chain, 'eth_sendTransaction', fields)
    const [, shown] = await cli.printed(/^alice {8}(http\S+)$/m)
    expect(shown).toBe(`${chain}/tx/${hash}`)
    expect(routeOf(shown!.slice(chain.length))).toEqual({ view: 'transaction', hash })
  })
})
