/**
 * The hooks of Hardhat's configuration. Hardhat knows two types of networks. So a network of the type `preseal` passes its
 * validation and resolution as a simulated network, with the options of `createDevnet` apart, and gets its type back at the end.
 */
import type {
  ConfigurationVariableResolver,
  EdrNetworkUserConfig,
  HardhatConfig,
  HardhatUserConfig,
  NetworkConfig,
} from 'hardhat/types/config'
import type { ConfigHooks, HardhatUserConfigValidationError } from 'hardhat/types/hooks'
import { type DevnetOptions, OPTIONS } from '../options/options.ts'
import { parseOptions } from '../options/parseOptions.ts'
import { InvalidOption } from '../options/values.ts'
import { type Disguised, devnetOptions, UNSUPPORTED } from './devnetOptions.ts'
import type { PresealNetworkUserConfig } from './types.ts'

export default async (): Promise<Partial<ConfigHooks>> => ({
  extendUserConfig,
  validateUserConfig,
  resolveUserConfig,
})

/** Options that are settings of Hardhat under this or another name. Hardhat's plugins read the accounts there. */
const RENAMED = {
  mnemonic: 'mnemonic',
  balance: 'accountsBalance',
  derivationPath: 'path',
} as const satisfies Partial<Record<keyof DevnetOptions, string>>
const SHARED: ReadonlySet<string> = new Set([
  'accounts',
  'chainId',
  'coinbase',
  'hardfork',
  'allowBlocksWithSameTimestamp',
  'privateKeys',
  ...Object.keys(RENAMED),
])

async function extendUserConfig(
  config: HardhatUserConfig,
  next: (config: HardhatUserConfig) => Promise<HardhatUserConfig>,
): Promise<HardhatUserConfig> {
  const networks = Object.entries(config.networks ?? {}).map(([name, network]) => {
    const given = network as unknown as PresealNetworkUserConfig | Disguised
    return [name, given.type === 'preseal' || 'preseal' in given ? disguised(given) : network]
  })
  return next({ ...config, networks: Object.fromEntries(networks) })
}

/** Returns `network` as Hardhat reads it. A network that an override changed arrives a second time. */
function disguised(network: PresealNetworkUserConfig | Disguised): Disguised {
  const entries = Object.entries({ ...network, type: 'edr-simulated', preseal: undefined })
  const isOption = ([name]: [string, unknown]) => Object.hasOwn(OPTIONS, name) && !SHARED.has(name)
  const others = entries.filter((entry) => !isOption(entry) && !Object.hasOwn(RENAMED, entry[0]))
  const before = 'preseal' in network ? network.preseal : {}
  return {
    ...(Object.fromEntries(others) as unknown as Disguised),
    ...accountsOf(network as PresealNetworkUserConfig),
    ...(network.hardfork === 'paris' ? { hardfork: 'merge' } : {}),
    preseal: { ...before, ...Object.fromEntries(entries.filter(isOption)) },
  }
}

function accountsOf(network: PresealNetworkUserConfig): Pick<EdrNetworkUserConfig, 'accounts'> {
  const { accounts } = network
  const renamed = Object.entries(RENAMED).flatMap(([ours, theirs]) => {
    const value = network[ours as keyof typeof RENAMED]
    return value === undefined ? [] : [[theirs, typeof value === 'number' ? BigInt(value) : value]]
  })
  if (Array.isArray(accounts) || (accounts === undefined && renamed.length === 0)) return {}
  const theirs = typeof accounts === 'number' ? { count: accounts } : accounts
  return { accounts: { ...theirs, ...Object.fromEntries(renamed) } }
}

async function validateUserConfig(config: HardhatUserConfig): Promise<HardhatUserConfigValidationError[]> {
  return presealNetworks(config).flatMap(([name, network]) => {
    const refused = Object.entries(UNSUPPORTED).flatMap(([setting, refusal]) => {
      const message = refusal(network)
      return message === undefined ? [] : [{ path: ['networks', name, setting], message }]
    })
    try {
      parseOptions(network.preseal)
    } catch (error) {
      if (!(error instanceof InvalidOption)) throw error
      refused.push({ path: ['networks', name], message: error.message })
    }
    return refused
  })
}

function presealNetworks({ networks = {} }: HardhatUserConfig): [string, Disguised][] {
  return (Object.entries(networks) as [string, Disguised][]).filter(([, network]) => 'preseal' in network)
}

async function resolveUserConfig(
  userConfig: HardhatUserConfig,
  resolver: ConfigurationVariableResolver,
  next: (config: HardhatUserConfig, resolver: ConfigurationVariableResolver) => Promise<HardhatConfig>,
): Promise<HardhatConfig> {
  const resolved = await next(userConfig, resolver)
  const networks: Record<string, NetworkConfig> = { ...resolved.networks }
  const defaultChainType = userConfig.defaultChainType ?? 'generic'
  for (const [name, given] of presealNetworks(userConfig)) {
    const network = networks[name]
    if (network?.type !== 'edr-simulated') continue
    const chainType = network.chainType ?? defaultChainType
    networks[name] = {
      ...network,
      type: 'preseal' as 'edr-simulated',
      devnet: () => devnetOptions(given, network, chainType),
      // Hardhat creates its HTTP provider, which connects to nothing, because the plugin answers all requests.
      ...{ url: { getUrl: async () => 'http://preseal.invalid' }, httpHeaders: {}, timeout: 0 },
    }
  }
  return { ...resolved, networks }
}
