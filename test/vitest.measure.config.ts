/** All tests, one file after the other: `npm run test:measure` writes which of them are long. */
import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

export default defineConfig({
  ...usual,
  test: { ...usual.test, exclude: [], maxWorkers: 1, reporters: ['default', './test/support/longTests.ts'] },
})
