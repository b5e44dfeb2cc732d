/**
 * Plays the mocha tests of a project on Hardhat 3 on Hardhat's own network, on preseal in process, and on preseal over
 * HTTP: `npm run suites -- FOLDER [FILES…] [--rounds 3] [--node PATH] [--no-compile]`. The project's configuration stays.
 */
import { spawn } from 'node:child_process'
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { summary } from './bench/measure.ts'
import { ROOT } from './package/folders.ts'
import { startCli } from './startCli.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '1' },
    /** Hardhat needs Node 22.10 or later. */
    node: { type: 'string', default: process.execPath },
    'no-compile': { type: 'boolean', default: false },
  },
})
const [folder = '', ...files] = positionals
const project = resolve(folder)
const hardhat = join(project, 'node_modules/hardhat/dist/src/cli.js')
if (!existsSync(hardhat)) throw new Error(`expected a folder with Hardhat 3 installed, got ${project}`)

const LINK = join(project, 'node_modules/preseal')
const CONFIGURATION = join(project, 'hardhat.preseal.config.ts')
const TEXT = `import preseal from 'preseal/hardhat'
import config from './hardhat.config.ts'

const { plugins = [], networks = {} } = config
export default {
  ...config,
  plugins: [preseal, ...plugins],
  networks: {
    ...networks,
    preseal: { ...networks.default, type: 'preseal' },
    presealOverHttp: { type: 'http', url: process.env.PRESEAL_URL ?? 'http://127.0.0.1:8545', timeout: 120_000 },
  },
}
`

interface Result {
  readonly passed: number
  readonly failed: number
  readonly seconds: number
}

const WAYS: readonly [name: string, play: () => Promise<Result>][] = [
  ["Hardhat's own network", () => play('default')],
  ['preseal in process', () => play('preseal')],
  ['preseal over HTTP', playOverHttp],
]

const isLinked = !existsSync(LINK)
if (isLinked) symlinkSync(ROOT, LINK)
writeFileSync(CONFIGURATION, TEXT)
try {
  const results = WAYS.map((): Result[] => [])
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [i, [name, playAll]] of WAYS.entries()) {
      const result = await playAll()
      results[i]!.push(result)
      console.log(`${name}: ${result.passed} passed, ${result.failed} failed, ${result.seconds.toFixed(1)} s`)
    }
  }
  const medians = results.map((each) => summary(each.map(({ seconds }) => seconds)).median)
  console.log('\n| | passed | failed | time | ratio |\n|---|---|---|---|---|')
  for (const [i, [name]] of WAYS.entries()) {
    const { passed, failed } = results[i]!.at(-1)!
    const ratio = (medians[i]! / medians[0]!).toFixed(2)
    console.log(`| ${name} | ${passed} | ${failed} | ${medians[i]!.toFixed(1)} s | ${ratio} × |`)
  }
} finally {
  rmSync(CONFIGURATION)
  if (isLinked) rmSync(LINK)
}

async function playOverHttp(): Promise<Result> {
  // As Hardhat's network with `allowUnlimitedContractSize`, which most suites set.
  const { url, stop } = await startCli(join(ROOT, 'dist/cli.js'), [
    '--profile',
    'hardhat',
    '--code-size-limit',
    '0',
  ])
  try {
    return await play('presealOverHttp', { PRESEAL_URL: url })
  } finally {
    stop()
  }
}

/** Plays the tests on a network. Rejects if mocha prints no summary, with the end of the output. */
async function play(network: string, environment: NodeJS.ProcessEnv = {}): Promise<Result> {
  const argv = [hardhat, '--config', CONFIGURATION, 'test', 'mocha', ...files, '--network', network]
  if (values['no-compile']) argv.push('--no-compile')
  const started = performance.now()
  const child = spawn(values.node, argv, {
    cwd: project,
    env: { ...process.env, ...environment, FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  await new Promise((ended) => child.once('close', ended))
  const seconds = (performance.now() - started) / 1_000
  const passed = countIn(output, 'passing')
  if (passed === undefined)
    throw new Error(`${network}: no summary of mocha in the output:\n${output.slice(-2_000)}`)
  return { passed, failed: countIn(output, 'failing') ?? 0, seconds }
}

/** Returns the number of passing or failing tests that mocha prints. */
function countIn(output: string, kind: 'passing' | 'failing'): number | undefined {
  const counts = [...output.matchAll(new RegExp(`^ *(\\d+) ${kind}`, 'gm'))]
  return counts.length === 0 ? undefined : Number(counts.at(-1)![1])
}
