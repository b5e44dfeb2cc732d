/** The main entry, as bundlers for browsers read it: they follow each import, also of what a browser never loads. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { listening } from '../../scripts/build/plugins.ts'

const MAIN = fileURLToPath(new URL('../../src/index.ts', import.meta.url))

it('imports no module of Node, but where it listens', async () => {
  const { errors } = await build({
    entryPoints: [MAIN],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    outdir: 'never-written',
    write: false,
    logLevel: 'silent',
    plugins: [listening],
  }).catch((failure: { errors: readonly { text: string }[] }) => failure)
  expect(errors.map(({ text }) => text)).toEqual([])
})
