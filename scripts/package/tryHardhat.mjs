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

// The suite, on Hardhat's own network, from which its expectations come, and on a devnet.
for (const type of ['edr-simulated', 'preseal']) {
  process.env.NETWORK = type
  const suite = run(CLI, '--config', 'suite.config.ts', 'test', 'mocha')
  assert.equal(suite.status, 0, suite.text)
  matches(suite.text, /^ +190 passing/m)
}

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
    include: ['hardhat.config.ts', 'ignition', 'test', 'suite.config.ts', 'suite'],
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
matches(failed.text, /reverted with custom error 'InsufficientStock\(3, 5\)'/)
matches(failed.text, /at Shop\.buy \(contracts\/Shop\.sol:19:\d+\)/, /\(test\/mocha\/failing\.ts:5:\d+\)/)
assert.doesNotMatch(failed.text, /at .*preseal\/dist/)

const node = spawn('node', [CLI, '--config', 'first.config.ts', 'node', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
process.once('exit', () => node.kill())
const timer = setTimeout(() => node.kill(), LIMIT_MS)
let printed = ''
node.stdout.on('data', (chunk) => {
  printed += chunk
})
while (!printed.includes('Listening on')) await once(node.stdout, 'data')
const [, port] = /Listening on [\d.]+:(\d+)/.exec(printed) ?? assert.fail(printed)
const url = `http://127.0.0.1:${port}`
const params = [`0x${'11'.repeat(20)}`, '0x7']
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'hardhat_setBalance', params })
const headers = { 'content-type': 'application/json' }
const response = await fetch(url, { method: 'POST', headers, body })
assert.equal((await response.json()).error, undefined)

// A fork of the node, and a server of a network.
const SCRIPT = `import { network } from 'hardhat'
const override = { chainId: 5, forking: { url: '${url}' } }
const { provider } = await network.create({ override })
const balance = await provider.request({ method: 'eth_getBalance', params: ['${params[0]}', 'latest'] })
const server = await network.createServer('default', '127.0.0.1')
const { port } = await server.listen()
const { status } = await fetch('http://127.0.0.1:' + port, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
await server.close()
await server.afterClosed()
console.log(balance, await provider.request({ method: 'eth_chainId' }), status)
`
writeFileSync('fork.ts', SCRIPT)
const forked = run(CLI, 'run', '--no-compile', 'fork.ts')
rmSync('fork.ts')
assert.equal(forked.status, 0, forked.text)
matches(forked.text, /^0x7 0x5 200$/m)
clearTimeout(timer)
process.exit()
