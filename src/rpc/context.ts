import type { Address } from '../bytes/hex.ts'
import type { Chain } from '../chain/chain.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import type { Pool } from '../pool/pool.ts'
import type { Events } from '../sequencer/events.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import type { Submissions } from '../sequencer/submissions.ts'
import type { Networks } from '../upstream/forkedNetwork.ts'
import type { PlayedNode } from '../upstream/offlineNodes.ts'
import { Commands } from './commands.ts'
import type { Observer } from './observer.ts'
import { type Pair, ReadContext, type RpcOptions } from './readContext.ts'

interface ContextParts {
  readonly chain: Chain
  readonly pool: Pool
  readonly sequencer: Sequencer
  readonly keys: ReadonlyMap<Address, Uint8Array>
}

export class SendContext extends ReadContext {
  readonly keys: ContextParts['keys']
  readonly submissions: Submissions
  readonly listeners: Listeners<Events>

  constructor(parts: ContextParts, options: RpcOptions) {
    super(parts.chain, parts.pool, parts.sequencer, options)
    this.keys = parts.keys
    this.submissions = parts.sequencer.submissions
    this.listeners = parts.sequencer.listeners
  }

  /** The accounts that can send without a signature: unlocked accounts and, as in anvil, impersonated accounts. */
  get accounts(): readonly Address[] {
    return [...new Set([...this.keys.keys(), ...this.upcoming.cheats.impersonated])]
  }
}

export class RpcContext extends SendContext {
  readonly sequencer: Sequencer
  readonly commands: Commands
  observer: Observer | undefined
  declare pair: Pair<RpcContext> | undefined
  /** During a replay, the recorded node, which returns values that state files lack. */
  nodeOfFiles: PlayedNode | undefined

  constructor(parts: ContextParts, options: RpcOptions) {
    super(parts, options)
    this.sequencer = parts.sequencer
    this.commands = new Commands(this, () => this.observer)
  }

  /** Informs `observer` of all inputs. Returns a function that removes `observer`. */
  observe(observer: Observer): () => void {
    this.observer = observer
    return () => {
      this.observer = undefined
    }
  }

  /** The context of the L1 beside this L2. */
  get l1(): RpcContext | undefined {
    return this.pair?.l2.chain === this.chain ? this.pair.l1 : undefined
  }

  get networks(): Networks | undefined {
    return this.options.networks
  }
}
