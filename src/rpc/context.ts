/** The contexts of methods that send transactions and of methods that steer the devnet. Both extend `ReadContext`. */
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
import { ReadContext, type RpcOptions } from './readContext.ts'

interface ContextParts {
  readonly chain: Chain
  readonly pool: Pool
  readonly sequencer: Sequencer
  /** The accounts that sign: addresses and their private keys. */
  readonly keys: ReadonlyMap<Address, Uint8Array>
}

/** The context of methods that send transactions. */
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

  /** The accounts that can send without a signature: the unlocked ones and, as in anvil, the impersonated ones. */
  get accounts(): readonly Address[] {
    return [...new Set([...this.keys.keys(), ...this.upcoming.cheats.impersonated])]
  }
}

/** The context of methods that steer the devnet: all of its commands. */
export class RpcContext extends SendContext {
  readonly sequencer: Sequencer
  readonly commands: Commands
  /** The observer of the devnet: a recording, if there is one. */
  observer: Observer | undefined
  /** During a replay, the recorded node: it answers requests for values that state files lack. */
  nodeOfFiles: PlayedNode | undefined
  /** The URLs of the pages that show the devnet at present. */
  readonly pageUrls = new Set<string>()

  constructor(parts: ContextParts, options: RpcOptions) {
    super(parts, options)
    this.sequencer = parts.sequencer
    this.commands = new Commands(this, () => this.observer)
  }

  /** Informs `observer` of all inputs from outside. Returns a function that removes it. */
  observe(observer: Observer): () => void {
    this.observer = observer
    return () => {
      this.observer = undefined
    }
  }

  /** Opens connections to networks, if the devnet may make any. */
  get networks(): Networks | undefined {
    return this.options.networks
  }
}
