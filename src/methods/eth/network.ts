import { keccakHash } from '../../crypto/keccak.ts'
import { params, read, send } from '../../rpc/method.ts'
import { encodeQuantity, parseBytes } from '../../wire/hex.ts'

export const eth_chainId = read(params(), ({ chainId }) => encodeQuantity(chainId))

export const net_version = read(params(), ({ chainId }) => chainId.toString())

export const eth_networkId = net_version

/** Returns 69: eth/69 (EIP-7642) is the wire protocol of Osaka. The devnet has no peers. */
export const eth_protocolVersion = read(params(), () => encodeQuantity(69))

/** Returns a version that begins with `anvil`, because Hardhat's helpers and many test suites then use cheats. */
export const web3_clientVersion = read(params(), ({ options }) => `anvil/${options.clientVersion}`)

export const net_listening = read(params(), () => true)

export const net_peerCount = read(params(), () => encodeQuantity(0))

export const eth_syncing = read(params(), () => false)

export const eth_mining = read(params(), ({ clock }) => clock.rhythm === 'instant')

export const eth_hashrate = read(params(), () => encodeQuantity(0))

export const eth_coinbase = read(params(), ({ upcoming }) => upcoming.coinbase)

export const web3_sha3 = read(params(parseBytes), (_, bytes) => keccakHash(bytes))

export const rpc_modules = read(params(), () => MODULES)

const NAMESPACES =
  'anvil debug erigon eth evm hardhat miner net ots personal preseal rpc tenderly testing trace txpool web3'

const MODULES = Object.fromEntries(NAMESPACES.split(' ').map((name) => [name, '1.0']))

export const eth_accounts = send(params(), ({ accounts }) => accounts)

/** Returns all accounts (EIP-1102). No user confirms the request. */
export const eth_requestAccounts = eth_accounts

/** Returns the accounts whose keys the devnet has. `eth_accounts` also returns the impersonated accounts. */
export const personal_listAccounts = send(params(), ({ keys }) => [...keys.keys()])
