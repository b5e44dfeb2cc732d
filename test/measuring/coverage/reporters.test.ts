/** The coverage reporters, in runs of test runners as their users start them: several files, workers and processes make one report. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { FileCoverage } from '../../../src/solidity/coverage/coverage.ts'
import { BuiltProject } from '../../support/compilers/builtProject.ts'
import { compiled, contractOf } from '../../support/compilers/solidity.ts'
import { ROOT } from '../../support/docs/pages.ts'

const SOURCES = {
  'contracts/Gate.sol': `
contract Gate {
  function pass(uint256 value) external pure returns (bool) {
    if (value < 5) {
      return true;
    }
    return false;
  }
}
`,
  'contracts/mocks/Mock.sol': `
contract Mock {
  function never() external pure returns (uint256) {
    return 1;
  }
}
`,
  'test/Helper.sol': 'contract Helper { function f() external pure returns (uint256) { return 1; } }',
}

let project: BuiltProject

beforeAll(async () => {
  project = await BuiltProject.begin()
  const compilation = compiled(SOURCES)
  const { abi, evm } = contractOf(compilation, 'Gate').output
  const buildInfo = { id: '1', solcVersion: '0.8.37', input: compilation.input, output: compilation.output }
  await project.write({
    ...SOURCES,
    'foundry.toml': '[profile.default]',
    'out/build-info/1.json': JSON.stringify(buildInfo),
    'gate.js': `export const Gate = ${JSON.stringify({ abi, bytecode: `0x${evm!.bytecode!.object}` })}`,
  })
})
afterAll(() => project.end())

const body = (values: readonly number[]) => `
  const devnet = await createDevnet({ rhythm: 'instant', consoleLogs: false })
  const gate = await devnet.deploy(Gate)
  for (const value of [${values}]) await devnet.read({ ...gate, functionName: 'pass', args: [BigInt(value)] })
  await devnet.close()`

const testFile = (runner: string, values: readonly number[]) => `
import { createDevnet } from 'preseal'
import { test } from '${runner}'
import { Gate } from './gate.js'
test('gate', async () => {${body(values)}
})`

const config = (options: object, coverage: object = {}) => `
export default {
  test: {
    include: ['*.vitest.js'],
    testTimeout: 300000,
    coverage: ${JSON.stringify(coverage)},
    reporters: ['default', ['preseal/vitest/coverage', ${JSON.stringify(options)}]],
  },
}`

async function coverageIn(folder = 'coverage/solidity'): Promise<Record<string, FileCoverage>> {
  const all: Record<string, FileCoverage> = JSON.parse(await project.read(`${folder}/coverage-final.json`))
  return Object.fromEntries(
    Object.entries(all).map(([path, one]) => [path.slice(path.indexOf('contracts/')), one]),
  )
}

const GATE = 'contracts/Gate.sol'
const MOCK = 'contracts/mocks/Mock.sol'
const hits = (coverage: FileCoverage | undefined) => Object.values(coverage!.s)

describe('the reporter of vitest', () => {
  beforeAll(() =>
    project.write({ 'one.vitest.js': testFile('vitest', [1, 2]), 'two.vitest.js': testFile('vitest', [7]) }),
  )

  it.each(['forks', 'threads'])('merges what the workers of the pool %s ran', async (pool) => {
    await project.write({ 'vitest.config.js': config({}) })
    const { code, stdout, stderr } = await project.vitest([`--pool=${pool}`, '--maxWorkers=2'])
    expect([code, stderr]).toEqual([0, ''])
    const coverage = await coverageIn()
    expect(Object.keys(coverage)).toEqual([GATE, MOCK])
    expect(hits(coverage[GATE])).toEqual([3, 2, 1])
    expect(hits(coverage[MOCK])).toEqual([0])
    expect(stdout).toMatch(/Gate\.sol +\| +100 \| +100 \| +100 \| +100 \|/)
    expect(stdout).toMatch(/Mock\.sol +\| +0 \| +100 \| +0 \| +0 \| 4/)
    const lcov = await project.read('coverage/solidity/lcov.info')
    expect(lcov).toContain(`SF:${GATE}\n`)
    expect(lcov).toContain('DA:4,3\nDA:5,2\nDA:7,1\n')
    expect(await project.read('coverage/solidity/lcov-report/contracts/Gate.sol.html')).toContain('Gate')
  })

  it('counts the sources that are included and not excluded, in a folder and with reports as it is told', async () => {
    const options = { exclude: ['**/mocks/**', 'test/**'], reporter: ['json'], reportsDirectory: 'reports' }
    await project.write({ 'vitest.config.js': config(options) })
    expect((await project.vitest()).stdout).not.toContain('Gate.sol')
    expect(Object.keys(await coverageIn('reports'))).toEqual([GATE])
    await project.write({
      'vitest.config.js': config({ ...options, exclude: [], include: ['contracts/*/*.sol'] }),
    })
    await project.vitest()
    expect(Object.keys(await coverageIn('reports'))).toEqual([MOCK])
  })

  it('fails the run where a threshold is not met', async () => {
    const options = { thresholds: { lines: 75, functions: 60, branches: 100 }, reporter: ['json'] }
    await project.write({ 'vitest.config.js': config(options) })
    const { code, stderr } = await project.vitest()
    expect(code).toBe(1)
    expect(stderr.trim()).toBe('Coverage of Solidity: 50% of functions are covered, expected at least 60%')
  })

  it("says in one line what to install where istanbul's packages are not there", async () => {
    await project.write({
      'vitest.config.js': config({}),
      'hides.js': `import { register } from 'node:module'\nregister('./hooks.js', import.meta.url)`,
      'hooks.js': `export async function resolve(specifier, context, next) {
        if (!specifier.startsWith('istanbul-reports')) return next(specifier, context)
        throw Object.assign(new Error('hidden'), { code: 'ERR_MODULE_NOT_FOUND' })
      }`,
    })
    const { code, stdout, stderr } = await project.vitest([], { NODE_OPTIONS: '--import=./hides.js' })
    expect(code).toBe(1)
    expect(stderr.trim()).toMatch(
      /^Coverage of Solidity requires istanbul, .* npm install -D istanbul-lib-coverage .*$/,
    )
    expect(stdout).not.toContain('hidden')
    expect(stdout).toMatch(/Tests +2 passed/)
  })

  it('does what the page says of its example', async () => {
    const example = await readFile(join(ROOT, 'test/examples/coverage.config.ts'), 'utf8')
    await project.write({ 'coverage.config.ts': example, 'gate.test.js': testFile('vitest', [1]) })
    const { code, stderr } = await project.vitest(['--config', 'coverage.config.ts'])
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([
      'Coverage of Solidity: 50% of lines are covered, expected at least 90%',
      'Coverage of Solidity: 50% of branches are covered, expected at least 80%',
    ])
    expect(await project.read('coverage/solidity/lcov.info')).toContain('LF:3\nLH:2\n')
  })

  it.each([
    ['off where it is told so', { enabled: false }, {}, false],
    ['on where the environment says so', { enabled: false }, { PRESEAL_COVERAGE: '1' }, true],
    ['off where the environment says so', {}, { PRESEAL_COVERAGE: '0' }, false],
    ["off where it goes with vitest's coverage, and that is off", { enabled: 'with vitest' }, {}, false],
  ])('is %s', async (_, options, environment, isOn) => {
    await project.write({ 'vitest.config.js': config(options) })
    const { code, stdout } = await project.vitest([], environment)
    expect(code).toBe(0)
    expect(stdout.includes('Gate.sol')).toBe(isOn)
  })

  it('replaces what a file ran that runs again in watch mode', async () => {
    await project.write({ 'vitest.config.js': config({ reporter: ['json', 'text'] }) })
    const watching = project.watchVitest()
    onTestFinished(() => watching.kill('SIGKILL'))
    await watching.printed(/Gate\.sol[\s\S]*Waiting for file changes/m)
    await writeFile(join(project.folder, 'two.vitest.js'), testFile('vitest', [3]))
    await watching.printed(/Gate\.sol +\| +66\.66/m)
    expect(hits((await coverageIn())[GATE])).toEqual([3, 3, 0])
    await project.write({ 'two.vitest.js': testFile('vitest', [7]) })
  })
})

describe('the reporter of node:test', () => {
  beforeAll(() =>
    project.write({
      'one.node.js': testFile('node:test', [1, 2]),
      'two.node.js': testFile('node:test', [7]),
    }),
  )

  const run = (reporter: string) =>
    project.start([
      ...['--test', '--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...[`--test-reporter=${reporter}`, '--test-reporter-destination=stdout', 'one.node.js', 'two.node.js'],
    ]).ended

  it('merges what the processes of the test files ran', async () => {
    const { code, stdout, stderr } = await run('preseal/node-test/coverage')
    expect([code, stderr]).toEqual([0, ''])
    expect(hits((await coverageIn())[GATE])).toEqual([3, 2, 1])
    expect(stdout).toContain('Gate.sol')
  })

  it('takes options from a module', async () => {
    const options = `{ thresholds: { lines: 90 }, reporter: ['json'], reportsDirectory: 'node' }`
    await project.write({
      'coverage.js': `import { coverageReporter } from 'preseal/node-test/coverage'\nexport default coverageReporter(${options})`,
    })
    const { code, stdout } = await run('./coverage.js')
    expect(code).toBe(1)
    expect(stdout).toContain('Coverage of Solidity: 75% of lines are covered, expected at least 90%')
    expect(hits((await coverageIn('node'))[GATE])).toEqual([3, 2, 1])
  })
})

describe('artifacts of the reporter', () => {
  it('may be a path', async () => {
    await project.write({ 'vitest.config.js': config({ artifacts: 'out', reporter: ['json'] }) })
    expect((await project.vitest()).code).toBe(0)
    expect(hits((await coverageIn())[GATE])).toEqual([3, 2, 1])
  })

  it('in which no contract is found fail the run', async () => {
    await project.write({ 'vitest.config.js': config({ artifacts: 'package.json', reporter: ['json'] }) })
    const { code, stderr } = await project.vitest()
    expect(code).toBe(1)
    expect(stderr).toContain(
      'Coverage of Solidity: option artifacts: no contract was found in "package.json"',
    )
  })
})

it('says so where there are no sources', async () => {
  const empty = await BuiltProject.begin()
  onTestFinished(() => empty.end())
  await empty.write({
    'vitest.config.js': config({}),
    'none.vitest.js': "import { test } from 'vitest'\ntest('none', () => {})",
  })
  const { code, stdout } = await empty.vitest()
  expect(code).toBe(0)
  expect(stdout).toContain('Coverage of Solidity: there are no artifacts with sources and syntax trees.')
})
