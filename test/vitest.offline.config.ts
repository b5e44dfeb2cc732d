/** The examples with each devnet on a network that was recorded, and no network: as in CI. `npm run test:offline` */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { RECORDED_AT } from './support/nodes/committedNetwork.ts'
import { inPlaceOfCreateDevnet } from './support/nodes/inPlaceOfCreateDevnet.ts'
import usual from './vitest.config.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

const isRecording = process.env[RECORDED_AT] !== undefined

export default defineConfig({
  ...usual,
  plugins: [inPlaceOfCreateDevnet('onCommittedNetwork.ts')],
  test: {
    ...usual.test,
    include: ['test/examples/**/*.test.ts'],
    env: { PRESEAL_OFFLINE: isRecording ? '0' : '1' },
    setupFiles: [
      path('support/chains/importsSettle.ts'),
      path('support/chains/curveLoads.ts'),
      path('support/nodes/offlineSetup.ts'),
    ],
    maxWorkers: 8,
  },
})
