/** Creates the sequencer and the dispatchers of a devnet from its parts, and connects them. */

import type { Bridge } from '../bridge/bridge.ts'
import { L1, type L1Parts } from '../bridge/l1.ts'
import { type Address, type Hash, toHex } from '../bytes/hex.ts'
import { Chain } from '../chain/chain.ts'
import type { Moment } from '../chain/moment.ts'
import type { Evms } from '../engine/evm.ts'
import { UnconnectedFaults } from '../faults/devnetFaults.ts'
import { METHOD_TABLE } from '../methods/index.ts'
import { addStackTrace } from '../methods/solidity/solidityStackTrace.ts'
import type { DevelopmentAccount } from '../model/account/developmentAccounts.ts'
import { version } from '../model/api/text.ts'
import { Listeners } from '../model/collections/listeners.ts'
import type { ConsoleCalls } from '../model/execution/call.ts'
import type { L2Chain } from '../model/l2/l2.ts'
import type { Settings } from '../options/options.ts'
import { Pool } from '../pool/pool.ts'
import { RpcContext } from '../rpc/context.ts'
import { createDispatch } from '../rpc/dispatch.ts'
import { lenient } from '../rpc/lenient.ts'
import { observed } from '../rpc/observer.ts'
import { Provider } from '../rpc/provider.ts'
import type { RpcOptions } from '../rpc/readContext.ts'
import type { Dispatch, OnDefect } from '../rpc/request.ts'
import type { Cheats } from '../sequencer/cheats.ts'
import { Clock, type Rhythm } from '../sequencer/clock.ts'
import type { SequencerOptions } from '../sequencer/context.ts'
import type { Mark } from '../sequencer/marks.ts'
import { Sequencer } from '../sequencer/sequencer.ts'
import { Abis } from '../solidity/abi/abis.ts'
import { type ConsoleLog, consoleLogs, nameOfLog } from '../solidity/abi/consoleLog.ts'
import { addedOf, type Contract } from '../solidity/abi/contract.ts'
import { Artifacts } from '../solidity/artifacts/artifacts.ts'
import { FetchFailed } from '../state/remoteState.ts'
import { processMs } from '../work/eventLoop.ts'

/** @internal */
export interface DevnetParts {
  readonly settings: Settings
  readonly accounts: readonly DevelopmentAccount[]
  /** The private keys of the accounts for which the devnet signs, keyed by address. */
  readonly keys: ReadonlyMap<Address, Uint8Array>
  readonly evms: Evms
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  /** The networks that methods may connect to; absent if the devnet may not connect to any. */
  readonly networks?: RpcOptions['networks']
  /** The initial cheats of a fork, which are those of its origin. */
  readonly cheats?: Cheats | undefined
  readonly abis?: Abis
  /** The artifacts of a fork, which are those of its origin. */
  readonly artifacts?: Artifacts
  /** The contracts with which its L2 communicates, if this devnet is the L1 beside an L2. */
  readonly bridge?: Bridge | undefined
  /** The block at which the L2 began, if this devnet was given as its L1: a reset returns to it. */
  readonly start?: Moment | undefined
  /** The mark of the L1 from which a fork continues. */
  readonly l1Mark?: Mark['l1']
}

/**
 * @internal Returns the parts of a fork. `parts` are those of its origin, and `mark` is the state at which the fork
 * begins.
 */
export function forkedParts(
  parts: DevnetParts,
  mark: Mark,
  rhythm: Rhythm,
  { abis, artifacts }: Pick<Wires, 'abis' | 'artifacts'>,
): DevnetParts {
  const { settings, accounts, keys, evms, networks, bridge, start } = parts
  const { chain, pool, clock, cheats, l1 } = mark
  return {
    settings: { ...settings, rhythm },
    accounts,
    keys,
    evms,
    chain: new Chain(chain, parts.chain.options),
    pool: new Pool(pool),
    clock: new Clock(rhythm, parts.clock.tickMs, clock),
    networks,
    l1Mark: l1,
    bridge,
    start,
    cheats,
    abis: abis.copy(),
    artifacts,
  }
}

export interface ConsoleEvents {
  /** Emitted for `console.log` in calls, in failed estimates, and in transactions when they are pre-confirmed. */
  console: (log: ConsoleLog) => void
}

/** @internal */
export interface Wires {
  /** Answers requests of clients. Faults planned for requests affect the responses. */
  readonly dispatch: Dispatch
  /** Answers requests of the test itself. Faults planned for requests do not affect the responses. */
  readonly faultlessDispatch: Dispatch
  readonly abis: Abis
  readonly artifacts: Artifacts
  readonly sequencer: Sequencer
  readonly context: RpcContext
  readonly provider: Provider
  readonly console: Listeners<ConsoleEvents>
}

/** @internal Creates and connects the components of a devnet. `l1`: the L1 beside it, if it is not simulated. */
export function wire(parts: DevnetParts, l1?: L1Parts): Wires {
  const { settings, keys, evms, chain, pool, clock, abis = new Abis() } = parts
  const artifacts =
    parts.artifacts?.copy(abis) ?? new Artifacts({ abis, configured: settings.artifacts, onProblem: warn })
  // Artifacts are used for code and errors that no added ABI describes.
  abis.artifactAbis = artifacts
  const console = new Listeners<ConsoleEvents>()
  const tellConsole = (said: ConsoleCalls, transaction: Hash | undefined) => {
    for (const log of consoleLogs(said, abis, transaction)) console.emit('console', log)
  }
  if (settings.consoleLogs) console.on('console', print)
  const faults = new UnconnectedFaults(clock)
  const l2BlockSeconds = (settings.tickMs * Math.max(1, settings.ticksPerBlock)) / 1_000
  const forkBlock = settings.fork && BigInt(settings.genesisBlockNumber)
  const derivation =
    l1 &&
    new L1(
      l1,
      {
        ...{ l2: settings.l2 as L2Chain, l2BlockSeconds, forkBlock },
        sequencingWindow: settings.l1!.sequencingWindow,
      },
      parts.l1Mark,
    )
  const sequencerOptions: SequencerOptions = {
    ticksPerBlock: settings.ticksPerBlock,
    sealEmptyBlocks: settings.sealEmptyBlocks,
    finalizedDistance: settings.finalizedDistance,
    sliceGasBudget: settings.sliceGasBudget,
    pendingHash: settings.pendingHash,
    order: settings.order,
    isBlockGasLimited: !settings.disableBlockGasLimit,
    isMixed: settings.mixedMining,
    refusesWaiting: !settings.allowQueuedTransactions,
    previewsPending: settings.pendingBlock === 'pool',
    minBlockSeconds: settings.allowBlocksWithSameTimestamp ? 0n : 1n,
    autoImpersonates: settings.autoImpersonate,
    block: { coinbase: settings.coinbase, randaoSeed: settings.randaoSeed },
    derivation,
    deviations: faults.chainFaults,
    onDefect: (error) => reportDefect('a tick', error),
    onConsole: (said, { hash }) => tellConsole(said, hash),
  }
  const sequencer = new Sequencer(evms, chain, pool, clock, sequencerOptions, parts.cheats)
  sequencer.marks.start = parts.start
  derivation?.connect({ chain, sequencer }, (error) => reportDefect('a block of the L2', error))
  sequencer.listeners.on('dropped', ({ hash }, reason) => {
    if (reason.kind === 'defect') reportDefect(`transaction ${hash}`, reason.error)
  })
  const context = new RpcContext(
    { chain, pool, sequencer, keys },
    {
      dialect: settings.dialect,
      logLimits: { range: settings.logRangeLimit, results: settings.logResultLimit },
      pendingNonce: settings.pendingNonce,
      receipts: settings.receipts,
      contextLag: () => faults.requestFaults.contextLag(settings.pendingContextLag),
      callContext: settings.callContext,
      checkCallBalance: settings.checkCallBalance,
      mayLowerNonces: settings.allowLowerNonces,
      structLogStorage: settings.structLogStorage,
      callLimits: { timeMs: settings.callTimeoutMs, memoryBytes: settings.callMemoryLimit },
      clientVersion: `preseal/v${version}`,
      stateLimit: settings.stateLimit,
      onConsole: (said) => tellConsole(said, undefined),
      addedAbis: {
        find: (address, code) => abis.find(address, code),
        toJson: async (abi) => (await import('../solidity/abi/codec.ts')).itemsOf(abi),
        // Not a getter: for each evaluated literal with a getter, V8 keeps a hidden class, and with it the devnet.
        all: () => abis.all,
        encode: (added) => addedOf(added as Contract),
        add: ({ artifact, name, address }) => abis.add(artifact, { name, address }),
      },
      onConsoleLine(listener) {
        // Lines are passed on without waiting for artifacts, so the first lines may lack the contract's name.
        const read = () => void artifacts.loadAtIntervals(processMs())
        read()
        return console.on('console', (log) => {
          read()
          listener({ ...log, name: nameOfLog(log, artifacts) })
        })
      },
      onDefect: reportDefect,
      errorText: async (data) => (await abis.decodeError(toHex(data)))?.text,
      subscriptions: settings.subscriptions,
      networks: parts.networks,
      artifacts,
    },
  )
  if (l1 !== undefined && derivation !== undefined)
    context.pair = l1.context.pair = { l1: l1.context, l2: context, derivation }
  faults.connect(context)
  const onDefect: OnDefect = (error, { method }) => reportDefect(method, error)
  const answer = createDispatch(context, METHOD_TABLE, onDefect, addStackTrace)
  const parsed = settings.lenient ? lenient : (dispatch: Dispatch) => dispatch
  const dispatch = parsed(observed(faults.requestFaults.wrap(answer, context), context, 'withFaults'))
  const faultlessDispatch = parsed(observed(answer, context, 'faultless'))
  const provider = new Provider(dispatch, context)
  return { abis, artifacts, sequencer, context, dispatch, faultlessDispatch, provider, console }
}

/** Prints a line of Solidity's `console.log` to the console, as Hardhat does. */
function print({ name, text }: ConsoleLog): void {
  console.log(name === undefined ? text : `${name}: ${text}`)
}

function warn(text: string): void {
  console.warn(`preseal: ${text}`)
}

/** Prints an internal error to stderr. Clients must not see its details. */
function reportDefect(what: string, error: unknown): void {
  if (error instanceof FetchFailed) {
    console.error(
      `preseal: ${what} lacks values of the forked network, and continues without them: ${error.message}`,
    )
    return
  }
  console.error(`preseal: ${what} failed; this is a defect of preseal, please report it`, error)
}
