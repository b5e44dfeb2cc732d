/** Runs vitest on a failing test: its failure must have the reason, and a report of the test's chain. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

writeFileSync(
  'fails.test.mjs',
  `import { expect, testWith } from 'preseal/vitest'
   const test = testWith({}, { reportOnFailure: true })
   const payment = { to: '0x00000000000000000000000000000000000000aa', value: 5n }
   test('is paid', async ({ devnet }) => {
     const sent = await devnet.send(payment)
     await expect(sent).toBeSealed()
     await expect(sent).toChangeBalance(devnet, payment.to, 5n)
     await expect(sent).not.toRevert()
   })
   test('is refused', async ({ devnet }) => expect(devnet.send(payment)).toRevert())`,
)
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'fails.test.mjs', '--testTimeout=300000', '--hookTimeout=300000'],
  { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
)
const output = stdout + stderr
assert.equal(status, 1, output)
assert.match(output, /Tests +1 failed \| 1 passed/)
assert.match(output, /expected a revert, but the transaction 0x[0-9a-f]{64} succeeded/)
const report = 'preseal-reports/fails.test.mjs/is-refused.html'
assert.ok(output.includes(`preseal report: ${report}\n`), output)
assert.match(readFileSync(report, 'utf8'), /data-name="is refused"/)
