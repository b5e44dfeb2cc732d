/** The wiring: the parts of a devnet become the one writer, and what answers questions. */
import { Abis } from './abi/abis.ts'
import { type ConsoleLog, consoleLogs } from './abi/consoleLog.ts'
import type { Chain } from './chain/chain.ts'
import type { Evms } from './evm/evms.ts'
import { type Hash, toHex } from './model/bytes/hex.ts'
import { Listeners } from './model/collections/listeners.ts'
import type { DevelopmentAccount } from './model/developmentAccounts.ts'
import type { ConsoleCalls } from './model/execution/consoleCall.ts'
import { version } from './model/version.ts'
import type { Settings } from './options.ts'
import type { Pool } from './pool/pool.ts'
import { RpcContext } from './rpc/context.ts'
import { createDispatchers, type Dispatchers } from './rpc/dispatch.ts'
import { lenientDispatchers } from './rpc/lenient.ts'
import { Provider } from './rpc/provider.ts'
import type { OnDefect } from './rpc/request.ts'
import type { Wallet } from './rpc/wallet.ts'
import type { Cheats } from './sequencer/cheats.ts'
import type { Clock } from './sequencer/clock.ts'
import { Sequencer, type SequencerOptions } from './sequencer/sequencer.ts'

/** @internal What a devnet is made of. */
export interface Parts {
  readonly settings: Settings
  readonly accounts: readonly DevelopmentAccount[]
  readonly wallet: Wallet
  readonly evms: Evms
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  /** Those of the devnet that this one was forked from. */
  readonly cheats?: Cheats
  readonly abis?: Abis
}

export interface ConsoleEvents {
  /** Code called `console.log`: that of a transaction that is pre-confirmed now, or of a call or an estimate that failed. */
  console: (log: ConsoleLog) => void
}

/** @internal What works behind a devnet. */
export interface Wires extends Dispatchers {
  readonly abis: Abis
  readonly sequencer: Sequencer
  readonly context: RpcContext
  readonly provider: Provider
  readonly console: Listeners<ConsoleEvents>
}

/** @internal What the parts become together. */
export function wire(parts: Parts): Wires {
  const { settings, wallet, evms, chain, pool, clock, abis = new Abis() } = parts
  const console = new Listeners<ConsoleEvents>()
  const tellConsole = (said: ConsoleCalls, transaction: Hash | undefined) => {
    for (const log of consoleLogs(said, abis, transaction)) console.emit('console', log)
  }
  if (settings.consoleLogs) console.on('console', print)
  const sequencerOptions: SequencerOptions = {
    ticksPerBlock: settings.ticksPerBlock,
    sealEmptyBlocks: settings.sealEmptyBlocks,
    finalizedDistance: settings.finalizedDistance,
    sliceGasBudget: settings.sliceGasBudget,
    pendingHash: settings.pendingHash,
    order: settings.order,
    isBlockGasLimited: !settings.disableBlockGasLimit,
    isMixed: settings.mixedMining,
    autoImpersonates: settings.autoImpersonate,
    block: { coinbase: settings.coinbase, randaoSeed: settings.randaoSeed },
    onDefect: (error) => reportDefect('a tick', error),
    onConsole: (said, { hash }) => tellConsole(said, hash),
  }
  const sequencer = new Sequencer(evms, chain, pool, clock, sequencerOptions, parts.cheats)
  const context = new RpcContext(chain, pool, sequencer, wallet, {
    dialect: settings.dialect,
    logLimits: { range: settings.logRangeLimit, results: settings.logResultLimit },
    pendingNonce: settings.pendingNonce,
    receipts: settings.receipts,
    pendingContextLag: settings.pendingContextLag,
    callContext: settings.callContext,
    structLogStorage: settings.structLogStorage,
    clientVersion: `preseal/v${version}`,
    stateLimit: settings.stateLimit,
    onConsole: (said) => tellConsole(said, undefined),
    errorText: async (data) => (await abis.decodeError(toHex(data)))?.text,
    subscriptions: settings.subscriptions,
  })
  const onDefect: OnDefect = (error, { method }) => reportDefect(method, error)
  const dispatchers = settings.lenient
    ? lenientDispatchers(createDispatchers(context, onDefect))
    : createDispatchers(context, onDefect)
  const provider = new Provider(dispatchers.dispatch, context)
  return { abis, sequencer, context, ...dispatchers, provider, console }
}

/** Where Hardhat's users look for it: among what their tests print. */
function print({ name, text }: ConsoleLog): void {
  console.log(name === undefined ? text : `${name}: ${text}`)
}

/** Tells whoever reads the log what no client should see. */
function reportDefect(what: string, error: unknown): void {
  console.error(`preseal: ${what} failed; this is a defect of preseal, please report it`, error)
}
