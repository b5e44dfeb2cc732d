// Coverage of Solidity: the reporter of docs/solidity.md.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: ['default', ['preseal/vitest/coverage', { thresholds: { lines: 90, branches: 80 } }]],
  },
})
