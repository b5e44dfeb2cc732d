/** What the methods work with: the chain and its neighbours, and the few options that shape answers. */
import { type Chain, hasBlock, isMoment } from '../chain/chain.ts'
import type { LogLimits } from '../chain/logs.ts'
import type { Inclusion, Moment } from '../chain/moment.ts'
import { blockContext } from '../evm/blockContext.ts'
import type { Evm } from '../evm/evm.ts'
import type { Evms } from '../evm/evms.ts'
import { createScene, type Scene } from '../evm/scene.ts'
import { FaultPlanner } from '../faults/faultPlanner.ts'
import { RequestFaults } from '../faults/requestFaults.ts'
import type { Block } from '../model/block/block.ts'
import type { Header } from '../model/block/header.ts'
import type { Address, Hash } from '../model/bytes/hex.ts'
import type { AccountOverride, BlockOverride } from '../model/execution/call.ts'
import type { ConsoleCalls } from '../model/execution/consoleCall.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import { LATEST, type Selector } from '../model/selector.ts'
import { URGENT, type Work, type WorkOwner } from '../model/work/work.ts'
import type { Pool } from '../pool/pool.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { Commands } from './commands.ts'
import type { Dialect } from './errors.ts'
import { Feeds } from './feeds.ts'
import { Filters } from './filters.ts'
import type { Observer } from './observer.ts'
import { Problem } from './problem.ts'
import type { Wallet } from './wallet.ts'

export interface RpcOptions {
  readonly dialect: Dialect
  readonly logLimits: LogLimits
  /** Whether waiting transactions count in the pending nonce. */
  readonly pendingNonce: 'pool' | 'preconfirmed'
  /** When a client finds a transaction in a block by its hash: once that is sealed, or already while it is pre-confirmed. */
  readonly receipts: 'sealed' | 'preconfirmed'
  /** How many blocks the context of a call on `pending` stays behind (seed 4.3). */
  readonly pendingContextLag: number
  /** The block context of calls that name no block: that of `latest`, or of the block to come. */
  readonly callContext: 'block' | 'next'
  /** Which steps of the struct logger carry storage, where a request does not say so. */
  readonly structLogStorage: 'accessed' | 'everyStep'
  readonly clientVersion: string
  /** Bytes that a state file in a request may have, unpacked. */
  readonly stateLimit: number
  /** Learns what the code of a simulation said to the console. */
  onConsole(said: ConsoleCalls): void
  /** Returns the custom error in revert data as text, if it is one of an ABI that is known. */
  errorText(data: Uint8Array): Promise<string | undefined>
  /** Which kinds of subscriptions there are: with those of Flashblocks, or the standard ones alone. */
  readonly subscriptions: 'all' | 'standard'
}

/** Where a simulation happens, and the machine that runs it. */
export interface CallEnvironment {
  readonly evm: Evm
  readonly scene: Scene
}

export class RpcContext implements WorkOwner {
  readonly chain: Chain
  readonly pool: Pool
  readonly sequencer: Sequencer
  readonly wallet: Wallet
  readonly options: RpcOptions
  readonly filters: Filters
  readonly feeds: Feeds
  /** The faults that are planned for requests and connections. */
  readonly requestFaults: RequestFaults
  readonly faultPlanner: FaultPlanner
  /** What is done in process. */
  readonly commands: Commands
  /** Who observes the devnet: a recording, if one is being made. */
  observer: Observer | undefined
  /** What the request is doing that is answered in this context (`during`). */
  readonly work: Work = URGENT
  /** Whether the devnet was closed: requests that still run end. */
  isClosed = false

  constructor(chain: Chain, pool: Pool, sequencer: Sequencer, wallet: Wallet, options: RpcOptions) {
    this.chain = chain
    this.pool = pool
    this.sequencer = sequencer
    this.wallet = wallet
    this.options = options
    this.filters = new Filters(sequencer.listeners, () => sequencer.clock.timeSource.nowMs)
    this.feeds = new Feeds(sequencer.listeners)
    this.requestFaults = new RequestFaults({
      startTimer: (ms, then) => sequencer.clock.timeSource.timer()(ms, then),
      onSlice: (listener) => sequencer.onSlice(listener),
    })
    this.faultPlanner = new FaultPlanner(sequencer.faultCommands, this.requestFaults)
    this.commands = new Commands(sequencer, chain, this.faultPlanner, () => this.observer)
  }

  /** Lets `observer` learn of all that comes from outside, until the returned function is called. */
  observe(observer: Observer): () => void {
    this.observer = observer
    return () => {
      this.observer = undefined
    }
  }

  /** Returns this context for one request, which is answered as `work`: its runs pause, and end, with it. */
  during(work: Work): RpcContext {
    return Object.create(this, { work: { value: work } })
  }

  /** The moment that a selector means. Throws the problem that there is none. */
  at(selector: Selector): Moment {
    const found = this.chain.at(selector)
    if (!isMoment(found)) throw new Problem(found)
    return found
  }

  /** The block that a selector means, whether or not its state is known. Throws the problem that there is none. */
  blockAt(selector: Selector): Block {
    const found = this.chain.at(selector)
    if (!hasBlock(found)) throw new Problem(found)
    return found.block
  }

  /**
   * Returns the block in which a client that asks by hash finds the transaction, and its index there. Under
   * `receipts: 'sealed'` only sealed blocks count: a client that waits for a receipt and then reads `latest` finds there
   * what the receipt says. A pre-confirmed transaction is then visible through `pending` alone (seed 4, "pre-confirmed").
   */
  inclusionOf(hash: Hash): Inclusion | undefined {
    return this.options.receipts === 'sealed' ? this.chain.state.history.find(hash) : this.chain.find(hash)
  }

  /** Passes on what a simulation said, if anything. */
  tell({ console }: { readonly console?: ConsoleCalls | undefined }): void {
    if (console !== undefined) this.options.onConsole(console)
  }

  /** The unlocked accounts: addresses and their keys. */
  get keys(): ReadonlyMap<Address, Uint8Array> {
    return this.wallet.unlocked
  }

  get evms(): Evms {
    return this.sequencer.evms
  }

  get chainId(): bigint {
    return this.evms.schedule.chainId
  }

  /** The rules of the newest block there is. */
  get rules(): Rules {
    return this.evms.schedule.at(this.chain.pending.block.header)
  }

  /**
   * Returns where a simulation at `selector` happens: on the state of that moment, in its block context. Without a selector the
   * state is that of `latest`, and the option `callContext` decides about the context.
   */
  environment(
    selector: Selector | undefined,
    accounts: readonly AccountOverride[] = [],
    block: BlockOverride = {},
  ): CallEnvironment {
    const moment = this.at(selector ?? LATEST)
    const header = isOfNext(this, selector) ? nextHeader(this) : contextOf(this, moment).header
    return environmentIn(this, moment, header, accounts, block)
  }

  /** Returns where a transaction that is sent now would run: on the newest state, in the block that takes it in. */
  environmentOfNext(): CallEnvironment {
    const moment = this.chain.pending
    const header = moment === this.chain.preconfirmed ? contextOf(this, moment).header : nextHeader(this)
    return environmentIn(this, moment, header)
  }
}

/** Another number or time may bring other rules. */
function environmentIn(
  { evms, chain, work }: RpcContext,
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
    .for(work)
  const context = blockContext(evm.rules, header, chain.blockHash)
  return { evm, scene: createScene(state, context, accounts, block) }
}

/** Whether the block to come is meant: by calls that name no block, and by `pending` where nothing is pre-confirmed. */
function isOfNext({ options, chain }: RpcContext, selector: Selector | undefined): boolean {
  if (options.callContext === 'block') return false
  if (selector === undefined) return true
  return selector.kind === 'tag' && selector.tag === 'pending' && chain.preconfirmed === undefined
}

/** The header of the block to come: that under construction, or the one that would be opened now. */
function nextHeader({ chain, sequencer }: RpcContext): Header {
  return chain.preconfirmed?.block.header ?? sequencer.nextHeader
}

/** The block whose context a simulation sees: the moment's own, or one that lags behind if it is pre-confirmed. */
function contextOf(context: RpcContext, moment: Moment): Moment['block'] {
  const { chain, requestFaults, options } = context
  if (moment !== chain.preconfirmed) return moment.block
  const lag = requestFaults.contextLag(options.pendingContextLag)
  if (lag === 0) return moment.block
  const number = moment.block.header.number - BigInt(lag)
  const oldest = BigInt(chain.state.history.oldest)
  return context.at({ kind: 'number', number: number > oldest ? number : oldest }).block
}
