/** The gas reporters, in runs of test runners as their users start them: several files, workers and processes make one table. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Shop } from '../../../fixtures/contracts/Shop.ts'
import { Token } from '../../../fixtures/contracts/Token.ts'
import type { ContractJson, GasJson } from '../../../src/solidity/gas/gasFormats.ts'
import { foundryText } from '../../support/compilers/artifacts.ts'
import { BuiltProject } from '../../support/compilers/builtProject.ts'

let project: BuiltProject
beforeAll(async () => {
  project = await BuiltProject.begin()
  await project.write({
    'contracts.js': `export const Shop = ${json(Shop)}\nexport const Token = ${json(Token)}`,
  })
})
afterAll(() => project.end())

const json = (value: object) => JSON.stringify(value)

/** What both test files do, each with amounts of its own; each prints the gas of its receipts, as JSON-RPC has them. */
const body = (file: string, amounts: readonly number[], names = '') => `
  const devnet = await createDevnet({ rhythm: 'instant', consoleLogs: false })
  ${names}
  const shop = await devnet.deploy(Shop, { args: [50n] })
  const token = await devnet.deploy(Token, { args: ['${file}', 'T'] })
  const hashes = []
  for (const amount of [${amounts}]) {
    hashes.push((await devnet.write({ ...shop, functionName: 'buy', args: [BigInt(amount), 'x'.repeat(amount)] })).hash)
  }
  const minted = await devnet.write({ ...token, functionName: 'mint', args: [devnet.accounts[0].address, 5n] })
  const gasOf = async (hash) => Number((await devnet.request({ method: 'eth_getTransactionReceipt', params: [hash] })).gasUsed)
  const gas = []
  for (const hash of [shop.hash, token.hash, minted.hash, ...hashes]) gas.push(await gasOf(hash))
  appendFileSync('receipts', JSON.stringify(gas) + '\\n')
  await devnet.close()`

const IMPORTS = `
import { appendFileSync } from 'node:fs'
import { createDevnet } from 'preseal'
import { Shop, Token } from './contracts.js'`

const vitestFile = (file: string, amounts: readonly number[]) =>
  `${IMPORTS}\nimport { test } from 'vitest'\ntest('${file}', async () => {${body(file, amounts, 'devnet.abis.add({ Shop, Token })')}\n})`
/** Names the contracts by the artifacts of the project. */
const nodeFile = (file: string, amounts: readonly number[]) =>
  `${IMPORTS}\nimport { test } from 'node:test'\ntest('${file}', async () => {${body(file, amounts)}\n})`

/** The gas of the receipts that the test files printed, by what the transactions did. */
async function receipts() {
  const lines = (await project.read('receipts')).trim().split('\n')
  const files = lines.map((line) => JSON.parse(line) as number[])
  return {
    shop: files.map(([shop]) => shop!),
    token: files.map(([, token]) => token!),
    mint: files.map(([, , mint]) => mint!),
    buy: files.flatMap(([, , , ...buy]) => buy),
  }
}

/** Number, least, greatest and sum of the gas that a report has. */
function summary(row: { min: number; max: number; avg: number; count: number }) {
  return { count: row.count, min: row.min, max: row.max, avg: row.avg }
}

function summaryOf(gas: readonly number[]) {
  const avg = Math.round(gas.reduce((a, b) => a + b) / gas.length)
  return { count: gas.length, min: Math.min(...gas), max: Math.max(...gas), avg }
}

async function expectEqualReceipts(report: GasJson, files: number) {
  const gas = await receipts()
  expect(gas.shop).toHaveLength(files)
  const { Shop: shop, Token: token } = report.contracts as Record<string, ContractJson>
  expect(summary(shop!.deployment!)).toEqual(summaryOf(gas.shop))
  expect(summary(token!.deployment!)).toEqual(summaryOf(gas.token))
  expect(summary(shop!.functions!.buy!)).toEqual(summaryOf(gas.buy))
  expect(summary(token!.functions!.mint!)).toEqual(summaryOf(gas.mint))
}

const report = async (path: string) => JSON.parse(await project.read(path)) as GasJson

const config = (pool: string) => `
export default {
  test: {
    pool: '${pool}',
    include: ['*.vitest.js'],
    testTimeout: 300000,
    reporters: ['default', ['preseal/vitest/gas', { outputFile: ['gas.json', 'docs/gas.md'] }]],
  },
}`

describe('the reporter of vitest', () => {
  beforeAll(() =>
    project.write({
      'one.vitest.js': vitestFile('one', [1, 2, 3]),
      'two.vitest.js': vitestFile('two', [4, 4]),
      'other.vitest.js': "import { test } from 'vitest'\ntest('other', () => {})",
    }),
  )

  it.each(['forks', 'threads', 'vmThreads'])(
    'merges what the workers of the pool %s measured',
    async (pool) => {
      await project.write({ 'vitest.config.js': config(pool), receipts: '' })
      const { code, stdout, stderr } = await project.vitest(['--maxWorkers=2'], {
        PRESEAL_GAS_REPORT: 'ci/gas.json',
      })
      expect([code, stderr]).toEqual([0, ''])
      await expectEqualReceipts(await report('gas.json'), 2)
      expect(await report('ci/gas.json')).toEqual(await report('gas.json'))
      expect(await project.read('docs/gas.md')).toContain('| Shop |')
      expect(stdout).toMatch(/^Gas +min +average +median +max +calls$/m)
      const [buy, ...more] = stdout.matchAll(/^ {2}buy +([\d,]+) .* 5$/gm)
      expect(Number(buy![1]!.replaceAll(',', ''))).toBe(Math.min(...(await receipts()).buy))
      expect(more).toEqual([])
    },
  )

  it('measures each test file once where files share their modules', async () => {
    await project.write({ 'vitest.config.js': config('forks'), receipts: '' })
    const { code } = await project.vitest(['--no-isolate', '--maxWorkers=1'])
    expect(code).toBe(0)
    await expectEqualReceipts(await report('gas.json'), 2)
  })

  it('replaces the figures of a file that runs again in watch mode, and keeps those of the others', async () => {
    await project.write({ 'vitest.config.js': config('forks'), receipts: '' })
    const watching = project.watchVitest()
    onTestFinished(() => watching.kill('SIGKILL'))
    await watching.printed(/^ {2}buy .* 5\n[\s\S]*Waiting for file changes/m)
    const before = await report('gas.json')
    await writeFile(join(project.folder, 'two.vitest.js'), vitestFile('two', [4, 5, 6]))
    await watching.printed(/^ {2}buy .* 6\n/m)
    const after = await report('gas.json')
    expect(after.contracts.Shop!.deployment).toEqual(before.contracts.Shop!.deployment)
    expect(after.contracts.Token).toEqual(before.contracts.Token)
    expect(after.contracts.Shop!.functions!.buy!.max).toBeGreaterThan(
      before.contracts.Shop!.functions!.buy!.max,
    )
    await project.write({ 'two.vitest.js': vitestFile('two', [4, 4]) })
  })

  it('measures the chains of the port that all workers share', async () => {
    await project.write({
      'shared.config.js': `
        import { defineConfig } from 'vitest/config'
        export default defineConfig({ test: {
          globalSetup: ['./shared.setup.js'], include: ['*.shared.js'], testTimeout: 300000,
          reporters: ['default', ['preseal/vitest/gas', { outputFile: 'shared.json' }]],
        } })`,
      'shared.setup.js': `
        import { setup } from 'preseal/vitest/setup'
        import { Shop } from './contracts.js'
        export default setup(async (devnet) => devnet.abis.add({ Shop }), { rhythm: 'instant' })`,
      'one.shared.js': `
        import { test } from 'preseal/vitest'
        import { Shop } from './contracts.js'
        test('one', async ({ chain }) => {
          const ask = async (method, ...params) => {
            const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
            const headers = { 'content-type': 'application/json' }
            return (await (await fetch(chain.url, { method: 'POST', headers, body })).json()).result
          }
          const [from] = await ask('eth_accounts')
          await ask('eth_sendTransaction', { from, data: Shop.bytecode + '3'.padStart(64, '0') })
        })`,
    })
    await project.write({ 'two.shared.js': await project.read('one.shared.js') })
    const { code } = await project.vitest(['--config', 'shared.config.js'])
    expect(code).toBe(0)
    expect((await report('shared.json')).contracts.Shop!.deployment!.count).toBe(2)
  })

  it('leaves nothing at work in runs without it', async () => {
    await project.write({ 'vitest.config.js': config('forks'), receipts: '' })
    const { code, stdout } = await project.vitest(['--reporter=default'])
    expect(code).toBe(0)
    expect(stdout).not.toContain('Gas')
  })
})

describe('the reporter of node:test', () => {
  const REPORTERS = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=preseal/node-test/gas', '--test-reporter-destination=stdout'],
  ]
  const FILES = ['one.node.js', 'two.node.js']
  beforeAll(() =>
    project.write({
      'one.node.js': nodeFile('one', [1, 2, 3]),
      'two.node.js': nodeFile('two', [4, 4]),
      'foundry.toml': '[profile.default]',
      'out/Shop.sol/Shop.json': foundryText('src/Shop.sol', 'Shop', Shop),
      'out/Token.sol/Token.json': foundryText('src/Token.sol', 'Token', Token),
    }),
  )

  it('merges what the processes of the test files measured', async () => {
    await project.write({ receipts: '' })
    const environment = { PRESEAL_GAS_REPORT: 'node/gas.json' }
    const { code, stdout, stderr } = await project.start(['--test', ...REPORTERS, ...FILES], environment)
      .ended
    expect([code, stderr]).toEqual([0, ''])
    await expectEqualReceipts(await report('node/gas.json'), 2)
    expect((await report('node/gas.json')).contracts.Shop!.sourceName).toBe('src/Shop.sol')
    expect(stdout).toMatch(/^ {2}buy +[\d,]+ .* 5$/m)
  })

  it('says so if no transaction was measured', async () => {
    await project.write({ 'none.node.js': "import { test } from 'node:test'\ntest('none', () => {})" })
    const { stdout } = await project.start(['--test', ...REPORTERS, 'none.node.js']).ended
    expect(stdout).toContain('Gas: no transaction called or deployed a contract.')
  })
})
