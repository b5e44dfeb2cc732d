/** Runs the example of Hardhat in this folder: its types, its tests with coverage and gas, a failing test, and its node. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

const LIMIT_MS = 120_000
const CLI = 'node_modules/hardhat/dist/src/cli.js'

const packageJson = JSON.parse(readFileSync('package.json', 'utf8'))
writeFileSync('package.json', JSON.stringify({ ...packageJson, type: 'module' }))

function run(...args) {
  const { status, stdout, stderr } = spawnSync('node', args, { encoding: 'utf8', timeout: LIMIT_MS })
  return { status, text: `${stdout}${stderr}` }
}

/** Throws with the whole output if it does not match. */
function matches(text, ...patterns) {
  for (const pattern of patterns) assert.ok(pattern.test(text), `expected ${pattern} in\n${text}`)
}

const tested = run(CLI, 'test', '--coverage', '--gas-stats')
assert.equal(tested.status, 0, tested.text)
matches(tested.text, /8 passing \(6 mocha, 2 nodejs\)/, /0x70997970c51812dc3a010c7d01b50e0d17dc79c8 wants 2/)
matches(tested.text, /contracts\/Shop\.sol │ 85\.71 +│ 87\.50/, /buy +│ \d+ +│ \d+ +│ \d+ +│ \d+ +│ 3 /)

writeFileSync(
  'tsconfig.json',
  JSON.stringify({
    compilerOptions: {
      strict: true,
      module: 'nodenext',
      target: 'es2023',
      skipLibCheck: true,
      noEmit: true,
      allowImportingTsExtensions: true,
    },
    include: ['hardhat.config.ts', 'ignition', 'test'],
  }),
)
const compiled = run('node_modules/typescript/bin/tsc')
assert.equal(compiled.status, 0, compiled.text)

const FAILING = `import { network } from 'hardhat'
const { ethers } = await network.create()
it('fails', async () => {
  const shop = await ethers.deployContract('Shop', [3n])
  await shop.getFunction('buy')(5n)
})
`
writeFileSync('test/mocha/failing.ts', FAILING)
const failed = run(CLI, 'test', 'mocha', 'test/mocha/failing.ts')
rmSync('test/mocha/failing.ts')
assert.notEqual(failed.status, 0, failed.text)
matches(failed.text, /reverted with custom error 'InsufficientStock\(available: 3, wanted: 5\)'/)
matches(failed.text, /at Shop\.buy \(contracts\/Shop\.sol:19:\d+\)/, /\(test\/mocha\/failing\.ts:5:\d+\)/)
assert.doesNotMatch(failed.text, /at .*preseal\/dist/)

const node = spawn('node', [CLI, '--config', 'first.config.ts', 'node', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const timer = setTimeout(() => node.kill(), LIMIT_MS)
let printed = ''
for await (const chunk of node.stdout) {
  printed += chunk
  if (printed.includes('Listening on')) break
}
const [, port] = /Listening on [\d.]+:(\d+)/.exec(printed) ?? assert.fail(printed)
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
const headers = { 'content-type': 'application/json' }
const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })
assert.equal((await response.json()).result, '0x7a69')
clearTimeout(timer)
node.kill()
await once(node, 'exit')
