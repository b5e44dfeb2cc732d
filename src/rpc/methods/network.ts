/** Who answers here. */
import { keccakHash } from '../../model/crypto/keccak.ts'
import { encodeQuantity, parseBytes } from '../../wire/hex.ts'
import { method, params } from '../method.ts'

export const eth_chainId = method(params(), ({ chainId }) => encodeQuantity(chainId))

export const net_version = method(params(), ({ chainId }) => chainId.toString())

/** anvil's name for it. */
export const eth_networkId = net_version

/** The version of the protocol by which nodes talk in the days of Osaka, eth/69 (EIP-7642), though here is only one. */
export const eth_protocolVersion = method(params(), () => encodeQuantity(69))

/**
 * Begins with anvil's name, as browsers say Mozilla: Hardhat's helpers, and many a test suite, look for it before they
 * steer a chain, and what they then ask for is here.
 */
export const web3_clientVersion = method(params(), ({ options }) => `anvil/${options.clientVersion}`)

/** There is nobody to talk to, and nothing to wait for. */
export const net_listening = method(params(), () => true)

export const net_peerCount = method(params(), () => encodeQuantity(0))

export const eth_syncing = method(params(), () => false)

/** As ganache answers: whether each transaction is mined at once. Nobody proves any work. */
export const eth_mining = method(params(), ({ sequencer }) => sequencer.steering.rhythm === 'instant')

export const eth_hashrate = method(params(), () => encodeQuantity(0))

/** Who receives the tips of the blocks to come. */
export const eth_coinbase = method(params(), ({ sequencer }) => sequencer.steering.coinbase)

export const web3_sha3 = method(params(parseBytes), (_, bytes) => keccakHash(bytes))

/** The namespaces that are answered, as geth tells them. */
export const rpc_modules = method(params(), () => MODULES)

const MODULES = {
  anvil: '1.0',
  debug: '1.0',
  erigon: '1.0',
  eth: '1.0',
  evm: '1.0',
  hardhat: '1.0',
  miner: '1.0',
  net: '1.0',
  ots: '1.0',
  personal: '1.0',
  preseal: '1.0',
  rpc: '1.0',
  tenderly: '1.0',
  testing: '1.0',
  trace: '1.0',
  txpool: '1.0',
  web3: '1.0',
}

/** Who may send without signing: the development accounts, and, as anvil tells them (ethers looks here), the impersonated. */
export const eth_accounts = method(params(), ({ keys, sequencer }) => [
  ...new Set([...keys.keys(), ...sequencer.steering.cheats.impersonated]),
])

/** EIP-1102: there is nobody to ask for leave. */
export const eth_requestAccounts = eth_accounts
