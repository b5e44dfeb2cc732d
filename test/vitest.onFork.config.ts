/** The stories of `test/flows`, and of viem's test client, with each devnet on a fork. `npm run test:on-fork` */
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'
import { NOT_ON_FORKS } from './support/notOnForks.ts'
import usual from './vitest.config.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Puts `createDevnet` of the tests in the place of that of the package. */
const onFork: Plugin = {
  name: 'on-fork',
  enforce: 'pre',
  resolveId(source, importer) {
    const isOfPackage = source === './createDevnet.ts' && importer === path('../src/index.ts')
    return isOfPackage ? path('support/onFork.ts') : undefined
  },
}

export default defineConfig({
  ...usual,
  plugins: [onFork],
  test: {
    ...usual.test,
    include: ['test/flows/**/*.test.ts', 'test/clients/viemTestActions.test.ts'],
    exclude: NOT_ON_FORKS.flatMap(({ file, stories }) =>
      stories === undefined ? [`test/flows/${file}.test.ts`] : [],
    ),
    setupFiles: path('support/onForkSetup.ts'),
  },
})
