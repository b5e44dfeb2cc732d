/** The suite in `suite/`, on Hardhat's own network or, with `NETWORK=preseal`, on a devnet. */
import hardhatEthers from '@nomicfoundation/hardhat-ethers'
import hardhatEthersChaiMatchers from '@nomicfoundation/hardhat-ethers-chai-matchers'
import hardhatMocha from '@nomicfoundation/hardhat-mocha'
import hardhatNetworkHelpers from '@nomicfoundation/hardhat-network-helpers'
import hardhatViem from '@nomicfoundation/hardhat-viem'
import { defineConfig } from 'hardhat/config'
import preseal from 'preseal/hardhat'

export default defineConfig({
  plugins: [
    hardhatMocha,
    hardhatEthers,
    hardhatEthersChaiMatchers,
    hardhatNetworkHelpers,
    hardhatViem,
    preseal,
  ],
  solidity: { version: '0.8.37', path: `${import.meta.dirname}/node_modules/solc/soljson.js` },
  paths: {
    sources: 'suite/contracts',
    tests: { mocha: 'suite/test' },
    artifacts: 'suite/artifacts',
    cache: 'suite/cache',
  },
  networks: {
    default: process.env.NETWORK === 'preseal' ? { type: 'preseal' } : { type: 'edr-simulated' },
  },
})
