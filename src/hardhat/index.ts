/** The entry point `preseal/hardhat`: a plugin for Hardhat 3 in whose projects devnets take the place of Hardhat's network. */
import { overrideTask } from 'hardhat/config'
import type { HardhatPlugin } from 'hardhat/types/plugins'

export type { PresealNetworkUserConfig, PresealUserConfig } from './types.ts'

/**
 * The plugin: `plugins: [preseal]` in hardhat.config.ts. Then each network of the type `preseal`, such as
 * `networks: { default: { type: 'preseal' } }`, is a devnet in the process of Hardhat. The network takes the settings of
 * Hardhat's simulated networks and all options of `createDevnet`. `connection.preseal` is the devnet.
 */
const preseal: HardhatPlugin = {
  id: 'preseal',
  npmPackage: 'preseal',
  hookHandlers: {
    config: () => import('./config.ts'),
    hre: () => import('./hre.ts'),
    network: () => import('./network.ts'),
    solidity: () => import('./solidity.ts'),
    test: () => import('./test.ts'),
  },
  tasks: [
    overrideTask('node')
      .setAction(() => import('./node.ts'))
      .build(),
  ],
}

export default preseal
