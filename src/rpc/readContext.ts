/** The context of methods that read: moments of the chain, environments of calls, and options that affect responses. */

import type { Address, Hash } from '../bytes/hex.ts'
import { type Chain, hasBlock, isMoment } from '../chain/chain.ts'
import type { LogLimits } from '../chain/logs.ts'
import type { Inclusion, Moment } from '../chain/moment.ts'
import { BlockContexts } from '../engine/blockContext.ts'
import type { Evm, Evms } from '../engine/evm.ts'
import { createScene, type ExecutionScope, withFunds } from '../engine/run/runCall.ts'
import type { Block } from '../model/block/block.ts'
import type { Header } from '../model/block/header.ts'
import { isPending, LATEST, type Selector } from '../model/block/selector.ts'
import type { AccountOverride, BlockOverride, Call, ConsoleCalls } from '../model/execution/call.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { Pool } from '../pool/pool.ts'
import type { Derivation } from '../sequencer/block/derivation.ts'
import type { Deviations } from '../sequencer/block/deviations.ts'
import type { UpcomingBlock } from '../sequencer/block/upcomingBlock.ts'
import type { Clock } from '../sequencer/clock.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import type { Timeline } from '../sequencer/timeline.ts'
import { type WhyWaiting, whyWaiting } from '../sequencer/waiting.ts'
import type { AddedContract } from '../solidity/abi/contract.ts'
import type { Artifacts } from '../solidity/artifacts/artifacts.ts'
import { type ForkedNetwork, type Networks, networkAt } from '../upstream/forkedNetwork.ts'
import type { Dialect } from '../wire/dialect.ts'
import { type CallLimits, type LimitScope, URGENT, type Work, type WorkOwner } from '../work/work.ts'
import { Problem } from './errors/problem.ts'
import { Feeds } from './feeds.ts'
import { Filters } from './filters.ts'
import { type EventSources, PresealEvents } from './presealEvents.ts'

export interface RpcOptions {
  /** Compiler artifacts. `load` must be called before code is looked up. Absent if the devnet may not read files. */
  readonly artifacts?: Artifacts | undefined
  /** The networks that methods may connect to. Absent if methods must not connect to any. */
  readonly networks?: Networks | undefined
  readonly dialect: Dialect
  readonly logLimits: LogLimits
  /** Whether waiting transactions count in the pending nonce. */
  readonly pendingNonce: 'pool' | 'preconfirmed'
  /** The state from which on requests by a transaction's hash return its receipt and its block. */
  readonly receipts: 'sealed' | 'preconfirmed'
  /** Returns by how many blocks the block context of a call on `pending` lags behind the block under construction. */
  contextLag(): number
  /** The context of a call without a block parameter: `latest` (`block`) or the next block (`next`). */
  readonly callContext: 'block' | 'next'
  /** Whether the senders of simulations need the balance for value and gas. */
  readonly checkCallBalance: boolean
  /** Whether the nonce of an account can be set to a lower value. */
  readonly mayLowerNonces: boolean
  /** The default steps at which the struct logger shows storage: only steps that access storage, or every step. */
  readonly structLogStorage: 'accessed' | 'everyStep'
  readonly callLimits: CallLimits
  readonly clientVersion: string
  /** The maximum decompressed size of a state file in a request, in bytes. */
  readonly stateLimit: number
  /** Called with the `console.log` output of a simulation. */
  onConsole(said: ConsoleCalls): void
  readonly addedAbis?: AddedAbis | undefined
  readonly onConsoleLine?: EventSources['onConsoleLine']
  /** Returns the text of the custom error in revert data, if an added ABI or an artifact declares the error. */
  errorText(data: Uint8Array): Promise<string | undefined>
  /** Reports an internal error that does not fail a request. */
  onDefect(what: string, error: unknown): void
  /** Whether clients can subscribe to all kinds, including those of Flashblocks, or only to the standard kinds. */
  readonly subscriptions: 'all' | 'standard'
}

/** The state and block context of a simulation, and the EVM that runs it. */
export interface CallEnvironment {
  readonly evm: Evm
  readonly scene: ExecutionScope
}

/** An L1 and its L2, and how the L2 is derived from the L1. */
export interface Pair<Context = ReadContext> {
  readonly l1: Context
  readonly l2: Context
  readonly derivation: Derivation
}

/** The parts of a sequencer that methods read. Reading them adds no command to the sequencer's queue. */
type Readable = Pick<Sequencer, 'upcoming' | 'timeline' | 'clock' | 'listeners' | 'deviations'>

export class ReadContext implements WorkOwner {
  readonly chain: Chain
  readonly pool: Pool
  /** Computes the block that will include the next transaction. `upcoming.cheats` are the current cheats. */
  readonly upcoming: UpcomingBlock
  readonly timeline: Timeline
  readonly clock: Clock
  readonly options: RpcOptions
  readonly filters: Filters
  readonly feeds: Feeds
  readonly presealEvents: PresealEvents
  readonly deviations: Pick<Deviations, 'planned' | 'isPendingStale'>
  readonly blockContexts = new BlockContexts()
  /** The work of the request that is answered in this context (see `withWork`). */
  readonly work: Work = URGENT
  /** Keeps the result of `contextLag`, so that a request that runs again after a fetch uses the same lag. */
  readonly lag: { blocks?: number } | undefined
  /** The URLs of the open pages that show the devnet. */
  readonly pageUrls = new Set<string>()
  /** The pair of which this is the L1 or the L2. Each moves the other, so the inputs of one alone do not repeat it. */
  pair: Pair | undefined
  /** Whether the devnet is closed. Requests that are still running then end. */
  isClosed = false

  constructor(chain: Chain, pool: Pool, sequencer: Readable, options: RpcOptions) {
    const { upcoming, timeline, clock, listeners } = sequencer
    this.chain = chain
    this.pool = pool
    this.upcoming = upcoming
    this.timeline = timeline
    this.clock = clock
    this.options = options
    this.filters = new Filters(listeners, () => clock.timeSource.nowMs)
    this.feeds = new Feeds(listeners)
    this.presealEvents = new PresealEvents({
      sequencer: listeners,
      onConsoleLine: options.onConsoleLine,
      nowMs: () => clock.nowMs,
    })
    this.deviations = sequencer.deviations
  }

  /** Returns a version of this context for one request. A second run of the request, after a fetch, shares `work`. */
  withWork(work: Work): this {
    // Two assignments take half the time of `Object.create` with property descriptors.
    const context = Object.create(this) as { work: Work; lag: { blocks?: number } | undefined }
    context.work = work
    if (this.network !== undefined) context.lag = {}
    return context as this
  }

  /** Returns a version of this context whose work also ends after `timeMs`; 0 for no further limit. */
  limitedTo(timeMs: number, limited: LimitScope): this {
    const { memoryLimit: memoryBytes } = this.work
    return Object.create(this, { work: { value: this.work.forCall({ timeMs, memoryBytes }, limited) } })
  }

  /** The work of a call that begins now: a part of the request's work, with the limits of calls. */
  get workOfCall(): Work {
    return this.work.forCall(this.options.callLimits)
  }

  /** Returns the moment of a selector. Throws a `Problem` if the block does not exist or its state was pruned. */
  at(selector: Selector): Moment {
    const found = this.chain.at(selector)
    if (!isMoment(found)) throw new Problem(found)
    return found
  }

  /** Returns the block of a selector, even if its state was pruned. Throws a `Problem` if the block does not exist. */
  blockAt(selector: Selector): Block {
    const found = this.chain.at(selector)
    if (!hasBlock(found)) throw new Problem(found)
    return found.block
  }

  /** Returns the block and the index of a transaction. With `receipts: 'sealed'`, only sealed blocks are searched. */
  inclusionOf(hash: Hash): Inclusion | undefined {
    return this.options.receipts === 'sealed' ? this.chain.state.history.find(hash) : this.chain.find(hash)
  }

  whyWaiting(transaction: Transaction): WhyWaiting {
    return whyWaiting(transaction, this)
  }

  /** Passes the `console.log` output of a simulation to `onConsole`, if there is any. */
  reportConsole({ console }: { readonly console?: ConsoleCalls | undefined }): void {
    if (console !== undefined) this.options.onConsole(console)
  }

  get network(): ForkedNetwork | undefined {
    const { remote } = this.chain
    return remote && networkAt(remote)
  }

  /** Compiler artifacts. `load` reads them; after that, `find` identifies code. */
  get artifacts(): Artifacts | undefined {
    return this.options.artifacts
  }

  get evms(): Evms {
    return this.upcoming.evms
  }

  get chainId(): bigint {
    return this.evms.schedule.chainId
  }

  get rules(): Rules {
    return this.evms.schedule.at(this.chain.pending.block.header)
  }

  /** Returns the environment of a simulation; without a selector, on `latest` in the block context of `callContext`. */
  environment(
    selector: Selector | undefined,
    accounts: readonly AccountOverride[] = [],
    block: BlockOverride = {},
  ): CallEnvironment {
    const moment = this.at(selector ?? LATEST)
    const header = isOfNext(this, selector) ? nextHeader(this) : contextOf(this, moment).header
    return environmentIn(this, moment, header, accounts, block)
  }

  /** Returns the environment of `call`, which its sender can pay with the option `checkCallBalance: false`. */
  environmentOf(call: Call, ...rest: Parameters<ReadContext['environment']>): CallEnvironment {
    return affordable(this, call, this.environment(...rest))
  }

  /** Returns the environment of a transaction sent now: the newest state, and the block that will include it. */
  environmentOfNext(call?: Call): CallEnvironment {
    const moment = this.chain.pending
    const header = moment === this.chain.preconfirmed ? contextOf(this, moment).header : nextHeader(this)
    const environment = environmentIn(this, moment, header)
    return call === undefined ? environment : affordable(this, call, environment)
  }
}

function affordable({ options }: ReadContext, call: Call, { evm, scene }: CallEnvironment): CallEnvironment {
  return { evm, scene: options.checkCallBalance ? scene : withFunds(scene, call) }
}

/** Returns the environment of a simulation. The hardfork follows from the number and time after the block overrides. */
function environmentIn(
  { evms, chain, workOfCall, blockContexts }: ReadContext,
  { state }: Moment,
  header: Header,
  accounts: readonly AccountOverride[] = [],
  block: BlockOverride = {},
): CallEnvironment {
  const evm = evms
    .at({
      number: block.number ?? header.number,
      timestamp: block.timestamp ?? header.timestamp,
      difficulty: block.difficulty ?? header.difficulty,
    })
    .for(workOfCall)
  const context = blockContexts.of(evm.rules, header, chain.blockHash)
  return { evm, scene: createScene(state, context, accounts, block) }
}

/**
 * Returns whether a call runs in the context of the next block. True with the option `callContext: 'next'`, for
 * calls without a selector, and for calls on `pending` if nothing is pre-confirmed.
 */
function isOfNext({ options, chain }: ReadContext, selector: Selector | undefined): boolean {
  if (options.callContext === 'block') return false
  if (selector === undefined) return true
  return isPending(selector) && chain.preconfirmed === undefined
}

/** Returns the header of the block under construction, or of the block that would be opened now. */
function nextHeader({ chain, upcoming }: ReadContext): Header {
  return chain.preconfirmed?.block.header ?? upcoming.header
}

function lagOf({ options, lag }: ReadContext): number {
  const decided = lag?.blocks ?? options.contextLag()
  if (lag !== undefined) lag.blocks = decided
  return decided
}

/** Returns the block whose context a simulation gets: the moment's block, or an earlier one if `pending` lags. */
function contextOf(context: ReadContext, moment: Moment): Moment['block'] {
  const { chain } = context
  if (moment !== chain.preconfirmed) return moment.block
  const lag = lagOf(context)
  if (lag === 0) return moment.block
  const number = moment.block.header.number - BigInt(lag)
  const oldest = BigInt(chain.state.history.oldest)
  return context.at({ kind: 'number', number: number > oldest ? number : oldest }).block
}

/** An ABI and the name of its contract, if known. */
export interface NamedAbi {
  readonly name: string | undefined
  readonly abi: readonly (string | { readonly type: string })[]
}

/** An ABI that a test added for an address, for code, or for any contract. */
export type AddedAbi = AddedContract

/** The ABIs that a test added. They apply with or without artifacts. */
interface AddedAbis {
  /** Returns the contract that was added for the account at `address`, or for its code. */
  find(address: Address, code: Uint8Array): NamedAbi | undefined
  /** Returns an ABI as JSON, without entries in human-readable form. */
  toJson(abi: NamedAbi['abi']): Promise<readonly { readonly type: string }[]>
  /** Returns the added ABIs, newest first. Returns the same array until the next `add`, and always the same objects. */
  all(): readonly object[]
  encode(added: object): AddedAbi
  add(added: AddedAbi): void
}
