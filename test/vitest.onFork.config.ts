/** The stories of `test/flows`, and of viem's test client, with each devnet on a fork. `npm run test:on-fork` */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { inPlaceOfCreateDevnet } from './support/nodes/inPlaceOfCreateDevnet.ts'
import { NOT_ON_FORKS } from './support/nodes/notOnForks.ts'
import usual from './vitest.config.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

export default defineConfig({
  ...usual,
  plugins: [inPlaceOfCreateDevnet('onFork.ts')],
  test: {
    ...usual.test,
    include: ['test/flows/**/*.test.ts', 'test/clients/viemTestActions.test.ts'],
    exclude: NOT_ON_FORKS.flatMap(({ file, stories }) =>
      stories === undefined ? [`test/flows/${file}.test.ts`] : [],
    ),
    setupFiles: [
      path('support/chains/importsSettle.ts'),
      path('support/chains/curveLoads.ts'),
      path('support/nodes/onForkSetup.ts'),
    ],
    // A look-up of an unknown hash asks the network several times, for seconds: nodes may be behind each other.
    testTimeout: 3 * usual.test!.testTimeout!,
  },
})
