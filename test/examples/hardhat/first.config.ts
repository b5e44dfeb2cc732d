import { defineConfig } from 'hardhat/config'
import preseal from 'preseal/hardhat'

export default defineConfig({
  plugins: [preseal],
  networks: {
    default: { type: 'preseal' },
    node: { type: 'preseal' }, // for `npx hardhat node`
  },
})
