import hardhatEthers from '@nomicfoundation/hardhat-ethers'
import hardhatEthersChaiMatchers from '@nomicfoundation/hardhat-ethers-chai-matchers'
import hardhatIgnitionEthers from '@nomicfoundation/hardhat-ignition-ethers'
import hardhatMocha from '@nomicfoundation/hardhat-mocha'
import hardhatNetworkHelpers from '@nomicfoundation/hardhat-network-helpers'
import hardhatNodeTestRunner from '@nomicfoundation/hardhat-node-test-runner'
import hardhatViem from '@nomicfoundation/hardhat-viem'
import { defineConfig } from 'hardhat/config'
import preseal from 'preseal/hardhat'

export default defineConfig({
  plugins: [
    hardhatMocha,
    hardhatNodeTestRunner,
    hardhatEthers,
    hardhatEthersChaiMatchers,
    hardhatIgnitionEthers,
    hardhatNetworkHelpers,
    hardhatViem,
    preseal,
  ],
  // The compiler of npm. Without `path`, Hardhat downloads one.
  solidity: { version: '0.8.37', path: `${import.meta.dirname}/node_modules/solc/soljson.js` },
  paths: { tests: { mocha: 'test/mocha', nodejs: 'test/nodejs' } },
  networks: {
    default: { type: 'preseal' },
    node: { type: 'preseal' },
    // Slices and faults need a chain on which the test makes each step.
    slices: { type: 'preseal', profile: 'base-flashblocks', rhythm: 'manual' },
  },
})
