/** Devnets whose first state stands on a remote one, made in memory: no network, and no option. */

import { fromHex } from '../../../src/bytes/hex.ts'
import { Chain } from '../../../src/chain/chain.ts'
import type { Moment } from '../../../src/chain/moment.ts'
import { loadSecp256k1 } from '../../../src/crypto/secp256k1.ts'
import { Devnet } from '../../../src/devnet/devnet.ts'
import { beginOnNetwork } from '../../../src/devnet/forkNetwork.ts'
import { Evms } from '../../../src/engine/evm.ts'
import { developmentAccounts } from '../../../src/model/account/developmentAccounts.ts'
import { GENESIS_CONTRACTS, PREDEPLOYS } from '../../../src/model/bytecode/predeploys.ts'
import { uniformSchedule } from '../../../src/model/hardfork/forkSchedule.ts'
import type { DevnetOptions, Settings } from '../../../src/options/options.ts'
import { parseOptions } from '../../../src/options/parseOptions.ts'
import { Pool } from '../../../src/pool/pool.ts'
import { Clock } from '../../../src/sequencer/clock.ts'
import { createGenesis } from '../../../src/sequencer/genesis.ts'
import { type AccountChange, State } from '../../../src/state/state.ts'
import type { UpstreamSettings } from '../../../src/upstream/connection.ts'
import { createEngine } from '../engines/engineOfRun.ts'
import { RemoteTwin } from './remoteStates.ts'

/** The network that devnets are forked from: its first block and state. */
async function network(options: DevnetOptions, accounts: readonly AccountChange[]) {
  await loadSecp256k1()
  const settings = parseOptions({ rhythm: 'manual', ...options })
  const clock = new Clock(settings.rhythm, settings.tickMs)
  const development = await developmentAccounts(settings.mnemonic, settings.accounts, settings.derivationPath)
  const schedule = uniformSchedule(settings.hardfork!, BigInt(settings.chainId), {})
  const first = createGenesis(schedule.at({ number: 0n, timestamp: 0n, difficulty: 0n }), {
    number: 0n,
    coinbase: settings.coinbase,
    randaoSeed: settings.randaoSeed,
    gasLimit: settings.gasLimit,
    baseFeePerGas: settings.baseFee,
    timestamp: clock.seconds,
    accounts: development.map(({ address }) => address),
    balance: settings.balance,
    contracts: settings.systemContracts ? GENESIS_CONTRACTS : PREDEPLOYS,
  })
  return { settings, clock, development, schedule, first: { ...first, state: first.state.with(accounts) } }
}

/** Returns two devnets with the same accounts: one has them in memory, the other on a remote state. */
export async function twinDevnets(
  options: DevnetOptions,
  accounts: readonly AccountChange[],
): Promise<{ readonly here: Devnet; readonly there: Devnet; readonly remote: RemoteTwin }> {
  const one = await network(options, accounts)
  const other = await network(options, accounts)
  const remote = new RemoteTwin(other.first.state)
  const forked: Moment = { ...other.first, state: State.on(remote, other.first.state.root()) }
  return { here: devnetOf(one, one.first), there: devnetOf(other, forked), remote }
}

/** Returns a devnet on the network that `access` reaches. Its time and its `fetch` are none of the options of devnets. */
export async function devnetThrough(
  access: { readonly url: string } & UpstreamSettings,
  options: DevnetOptions,
): Promise<Devnet> {
  await loadSecp256k1()
  const given = parseOptions({ rhythm: 'manual', ...options, fork: { url: access.url } })
  const development = await developmentAccounts(given.mnemonic, given.accounts, given.derivationPath)
  const addresses = development.map(({ address }) => address)
  const fork = access as unknown as NonNullable<Settings['fork']>
  const begun = await beginOnNetwork(options, { ...given, fork }, addresses, {})
  const { settings, schedule, first } = begun
  const startMs = Number(first.block.header.timestamp) * 1000
  const clock = new Clock(settings.rhythm, settings.tickMs, { nowMs: startMs, lastTickMs: startMs })
  return devnetOf({ settings, schedule, development, clock }, first)
}

function devnetOf(
  { settings, clock, development, schedule }: Omit<Awaited<ReturnType<typeof network>>, 'first'>,
  first: Moment,
): Devnet {
  const keys = development.map(({ address, privateKey }) => [address, fromHex(privateKey)] as const)
  return new Devnet({
    settings,
    accounts: development,
    keys: new Map(keys),
    evms: new Evms(schedule, createEngine),
    chain: Chain.of(first, {
      safeDistance: settings.safeDistance,
      finalizedDistance: settings.finalizedDistance,
      historyBlocks: settings.history.blocks,
      sliceBlocks: settings.sliceHistory,
      randaoSeed: settings.randaoSeed,
    }),
    pool: new Pool(),
    clock,
  })
}
