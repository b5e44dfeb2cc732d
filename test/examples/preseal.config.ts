import { defineConfig } from 'preseal'

export default defineConfig({
  chainId: 1337,
  rhythm: 'instant',
  accounts: 3,
  port: 8546,
})
