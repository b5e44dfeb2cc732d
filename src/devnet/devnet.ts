/** A devnet: the public object of tests and tools. `devnet/wiring.ts` creates and connects its components. */

import type { Bridge } from '../bridge/bridge.ts'
import type { L1Parts } from '../bridge/l1.ts'
import type { Hash } from '../bytes/hex.ts'
import { Client } from '../client/client.ts'
import type { RpcRequest, RpcResult } from '../client/rpcMethods.ts'
import { faultsOf } from '../faults/devnetFaults.ts'
import type { Faults } from '../faults/faults.ts'
import { type Duration, durationMs, namesOf, requireOptions } from '../model/api/arguments.ts'
import { attributed, callSite, thrownAt } from '../model/api/callSite.ts'
import type { Block } from '../model/block/block.ts'
import type { ByteSource } from '../model/block/blockStream.ts'
import type { Header } from '../model/block/header.ts'
import { Listeners } from '../model/collections/listeners.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { Settings } from '../options/options.ts'
import { type Recording, record } from '../recording/record.ts'
import type { Commands } from '../rpc/commands.ts'
import type { RpcContext } from '../rpc/context.ts'
import { createRespond, type RequestEvents, type Respond } from '../rpc/message.ts'
import type { Provider } from '../rpc/provider.ts'
import { strict } from '../rpc/strict.ts'
import { Subscriptions } from '../rpc/subscriptions.ts'
import { dump, exportBlocks, genesisOf, type ImportOptions, importBlocks, load } from '../saving/api/files.ts'
import type { Rhythm } from '../sequencer/clock.ts'
import type { Mark } from '../sequencer/marks.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import type { Listener, ListenOptions } from '../server/listen.ts'
import type { Answers } from '../server/webSocket.ts'
import type { ForkedNetwork } from '../upstream/forkedNetwork.ts'
import { Work } from '../work/work.ts'
import { type DevnetEvents, EventEmitters, tellObservers } from './events.ts'
import { DevnetPorts, LISTEN_NAMES } from './ports.ts'
import {
  type MineOptions,
  parsedMining,
  parsedMoment,
  parsedSeconds,
  requireFewTicks,
} from './timeArguments.ts'
import { type DevnetParts, forkedParts, type Wires, wire } from './wiring.ts'

/** A state of a devnet, which `restore` brings back. A snapshot stays valid as long as it is referenced. */
export interface Snapshot {
  readonly kind: 'snapshot'
  /** @internal */
  readonly schedule: ForkSchedule
  /** @internal */
  readonly mark: Mark
}

interface Relatives {
  readonly origin?: Devnet
  readonly l1?: Devnet | undefined
}

/** A simulated chain with a client of its own, created by `createDevnet`. */
export class Devnet extends Client {
  /** The options with all defaults filled in. */
  readonly settings: Settings
  /** The L1 beside this L2 (option `l1`). Its time follows this devnet, and closing this devnet closes it. */
  readonly l1: Devnet | undefined
  #parts: DevnetParts
  readonly #sequencer: Sequencer
  readonly #commands: Commands
  readonly #context: RpcContext
  readonly #provider: Provider
  readonly #wires: Wires
  readonly #events: EventEmitters
  readonly #requests = new Listeners<RequestEvents>()
  readonly #ports: DevnetPorts
  /** The functions that observers (`observeDevnets`) returned, to be called when this devnet is closed. */
  readonly #whenClosed: readonly ((() => void) | undefined)[]
  #isClosed = false
  /** Resolves when `close` has finished; `undefined` until `close` is called. */
  #ended: Promise<unknown> | undefined

  /** @internal Use `createDevnet`. If this devnet is a fork, `origin` is the devnet from which it was forked. */
  constructor(parts: DevnetParts, { origin, l1 }: Relatives = {}) {
    const wires = wire(parts, l1?.l1Parts)
    super(parts.accounts, wires)
    this.l1 = l1
    this.settings = parts.settings
    this.#parts = parts
    this.#sequencer = wires.sequencer
    this.#commands = wires.context.commands
    this.#context = wires.context
    this.#provider = wires.provider
    this.#wires = wires
    this.#ports = new DevnetPorts(parts.settings, wires.context)
    this.#events = new EventEmitters(wires, this.#requests)
    this.#whenClosed = tellObservers(this, origin)
    this.#sequencer.start()
  }

  /** Plans and lists faults, which occur on demand, on a schedule, or by chance. */
  get faults(): Faults {
    return faultsOf(this.#context).api
  }

  /** The hardfork, such as `osaka`, of the block under construction, or of the newest sealed block if there is none. */
  get hardfork(): string {
    const { evms, chain } = this.#parts
    return evms.schedule.at(chain.pending.block.header).hardfork
  }

  /** Runs a JSON-RPC request (EIP-1193). Rejects with `ProviderRpcError`. `eth_subscribe` emits `message` events. */
  request<const method extends string>(request: RpcRequest<method>): Promise<RpcResult<method>> {
    return this.#provider.request(request) as Promise<RpcResult<method>>
  }

  /** Adds a listener, and returns a function that removes it. Throws a `TypeError` for an unknown event. */
  on<E extends keyof DevnetEvents>(event: E, listener: DevnetEvents[E]): () => void {
    try {
      return this.#events.on(event, listener)
    } catch (error) {
      throw thrownAt(callSite(Devnet.prototype.on), error)
    }
  }

  /** Removes `listener` from the event (EIP-1193). */
  removeListener<E extends keyof DevnetEvents>(event: E, listener: DevnetEvents[E]): void {
    this.#events.off(event, listener)
  }

  /** Makes a tick: seals the open block if it has all its slices, then pre-confirms waiting transactions in a slice. */
  tick(): Promise<void> {
    return this.#commands.tick()
  }

  /** Seals the block under construction with the transactions it has. Waiting transactions stay in the pool. */
  seal(): Promise<void> {
    return this.#commands.seal()
  }

  /**
   * Mines blocks: runs waiting transactions into the open block and seals it, `blocks` times, by default once. Time
   * does not move unless `intervalSeconds` gives the seconds between blocks. `mine(5)` is the same as
   * `mine({ blocks: 5 })`. Rejects with a `RangeError` unless `blocks` is a whole number from 1 to 1,000,000.
   */
  async mine(mining: number | MineOptions = {}): Promise<void> {
    try {
      const { blocks, intervalSeconds } = parsedMining(mining)
      if (blocks === 1) await this.#commands.mine()
      else await this.faultlessRequest('anvil_mine', [blocks, intervalSeconds])
    } catch (error) {
      throw thrownAt(callSite(Devnet.prototype.mine), error)
    }
  }

  /**
   * Moves time forward by a duration, such as `{ days: 7 }` or `{ ms: 400 }`, and makes the ticks that fall due:
   * waiting transactions are run, pre-confirmed and sealed as they would be in that time.
   *
   * If at most 5,000 ticks are due (1,000 seconds at 200 ms), all are made. Otherwise, ticks are made as long as
   * transactions wait, a fault is planned or the base fee changes, and then until these blocks are final
   * (`finalizedDistance`). All remaining ticks are skipped, except those of the last two blocks: `block.timestamp`
   * is exact, but `block.number` is lower. If the number matters, use `mine(n)`. To move time without ticks, use
   * `increaseTime`.
   *
   * Rejects with a `TypeError` for an unknown unit, with a `RangeError` for a value that is not a number of at
   * least 0, and with a `RangeError` for more than a million ticks while a fault is planned.
   */
  async advance(duration: Duration): Promise<void> {
    try {
      const ms = durationMs('advance', duration)
      // Not from `settings`, because RPC methods can change the rhythm and the time between ticks.
      const { rhythm, tickMs } = this.#parts.clock
      if (rhythm !== 'instant' && this.#sequencer.deviations.planned > 0) requireFewTicks(ms, tickMs)
      await this.#commands.advance(ms)
    } catch (error) {
      throw thrownAt(callSite(Devnet.prototype.advance), error)
    }
  }

  /**
   * Moves time forward by seconds, or by a duration such as `{ days: 7 }`, like `evm_increaseTime`. Makes no tick
   * and no block. The next block has the new time; if the open block is empty, the open block also has the new time.
   * Rejects with a `RangeError` unless the duration is a whole number of seconds of at least 0.
   */
  async increaseTime(duration: number | bigint | Duration): Promise<void> {
    try {
      await this.faultlessRequest('evm_increaseTime', [parsedSeconds(duration)])
    } catch (error) {
      throw thrownAt(callSite(Devnet.prototype.increaseTime), error)
    }
  }

  /**
   * Sets the time: seconds since 1970, as in `block.timestamp`, or a `Date`, whose milliseconds are dropped. Makes no
   * tick. The next block has the new time, and so has the open block if it is empty. Rejects with a `RangeError` for a
   * time before the newest block. To begin at an earlier time, use the option `timestamp`.
   */
  async setTime(time: number | bigint | Date): Promise<void> {
    try {
      await this.faultlessRequest('evm_setTime', [parsedMoment(time, this.latest.header.timestamp)])
    } catch (error) {
      throw thrownAt(callSite(Devnet.prototype.setTime), error)
    }
  }

  /**
   * Returns an independent devnet with the same history and state. The cost does not depend on the size of the chain.
   * The fork has no listeners, the rhythm `manual` by default, and stays open when this devnet is closed. An L2 is forked with
   * its L1.
   */
  fork(options: { rhythm?: Rhythm } = {}): Devnet {
    requireOptions('fork', options, FORK_OPTIONS, Devnet.prototype.fork)
    const { rhythm = 'manual' } = options
    const l1 = this.l1?.fork({ rhythm: rhythmOfL1(rhythm) })
    return new Devnet(forkedParts(this.#parts, this.#commands.mark, rhythm, this), { origin: this, l1 })
  }

  /** Returns the current chain, waiting transactions and time. The cost does not depend on the size of the chain. */
  snapshot(): Snapshot {
    return { kind: 'snapshot', schedule: this.#parts.evms.schedule, mark: this.#commands.snapshot() }
  }

  /**
   * Brings this devnet to the state of `snapshot`, which may be earlier or later, any number of times. Rejects with a
   * `TypeError` unless the snapshot is of this devnet, of its forks or of its origin.
   */
  async restore(snapshot: Snapshot): Promise<void> {
    if (snapshot?.schedule !== this.#parts.evms.schedule) {
      throw thrownAt(
        callSite(Devnet.prototype.restore),
        new TypeError('restore: expected a snapshot of this devnet, of a fork of it, or of its origin'),
      )
    }
    await this.#commands.restore(snapshot.mark)
  }

  /**
   * Imports a chain. `source` has RLP blocks, one after the other, as bytes or as a stream of bytes, as geth's
   * `export` and `devnet.export` write them. Each block is run, compared with its header, and added if valid. Blocks
   * that are already on the chain are skipped. Returns the numbers of `imported` and of skipped (`known`) blocks.
   * Rejects with `ImportFailed`, which names the first bad block and its wrong field; earlier blocks stay. Rejects with
   * a `RangeError` on a fork of a network without proofs, where state roots cannot be verified.
   *
   * Waiting transactions stay in the pool, and pre-confirmed ones return to it. Reads are answered during the import.
   */
  import(source: ByteSource, options: ImportOptions = {}): Promise<{ imported: number; known: number }> {
    return attributed(callSite(Devnet.prototype.import), () => importBlocks(this.#context, source, options))
  }

  /**
   * Returns the genesis of this chain as a genesis.json of geth, for `createDevnet({ genesis })` or another client.
   * Throws a `RangeError` if the state of block 0 is unknown, as after loading a state file of anvil.
   */
  genesis(): Record<string, unknown> {
    return genesisOf(this.#context)
  }

  /**
   * Returns the sealed blocks after block 0 as RLP, each encoded when the iteration reaches it, for `import` or for
   * another client with the same genesis. On a fork of a network with proofs, returns the blocks after the fork block.
   * Throws a `RangeError` if blocks were pruned or their state roots are not known.
   */
  export(): Iterable<Uint8Array> {
    return exportBlocks(this.#context)
  }

  /**
   * Returns this devnet at the time of the call as a state file for `load`: blocks, receipts, the state after each
   * block, pre-confirmed and waiting transactions, time, cheats. Equal chains give equal bytes. Snapshots of
   * `evm_snapshot`, filters and subscriptions are not included.
   */
  dump(): Iterable<Uint8Array> {
    return dump(this.#context)
  }

  /**
   * Replaces the chain by that of a state file, and returns its newest block. `source` is the output of `dump` or a
   * `state.json` of anvil, with or without gzip, as bytes or as a stream of bytes. Options and rhythm stay. On a devnet
   * that was created with the rhythm `manual`, the time is that of the file; otherwise time continues, at least from
   * the time of the file. The old chain continues until the whole file is read. Rejects with `LoadFailed`, which names
   * the line and its error; the old chain then stays.
   */
  load(source: ByteSource): Promise<{ number: bigint; hash: Hash }> {
    return attributed(callSite(Devnet.prototype.load), () => load(this.#context, source))
  }

  /**
   * Starts a recording, a file that `replay` plays: the current state, then each request with its response, the ticks,
   * and all other changes, in their order. `write` receives the text in pieces; without `write` the text is kept in
   * `recording.text`. The recording ends with `recording.end()` or `close`.
   */
  record(write?: (text: string) => void): Promise<Recording> {
    return record(this, { write, hasAbis: true })
  }

  /** Returns the function that answers JSON-RPC messages as text. `listen` and `rpcMiddleware` use this function. */
  get respond(): Respond {
    const { dialect, batchLimit, strict: isStrict, requestTimeoutMs: limitMs } = this.settings
    const { dispatch } = this.#wires
    return createRespond(isStrict ? strict(dispatch) : dispatch, {
      dialect,
      batchLimit,
      isStrict,
      listeners: this.#requests,
      startWork: () => new Work({ limitMs, owner: this.#context }),
    })
  }

  /** @internal The functions by which a port answers for this devnet. */
  get answers(): Answers {
    return {
      respond: this.respond,
      connect: (deliver) => new Subscriptions(this.#context.feeds, deliver),
      onCut: (cut) => faultsOf(this.#context).requestFaults.onCut(cut),
      reported: this,
    }
  }

  /** Listens for JSON-RPC over HTTP and WebSocket. `port: 0` takes a free port. Rejects if the port is in use. */
  async listen(options: ListenOptions = {}): Promise<Listener> {
    const site = callSite(Devnet.prototype.listen)
    requireOptions('listen', options, LISTEN_OPTIONS, Devnet.prototype.listen)
    return attributed(site, () => this.#ports.listen(this.answers, options))
  }

  /**
   * @internal Seals a block with the transactions and header values of a network's block. Returns the transactions
   * that cannot be run again.
   */
  repeat(header: Header, transactions: readonly Transaction[]): Promise<readonly Transaction[]> {
    return this.#sequencer.imports.repeat(header, transactions)
  }

  /** @internal */
  get network(): ForkedNetwork | undefined {
    return this.#context.network
  }

  /** @internal The newest sealed block. Unlike a request, reading it does not add to a recording. */
  get latest(): Block {
    return this.#parts.chain.latest.block
  }

  /** @internal */
  get wires(): Wires {
    return this.#wires
  }

  /** @internal Sets the URL of the page to which errors link. */
  setPageUrl(pageUrl: string): void {
    this.#context.pageUrls.add(pageUrl)
  }

  /** @internal Stops the ticks of the rhythm until `wake` is called. */
  rest(): void {
    this.#parts.clock.stop()
  }

  /** @internal Resumes the ticks of the rhythm. Ticks that fell due while they were stopped are skipped. */
  wake(): void {
    if (!this.#isClosed) this.#sequencer.start()
  }

  /** @internal Makes this devnet the L1 beside an L2, which communicates with the contracts of `bridge`. */
  addBridge(bridge: Bridge): void {
    const start = this.#parts.chain.latest
    this.#parts = { ...this.#parts, bridge, start }
    this.#sequencer.marks.start = start
  }

  /** @internal This devnet as the L1 beside an L2. */
  get l1Parts(): L1Parts {
    return { context: this.#context, bridge: this.#parts.bridge! }
  }

  /** Stops the rhythm and listeners. Resolves when started work has finished. Forks and snapshots stay usable. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true
      this.#context.isClosed = true
      this.#context.observer?.end()
      this.#provider.close()
      faultsOf(this.#context).requestFaults.close()
      const closing = this.#ports.close()
      // The L1 is closed last, because a command of the L2 may wait for it.
      const stopped = this.#sequencer.stop().then(() => this.l1?.close())
      this.#ended = Promise.all([stopped, closing]).finally(() => {
        for (const call of this.#whenClosed) call?.()
      })
    }
    await this.#ended
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** @internal Returns the rhythm of the L1 beside an L2: its blocks are made when the L2's are, or at once for each transaction. */
export function rhythmOfL1(rhythm: Rhythm): Rhythm {
  return rhythm === 'instant' ? 'instant' : 'manual'
}

const FORK_OPTIONS = namesOf<{ rhythm: unknown }>({ rhythm: true })
const LISTEN_OPTIONS = namesOf<ListenOptions>(LISTEN_NAMES)
