/** Creates the first block of a devnet that forks a network: the fork block, its rules, and the state after it. */

import { type Address, EMPTY_BYTES } from '../bytes/hex.ts'
import type { Moment } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import type { Header } from '../model/block/header.ts'
import { createForkSchedule, type ForkSchedule, uniformSchedule } from '../model/hardfork/forkSchedule.ts'
import type { ChainConfig, Rules } from '../model/hardfork/hardfork.ts'
import { SEQUENCER_FEE_VAULT } from '../model/l2/l2.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { DevnetOptions, ForkSettings, Settings } from '../options/options.ts'
import { InvalidOption } from '../options/values.ts'
import type { NextBlock } from '../sequencer/cheats.ts'
import { requireL2 } from '../state/l1Block.ts'
import { State } from '../state/state.ts'
import { whenFetched } from '../state/whenFetched.ts'
import type { CachedBlock } from '../upstream/cacheFile.ts'
import type { UpstreamSettings } from '../upstream/connection.ts'
import { type Accept, type OpenedFork, openFork, openNode } from '../upstream/openFork.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { Devnet } from './devnet.ts'

export interface ForkBeginning {
  /** The options, completed with values of the network, such as its chain id. */
  readonly settings: Settings
  readonly schedule: ForkSchedule
  /** The fork block and the state after it, in which the development accounts have their balances. */
  readonly first: Moment
  /** Values of the next block that the options set. */
  readonly next?: NextBlock
  /** The network's block after the fork block, if some of its transactions are to be run again on the fork. */
  readonly repeated?: RepeatedBlock | undefined
}

export interface RepeatedBlock {
  readonly header: Header
  readonly transactions: readonly Transaction[]
}

/** Connects to the node that `fork` names. Rejects with `UpstreamFailed`, `WrongCache`, or the error of `accept`. */
export function openNetwork(fork: ForkSettings, accept?: Accept): Promise<OpenedFork> {
  return openFork(accessOf(fork), fork.block, accept)
}

/** Returns the node that `fork` names. Rejects with `UpstreamFailed` if the node does not have `block`. */
export function nodeOf(fork: ForkSettings, block: CachedBlock): Promise<Upstream> {
  return openNode(accessOf(fork), block)
}

function accessOf({
  url,
  provider,
  block: _,
  // A provider that is a devnet of this process needs no network.
  offline = !(provider instanceof Devnet) && isOfflineHere(),
  proofs = false,
  ...access
}: ForkSettings) {
  const target = url === undefined ? { provider: provider! } : { url }
  const warn = (message: string) => console.warn(`preseal: ${message}`)
  return { ...target, ...(access as UpstreamSettings), isOffline: offline, hasProofs: proofs, warn }
}

/** Returns the beginning of a fork. `options` override the network's values. Rejects with `UpstreamFailed`. */
export async function beginOnNetwork(
  options: DevnetOptions,
  settings: Settings,
  accounts: readonly Address[],
  limits: ChainConfig,
): Promise<ForkBeginning> {
  const opened = await openNetwork(settings.fork!)
  const { header } = opened.point
  const schedule = scheduleFor(options, settings, limits, await opened.schedule())
  const { replay } = opened.point
  const [first] = await Promise.all([
    firstMoment(opened, accounts, settings.balance),
    fetchL2(State.on(opened.network.state, header.stateRoot), schedule.at(header)),
  ])
  return {
    settings: {
      ...settings,
      chainId: Number(schedule.chainId),
      hardfork: options.hardfork === undefined ? undefined : settings.hardfork,
      l2Upgrade: undefined,
      ...coinbaseOf(options, settings, schedule),
      gasLimit: options.gasLimit === undefined ? header.gasLimit : settings.gasLimit,
      genesisBlockNumber: Number(header.number),
      timestamp: startOf(settings, header.timestamp),
    },
    schedule,
    first,
    // Deposits are left out, because the devnet's block begins with a deposit of its own.
    repeated: replay && {
      header: replay.header,
      transactions: replay.transactions.filter(({ deposit }) => deposit === undefined),
    },
    next: {
      ...(options.gasLimit === undefined ? {} : { gasLimit: settings.gasLimit }),
      ...(options.baseFee === undefined ? {} : { baseFeePerGas: settings.baseFee }),
    },
  }
}

/**
 * Returns the fork block with the state after it, in which development accounts have their balance and no code: their
 * keys are public, so on networks they delegate to contracts (EIP-7702) that take all payments.
 */
export async function firstMoment(
  { network, point }: OpenedFork,
  accounts: readonly Address[],
  balance: bigint,
): Promise<Moment> {
  const { header, hash } = point
  // The transactions of the block are left out, because the network's node answers requests about them.
  const block: Block = { header, hash, transactions: [], ommers: [], withdrawals: undefined, receipts: [] }
  const state = State.on(network.state, header.stateRoot)
  const changes = accounts.map((address) => ({ address, balance, code: EMPTY_BYTES }))
  return { block, state: await whenFetched(() => state.with(changes)) }
}

/** Fetches the values that each L2 block reads, in one batch. Otherwise the first block would fetch them one by one. */
async function fetchL2(state: State, { l2, l2Upgrade }: Rules): Promise<void> {
  if (l2 !== undefined) await whenFetched(() => requireL2(state, l2Upgrade))
}

/** Returns whether the environment variable PRESEAL_OFFLINE forbids requests to networks, as in CI. */
function isOfflineHere(): boolean {
  const value = globalThis.process?.env?.PRESEAL_OFFLINE
  return value !== undefined && value !== '' && value !== '0'
}

/** Returns the kind of L2, and the recipient of tips: on an L2 the fee vault, unless the options name a recipient. */
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

/** Returns the start time. As in anvil, the default is the fork block's time: times stored in contracts are near it. */
function startOf({ timestamp }: Settings, ofBlock: bigint): number {
  if (timestamp === undefined) return Number(ofBlock)
  if (timestamp >= Number(ofBlock)) return timestamp
  throw new InvalidOption('timestamp', `at least ${ofBlock}, the time of the fork block`, timestamp)
}
