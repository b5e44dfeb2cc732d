/** Random tests that exceed their time limit. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
let folder: string

/** Draws until its time limit ends it; the second test reports how many numbers are drawn after that. */
const TESTS = `
import { withRandom } from ${JSON.stringify(path('./random.ts'))}
const turn = () => new Promise((resolve) => setImmediate(resolve))
let draws = 0
it('takes too long', withRandom(async (random) => {
  for (;;) {
    random.below(5)
    draws++
    await turn()
  }
}), 50)
it('counts', async () => {
  const before = draws
  for (let i = 0; i < 5; i++) await turn()
  console.log('draws: ' + (before > 0) + ' ' + (draws - before))
})
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-random-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('a random test that takes too long says its seed, and ends', async () => {
  await writeFile(join(folder, 'limits.test.mjs'), TESTS)
  const child = spawn(
    process.execPath,
    [path('../../../node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--globals'],
    { env: { ...process.env, PRESEAL_SEED: '4711' }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text))
  await new Promise((resolve) => child.on('close', resolve))
  expect(printed).toContain('not done with PRESEAL_SEED=4711')
  expect(printed).toContain('draws: true 0')
})
