/** Snapshots of gas, in runs of test runners as their users start them: written, unchanged, failing, updated, obsolete. */
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Shop } from '../../../fixtures/contracts/Shop.ts'
import { BuiltProject } from '../../support/compilers/builtProject.ts'

const FILE = '__snapshots__/gas.test.js.gas.json'

let project: BuiltProject
beforeAll(async () => {
  project = await BuiltProject.begin()
  await project.write({
    'contracts.js': `export const Shop = ${JSON.stringify(Shop)}`,
    'vitest.config.js': 'export default { test: { testTimeout: 300000 } }',
  })
})
beforeEach(() => rm(join(project.folder, '__snapshots__'), { recursive: true, force: true }))
afterAll(() => project.end())

/** A file of tests; the gas of a transfer to an account without code is 21,000 and 16 for each byte of data. */
const vitestFile = (tests: string) => `
import { expect, test } from 'preseal/vitest'
import { describe } from 'vitest'
const pay = (devnet, bytes = 0) =>
  devnet.send({ to: '0x00000000000000000000000000000000000a11ce', value: 1n, data: '0x' + '11'.repeat(bytes) })
${tests}`

const run = (tests: string, args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) =>
  project.write({ 'gas.test.js': vitestFile(tests) }).then(() => project.vitest(args, environment))

/** The gas of a transfer with so many bytes of data (EIP-2028, EIP-7623: 10 for each of four tokens of a byte). */
const transfer = (bytes: number) => 21_000 + 40 * bytes

const pays = (bytes: number) => `test('pays', async ({ devnet }) => {
  await expect(pay(devnet, ${bytes})).toCostGas()
})`

describe('in vitest, a snapshot', { timeout: 60_000 }, () => {
  it('is written when it is new, and then unchanged', async () => {
    const tests = `
      describe('till', () => {
        test('pays', async ({ devnet }) => {
          await expect(pay(devnet, 1)).toCostGas('with a byte')
          await expect(pay(devnet, 2)).toCostGas()
          await expect(pay(devnet, 3)).toCostGas()
        })
      })
      test.concurrent.for([4, 5])('%i bytes', async (bytes, { devnet, expect }) => {
        await expect(pay(devnet, bytes)).toCostGas()
      })`
    expect((await run(tests)).code).toBe(0)
    const written = `${JSON.stringify(
      {
        '4 bytes 1': `${transfer(4)}`,
        '5 bytes 1': `${transfer(5)}`,
        'till > pays 1': `${transfer(2)}`,
        'till > pays 2': `${transfer(3)}`,
        'till > pays > with a byte': `${transfer(1)}`,
      },
      undefined,
      2,
    )}\n`
    expect(await project.read(FILE)).toBe(written)
    const { mtimeMs } = await stat(join(project.folder, FILE))
    expect((await run(tests, [], { CI: 'true' })).code).toBe(0)
    expect((await run(tests, ['-u'])).code).toBe(0)
    expect(await project.read(FILE)).toBe(written)
    expect((await stat(join(project.folder, FILE))).mtimeMs).toBe(mtimeMs)
  })

  it('that does not hold fails the test, with both numbers and their difference; -u writes what is', async () => {
    expect((await run(pays(0))).code).toBe(0)
    const { code, stdout, stderr } = await run(pays(10))
    expect(code).toBe(1)
    expect(stdout + stderr).toContain(
      [
        `Error: expected the transaction to cost as much as in the gas snapshot "pays 1" in ${FILE}`,
        '  snapshot    21,000 gas',
        '  now         21,400 gas',
        '  difference  +400 gas (+1.90 %)',
        'if this is right, run the tests with -u, or set PRESEAL_GAS_SNAPSHOTS=update',
      ].join('\n'),
    )
    expect(await project.read(FILE)).toContain('"21000"')
    expect((await run(pays(10), ['-u'])).code).toBe(0)
    expect(await project.read(FILE)).toBe('{\n  "pays 1": "21400"\n}\n')
  })

  it('that changes is listed by the gas reporter, with the difference', async () => {
    const reporters = ['--reporter=default', '--reporter=preseal/vitest/gas']
    const labelled = (bytes: number, label: string) =>
      pays(bytes).replace('toCostGas()', `toCostGas('${label}')`)
    const first = await run(
      `${labelled(0, 'a')}\n${labelled(0, 'b').replaceAll("'pays'", "'pays twice'")}`,
      reporters,
    )
    expect(first.stdout).toContain(
      [
        'Snapshots of gas',
        'gas.test.js',
        '  written  pays > a: 21,000',
        '  written  pays twice > b: 21,000',
      ].join('\n'),
    )
    const second = await run(labelled(10, 'a'), [...reporters, '-u'])
    expect(second.stdout).toContain(
      [
        'Snapshots of gas',
        'gas.test.js',
        '  updated  pays > a: 21,000 -> 21,400, +400 gas (+1.90 %)',
        '  removed  pays twice > b',
      ].join('\n'),
    )
    expect((await run(labelled(10, 'a'), reporters)).stdout).not.toContain('Snapshots of gas')
  })

  it('may differ within a tolerance, and is then not written', async () => {
    const tolerant = (bytes: number) =>
      pays(bytes).replace('toCostGas()', "toCostGas(undefined, { tolerance: '2%' })")
    expect((await run(tolerant(0))).code).toBe(0)
    expect((await run(tolerant(10), ['-u'])).code).toBe(0)
    expect(await project.read(FILE)).toContain('"21000"')
    expect((await run(tolerant(11))).code).toBe(1)
  })

  it('is not written in CI', async () => {
    const { code, stdout, stderr } = await run(pays(0), [], { CI: 'true' })
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('there is no such entry: the gas snapshot "pays 1"')
    await expect(project.read(FILE)).rejects.toThrow('ENOENT')
  })

  it('of which no test has the name is removed by -u, unless its test did not pass', async () => {
    const named = (name: string, options = '') => `test${options}('${name}', async ({ devnet }) => {
      await expect(pay(devnet)).toCostGas()
    })`
    const all = ['old', 'kept', 'skipped', 'broken']
    expect((await run(all.map((name) => named(name)).join('\n'))).code).toBe(0)
    const before = await project.read(FILE)
    const broken = "test('broken', () => { throw new Error('before it comes to its snapshot') })"
    const later = [named('kept'), named('skipped', '.skip'), broken].join('\n')
    expect((await run(later)).code).toBe(1)
    expect(await project.read(FILE)).toBe(before)
    expect((await run(later, ['-u'])).code).toBe(1)
    expect(Object.keys(JSON.parse(await project.read(FILE)))).toEqual(['broken 1', 'kept 1', 'skipped 1'])
    expect((await run(all.map((name) => named(name)).join('\n'), ['-u', '-t', 'kept'])).code).toBe(0)
    expect(Object.keys(JSON.parse(await project.read(FILE)))).toEqual(['broken 1', 'kept 1', 'skipped 1'])
  })

  it('has one name for all attempts of a test', async () => {
    const tests = `
      let attempts = 0
      test('pays', { retry: 2 }, async ({ devnet }) => {
        await expect(pay(devnet)).toCostGas()
        if (attempts++ < 2) throw new Error('once more')
      })`
    expect((await run(tests)).code).toBe(0)
    expect(await project.read(FILE)).toBe('{\n  "pays 1": "21000"\n}\n')
  })

  it('is not written over a file that is something else', async () => {
    const others = [
      ['<<<<<<< HEAD\n{}', ' is not JSON'],
      ['["21000"]', ': expected an object of gas by name, got ["21000"]'],
      ['{"pays 1": {"gas": 1}}', ': "pays 1": expected gas, such as "21000", got {gas: 1}'],
    ] as const
    const snapshotOf = (i: number) => `others/__snapshots__/${i}.js.gas.json`
    await project.write({
      'others.config.js': "export default { test: { include: ['others/*.js'] } }",
      ...Object.fromEntries(others.map((_, i) => [`others/${i}.js`, vitestFile(pays(0))])),
      ...Object.fromEntries(others.map(([text], i) => [snapshotOf(i), text])),
    })
    for (const args of [[], ['-u']]) {
      const { code, stdout, stderr } = await project.vitest(['--config', 'others.config.js', ...args])
      expect(code).toBe(1)
      expect(stdout + stderr).toContain('3 failed (3)')
      expect(stdout + stderr).toContain('it was not changed; correct it, or delete it and write it again')
      for (const [i, [text, complaint]] of others.entries()) {
        expect(stdout + stderr).toContain(`gas snapshots: ${snapshotOf(i)}${complaint}`)
        expect(await project.read(snapshotOf(i))).toBe(text)
      }
    }
  })

  it('cannot be negated', async () => {
    const { code, stdout, stderr } = await run(pays(0).replace('.toCostGas', '.not.toCostGas'))
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('a snapshot cannot be negated')
  })

  it('is kept beside those that another worker writes to the same file at the same time', async () => {
    await project.write({
      'projects.config.js': `export default { test: { maxWorkers: 2, projects: ['one', 'two'].map((name) => ({
        test: { name, testTimeout: 300000, include: ['gas.test.js'], env: { NAME: name } },
      })) } }`,
      'gas.test.js': vitestFile(`
        test.for(Array.from({ length: 50 }, (_, i) => i))('%i', async (i, { devnet }) => {
          await expect(pay(devnet)).toCostGas(process.env.NAME)
        })`),
    })
    expect((await project.vitest(['--config', 'projects.config.js'])).code).toBe(0)
    expect(Object.keys(JSON.parse(await project.read(FILE)))).toHaveLength(100)
  })
})

describe('in node:test, a snapshot', { timeout: 60_000 }, () => {
  const nodeFile = (bytes: number, label: string) => `
    import { test } from 'node:test'
    import { createDevnet } from 'preseal'
    import { assertThat } from 'preseal/testing'
    test('pays', async () => {
      const devnet = await createDevnet({ rhythm: 'manual' })
      const sent = devnet.send({ to: '0x00000000000000000000000000000000000a11ce', data: '0x' + '11'.repeat(${bytes}) })
      await assertThat(sent).toCostGas(${label})
      await devnet.close()
    })`
  const runNode = async (bytes: number, label = "'pay'", environment: NodeJS.ProcessEnv = {}) => {
    await project.write({ 'gas.node.js': nodeFile(bytes, label) })
    return project.start(['--test', 'gas.node.js'], environment).ended
  }
  const NODE_FILE = '__snapshots__/gas.node.js.gas.json'

  it('is written under the name that it is given, fails with the difference, and is updated on request', async () => {
    expect((await runNode(0)).code).toBe(0)
    expect(await project.read(NODE_FILE)).toBe('{\n  "pay": "21000"\n}\n')
    const failed = await runNode(10)
    expect(failed.code).toBe(1)
    expect(failed.stdout).toContain('difference  +400 gas (+1.90 %)')
    expect(failed.stdout).toContain('if this is right, set PRESEAL_GAS_SNAPSHOTS=update')
    expect((await runNode(10, "'pay'", { PRESEAL_GAS_SNAPSHOTS: 'update' })).code).toBe(0)
    expect(await project.read(NODE_FILE)).toBe('{\n  "pay": "21400"\n}\n')
    expect((await runNode(10, "'new'", { PRESEAL_GAS_SNAPSHOTS: 'check' })).code).toBe(1)
    expect((await runNode(10, "'new'", { PRESEAL_GAS_SNAPSHOTS: 'yes' })).stdout).toContain(
      'PRESEAL_GAS_SNAPSHOTS: expected update or check, got yes',
    )
    expect(await project.read(NODE_FILE)).toBe('{\n  "pay": "21400"\n}\n')
  })

  it('needs a name', async () => {
    expect((await runNode(0, '')).stdout).toContain("give the snapshot a name, such as toCostGas('mint')")
  })
})
