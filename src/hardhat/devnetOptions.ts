/** From the settings of a network in hardhat.config.ts to the options of `createDevnet`. */
import type { EdrNetworkAccountConfig, EdrNetworkConfig, EdrNetworkUserConfig } from 'hardhat/types/config'
import type { Hex } from '../bytes/hex.ts'
import { developmentAccounts } from '../model/account/developmentAccounts.ts'
import type { DevnetOptions } from '../options/options.ts'

/** A network on its way through Hardhat's validation. */
export interface Disguised extends EdrNetworkUserConfig {
  /** The options of `createDevnet` that Hardhat's networks do not have. */
  readonly preseal?: DevnetOptions
}

/** The code size limit since EIP-170, in bytes. */
const CODE_SIZE_LIMIT = 24_576
/** The block gas limit of Hardhat's network. */
const GAS_LIMIT = 60_000_000n

/** The hardforks of Hardhat that preseal has under other names; those of the OP Stack by the rules of their EVM. */
const HARDFORKS: Readonly<Record<string, string>> = {
  muirGlacier: 'istanbul',
  arrowGlacier: 'london',
  grayGlacier: 'london',
  merge: 'paris',
  bedrock: 'paris',
  regolith: 'paris',
  canyon: 'shanghai',
  ecotone: 'cancun',
  fjord: 'cancun',
  granite: 'cancun',
  holocene: 'cancun',
  isthmus: 'prague',
  jovian: 'prague',
}

/** Settings that a devnet does not have: the expected value, for each value that would have no effect. */
export const UNSUPPORTED: Readonly<Record<string, (network: Disguised) => string | undefined>> = {
  minGasPrice: ({ minGasPrice: price }) =>
    refused(!price, price, 'no minimum gas price, because a devnet has none'),
  networkId: ({ networkId: id, chainId = 31337 }) =>
    refused(id === undefined || id === chainId, id, `${chainId}, the chain id`),
  throwOnCallFailures: ({ throwOnCallFailures: value }) =>
    refused(value !== false, value, 'true, because calls that fail are errors'),
  transactionGasCap: ({ transactionGasCap: cap }) =>
    refused(cap === undefined, cap, 'nothing, because the hardfork decides the cap'),
  mining: ({ mining: { interval } = {} }) =>
    refused(!Array.isArray(interval), interval, 'a fixed interval in milliseconds'),
  privateKeys: (network) =>
    refused(!('privateKeys' in network), '`privateKeys`', '`accounts: [{ privateKey, balance }]`'),
}

function refused(isFine: boolean, value: unknown, expected: string): string | undefined {
  return isFine ? undefined : `expected ${expected}, got ${String(value)}`
}

/**
 * Resolves to the options of the devnet. `given` has the settings that the user gave, and `network` all of them, with the
 * defaults of Hardhat. If the options name a `profile`, its defaults are used where the user gave nothing.
 */
export async function devnetOptions(
  given: Disguised,
  network: EdrNetworkConfig,
  chainType: string,
): Promise<DevnetOptions> {
  const { preseal = {} } = given
  const own = preseal.profile === undefined ? ({ profile: 'hardhat', ...defaults(chainType) } as const) : {}
  const { hardfork } = given
  return {
    ...own,
    ...(preseal.genesis === undefined ? { chainId: network.chainId } : {}),
    ...(given.allowBlocksWithSameTimestamp === undefined
      ? {}
      : { allowBlocksWithSameTimestamp: given.allowBlocksWithSameTimestamp }),
    ...(given.allowUnlimitedContractSize === undefined
      ? {}
      : { codeSizeLimit: given.allowUnlimitedContractSize ? 0 : CODE_SIZE_LIMIT }),
    ...gasLimits(given),
    ...(given.coinbase === undefined ? {} : { coinbase: given.coinbase }),
    ...(hardfork === undefined
      ? {}
      : { hardfork: (HARDFORKS[hardfork] ?? hardfork) as NonNullable<DevnetOptions['hardfork']> }),
    ...(hardfork === 'isthmus' && network.forking?.enabled !== true ? { l2Upgrade: hardfork } : {}),
    ...(network.initialBaseFeePerGas === undefined ? {} : { baseFee: network.initialBaseFeePerGas }),
    ...(given.initialDate === undefined ? {} : { timestamp: secondsOf(given.initialDate) }),
    ...(given.mining === undefined ? {} : mining(network.mining)),
    ...(await forkOf(network)),
    ...(await accountsOf(network.accounts)),
    ...preseal,
  }
}

function defaults(chainType: string): DevnetOptions {
  return {
    gasLimit: GAS_LIMIT,
    codeSizeLimit: CODE_SIZE_LIMIT,
    ...(chainType === 'op' ? { l2: 'op' } : {}),
  }
}

function gasLimits({ blockGasLimit }: Disguised): DevnetOptions {
  if (blockGasLimit === undefined) return {}
  return blockGasLimit === false ? { disableBlockGasLimit: true } : { gasLimit: BigInt(blockGasLimit) }
}

function secondsOf(date: string | Date): number {
  return Math.floor(new Date(date).getTime() / 1000)
}

function mining({ auto, interval, mempool }: EdrNetworkConfig['mining']): DevnetOptions {
  const order = mempool.order === 'fifo' ? 'fifo' : 'fees'
  const tickMs = Number(interval)
  // Under the rhythm `manual`, a devnet would begin in 2025.
  if (tickMs === 0) return auto ? { order } : { order, rhythm: 'manual', timestamp: secondsOf(new Date()) }
  return { order, rhythm: 'interval', tickMs, ticksPerBlock: 0, mixedMining: auto }
}

async function forkOf({ forking }: EdrNetworkConfig): Promise<DevnetOptions> {
  if (forking?.enabled !== true) return {}
  const { blockNumber, httpHeaders } = forking
  return {
    fork: {
      url: await forking.url.getUrl(),
      ...(blockNumber === undefined ? {} : { block: blockNumber }),
      ...(httpHeaders === undefined ? {} : { headers: httpHeaders }),
    },
  }
}

async function accountsOf(accounts: EdrNetworkConfig['accounts']): Promise<DevnetOptions> {
  if (Array.isArray(accounts)) return { privateKeys: await keysOf(accounts) }
  const { count, initialIndex, path, accountsBalance: balance } = accounts
  const mnemonic = await accounts.mnemonic.get()
  const passphrase = await accounts.passphrase.get()
  if (initialIndex === 0 && passphrase === '')
    return { balance, mnemonic, accounts: count, derivationPath: path }
  const derived = await developmentAccounts(mnemonic, initialIndex + count, path, passphrase)
  return { balance, privateKeys: derived.slice(initialIndex).map(({ privateKey }) => privateKey) }
}

function keysOf(accounts: readonly EdrNetworkAccountConfig[]): Promise<Hex[]> {
  return Promise.all(accounts.map(async ({ privateKey }) => (await privateKey.getHexString()) as Hex))
}

/** Returns the balances of a list of keys, which `createDevnet` cannot set, because each has its own. */
export function balancesOf({ accounts }: EdrNetworkConfig): readonly bigint[] {
  return Array.isArray(accounts) ? accounts.map(({ balance }) => balance) : []
}
