/** The bundle evaluates some modules when they are first used: they work there as in the packages. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BUNDLING } from '../../scripts/build/dist.ts'
import { lazyModules } from '../../scripts/build/lazyModules.ts'
import * as source from '../../src/index.ts'
import { createRules } from '../../src/model/hardfork/hardfork.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-bundle-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function bundled(): Promise<typeof source> {
  const outfile = join(folder, 'bundle.mjs')
  const stdin = { contents: "export * from './src/index.ts'", resolveDir: ROOT }
  await build({ ...BUNDLING, splitting: false, stdin, outfile, plugins: [lazyModules] })
  return import(pathToFileURL(outfile).href)
}

/** What each precompile returns or fails with, for some lengths of zeros. */
async function precompileResults({ createDevnet }: typeof source): Promise<unknown[]> {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const calls = [...createRules('osaka', 1n).precompiles].flatMap((to) =>
    [0, 64, 128, 213, 256, 384].map((length) => ({ to, data: `0x${'00'.repeat(length)}` })),
  )
  // Awaited here: the devnet is closed when this function returns.
  return await Promise.all(
    calls.map((call) =>
      devnet.request({ method: 'eth_call', params: [call] }).catch(({ message }) => message as string),
    ),
  )
}

it('runs all precompiles as from the source', { timeout: 60_000 }, async () => {
  const results = await precompileResults(await bundled())
  expect(results).toEqual(await precompileResults(source))
  expect(new Set(results).size).toBeGreaterThan(5)
})
