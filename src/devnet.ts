/** A devnet: the chain as its user holds it. What it is made of stands in `wiring.ts`. */

import { Chain } from './chain/chain.ts'
import type { History } from './chain/history.ts'
import { hasState } from './chain/moment.ts'
import { Client } from './client/client.ts'
import type { Faults } from './faults/faults.ts'
import type { RequestFaultEvents } from './faults/requestFaults.ts'
import { limitsOf, refuseFor } from './listening.ts'
import { type Block, encodeBlock } from './model/block/block.ts'
import type { ByteSource } from './model/block/blockStream.ts'
import type { Hash } from './model/bytes/hex.ts'
import { attributed, callSite, thrownAt } from './model/callSite.ts'
import { Listeners } from './model/collections/listeners.ts'
import { type Duration, durationMs } from './model/duration.ts'
import type { ForkSchedule } from './model/hardfork/forkSchedule.ts'
import { namesOf, proposal, requireOptions } from './model/knownNames.ts'
import { Work } from './model/work/work.ts'
import { type MineOptions, parsedMining, parsedMoment, parsedSeconds } from './moments.ts'
import { optionsBesideGenesis, type Settings } from './options.ts'
import { Pool } from './pool/pool.ts'
import type { PlayTarget } from './recording/player.ts'
import { type Recording, record } from './recording/record.ts'
import type { Commands } from './rpc/commands.ts'
import type { RpcContext } from './rpc/context.ts'
import { ImportFailed } from './rpc/importFailed.ts'
import { createRespond, type RequestEvents, type Respond } from './rpc/message.ts'
import { PROVIDER_EVENTS, type Provider, type ProviderEvents } from './rpc/provider.ts'
import type { Dispatch } from './rpc/request.ts'
import { dumpMark } from './rpc/stateFile.ts'
import { strict } from './rpc/strict.ts'
import { Subscriptions } from './rpc/subscriptions.ts'
import { Clock, type Rhythm } from './sequencer/clock.ts'
import { EVENTS, type Events } from './sequencer/events.ts'
import { IMPORT_RULES, type ImportRules } from './sequencer/import/blockFlaw.ts'
import type { ImportProgress } from './sequencer/import/importBlocks.ts'
import type { Mark, Sequencer } from './sequencer/sequencer.ts'
import type { Listener, ListenOptions } from './server/listen.ts'
import type { Answers } from './server/webSocket.ts'
import { accountsIn } from './state/dump.ts'
import { encodeGenesis } from './wire/genesis.ts'
import { type ConsoleEvents, type Parts, wire } from './wiring.ts'

/** A point to come back to. Holds what it needs by itself: it lasts as long as anyone keeps it. */
export interface Snapshot {
  readonly kind: 'snapshot'
  /** @internal */
  readonly schedule: ForkSchedule
  /** @internal */
  readonly mark: Mark
}

/** What a devnet tells those who listen: what happens, what code says, and what was subscribed to. */
export interface DevnetEvents
  extends Events,
    ProviderEvents,
    ConsoleEvents,
    RequestFaultEvents,
    RequestEvents {}

/** How blocks are brought in. */
export interface ImportOptions {
  /**
   * `ethereum` (the default): the blocks must keep all rules of Ethereum. `devnet`: a devnet made them, so that they may
   * have their parent's timestamp, need no working system contracts (EIP-7002, EIP-7251, EIP-6110), and are not mined
   * even before the terminal total difficulty.
   */
  readonly rules?: ImportRules
  /** Called after each block. */
  readonly onProgress?: (progress: ImportProgress) => void
}

/** Ticks that one `advance` makes while a fault is planned: each is a block that is kept, and more would fill the memory. */
const MAX_TICKS = 1_000_000

/** A simulated chain, and a client of it. Made by `createDevnet`. */
export class Devnet extends Client {
  /** The options, with defaults filled in. */
  readonly settings: Settings
  readonly #parts: Parts
  readonly #sequencer: Sequencer
  readonly #commands: Commands
  readonly #dispatch: Dispatch
  readonly #context: RpcContext
  readonly #provider: Provider
  readonly #playTarget: PlayTarget
  readonly #console: Listeners<ConsoleEvents>
  readonly #requests = new Listeners<RequestEvents>()
  /** Those that are still being opened, too. */
  readonly #listeners = new Set<Promise<Listener>>()
  #isClosed = false
  /** When all has ended; `undefined` until `close`. */
  #ended: Promise<unknown> | undefined

  /** @internal Use `createDevnet`. */
  constructor(parts: Parts) {
    const wires = wire(parts)
    super(parts.accounts, wires)
    this.settings = parts.settings
    this.#parts = parts
    this.#sequencer = wires.sequencer
    this.#commands = wires.context.commands
    this.#dispatch = wires.dispatch
    this.#context = wires.context
    this.#provider = wires.provider
    this.#playTarget = wires
    this.#console = wires.console
    this.#sequencer.start()
  }

  /** What goes wrong, on purpose: on demand, on a schedule, or by chance. */
  get faults(): Faults {
    return this.#commands.faults
  }

  /** The hardfork that the newest block is under, such as `osaka`. */
  get hardfork(): string {
    const { evms, chain } = this.#parts
    return evms.schedule.at(chain.pending.block.header).hardfork
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
    const listeners = this.#listenersOf(event)
    if (listeners !== undefined) return listeners.on(event, listener)
    const told = event as keyof ProviderEvents
    this.#provider.on(told, listener as ProviderEvents[typeof told])
    return () => this.removeListener(event, listener)
  }

  /** Calls `listener` no more (EIP-1193). */
  removeListener<E extends keyof DevnetEvents>(event: E, listener: DevnetEvents[E]): void {
    const listeners = this.#listenersOf(event)
    const told = event as keyof ProviderEvents
    if (listeners !== undefined) listeners.off(event, listener)
    else this.#provider.removeListener(told, listener as ProviderEvents[typeof told])
  }

  /** Makes one tick: seals a block that has had its slices, opens the next, pre-confirms what waits. */
  tick(): Promise<void> {
    return this.#commands.tick()
  }

  /** Seals the open block as it is; what waits keeps waiting. */
  seal(): Promise<void> {
    return this.#commands.seal()
  }

  /**
   * Mines blocks: runs what waits into the open block and seals it, as often as `blocks` says, once by default. Time stands
   * still meanwhile, unless `intervalSeconds` says how far apart the blocks are; `mine(5)` is `mine({ blocks: 5 })`. Rejects
   * with a `RangeError` for no whole number from 1 to 1,000,000.
   */
  async mine(mining: number | MineOptions = {}): Promise<void> {
    try {
      const { blocks, intervalSeconds } = parsedMining(mining)
      if (blocks === 1) await this.#commands.mine()
      else await this.calmRequest('anvil_mine', [blocks, intervalSeconds])
    } catch (error) {
      throw thrownAt(callSite(Devnet.prototype.mine), error)
    }
  }

  /**
   * Moves time forward by a length of time, such as `{ days: 7 }` or `{ ms: 400 }`, and makes the ticks that fall due on the
   * way: what waits is run, pre-confirmed and sealed as it would be in that time.
   *
   * Up to 5,000 ticks (1,000 seconds at 200 ms) are all made. Of more, those are made in which something happens: as long as
   * transactions can run or wait to be sealed, a fault is planned, or the base fee has not come to rest; and after that until
   * the last of it is final (`finalizedDistance`). Then empty blocks are left out, up to the last two. So a year takes
   * milliseconds; `block.timestamp` is where it would be, `block.number` is not: use `mine(n)` where the number counts. To
   * move time without any tick, use `increaseTime`.
   *
   * Rejects with a `TypeError` for a unit that there is not, and with a `RangeError` for what is no number of at least 0, and
   * for more than a million ticks while a fault is planned.
   */
  async advance(duration: Duration): Promise<void> {
    try {
      const ms = durationMs('advance', duration)
      // Not those of the settings: both can be changed while it runs.
      const { rhythm, tickMs } = this.#parts.clock
      const ticks = rhythm === 'instant' || this.#sequencer.faults.length === 0 ? 0 : Math.floor(ms / tickMs)
      if (ticks > MAX_TICKS) {
        throw new RangeError(
          `advance: ${ms} ms are ${ticks} ticks of ${tickMs} ms, and while a fault is planned each is made, at most ${MAX_TICKS} at once; use increaseTime, which makes none, or remove the fault`,
        )
      }
      await this.#commands.advance(ms)
    } catch (error) {
      throw thrownAt(callSite(Devnet.prototype.advance), error)
    }
  }

  /**
   * Moves time forward by seconds, or by a length of time such as `{ days: 7 }`, and makes no tick and no block: the next
   * block has the new time, and so has the open one while it is empty, which `pending` shows at once. As `evm_increaseTime`.
   * Rejects with a `RangeError` for what is no whole number of seconds of at least 0.
   */
  async increaseTime(duration: number | bigint | Duration): Promise<void> {
    try {
      await this.calmRequest('evm_increaseTime', [parsedSeconds(duration)])
    } catch (error) {
      throw thrownAt(callSite(Devnet.prototype.increaseTime), error)
    }
  }

  /**
   * Sets time to a moment: seconds since 1970, as `block.timestamp` has them, or a `Date`, whose milliseconds are dropped.
   * Makes no tick and no block: the next block has the new time, and so has the open one while it is empty. Rejects with a
   * `RangeError` for a moment before the newest block, behind which no block goes: the option `timestamp` begins earlier.
   */
  async setTime(time: number | bigint | Date): Promise<void> {
    try {
      await this.calmRequest('evm_setTime', [parsedMoment(time, this.latest.header.timestamp)])
    } catch (error) {
      throw thrownAt(callSite(Devnet.prototype.setTime), error)
    }
  }

  /**
   * An independent devnet that begins where this one is: it shares all history, and what happens in one is not seen in
   * the other. Costs the same whatever the size of the chain. It listens nowhere, is `manual` unless a rhythm is given,
   * and outlives this one.
   */
  fork(options: { rhythm?: Rhythm } = {}): Devnet {
    requireOptions('fork', options, FORK_OPTIONS)
    const { rhythm = 'manual' } = options
    const { settings, accounts, wallet, evms } = this.#parts
    const { chain, pool, clock, cheats } = this.#commands.mark
    return new Devnet({
      settings: { ...settings, rhythm },
      accounts,
      wallet: wallet.copy(),
      evms,
      chain: new Chain(chain, this.#parts.chain.options),
      pool: new Pool(pool),
      clock: new Clock(rhythm, this.#parts.clock.tickMs, clock),
      cheats,
      abis: this.abis.copy(),
    })
  }

  /** Where this devnet is now: chain, pre-confirmed block, waiting transactions, time. Costs a few pointers. */
  snapshot(): Snapshot {
    return { kind: 'snapshot', schedule: this.#parts.evms.schedule, mark: this.#commands.snapshot() }
  }

  /**
   * Goes to where `snapshot` was taken, back or forth, any number of times. Rejects with a `TypeError` for a snapshot of a
   * devnet that is no relative (this one, its forks, what it was forked from).
   */
  async restore(snapshot: Snapshot): Promise<void> {
    if (snapshot?.schedule !== this.#parts.evms.schedule) {
      throw new TypeError(
        'restore: expected a snapshot of this devnet, of a fork of it, or of what it was forked from',
      )
    }
    await this.#commands.restore(snapshot.mark)
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
    options: ImportOptions = {},
  ): Promise<{ imported: number; known: number }> {
    requireOptions('import', options, IMPORT_OPTIONS)
    const { rules = 'ethereum', onProgress = () => {} } = options
    if (!IMPORT_RULES.includes(rules)) {
      throw new TypeError(`import: expected rules ${IMPORT_RULES.join(' or ')}, got ${rules}`)
    }
    const outcome = await this.#commands.import(source, rules, onProgress)
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
    const { evms, chain } = this.#parts
    const { origin } = chain.state.history
    if (!hasState(origin)) {
      throw new RangeError(
        'genesis: the state of block 0 is not known: the file that was loaded did not have it',
      )
    }
    return encodeGenesis({
      schedule: evms.schedule,
      header: origin.block.header,
      accounts: accountsIn(origin.state),
    })
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
    return dumpMark(this.#sequencer, this.#commands.mark)
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
    const { header, hash } = await attributed(callSite(Devnet.prototype.load), () =>
      this.#commands.load(source),
    )
    return { number: header.number, hash }
  }

  /**
   * Begins a recording: each request and its answer, the ticks and what else is done to this devnet, in their order, as a
   * file from which `replay` plays it again. `write` takes its characters as they come; without it they are kept
   * (`recording.text`). It begins where the devnet is now, as `dump` has it, and ends with `recording.end()` or `close`.
   */
  record(write?: (text: string) => void): Promise<Recording> {
    return record(this.#context, optionsBesideGenesis(this.settings), write)
  }

  /** Answers JSON-RPC messages as text, without a transport: what `listen` and `rpcMiddleware` put on the wire. */
  get respond(): Respond {
    const { dialect, batchLimit, strict: isStrict, requestTimeoutMs: limitMs } = this.settings
    return createRespond(isStrict ? strict(this.#dispatch) : this.#dispatch, {
      dialect,
      batchLimit,
      isStrict,
      listeners: this.#requests,
      startWork: () => new Work({ limitMs, owner: this.#context }),
    })
  }

  /** @internal What a port answers with. */
  get answers(): Answers {
    return {
      respond: this.respond,
      connect: (deliver) => new Subscriptions(this.#context.feeds, deliver),
      onCut: (cut) => this.#context.requestFaults.onCut(cut),
    }
  }

  /**
   * Listens for JSON-RPC over HTTP and WebSocket. `port: 0` takes a free one. Answers where, and how to stop; rejects
   * where the port is in use, or the devnet is closed.
   */
  async listen(options: ListenOptions = {}): Promise<Listener> {
    const site = callSite(Devnet.prototype.listen)
    requireOptions('listen', options, LISTEN_OPTIONS)
    this.#requireOpen('listen')
    const opening = this.#open(options)
    this.#listeners.add(opening)
    const listener = await opening.catch((error) => {
      this.#listeners.delete(opening)
      throw thrownAt(site, error)
    })
    // If it was closed meanwhile, so is the listener.
    this.#requireOpen('listen')
    return listener
  }

  /** @internal The newest sealed block, at which a look leaves no trace in a recording. */
  get latest(): Block {
    return this.#parts.chain.latest.block
  }

  /** @internal What a recording is played on. */
  get playTarget(): PlayTarget {
    return this.#playTarget
  }

  /** @internal Time makes no ticks until `wake`. */
  rest(): void {
    this.#parts.clock.stop()
  }

  /** @internal Time makes ticks again; those that fell due meanwhile are not made up for. */
  wake(): void {
    if (!this.#isClosed) this.#sequencer.start()
  }

  /**
   * Stops the rhythm and all listeners, and resolves when what was begun has ended. Requests are refused from then on. Forks
   * and snapshots live on.
   */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true
      this.#context.isClosed = true
      this.#context.observer?.end()
      this.#provider.close()
      this.#context.requestFaults.close()
      const listeners = [...this.#listeners].map((opening) =>
        opening.then(
          (listener) => listener.close(),
          () => {},
        ),
      )
      this.#ended = Promise.all([this.#sequencer.stop(), ...listeners])
    }
    await this.#ended
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #open(options: ListenOptions): Promise<Listener> {
    const { listen } = await import('./server/listen.ts')
    const limits = limitsOf(this.settings)
    return listen(this.answers, { ...limits, ...options }, refuseFor(this.settings))
  }

  #requireOpen(what: string): void {
    if (this.#isClosed) throw new Error(`${what}: the devnet is closed`)
  }

  /** Who tells of `event`; `undefined`: the provider. */
  #listenersOf(event: keyof DevnetEvents): Listeners<DevnetEvents> | undefined {
    if (PROVIDER_EVENTS.has(event)) return undefined
    const tellers: Partial<Record<keyof DevnetEvents, object>> = {
      console: this.#console,
      request: this.#requests,
      refused: this.#requests,
      requestFault: this.#context.requestFaults.listeners,
    }
    const teller = tellers[event] ?? (EVENTS.has(event) ? this.#sequencer.listeners : undefined)
    if (teller !== undefined) return teller as Listeners<DevnetEvents>
    const known = [...EVENTS, ...Object.keys(tellers), ...PROVIDER_EVENTS]
    throw new TypeError(
      `on: there is no event ${event}; ${EVENTS_OF_OTHERS.get(event) ?? proposal(event, known)}`,
    )
  }
}

/** What other libraries emit, and what is emitted here instead. */
const EVENTS_OF_OTHERS: ReadonlyMap<string, string> = new Map([
  ['block', 'sealed and preconfirmed tell of blocks'],
  ['newHeads', 'sealed tells of blocks; eth_subscribe with newHeads emits message'],
  ['pending', 'accepted tells of transactions'],
  ['transaction', 'accepted tells of transactions'],
  ['log', 'console tells what code says, sealed and preconfirmed tell of blocks with their logs'],
  ['error', 'methods reject; dropped, fault and requestFault tell of what goes wrong'],
])

const FORK_OPTIONS = namesOf<{ rhythm: unknown }>({ rhythm: true })
const IMPORT_OPTIONS = namesOf<ImportOptions>({ rules: true, onProgress: true })
const LISTEN_OPTIONS = namesOf<ListenOptions>({
  port: true,
  host: true,
  allowedHosts: true,
  allowedOrigins: true,
  bodyLimit: true,
  stateLimit: true,
})

function* exported(history: History): Generator<Uint8Array> {
  const last = Number(history.latest.block.header.number)
  for (let number = 1; number <= last; number++) yield encodeBlock(history.block(number)!)
}
