import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { compileEngine } from '../src/engine/wasm/generate/compile.ts'

// Before anything is loaded that imports it.
await compileEngine()

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Test files that `npm run test:long` runs in place of `npm test`. `npm run test:measure` writes the list. */
export const LONG: readonly string[] = JSON.parse(readFileSync(path('long.json'), 'utf8'))

/** Multiplies time limits: more than 1 where tests share processors with other jobs, as in `.ci/run`. */
const PATIENCE = Number(process.env.PRESEAL_PATIENCE ?? 1)

export default defineConfig({
  root: path('..'),
  // Examples import the package by its name, as their readers will.
  resolve: {
    alias: {
      'preseal/testing': path('../src/testing/index.ts'),
      'preseal/playwright': path('../src/testing/playwright/index.ts'),
      'preseal/vitest/setup': path('../src/testing/vitest/setup.ts'),
      'preseal/vitest': path('../src/testing/vitest/index.ts'),
      preseal: path('../src/index.ts'),
    },
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...LONG],
    globalSetup: path('support/processes/bundledCli.ts'),
    setupFiles: [path('support/chains/importsSettle.ts'), path('support/chains/curveLoads.ts')],
    testTimeout: 20_000 * PATIENCE,
    // Hooks build the package, and start processes and other nodes.
    hookTimeout: 60_000 * PATIENCE,
    expect: { poll: { timeout: 15_000 * PATIENCE } },
    // By default one processor is left idle, which is half of a machine with two. Other jobs may be beside this one.
    maxWorkers: process.env.PRESEAL_TEST_WORKERS ?? '100%',
    // Loading EthereumJS anew for each of a hundred files took longer than the tests. Files share what they import, and so
    // leave nothing behind: what a test starts it ends.
    isolate: false,
  },
})
