/** The wiring: options become a clock, a chain, a pool, a sequencer and their answers. */
import { Abis } from './abi/abis.ts'
import { type ConsoleLog, consoleLogs } from './abi/consoleLog.ts'
import { Chain } from './chain/chain.ts'
import type { History } from './chain/history.ts'
import type { Moment } from './chain/moment.ts'
import { Machines } from './evm/machines.ts'
import { encodeBlock } from './model/block.ts'
import type { ByteSource } from './model/blockStream.ts'
import type { ConsoleCalls } from './model/consoleCall.ts'
import { type DevelopmentAccount, developmentAccounts, InvalidMnemonic } from './model/developmentAccounts.ts'
import { type ForkSchedule, uniformSchedule } from './model/forkSchedule.ts'
import { fromHex, type Hash } from './model/hex.ts'
import { loadKeccak } from './model/keccak.ts'
import type { L2Chain } from './model/l2.ts'
import type { Predeploy } from './model/predeploys.ts'
import { version } from './model/version.ts'
import { type DevnetOptions, InvalidOption, parseOptions, type Settings } from './options.ts'
import { Pool } from './pool/pool.ts'
import { RpcContext } from './rpc/context.ts'
import { createDispatch, type Dispatch } from './rpc/dispatch.ts'
import type { Faults } from './rpc/faults.ts'
import { ImportFailed } from './rpc/importFailed.ts'
import { createRespond, type Respond } from './rpc/message.ts'
import { Provider, type ProviderEvents } from './rpc/provider.ts'
import { dumpState, loadState } from './rpc/stateFile.ts'
import { REQUEST_SECTION, strict } from './rpc/strict.ts'
import { type Deliver, Subscriptions } from './rpc/subscriptions.ts'
import type { Cutter, TroubleEvents } from './rpc/trouble.ts'
import { Wallet } from './rpc/wallet.ts'
import type { Cheats } from './sequencer/cheats.ts'
import { Clock, type Rhythm } from './sequencer/clock.ts'
import { type Events, Listeners } from './sequencer/events.ts'
import { createGenesis, momentOf } from './sequencer/genesis.ts'
import type { ImportProgress } from './sequencer/importBlocks.ts'
import { type Mark, Sequencer, type SequencerOptions } from './sequencer/sequencer.ts'
import { createHandler, createRefuse, type Handler, type Refuse } from './server/handler.ts'
import type { Listener, ListenOptions } from './server/listen.ts'
import { accountsIn } from './state/dump.ts'
import { State } from './state/state.ts'
import { encodeGenesis } from './wire/genesis.ts'

/** A point to come back to. Holds what it needs by itself: it lasts as long as anyone keeps it. */
export interface Snapshot {
  readonly kind: 'snapshot'
  /** @internal */
  readonly schedule: ForkSchedule
  /** @internal */
  readonly mark: Mark
}

/** What a devnet tells those who listen: what happens, what code says, and what was subscribed to. */
export interface DevnetEvents extends Events, ProviderEvents, ConsoleEvents, TroubleEvents {}

interface ConsoleEvents {
  /** Code called `console.log`: that of a transaction that is pre-confirmed now, or of a call or an estimate that failed. */
  console: (log: ConsoleLog) => void
}

/** Ticks that one `advance` makes: each is a block that is kept, and a year of them would fill the memory. */
const MAX_TICKS = 1_000_000

/**
 * Makes a devnet and starts its rhythm. Everything has a default: see `OPTIONS`. Throws `InvalidOption` for an option
 * that cannot be.
 */
export async function createDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const settings = parseOptions(options)
  const [accounts] = await Promise.all([accountsOf(settings), loadKeccak()])
  const startMs = settings.timestamp && settings.timestamp * 1000
  const start = startMs === undefined ? undefined : { nowMs: startMs, lastTickMs: startMs }
  const clock = new Clock(settings.rhythm, settings.tickMs, start)
  const { schedule, first } = await beginning(settings, accounts, clock)
  const chain = Chain.of(first, {
    safeDistance: settings.safeDistance,
    finalizedDistance: settings.finalizedDistance,
    historyBlocks: settings.history.blocks,
    sliceBlocks: settings.sliceHistory,
  })
  const wallet = Wallet.of(new Map(accounts.map(({ address, privateKey }) => [address, fromHex(privateKey)])))
  return new Devnet({
    settings,
    accounts,
    wallet,
    machines: new Machines(schedule),
    chain,
    pool: new Pool(),
    clock,
  })
}

async function accountsOf({ mnemonic, accounts }: Settings): Promise<readonly DevelopmentAccount[]> {
  try {
    return await developmentAccounts(mnemonic, accounts)
  } catch (error) {
    if (!(error instanceof InvalidMnemonic)) throw error
    throw new InvalidOption('mnemonic', 'words of the English BIP-39 list with a right checksum', mnemonic)
  }
}

/** The first moment and the rules from there on: a genesis.json's, or those of the options. */
async function beginning(
  settings: Settings,
  accounts: readonly DevelopmentAccount[],
  clock: Clock,
): Promise<{ schedule: ForkSchedule; first: Moment }> {
  const { genesis, hardfork } = settings
  if (genesis !== undefined) return { schedule: genesis.schedule, first: momentOf(genesis) }
  const chainId = BigInt(settings.chainId)
  const l2 = settings.l2 === 'none' ? undefined : settings.l2
  const schedule = uniformSchedule(hardfork!, chainId, l2 === undefined ? {} : { l2 })
  const first = createGenesis(schedule.at({ number: 0n, timestamp: 0n, difficulty: 0n }), {
    ...blockSettings(settings),
    gasLimit: settings.gasLimit,
    baseFeePerGas: settings.baseFee,
    timestamp: clock.seconds,
    accounts: accounts.map(({ address }) => address),
    balance: settings.balance,
    systemContracts: settings.systemContracts,
    predeploys: l2 === undefined ? [] : await contractsOf(l2, chainId, clock.seconds),
  })
  return { schedule, first }
}

/** They are many, and most devnets have none of them. */
async function contractsOf(
  chain: L2Chain,
  chainId: bigint,
  timestamp: bigint,
): Promise<readonly Predeploy[]> {
  const { l2Predeploys } = await import('./model/l2Predeploys.ts')
  return l2Predeploys(chain, chainId, timestamp)
}

function blockSettings({ coinbase, randaoSeed }: Settings) {
  return { coinbase, randaoSeed }
}

interface Parts {
  readonly settings: Settings
  readonly accounts: readonly DevelopmentAccount[]
  readonly wallet: Wallet
  readonly machines: Machines
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  /** Those of the devnet that this one was forked from. */
  readonly cheats?: Cheats
  readonly abis?: Abis
}

/** A simulated chain. Made by `createDevnet`. */
export class Devnet {
  /** The development accounts: funded, unlocked, their keys known to everybody. */
  readonly accounts: readonly DevelopmentAccount[]
  /** The options, with defaults filled in. */
  readonly settings: Settings
  /** The contracts that are known by their ABIs: errors, events and calls are decoded by them, and bear their names. */
  readonly abis: Abis
  readonly #parts: Parts
  readonly #sequencer: Sequencer
  readonly #dispatch: Dispatch
  readonly #context: RpcContext
  readonly #provider: Provider
  readonly #console = new Listeners<ConsoleEvents>()
  readonly #listeners = new Set<Listener>()
  #isClosed = false

  /** @internal Use `createDevnet`. */
  constructor(parts: Parts) {
    const { settings, accounts, wallet, machines, chain, pool, clock } = parts
    this.#parts = parts
    this.accounts = accounts
    this.settings = settings
    this.abis = parts.abis ?? new Abis()
    const sequencerOptions: SequencerOptions = {
      ticksPerBlock: settings.ticksPerBlock,
      sealEmptyBlocks: settings.sealEmptyBlocks,
      sliceGasBudget: settings.sliceGasBudget,
      pendingHash: settings.pendingHash,
      block: blockSettings(settings),
      onDefect: (error) => reportDefect('a tick', error),
      onConsole: (said, { hash }) => this.#tellConsole(said, hash),
    }
    this.#sequencer = new Sequencer(machines, chain, pool, clock, sequencerOptions, parts.cheats)
    this.#context = new RpcContext(chain, pool, this.#sequencer, wallet, {
      dialect: settings.dialect,
      logLimits: { range: settings.logRangeLimit, results: settings.logResultLimit },
      pendingNonce: settings.pendingNonce,
      pendingContextLag: settings.pendingContextLag,
      clientVersion: `preseal/v${version}`,
      stateLimit: settings.stateLimit,
      onConsole: (said) => this.#tellConsole(said, undefined),
      subscriptions: settings.subscriptions,
    })
    this.#dispatch = createDispatch(this.#context, (error, request) => reportDefect(request.method, error))
    this.#provider = new Provider(this.#dispatch, this.#context.feeds, settings.dialect)
    if (settings.consoleLogs) this.#console.on('console', print)
    this.#sequencer.start()
  }

  /** What goes wrong, on purpose: on demand, on a schedule, or by chance. */
  get faults(): Faults {
    return this.#context.faults
  }

  /** The hardfork that the newest block is under, such as `osaka`. */
  get hardfork(): string {
    const { machines, chain } = this.#parts
    return machines.schedule.at(chain.pending.block.header).hardfork
  }

  /**
   * Answers a JSON-RPC request (EIP-1193). Rejects with `ProviderRpcError`, which carries the code, message and data
   * that a node would have answered. What `eth_subscribe` subscribes to comes as `message` events.
   */
  request(request: { method: string; params?: unknown }): Promise<unknown> {
    return this.#provider.request(request)
  }

  /** Calls `listener` at each event, until the function that it answers is called. */
  on<E extends keyof DevnetEvents>(event: E, listener: DevnetEvents[E]): () => void {
    if (event === 'message')
      return this.#provider.listeners.on('message', listener as DevnetEvents['message'])
    if (event === 'console') return this.#console.on('console', listener as DevnetEvents['console'])
    if (event === 'trouble')
      return this.#context.trouble.listeners.on('trouble', listener as DevnetEvents['trouble'])
    const happening = event as keyof Events
    return this.#sequencer.listeners.on(happening, listener as Events[typeof happening])
  }

  /** Calls `listener` no more (EIP-1193). */
  removeListener<E extends keyof DevnetEvents>(event: E, listener: DevnetEvents[E]): void {
    if (event === 'message') this.#provider.listeners.off('message', listener as DevnetEvents['message'])
    else if (event === 'console') this.#console.off('console', listener as DevnetEvents['console'])
    else if (event === 'trouble')
      this.#context.trouble.listeners.off('trouble', listener as DevnetEvents['trouble'])
    else this.#sequencer.listeners.off(event as keyof Events, listener as Events[keyof Events])
  }

  /** Makes one tick: seals a block that has had its slices, opens the next, pre-confirms what waits. */
  tick(): Promise<void> {
    return this.#sequencer.tick()
  }

  /** Seals the open block as it is; what waits keeps waiting. */
  seal(): Promise<void> {
    return this.#sequencer.seal()
  }

  /** Runs what waits into the open block, then seals it. */
  async mine(): Promise<void> {
    await this.#sequencer.mine()
  }

  /**
   * Moves time forward by `ms` milliseconds and makes each tick that falls due, which may be many: an hour at 200 ms is
   * 18,000 of them. Rejects with a `RangeError` for no such time, or for more than a million ticks.
   */
  async advance({ ms }: { ms: number }): Promise<void> {
    if (!Number.isFinite(ms) || ms < 0) {
      throw new RangeError(`advance: expected milliseconds of at least 0, got ${ms}`)
    }
    // Not those of the settings: both can be changed while it runs.
    const { rhythm, tickMs } = this.#parts.clock
    const ticks = rhythm === 'instant' ? 0 : Math.floor(ms / tickMs)
    if (ticks > MAX_TICKS) {
      throw new RangeError(
        `advance: ${ms} ms are ${ticks} ticks of ${tickMs} ms, at most ${MAX_TICKS} are made at once; use a longer tickMs, or begin later with the option timestamp`,
      )
    }
    await this.#sequencer.advance(ms)
  }

  /**
   * An independent devnet that begins where this one is: it shares all history, and what happens in one is not seen in
   * the other. Costs the same whatever the size of the chain. It listens nowhere, is `manual` unless a rhythm is given,
   * and outlives this one.
   */
  fork({ rhythm = 'manual' }: { rhythm?: Rhythm } = {}): Devnet {
    const { settings, accounts, wallet, machines } = this.#parts
    const { chain, pool, clock, cheats } = this.#sequencer.mark
    return new Devnet({
      settings: { ...settings, rhythm },
      accounts,
      wallet: wallet.copy(),
      machines,
      chain: new Chain(chain, this.#parts.chain.options),
      pool: new Pool(pool),
      clock: new Clock(rhythm, this.#parts.clock.tickMs, clock),
      cheats,
      abis: this.abis.copy(),
    })
  }

  /** Where this devnet is now: chain, pre-confirmed block, waiting transactions, time. Costs a few pointers. */
  snapshot(): Snapshot {
    return { kind: 'snapshot', schedule: this.#parts.machines.schedule, mark: this.#sequencer.mark }
  }

  /**
   * Goes to where `snapshot` was taken, back or forth, any number of times. Rejects with a `TypeError` for a snapshot of a
   * devnet that is no relative (this one, its forks, what it was forked from).
   */
  async restore(snapshot: Snapshot): Promise<void> {
    if (snapshot?.schedule !== this.#parts.machines.schedule) {
      throw new TypeError(
        'restore: expected a snapshot of this devnet, of a fork of it, or of what it was forked from',
      )
    }
    await this.#sequencer.restore(snapshot.mark)
  }

  /**
   * Brings a chain in: `source` is a file of RLP blocks, one after the other, as bytes or as a stream of them (what geth's
   * `export` writes, and `export` here). Each block is run and held against its header, and is on the chain when it was
   * found right; those that are on it already are passed over. Rejects with `ImportFailed`, which names the bad block,
   * the field and both values; the good blocks before it stay.
   *
   * Whatever waits keeps waiting, and what was pre-confirmed waits again. Nothing else is done meanwhile, but questions
   * are answered.
   */
  async import(
    source: ByteSource,
    { onProgress = () => {} }: { onProgress?: (progress: ImportProgress) => void } = {},
  ): Promise<{ imported: number; known: number }> {
    const outcome = await this.#sequencer.import(source, onProgress)
    const { problem, imported, known } = outcome
    if (problem === undefined) return { imported, known }
    const { header, hash } = this.#parts.chain.latest.block
    throw new ImportFailed(problem, outcome, { number: header.number, hash })
  }

  /**
   * What this chain begins with, as a genesis.json of geth: for `createDevnet({ genesis })`, or for another client that is
   * to read what `export` writes. Throws a `RangeError` where the state of block 0 is not known (a file of anvil).
   */
  genesis(): Record<string, unknown> {
    const { machines, chain } = this.#parts
    const { block, state } = chain.state.history.origin
    if (state === State.unknown) {
      throw new RangeError(
        'genesis: the state of block 0 is not known: the file that was loaded did not have it',
      )
    }
    return encodeGenesis({ schedule: machines.schedule, header: block.header, accounts: accountsIn(state) })
  }

  /**
   * The sealed blocks after block 0, as RLP, one after the other, each made when it is asked for: for a file that `import`
   * here, or another client that has the same genesis, reads. Throws a `RangeError` where blocks were pruned.
   */
  export(): Iterable<Uint8Array> {
    const { history } = this.#parts.chain.state
    if (history.oldest > 1) {
      throw new RangeError(
        `export: blocks 1 to ${history.oldest - 1} were pruned (option history); a chain is exported from its beginning`,
      )
    }
    return exported(history)
  }

  /**
   * All of this devnet as a state file, for `load`: blocks, receipts, the state after each block, what is pre-confirmed and
   * what waits, time, cheats. It is that of now, in pieces that are made when they are asked for. Equal chains give equal
   * bytes. Snapshots that `evm_snapshot` took, filters and subscriptions are not in it.
   */
  dump(): Iterable<Uint8Array> {
    return dumpState(this.#context)
  }

  /**
   * Goes on where the devnet was that a state file was written by, in place of all that happened here: `source` is what
   * `dump` gave, or anvil's `state.json`, packed with gzip or not, as bytes or as a stream of them. Answers the newest
   * block. Options and rhythm stay; time that runs goes on, but is not behind that of the file. Rejects with `LoadFailed`,
   * which names the line and what is wrong with it; the chain then stays as it was.
   *
   * The file is read beside the chain, which goes on meanwhile, and takes its place as a whole at last.
   */
  async load(source: ByteSource): Promise<{ number: bigint; hash: Hash }> {
    const { header, hash } = await loadState(this.#context, source)
    return { number: header.number, hash }
  }

  /** Answers JSON-RPC messages as text, without a transport: what `listen` and `rpcMiddleware` put on the wire. */
  get respond(): Respond {
    const { dialect, batchLimit, strict: isStrict } = this.settings
    return createRespond(isStrict ? strict(this.#dispatch) : this.#dispatch, {
      dialect,
      batchLimit,
      isStrict,
    })
  }

  /**
   * Listens for JSON-RPC over HTTP and WebSocket. `port: 0` takes a free one. Answers where, and how to stop; rejects
   * where the port is in use.
   */
  async listen(options: ListenOptions = {}): Promise<Listener> {
    const { listen } = await import('./server/listen.ts')
    const { bodyLimit } = this.settings
    const stateLimit = stateLimitOf(this.settings)
    const connect = (deliver: Deliver) => new Subscriptions(this.#context.feeds, deliver)
    const onCut = (cut: Cutter) => this.#context.trouble.onCut(cut)
    const answers = { respond: this.respond, connect, onCut }
    const listener = await listen(answers, { bodyLimit, stateLimit, ...options }, refuseFor(this.settings))
    this.#listeners.add(listener)
    return listener
  }

  /** Stops the rhythm and all listeners. Forks and snapshots live on. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#provider.close()
    this.#context.trouble.close()
    await Promise.all([this.#sequencer.stop(), ...[...this.#listeners].map((listener) => listener.close())])
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #tellConsole(said: ConsoleCalls, transaction: Hash | undefined): void {
    for (const log of consoleLogs(said, this.abis, transaction)) this.#console.emit('console', log)
  }
}

/** Where Hardhat's users look for it: among what their tests print. */
function print({ name, text }: ConsoleLog): void {
  console.log(name === undefined ? text : `${name}: ${text}`)
}

function* exported(history: History): Generator<Uint8Array> {
  const last = Number(history.latest.block.header.number)
  for (let number = 1; number <= last; number++) yield encodeBlock(history.block(number)!)
}

/** Tells whoever reads the log what no client should see. */
function reportDefect(what: string, error: unknown): void {
  console.error(`preseal: ${what} failed; this is a defect of preseal, please report it`, error)
}

/** The devnet as middleware for your own Express (or plain `node:http`) server: answers POST with JSON-RPC. */
export function rpcMiddleware(devnet: Devnet): Handler {
  const { respond, settings } = devnet
  return createHandler(respond, settings.bodyLimit, refuseFor(settings), stateLimitOf(settings))
}

/** By the seed's letter no state is loaded. */
function stateLimitOf({ strict, bodyLimit, stateLimit }: Settings): number {
  return strict ? bodyLimit : stateLimit
}

function refuseFor({ strict }: Settings): Refuse {
  return createRefuse(strict ? REQUEST_SECTION : undefined)
}
