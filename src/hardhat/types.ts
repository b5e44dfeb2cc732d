/** The types that the plugin adds to those of Hardhat. */
import type {} from 'hardhat/config'
import type { EdrNetworkUserConfig, HardhatUserConfig, NetworkUserConfig } from 'hardhat/types/config'
import type {} from 'hardhat/types/network'
import type { Devnet } from '../devnet/devnet.ts'
import type { DevnetOptions } from '../options/options.ts'

/** Settings that Hardhat and `createDevnet` have under the same name. Values of both are accepted. */
type Shared =
  | 'accounts'
  | 'privateKeys'
  | 'hardfork'
  | 'chainId'
  | 'coinbase'
  | 'allowBlocksWithSameTimestamp'

/** A network of the type `preseal`: settings of Hardhat's simulated networks, and options of `createDevnet`. */
export interface PresealNetworkUserConfig
  extends Omit<EdrNetworkUserConfig, 'type' | 'accounts' | 'hardfork'>,
    Omit<DevnetOptions, Shared> {
  type: 'preseal'
  /** Keys or a mnemonic as in Hardhat, or the number of accounts as in `createDevnet`. */
  accounts?: EdrNetworkUserConfig['accounts'] | number
  /** A hardfork of Ethereum, or of the OP Stack with the chain type `op`. */
  hardfork?: string
}

/** Hardhat's configuration, in which networks may have the type `preseal`. */
export interface PresealUserConfig extends Omit<HardhatUserConfig, 'networks'> {
  networks?: Record<string, NetworkUserConfig | PresealNetworkUserConfig>
}

declare module 'hardhat/config' {
  /** Returns the configuration. Networks may have the type `preseal`. */
  export function defineConfig(config: PresealUserConfig): HardhatUserConfig
}

declare module 'hardhat/types/config' {
  interface EdrNetworkConfig {
    /** @internal The options of the devnet of a network of the type `preseal`. */
    devnet?: () => Promise<DevnetOptions>
  }
}

declare module 'hardhat/types/network' {
  interface NetworkConnection<ChainTypeT extends ChainType | string = DefaultChainType> {
    /** The devnet of the connection. Throws a `TypeError` if the network does not have the type `preseal`. */
    readonly preseal: Devnet
  }
}
