/** What the methods work with: the chain and its neighbours, and the few options that shape answers. */
import { type Chain, isMoment } from '../chain/chain.ts'
import type { LogLimits } from '../chain/logs.ts'
import type { Moment } from '../chain/moment.ts'
import { blockContext } from '../evm/blockContext.ts'
import type { Evm } from '../evm/evm.ts'
import { createScene, type Scene } from '../evm/scene.ts'
import type { AccountOverride, BlockOverride } from '../model/call.ts'
import type { Rules } from '../model/hardfork.ts'
import type { Address } from '../model/hex.ts'
import type { Selector } from '../model/selector.ts'
import type { Pool } from '../pool/pool.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import type { Dialect } from './errors.ts'
import { Problem } from './problem.ts'

export interface RpcOptions {
  readonly dialect: Dialect
  readonly logLimits: LogLimits
  /** Whether waiting transactions count in the pending nonce. */
  readonly pendingNonce: 'pool' | 'preconfirmed'
  /** How many blocks the context of a call on `pending` stays behind (seed 4.3). */
  readonly pendingContextLag: number
  readonly clientVersion: string
}

export class RpcContext {
  readonly rules: Rules
  readonly evm: Evm
  readonly chain: Chain
  readonly pool: Pool
  readonly sequencer: Sequencer
  /** The unlocked accounts: addresses and their keys. */
  readonly keys: ReadonlyMap<Address, Uint8Array>
  readonly options: RpcOptions

  constructor(
    evm: Evm,
    chain: Chain,
    pool: Pool,
    sequencer: Sequencer,
    keys: ReadonlyMap<Address, Uint8Array>,
    options: RpcOptions,
  ) {
    this.rules = evm.rules
    this.evm = evm
    this.chain = chain
    this.pool = pool
    this.sequencer = sequencer
    this.keys = keys
    this.options = options
  }

  /** The moment that a selector means. Throws the problem that there is none. */
  at(selector: Selector): Moment {
    const found = this.chain.at(selector)
    if (!isMoment(found)) throw new Problem(found)
    return found
  }

  /** Where a simulation at `selector` happens. */
  scene(selector: Selector, accounts: readonly AccountOverride[] = [], block: BlockOverride = {}): Scene {
    const moment = this.at(selector)
    const { header } = this.#contextOf(moment)
    const context = blockContext(this.rules, header, this.chain.blockHash)
    return createScene(moment.state, context, accounts, block)
  }

  /** The block whose context a simulation sees: the moment's own, or one that lags behind if it is pre-confirmed. */
  #contextOf(moment: Moment): Moment['block'] {
    const lag = moment === this.chain.preconfirmed ? this.options.pendingContextLag : 0
    if (lag === 0) return moment.block
    const number = moment.block.header.number - BigInt(lag)
    return this.at({ kind: 'number', number: number > 0n ? number : 0n }).block
  }
}
