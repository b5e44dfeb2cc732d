/** The beginning of a devnet on a network: its fork block, its rules, and the state after it. Loaded on demand. */
import type { Moment } from './chain/moment.ts'
import type { Block } from './model/block/block.ts'
import type { Header } from './model/block/header.ts'
import { EMPTY_BYTES } from './model/bytes/hex.ts'
import type { DevelopmentAccount } from './model/developmentAccounts.ts'
import { createForkSchedule, type ForkSchedule, uniformSchedule } from './model/hardfork/forkSchedule.ts'
import type { ChainConfig } from './model/hardfork/hardfork.ts'
import { SEQUENCER_FEE_VAULT } from './model/l2/l2.ts'
import type { Transaction } from './model/transaction/transaction.ts'
import { type DevnetOptions, InvalidOption, type Settings } from './options.ts'
import type { NextBlock } from './sequencer/cheats.ts'
import { State } from './state/state.ts'
import { whenFetched } from './state/whenFetched.ts'
import type { UpstreamSettings } from './upstream/connectUpstream.ts'
import { ForkedNetwork } from './upstream/forkedNetwork.ts'
import { openFork } from './upstream/openFork.ts'

/** What a devnet on a network begins with. */
export interface ForkBeginning {
  /** The settings, with what the network decides. */
  readonly settings: Settings
  readonly schedule: ForkSchedule
  /** The fork block, with the balances of the development accounts. */
  readonly first: Moment
  readonly network: ForkedNetwork
  /** The values of the next block that options set. */
  readonly next: NextBlock
  readonly replay: Replayed | undefined
}

/** A block of the network, and the transactions at its beginning. */
export interface Replayed {
  readonly header: Header
  readonly transactions: readonly Transaction[]
}

/**
 * Connects to the node that the option `fork` names, and returns the fork block with the state after it. `options`,
 * those of the profile included, take precedence over what the network has. Rejects with `UpstreamFailed`.
 */
export async function beginOnNetwork(
  options: DevnetOptions,
  settings: Settings,
  accounts: readonly DevelopmentAccount[],
  limits: ChainConfig,
): Promise<ForkBeginning> {
  const { url, provider, block, offline = isOfflineHere(), ...access } = settings.fork!
  const target = url === undefined ? { provider: provider! } : { url }
  const warn = (message: string) => console.warn(`preseal: ${message}`)
  const settingsOfNode = { ...target, ...(access as UpstreamSettings), isOffline: offline, warn }
  const opened = await openFork(settingsOfNode, block)
  const { upstream, point, state: remote } = opened
  const { header, hash, chainId } = point
  const schedule = scheduleFor(options, settings, limits, opened.schedule)
  const state = await withAccounts(State.on(remote, header.stateRoot), accounts, settings.balance)
  // Its transactions are the network's, whose node answers for them.
  const forkBlock: Block = {
    header,
    hash,
    transactions: [],
    ommers: [],
    withdrawals: undefined,
    receipts: [],
  }
  return {
    settings: {
      ...settings,
      chainId: Number(schedule.chainId),
      hardfork: options.hardfork === undefined ? undefined : settings.hardfork,
      ...coinbaseOf(options, settings, schedule),
      gasLimit: options.gasLimit === undefined ? header.gasLimit : settings.gasLimit,
      genesisBlockNumber: Number(header.number),
      timestamp: startOf(settings, header.timestamp),
    },
    schedule,
    first: { block: forkBlock, state },
    network: new ForkedNetwork(upstream, chainId, { number: header.number, hash }),
    // A block of an L2 begins with a deposit here, too.
    replay: point.replay && {
      header: point.replay.header,
      transactions: point.replay.transactions.filter(({ deposit }) => deposit === undefined),
    },
    next: {
      ...(options.gasLimit === undefined ? {} : { gasLimit: settings.gasLimit }),
      ...(options.baseFee === undefined ? {} : { baseFeePerGas: settings.baseFee }),
    },
  }
}

/** Whether the environment variable PRESEAL_OFFLINE forbids to ask networks, as in CI. Browsers have no environment. */
function isOfflineHere(): boolean {
  const value = globalThis.process?.env?.PRESEAL_OFFLINE
  return value !== undefined && value !== '' && value !== '0'
}

/** Returns the kind of L2, and the recipient of tips: on an L2 its vault, unless the options name another. */
function coinbaseOf(
  options: DevnetOptions,
  { coinbase }: Settings,
  { config: { l2 } }: ForkSchedule,
): Pick<Settings, 'l2' | 'coinbase'> {
  if (l2 === undefined) return { l2: 'none', coinbase }
  return { l2, coinbase: options.coinbase === undefined ? SEQUENCER_FEE_VAULT : coinbase }
}

function scheduleFor(
  options: DevnetOptions,
  { hardfork, chainId, l2 }: Settings,
  limits: ChainConfig,
  ofNetwork: ForkSchedule,
): ForkSchedule {
  const id = options.chainId === undefined ? ofNetwork.chainId : BigInt(chainId)
  const { l2: ofChain, ...others } = ofNetwork.config
  const kind = options.l2 === undefined ? ofChain : l2 === 'none' ? undefined : l2
  const config = { ...others, ...limits, ...(kind === undefined ? {} : { l2: kind }) }
  if (options.hardfork !== undefined) return uniformSchedule(hardfork!, id, config)
  return createForkSchedule(id, ofNetwork.forks, config)
}

/** Time goes on from the fork block, as in anvil: what contracts keep of time stays near. */
function startOf({ timestamp }: Settings, ofBlock: bigint): number {
  if (timestamp === undefined) return Number(ofBlock)
  if (timestamp >= Number(ofBlock)) return timestamp
  throw new InvalidOption('timestamp', `at least ${ofBlock}, the time of the fork block`, timestamp)
}

/**
 * Returns the state in which the development accounts have their balance. Their nonces stay. Their code goes: everybody
 * has their keys, so that on networks they delegate to contracts (EIP-7702) that take what they receive.
 */
function withAccounts(
  state: State,
  accounts: readonly DevelopmentAccount[],
  balance: bigint,
): Promise<State> {
  return Promise.resolve(
    whenFetched(() => state.with(accounts.map(({ address }) => ({ address, balance, code: EMPTY_BYTES })))),
  )
}
