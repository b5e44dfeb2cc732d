/** `createDevnet`: creates the accounts, the clock and the genesis block of a devnet from its options. */

import type { Bridge } from '../bridge/bridge.ts'
import { originAt } from '../bridge/l1Origin.ts'
import { type Address, fromHex, type Hash } from '../bytes/hex.ts'
import { Chain } from '../chain/chain.ts'
import type { Moment } from '../chain/moment.ts'
import { loadSecp256k1, ORDER } from '../crypto/secp256k1.ts'
import { ENGINE_NAMES, type EngineName, Evms, loadEngine } from '../engine/evm.ts'
import { checksummed } from '../model/account/account.ts'
import {
  accountOfKey,
  type DevelopmentAccount,
  developmentAccounts,
  InvalidMnemonic,
} from '../model/account/developmentAccounts.ts'
import { attributed, attributedNow, callSite, thrownAt } from '../model/api/callSite.ts'
import { encodeFeeParameters } from '../model/block/fees.ts'
import { GENESIS_CONTRACTS, PREDEPLOYS, type Predeploy } from '../model/bytecode/predeploys.ts'
import { uniformSchedule, withConfig } from '../model/hardfork/forkSchedule.ts'
import { DEFAULT_UPGRADE, L2_TERMS, type L2Chain, type OwnUpgrade } from '../model/l2/l2.ts'
import type { DevnetOptions, ForkSettings, Settings } from '../options/options.ts'
import { parseOptions } from '../options/parseOptions.ts'
import { withProfile } from '../options/profiles.ts'
import { InvalidOption } from '../options/values.ts'
import { Pool } from '../pool/pool.ts'
import { firstCheats } from '../sequencer/cheats.ts'
import { Clock } from '../sequencer/clock.ts'
import { createGenesis, type GenesisOptions, momentOf } from '../sequencer/genesis.ts'
import { requireJson } from '../solidity/artifacts/artifacts.ts'
import type { ForkedNetwork, ForkTarget, Networks } from '../upstream/forkedNetwork.ts'
import { type BridgeOn, createL1, networkOf, timeOf, withContracts } from './createL1.ts'
import { Devnet } from './devnet.ts'
import { prepareForDevnets } from './events.ts'
import type { ForkBeginning } from './forkNetwork.ts'

/** Creates a devnet and starts its rhythm. Rejects with `InvalidOption` for an unknown option or an invalid value. */
export function createDevnet(
  options: DevnetOptions & { readonly l1: NonNullable<DevnetOptions['l1']> },
): Promise<Devnet & { readonly l1: Devnet }>
export function createDevnet(options?: DevnetOptions): Promise<Devnet>
export function createDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  return create(options)
}

/** Creates a devnet. `bridgeOn`: the contracts of the L2, if it is the L1 beside an L2. */
async function create(options: DevnetOptions, bridgeOn?: BridgeOn): Promise<Devnet> {
  const site = callSite(createDevnet)
  attributedNow(site, requireWasm)
  await prepareForDevnets()
  const settings = attributedNow(site, () => parseOptions(options))
  attributedNow(site, () => {
    requireJson(settings.artifacts ?? [], (expected, path) => new InvalidOption('artifacts', expected, path))
  })
  const [createEngine] = await Promise.all([
    attributed(site, () => loadEngine(settings.engine ?? engineOfEnvironment())),
    loadSecp256k1(),
  ])
  const accounts = await attributed(site, () => accountsOf(settings))
  const begun = await attributed(site, () => beginning(options, settings, accounts, bridgeOn))
  const chain = Chain.of(begun.first, {
    safeDistance: settings.safeDistance,
    finalizedDistance: settings.finalizedDistance,
    historyBlocks: settings.history.blocks,
    sliceBlocks: settings.sliceHistory,
    randaoSeed: settings.randaoSeed,
  })
  const keys = new Map(accounts.map(({ address, privateKey }) => [address, fromHex(privateKey)]))
  const devnet = new Devnet(
    {
      settings: begun.settings,
      accounts: accounts.map((account) => ({ ...account, address: checksummed(account.address) })),
      keys,
      evms: new Evms(begun.schedule, createEngine),
      chain,
      pool: new Pool(),
      clock: begun.clock,
      networks: new DevnetNetworks(begun.settings, addressesOf(accounts)),
      cheats: begun.next && {
        ...firstCheats({ autoImpersonates: settings.autoImpersonate }),
        next: begun.next,
      },
      bridge: begun.bridge,
    },
    { l1: begun.l1 },
  )
  if (begun.repeated !== undefined) {
    const { header, transactions } = begun.repeated
    const [failed] = await devnet.repeat(header, transactions)
    if (failed !== undefined) {
      await devnet.close()
      const expected = 'a transaction before which the others of its block can be run again'
      throw thrownAt(site, new InvalidOption('fork.block', expected, `one after ${failed.hash}`))
    }
  }
  return devnet
}

/** Reads the environment variable PRESEAL_ENGINE. In browsers, which have no such variables, the default applies. */
function engineOfEnvironment(): EngineName {
  const name = globalThis.process?.env?.PRESEAL_ENGINE
  if (name === undefined || name === '') return 'wasm'
  const known = ENGINE_NAMES.find((each) => each === name)
  if (known === undefined) throw new InvalidOption('PRESEAL_ENGINE', ENGINE_NAMES.join(', '), name)
  return known
}

const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

let isWasmAllowed = false

function requireWasm(): void {
  if (isWasmAllowed) return
  try {
    new WebAssembly.Module(EMPTY_MODULE)
    isWasmAllowed = true
  } catch {
    throw new Error(
      "preseal needs WebAssembly, which is not allowed here: allow it in the page's content security policy with 'wasm-unsafe-eval'",
    )
  }
}

async function accountsOf({
  mnemonic,
  accounts,
  derivationPath,
  privateKeys,
}: Settings): Promise<readonly DevelopmentAccount[]> {
  if (privateKeys !== undefined) return privateKeys.map(accountOf)
  try {
    return await developmentAccounts(mnemonic, accounts, derivationPath)
  } catch (error) {
    if (!(error instanceof InvalidMnemonic)) throw error
    throw new InvalidOption('mnemonic', 'words of the English BIP-39 list with a right checksum', mnemonic)
  }
}

function accountOf(privateKey: Hash): DevelopmentAccount {
  const value = BigInt(privateKey)
  if (value > 0n && value < ORDER) return accountOfKey(privateKey)
  throw new InvalidOption('privateKeys', 'numbers above 0 and below the order of secp256k1', privateKey)
}

function addressesOf(accounts: readonly DevelopmentAccount[]): readonly Address[] {
  return accounts.map(({ address }) => address)
}

interface Beginning extends ForkBeginning {
  readonly clock: Clock
  readonly l1?: Devnet | undefined
  readonly bridge?: Bridge | undefined
}

/** Creates the first block: a network's fork block, block 0 of a genesis.json, or a block with the options' values. */
async function beginning(
  options: DevnetOptions,
  settings: Settings,
  accounts: readonly DevelopmentAccount[],
  bridgeOn: BridgeOn | undefined,
): Promise<Beginning> {
  const limits =
    settings.codeSizeLimit === undefined ? {} : { codeSizeLimit: settings.codeSizeLimit || UNLIMITED }
  if (settings.fork !== undefined) {
    const { beginOnNetwork } = await import('./forkNetwork.ts')
    const begun = await beginOnNetwork(withProfile(options), settings, addressesOf(accounts), limits)
    const clock = clockOf(begun.settings)
    if (bridgeOn !== undefined) {
      const { bridge, contracts } = await bridgeOn(begun.settings.chainId, networkOf(begun.first))
      return { ...begun, first: await withContracts(begun.first, contracts), clock, bridge }
    }
    return {
      ...begun,
      clock,
      l1: settings.l1 && (await createL1(create, begun.settings, clock, begun.first)),
    }
  }
  const given = settings.l1?.devnet
  const clock = clockOf(settings, given && timeOf(given))
  const { genesis, hardfork, coinbase, randaoSeed } = settings
  if (genesis !== undefined) {
    return { settings, schedule: withConfig(genesis.schedule, limits), first: momentOf(genesis), clock }
  }
  const chainId = BigInt(settings.chainId)
  const number = BigInt(settings.genesisBlockNumber)
  const { l2, l2Upgrade = DEFAULT_UPGRADE } = settings
  const l1 = settings.l1 && (await createL1(create, settings, clock))
  const own = await bridgeOn?.(settings.chainId)
  const contracts = own?.contracts ?? (settings.systemContracts ? GENESIS_CONTRACTS : PREDEPLOYS)
  const config = l2 === 'none' ? limits : { ...limits, l2, l2Upgrade }
  const schedule = uniformSchedule(hardfork!, chainId, config)
  const first = createGenesis(schedule.at({ number, timestamp: 0n, difficulty: 0n }), {
    number,
    coinbase,
    randaoSeed,
    gasLimit: settings.gasLimit,
    baseFeePerGas: settings.baseFee,
    timestamp: clock.seconds,
    accounts: addressesOf(accounts),
    balance: settings.balance,
    ...(l2 === 'none'
      ? { contracts }
      : await genesisOfL2(contracts, { ...settings, l2, l2Upgrade }, clock.seconds, l1)),
  })
  return { settings: ofL1(settings, l1), schedule, first, clock, l1, bridge: own?.bridge }
}

/** Returns the settings with the values of the L1, which a given devnet decides. */
function ofL1(settings: Settings, l1: Devnet | undefined): Settings {
  if (l1 === undefined) return settings
  const { chainId, tickMs } = l1.settings
  return { ...settings, l1: { ...settings.l1!, devnet: undefined, chainId, tickMs } }
}

/** Returns a clock that begins at the option `timestamp`, by default at `defaultMs` or now. */
function clockOf({ rhythm, tickMs, timestamp }: Settings, defaultMs?: number): Clock {
  const startMs = timestamp === undefined ? defaultMs : timestamp * 1000
  return new Clock(
    rhythm,
    tickMs,
    startMs === undefined ? undefined : { nowMs: startMs, lastTickMs: startMs },
  )
}

/** Code size limit in bytes that stands for "no limit" (option `codeSizeLimit: 0`). */
const UNLIMITED = 2 ** 48

/**
 * Returns the genesis of an L2: the predeploys besides `others`, and the fee parameters of its chain. A base fee below
 * the minimum is also the minimum. Loads the predeploys on demand, because they are large.
 */
async function genesisOfL2(
  others: readonly Predeploy[],
  { l2, l2Upgrade, chainId, baseFee }: Settings & { readonly l2: L2Chain; readonly l2Upgrade: OwnUpgrade },
  timestamp: bigint,
  l1: Devnet | undefined,
): Promise<Pick<GenesisOptions, 'contracts' | 'l1Block' | 'extraData'>> {
  const { l1BlockAt, withL2Predeploys } = await import('../model/bytecode/l2Predeploys.ts')
  const { minBaseFee, ...terms } = L2_TERMS[l2]
  return {
    contracts: withL2Predeploys(others, l2, l2Upgrade, BigInt(chainId), l1?.settings.chainId),
    l1Block: l1BlockAt(l2, l2Upgrade, timestamp, l1 && originAt(l1.latest, 0n)),
    extraData: encodeFeeParameters(l2Upgrade, {
      ...terms,
      minBaseFee: baseFee < minBaseFee ? baseFee : minBaseFee,
    }),
  }
}

/** The forked network of a devnet. JSON-RPC methods can fork again, at another block, or replace the node. */
class DevnetNetworks implements Networks {
  #fork: ForkSettings
  readonly #accounts: readonly Address[]
  readonly #balance: bigint

  constructor({ fork = {}, balance }: Settings, accounts: readonly Address[]) {
    this.#fork = fork
    this.#accounts = accounts
    this.#balance = balance
  }

  async begin({ url, block }: ForkTarget, accept: (name: string, chainId: bigint) => void): Promise<Moment> {
    const { firstMoment, openNetwork } = await import('./forkNetwork.ts')
    const fork = url === undefined ? this.#fork : this.#at(url)
    const opened = await openNetwork({ ...fork, block }, (name, { chainId }) => accept(name, chainId))
    const first = await firstMoment(opened, this.#accounts, this.#balance)
    this.#fork = fork
    return first
  }

  get hasNode(): boolean {
    return this.#fork.url !== undefined || this.#fork.provider !== undefined
  }

  async open(block: Hash): Promise<ForkedNetwork | undefined> {
    if (!this.hasNode) return undefined
    const { openNetwork } = await import('./forkNetwork.ts')
    const { network } = await openNetwork({ ...this.#fork, block })
    return network
  }

  async turnTo(network: ForkedNetwork, url: string): Promise<void> {
    const { nodeOf } = await import('./forkNetwork.ts')
    const fork = this.#at(url)
    network.node.replaceNode(await nodeOf(fork, { chainId: network.chainId, ...network.block }))
    this.#fork = fork
  }

  /** Returns the settings for the node at `url`. Another host does not get the headers, which may contain keys. */
  #at(url: string): ForkSettings {
    const { provider: _, headers, ...access } = this.#fork
    const isSameHost = access.url !== undefined && new URL(access.url).host === new URL(url).host
    return { ...access, url, ...(isSameHost && headers !== undefined ? { headers } : {}) }
  }
}
