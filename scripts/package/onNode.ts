/**
 * Runs tests on another version of Node, whose binary is a package of npm. `npm run on-node -- 24 test/flows`: arguments after
 * the version go to vitest.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from './folders.ts'
import { nodeOf } from './nodeOf.ts'

const [version, ...filters] = process.argv.slice(2)
if (!/^\d+(\.\d+)*$/.test(version ?? '')) {
  throw new Error(`expected a version of Node, such as 24, got ${version}`)
}
const node = await nodeOf(version!)
if (node === undefined) {
  console.log(`Node ${version}: passed over, npm has no binary of it for ${process.platform}-${process.arch}`)
} else {
  console.log(`Node ${version}`)
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const child = spawn(node, [vitest, 'run', '--config', 'test/vitest.config.ts', ...filters], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
}
