/** Fixtures from the command line: TypeScript, JavaScript and JSON, several in order, and what is wrong with them. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { type Running, startCli, withoutProgress } from '../support/processes/process.ts'

const running: Running[] = []

afterEach(() => {
  for (const process of running.splice(0)) process.kill('SIGKILL')
})

/** Files in a folder of their own; answers their paths. */
async function files(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-'))
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text)
  return Object.keys(texts).map((name) => join(folder, name))
}

function start(fixtures: readonly string[], ...flags: string[]): Running {
  const process = startCli('--port', '0', ...fixtures.flatMap((file) => ['--fixture', file]), ...flags)
  running.push(process)
  return process
}

/** What the values are once all is ready, by the names of the fixtures' files. */
async function valuesOf(...fixtures: string[]): Promise<unknown[]> {
  const process = start(fixtures, '--json')
  const [line] = await process.printed(/^\{"event":"listening".*\}$/m)
  return JSON.parse(line).fixtures.map(({ values }: { values: unknown }) => values)
}

const SOMEBODY = '0x7e5c0000000000000000000000000000000000aa'

describe('--fixture', () => {
  it('runs modules of every kind and JSON, in order, on the same devnet', async () => {
    const height = "Number(await devnet.request({ method: 'eth_blockNumber' }))"
    const fixtures = await files({
      'first.ts': `export default async (devnet: any): Promise<object> => { await devnet.mine(); return { a: ${height} } }`,
      'second.json': `{ "accounts": { "${SOMEBODY}": { "name": "b", "balance": 7 } }, "transactions": [{ "mine": 2 }] }`,
      'third.cjs': `module.exports = async (devnet) => ({ c: ${height} })`,
      'fourth.mjs': `export default async (devnet) => ({ d: ${height} })`,
      'compiled.cjs': `exports.__esModule = true; exports.default = async (devnet) => ({
        e: Number(await devnet.request({ method: 'eth_getBalance', params: ['${SOMEBODY}'] })),
      })`,
    })
    const process = start(fixtures, '--json', '--rhythm', 'manual')
    const [line] = await process.printed(/^\{"event":"listening".*\}$/m)
    expect(JSON.parse(line).fixtures).toEqual([
      { file: fixtures[0], values: { a: 1 } },
      { file: fixtures[1], values: { b: getAddress(SOMEBODY) } },
      { file: fixtures[2], values: { c: 3 } },
      { file: fixtures[3], values: { d: 3 } },
      { file: fixtures[4], values: { e: 7 } },
    ])
    expect(process.stderr).toBe('')
  })

  it('runs what defineFixture made, with what it extends', async () => {
    const source = new URL('../../src/testing/fixture.ts', import.meta.url)
    const [file] = await files({
      'market.ts': `import { defineFixture } from '${source}'
      const tokens = defineFixture(async (devnet) => ({ token: 'GOLD', supply: 5n * 10n ** 30n }))
      export default tokens.extend(async (devnet, { token }) => ({ pool: token + '/ETH' }))`,
    })
    expect(await valuesOf(file!)).toEqual([
      { token: 'GOLD', supply: '5000000000000000000000000000000', pool: 'GOLD/ETH' },
    ])
  })

  it('prints the values that can be printed, whatever stands beside them', async () => {
    const [file] = await files({
      'values.mjs': `const ring = { act: () => {} }
      ring.self = ring
      export default () => ({ ring, list: [1n, { deep: 2n }], act: () => {}, nothing: undefined, text: 'yes' })`,
    })
    expect(await valuesOf(file!)).toEqual([{ list: ['1', { deep: '2' }], text: 'yes' }])
    const process = start([file!])
    await process.printed(/^ {2}text +yes$/m)
    await process.printed(/^Listening/m)
  })

  it('prints what is in objects and lists under its path, and of lists of objects how many there are', async () => {
    const [file] = await files({
      'nested.mjs': `export default () => ({ token: { address: '0x12', abi: [{}, {}] }, owners: ['alice', 'bob'], supply: 5n })`,
    })
    const process = start([file!])
    await process.printed(/^ {2}token\.address +0x12$/m)
    await process.printed(/^ {2}token\.abi +2 items$/m)
    await process.printed(/^ {2}owners\[1\] +bob$/m)
    await process.printed(/^ {2}supply +5$/m)
  })

  it('runs the fixtures of this repository', async () => {
    const [market, treasury] = await valuesOf('fixtures/market.ts', 'fixtures/treasury.json')
    expect(market).toMatchObject({ gold: '0x5FbDB2315678afecb367f032d93F642f64180aa3' })
    expect(treasury).toMatchObject({ treasury: getAddress(SOMEBODY) })
  })

  it.each<[string, string | undefined, string]>([
    ['none.ts', undefined, 'FILE: there is no such file'],
    [
      'named.ts',
      'export const market = 1; export const shop = 2',
      'FILE: expected `export default async (devnet) => values`, got no default export, only market, shop',
    ],
    ['empty.cjs', '', 'FILE: expected `export default async (devnet) => values`, got object'],
    ['syntax.ts', 'export default (', 'FILE cannot be loaded: '],
    ['import.mjs', "import 'nowhere-at-all'", "FILE cannot be loaded: Cannot find module 'nowhere-at-all'"],
    [
      'throws.ts',
      `interface Money {\n  wei: bigint\n}\n\nexport default async (): Promise<Money> => {\n  throw new Error('no money')\n}`,
      'FILE failed: no money (line 6)',
    ],
    [
      'asks.mjs',
      `export default (devnet) => devnet.request({ method: 'eth_getBalance', params: ['0x12'] })`,
      'FILE failed',
    ],
    [
      'deploys.mjs',
      `export default async (devnet) => {\n  await devnet.mine()\n  await devnet.deploy({ abi: [], bytecode: '0x60006000fd' })\n}`,
      'FILE failed: deploy reverted: no reason given (line 3)',
    ],
    ['text.json', 'accounts', 'FILE: not JSON: '],
    [
      'wrong.json',
      '{ "transactions": [{ "to": "nobody" }] }',
      'FILE: transactions[0].to: expected a name from a block above (there is none), got "nobody"',
    ],
    [
      'reverts.json',
      '{ "transactions": [{ "data": "0x60006000fd" }] }',
      'FILE failed: transactions[0]: execution reverted',
    ],
  ])('says in one line what is wrong with %s, with code 1', async (name, text, message) => {
    const [file] = text === undefined ? [name] : await files({ [name]: text })
    const { code, stderr, stdout } = withoutProgress(await start([file!]).ended)
    expect(stderr).toContain(`preseal: fixture ${message.replace('FILE', file!)}`)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect([code, stdout]).toEqual([1, ''])
  })
})
