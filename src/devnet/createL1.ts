/** The L1 beside an L2: a new chain, a fork of the L1 of the L2's network, or a given devnet. */

import type { BridgeGenesis } from '../bridge/bridge.ts'
import { originOf } from '../bridge/l1Origin.ts'
import { fromHex, ZERO_HASH } from '../bytes/hex.ts'
import type { Moment } from '../chain/moment.ts'
import type { Predeploy } from '../model/bytecode/predeploys.ts'
import type { L2Chain } from '../model/l2/l2.ts'
import type { DevnetOptions, Settings } from '../options/options.ts'
import { InvalidOption } from '../options/values.ts'
import type { Clock } from '../sequencer/clock.ts'
import type { AccountChange } from '../state/accountRecord.ts'
import { whenFetched } from '../state/whenFetched.ts'
import { type ForkedNetwork, networkAt } from '../upstream/forkedNetwork.ts'
import { UpstreamFailed } from '../upstream/upstream.ts'
import { Devnet, rhythmOfL1 } from './devnet.ts'

/** Returns the bridge of an L1 beside an L2. `network`: the network that the L1 forks. */
export type BridgeOn = (chainId: number, network?: ForkedNetwork) => Promise<BridgeGenesis>

type Create = (options: DevnetOptions, bridgeOn: BridgeOn) => Promise<Devnet>

/** Creates the L1 with `create`. Its time is that of the L2, and only moves with it. `forked`: the fork block of the L2. */
export async function createL1(
  create: Create,
  settings: Settings,
  { seconds }: Clock,
  forked?: Moment,
): Promise<Devnet> {
  const { forkedBridge, newBridge, NoBridge } = await import('../bridge/bridge.ts')
  const { l2, mnemonic, derivationPath, accounts, privateKeys, balance, engine, artifacts, consoleLogs } =
    settings
  const { fork, devnet, sequencingWindow: _ofL2, ...others } = settings.l1!
  if (devnet !== undefined) return asL1(devnet, settings, seconds)
  const origin = forked && (await whenFetched(() => originOf(forked)))
  if (origin?.hash === ZERO_HASH) {
    throw new InvalidOption('l1', 'nothing, unless the forked network is an L2', fork)
  }
  const options: DevnetOptions = {
    ...{ mnemonic, derivationPath, accounts, privateKeys, balance, engine, consoleLogs },
    ...others,
    fork: fork && { ...fork, block: origin?.hash },
    artifacts: artifacts && [...artifacts],
    profile: 'ethereum',
    ticksPerBlock: 0,
    rhythm: rhythmOfL1(settings.rhythm),
    timestamp: Number(seconds),
  }
  try {
    return await create(options, (chainId, network) =>
      network === undefined ? newBridge(l2 as L2Chain, chainId) : forkedBridge(networkOf(forked!), network),
    )
  } catch (error) {
    const lacksOrigin = error instanceof UpstreamFailed && error.kind === 'behind'
    if (!lacksOrigin && !(error instanceof NoBridge)) throw error
    const expected = `a node of the L1 of the network that fork names (${error.message})`
    throw new InvalidOption('l1.fork', expected, fork)
  }
}

/** Adds the contracts of the bridge to a devnet. Its time then moves with that of the L2. */
async function asL1(devnet: object, { l2, rhythm }: Settings, seconds: bigint): Promise<Devnet> {
  const l1 = requireL1(devnet)
  const { newBridge } = await import('../bridge/bridge.ts')
  const { timestamp } = l1.latest.header
  if (seconds < timestamp) {
    throw new InvalidOption('timestamp', `${timestamp}, the time of the L1, or later`, seconds)
  }
  const { steering } = l1.wires.context.sequencer
  await steering.setRhythm(rhythmOfL1(rhythm))
  const { bridge, contracts } = await newBridge(l2 as L2Chain, l1.settings.chainId)
  await steering.changeAccounts(() => contracts.map(changeOf))
  // Another L2 may have taken the devnet in the meantime.
  requireL1(l1)
  l1.addBridge(bridge)
  return l1
}

/** Returns the time of a given devnet in milliseconds. */
export function timeOf(devnet: object): number {
  return requireL1(devnet).wires.context.clock.nowMs
}

function requireL1(given: object): Devnet {
  const expected = 'a devnet of Ethereum with ticksPerBlock 0, which is no fork and has no L2'
  if (!(given instanceof Devnet)) throw new InvalidOption('l1', expected, given)
  const { l2, fork, ticksPerBlock } = given.settings
  if (given.wires.context.isClosed) throw new InvalidOption('l1', expected, 'a closed devnet')
  if (given.l1Parts.bridge !== undefined) throw new InvalidOption('l1', expected, 'the L1 of another L2')
  if (l2 === 'none' && fork === undefined && ticksPerBlock === 0) return given
  const kind = l2 !== 'none' ? 'an L2' : fork !== undefined ? 'a fork' : 'a devnet'
  throw new InvalidOption('l1', expected, `${kind} with ticksPerBlock ${ticksPerBlock}`)
}

/** Returns the network of which `moment` is the fork block. */
export function networkOf({ state }: Moment): ForkedNetwork {
  return networkAt(state.remote!)!
}

/** Returns the fork block with `contracts` in the state after it. */
export async function withContracts(
  { block, state }: Moment,
  contracts: readonly Predeploy[],
): Promise<Moment> {
  return { block, state: await whenFetched(() => state.with(contracts.map(changeOf))) }
}

function changeOf({ address, code, balance, storage }: Predeploy): AccountChange {
  return {
    ...{ address, code: fromHex(code) },
    ...(balance === undefined ? {} : { balance }),
    ...(storage === undefined ? {} : { storage }),
  }
}
