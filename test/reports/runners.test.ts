/** Reports of tests that fail, in runs of vitest and Playwright as their users start them. What a report shows: test/page/stories. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { replay } from '../../src/index.ts'
import type { TestFailure } from '../../src/reports/tests/testFailure.ts'
import { BuiltProject } from '../support/compilers/builtProject.ts'
import { FailingProject } from '../support/compilers/failingProject.ts'

let project: BuiltProject
beforeAll(async () => {
  project = await BuiltProject.begin()
  const page = join(project.folder, 'node_modules/preseal/dist/page')
  await mkdir(join(page, 'report'), { recursive: true })
  await mkdir(join(page, 'assets'))
  await writeFile(join(page, 'assets/theme.js'), 'theme()')
  await writeFile(join(page, 'report/report.js.gz'), gzipSync('show()'))
  await writeFile(join(page, 'report/report.css.gz'), gzipSync('p {}'))
  await project.write({ 'market.js': MARKET, blocked: 'a file' })
})
afterAll(() => project.end())

/** A fixture with a block of its own, so that chains of tests begin with what a test did not do. */
const MARKET = `
  import { defineFixture } from 'preseal/testing'
  export const Token = ${JSON.stringify({ abi: Token.abi, bytecode: Token.bytecode })}
  export const market = defineFixture(async (devnet) => ({ token: await devnet.deploy(Token, { args: ['Gold', 'GOLD'] }) }))`

/** The parts of a report that this project's page, which is none, would show. */
async function partsOf(path: string) {
  const text = await project.read(path)
  const part = (id: string) => new RegExp(`id="${id}"[^>]*>([A-Za-z0-9+/=]+)<`).exec(text)?.[1]
  const unzipped = (id: string) => gunzipSync(Buffer.from(part(id) ?? '', 'base64')).toString()
  const [, title] = /data-name="([^"]*)"/.exec(text)!
  return { title, session: unzipped('session'), contracts: part('contracts') && unzipped('contracts') }
}

/** What a session did, when it is played again. */
async function played(session: string) {
  const seen = { balance: 0n, blocks: 0n }
  const { difference } = await replay(session, {
    look: async (devnet) => {
      seen.balance = BigInt(await devnet.request({ method: 'eth_getBalance', params: [PAID, 'latest'] }))
      seen.blocks = BigInt(await devnet.request({ method: 'eth_blockNumber' }))
    },
  })
  return { ...seen, difference }
}

const PAID = '0x00000000000000000000000000000000000000aa'

describe('vitest', () => {
  const TESTS = `
    import { describe } from 'vitest'
    import { explore, pay as pays } from 'preseal/testing'
    import { expect, testWith } from 'preseal/vitest'
    import { market } from './market.js'
    const test = testWith(market, { reportOnFailure: true })
    const pay = (devnet, value) => devnet.send({ to: '${PAID}', value })
    describe('payments: a/b', () => {
      test('are made <twice>', async ({ devnet }) => {
        await pay(devnet, 5n)
        const fork = devnet.fork()
        await pay(fork, 2n)
        expect('the sum').toBe('another')
      })
      test('are made ‹twice›', async () => expect(1).toBe(2))
      test('pass', ({ devnet }) => pay(devnet, 5n))
      test.fails('are to fail', async () => expect(1).toBe(2))
    })
    testWith({}, { reportOnFailure: 'blocked' })('keeps its failure', ({ devnet }) => expect(devnet.accounts.length).toBe('kept'))
    testWith({})('asks the environment', ({ devnet }) => expect(devnet.accounts.length).toBe(1))
    testWith({})('names no devnet, and explores', () => explore(market, {
      actions: () => ({ pays: pays('${PAID}', { value: 3n }) }),
      invariants: { unpaid: (world) => world.balance('${PAID}') === 0n },
    }))
    testWith({}, { reportOnFailure: false })('wants none', ({ devnet }) => expect(devnet.accounts.length).toBe(1))`

  it('writes a report of each chain of a test that failed, and of no other', async () => {
    await project.write({ 'test/pay.test.js': TESTS.replace('./market.js', '../market.js') })
    const { stdout, stderr } = await project.vitest(['test/pay.test.js'], {
      PRESEAL_REPORT_ON_FAILURE: 'kept',
    })
    const output = stdout + stderr
    const folder = 'preseal-reports/test/pay.test.js'
    const [first, fork, other] = ['', '-chain-2', '-2'].map(
      (end) => `${folder}/payments-a-b-are-made-twice${end}.html`,
    ) as [string, string, string]
    expect((await readdir(join(project.folder, folder))).map((name) => `${folder}/${name}`).sort()).toEqual(
      [first, fork, other].sort(),
    )
    expect(output).toContain(`preseal report (chain 1 of 2): ${first}\n`)
    expect(output).toContain(`preseal report (chain 2 of 2): ${fork}\n`)
    expect(output).toContain(`preseal report: ${other}\n`)
    expect(output).toContain(`preseal report: kept/test/pay.test.js/asks-the-environment.html\n`)
    const explored = 'kept/test/pay.test.js/names-no-devnet-and-explores.html'
    expect(output).toContain(`preseal report: ${explored}\n`)
    expect(output.match(/^preseal report: /gm)).toHaveLength(3)

    expect(output).toMatch(/AssertionError: expected .* to be 'kept'/)
    expect(output).toMatch(/no preseal report: E(NOTDIR|EXIST)/)

    const { title, session, contracts } = await partsOf(first)
    expect(title).toBe('payments: a/b &gt; are made &lt;twice&gt; (chain 1 of 2)')
    expect(contracts).toContain('"transfer"')
    expect(await played(session)).toEqual({ balance: 5n, blocks: 2n, difference: undefined })
    const ofFork = await partsOf(fork)
    expect(await played(ofFork.session)).toEqual({ balance: 7n, blocks: 3n, difference: undefined })
    const ofStory = await partsOf(explored)
    expect(await played(ofStory.session)).toEqual({ balance: 3n, blocks: 2n, difference: undefined })
    // vitest's own copies of what is attached.
    expect(await readdir(join(project.folder, '.vitest-attachments'))).toHaveLength(5)
  })
})

describe('vitest, with chains of a shared port', () => {
  const TESTS = `
    import { expect, testWith } from 'preseal/vitest'
    import { market } from '../market.js'
    const test = testWith(market, { reportOnFailure: true })
    const ask = async ({ url }, method, ...params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return (await answer.json()).result
    }
    test('is paid: twice', async ({ chain }) => {
      const [from] = await ask(chain, 'eth_accounts')
      await ask(chain, 'eth_sendTransaction', { from, to: '${PAID}', value: '0x5' })
      await ask(chain, 'evm_mine')
      expect('the chain').toBe('another')
    })
    test('passes', ({ chain }) => ask(chain, 'evm_mine'))`
  const FOLDER = 'preseal-reports/test/shared.test.js'

  /** Runs the tests with this second argument of \`setup\`. Returns what is printed. */
  async function run(options: string): Promise<string> {
    await project.write({
      'test/shared.test.js': TESTS,
      'shared.js': `import { setup } from 'preseal/vitest/setup'
        import { market } from './market.js'
        export default setup(market, ${options})`,
      'shared.config.js': `export default { test: { globalSetup: './shared.js' } }`,
    })
    const { stdout, stderr } = await project.vitest(['--config', 'shared.config.js', 'test/shared.test.js'])
    return stdout + stderr
  }

  it('writes a report of the chain of a test that failed, with its contracts', async () => {
    const file = `${FOLDER}/is-paid-twice-chain-2.html`
    expect(await run('{ reports: true }')).toContain(
      `preseal report (chain 2 of 2, on the shared port): ${file}\n`,
    )
    expect((await readdir(join(project.folder, FOLDER))).sort()).toEqual([
      'is-paid-twice-chain-2.html',
      'is-paid-twice.html',
    ])
    const { title, session, contracts } = await partsOf(file)
    expect(title).toBe('is paid: twice (chain of the shared port)')
    expect(contracts).toContain('"transfer"')
    expect(await played(session)).toEqual({ balance: 5n, blocks: 2n, difference: undefined })
  })

  it('says how to have one where the chains of the port are not recorded', async () => {
    expect(await run('{}')).toMatch(
      /no preseal report \(chain 2 of 2, on the shared port\): .*`export default setup\(…, \{ reports: true \}\)`/,
    )
  })
})

describe('Playwright', () => {
  const TESTS = `
    import { expect, test, testWith } from 'preseal/playwright'
    import { market } from './market.js'
    testWith(market)('fails', async ({ devnet, fixture, accounts, url }) => {
      const sent = await devnet.send({ to: '${PAID}', value: 5n })
      await expect(sent).toBeSealed()
      await expect(sent).toChangeBalance(devnet, '${PAID}', 5n)
      const message = { jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [fixture.token.address, 'latest'] }
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })
      expect((await answer.json()).result).toBe(accounts[0].address)
    })
    test('passes', ({ devnet }) => devnet.mine())
    test.fail('is to fail', async ({ devnet }) => expect(devnet.accounts.length).toBe(1))
    test.describe(() => {
      test.use({ reportOnFailure: false })
      test('wants none', async ({ devnet }) => expect(devnet.accounts.length).toBe(1))
    })`

  it('attaches a report of a test that failed, and of no other', async () => {
    await project.write({
      'pay.spec.js': TESTS,
      'playwright.config.js': `export default { use: { reportOnFailure: true }, reporter: 'json' }`,
    })
    const { stdout } = await project.playwright(['pay.spec.js'])
    const { specs, suites } = JSON.parse(stdout).suites[0]
    const all = [...specs, ...suites[0].specs].map(({ title, ok, tests: [{ results }] }) => {
      const reports = results[0].attachments.filter(
        ({ contentType }: Attachment) => contentType === 'text/html',
      )
      return { title, ok, reports }
    })
    expect(all).toMatchObject([
      { title: 'fails', ok: false, reports: [{ name: 'preseal report' }] },
      { title: 'passes', ok: true, reports: [] },
      { title: 'is to fail', ok: true, reports: [] },
      { title: 'wants none', ok: false, reports: [] },
    ])
    const path = all[0]!.reports[0].path.slice(project.folder.length + 1)
    const { title, session, contracts } = await partsOf(path)
    expect(title).toBe('pay.spec.js &gt; fails')
    expect(contracts).toContain('"transfer"')
    expect(await played(session)).toEqual({ balance: 5n, blocks: 2n, difference: undefined })
    expect(existsSync(join(project.folder, 'preseal-reports/pay.spec.js'))).toBe(false)
  })
})

describe('the failure in a report', () => {
  let failing: FailingProject
  beforeAll(async () => {
    failing = await FailingProject.begin()
  })
  afterAll(() => failing.end())

  /** Expects a failure at the marked line of the test, which is about the transaction that had too little. */
  function expectPoor({ test, file, errors: [error], reverted }: TestFailure, path: string) {
    expect(test).toBe(path.endsWith('spec.mjs') ? `${path} > a payment > is moved` : 'a payment > is moved')
    expect(file).toBe(path)
    expect(error?.message).toMatch(/TooPoor\(account: 0x\w{40}, has: 100, needs: 101\)$/)
    expect(error?.test.at(-1)?.line).toBe(failing.lineOf(path, 'here'))
    expect(error?.solidity).toMatchObject([
      { file: 'contracts/Vault.sol', line: failing.lineOf('contracts/Vault.sol', 'at: tooPoor') },
    ])
    expect(reverted).toMatchObject({ isCause: true, transaction: expect.stringMatching(/^0x\w{64}$/) })
  }

  it('of vitest has the message, the line of the test and that of Solidity', async () => {
    const summary = { GITHUB_STEP_SUMMARY: join(failing.project.folder, 'summary.md') }
    await failing.runVitest('of a transaction that reverts', summary, ['--retry=1'])
    // The summary has a test that is run again only once.
    expect((await failing.project.read('summary.md')).match(/^### /gm)).toHaveLength(1)
    const [report] = await failing.reports()
    const { errors, reverted } = await failing.failureIn(report!)
    // The report is that of the last attempt.
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toMatch(
      /^expected the transaction to emit Moved, but it reverted with TooPoor/,
    )
    const line = failing.lineOf('test/vault.test.ts', 'here', "test('of a transaction that reverts'")
    expect(errors[0]?.test.at(-1)?.line).toBe(line)
    expect(reverted).toMatchObject({ isCause: true })
  })

  it('of Playwright has them, and so has that of node:test, which prints where its report is', async () => {
    const paths = ['vault.spec.mjs', 'vault.test.mjs']
    for (const path of paths) await failing.add(path, path)
    const played = await failing.project.playwright(['vault.spec.mjs', '--reporter=list'], {
      PRESEAL_REPORT_ON_FAILURE: '1',
    })
    expect(played.stdout).toMatch(/preseal report \(text\/html\)/)
    const [ofPlaywright] = await failing.reports('test-results')
    expectPoor(await failing.failureIn(ofPlaywright!), 'vault.spec.mjs')

    const { stdout } = await failing.project.start(['--test', 'vault.test.mjs'], {
      PRESEAL_REPORT_ON_FAILURE: 'of-node',
    }).ended
    const reports = await failing.reports('of-node')
    expect(reports).toEqual(['of-node/vault.test.mjs/a-payment-is-moved.html'])
    expect(stdout).toContain(`preseal report: ${reports[0]}`)
    expectPoor(await failing.failureIn(reports[0]!), 'vault.test.mjs')
  })
})

interface Attachment {
  readonly contentType: string
}
