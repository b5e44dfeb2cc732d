import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { reporters: ['default', ['preseal/vitest/gas', { outputFile: 'gas.json' }]] },
})
