/** Who answers here. */
import { encodeQuantity } from '../../wire/hex.ts'
import { method, params } from '../method.ts'

export const eth_chainId = method(params(), ({ chainId }) => encodeQuantity(chainId))

export const net_version = method(params(), ({ chainId }) => chainId.toString())

export const web3_clientVersion = method(params(), ({ options }) => options.clientVersion)

/** The unlocked development accounts. */
export const eth_accounts = method(params(), ({ keys }) => [...keys.keys()])
