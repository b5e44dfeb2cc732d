/** Waits until an accepted transaction reaches the required state, or until this has become impossible. */
import type { Hash } from '../bytes/hex.ts'
import { preseal_explain } from '../methods/preseal/watching.ts'
import { type Block, userTransactions } from '../model/block/block.ts'
import type { RpcContext } from '../rpc/context.ts'
import { closed, type Provider } from '../rpc/provider.ts'
import { pageUrlOf, withPageUrl } from './reverted.ts'

/** The state of a transaction at which a call returns: in the pool, run in a slice, or in a sealed block. */
export type Until = 'accepted' | 'preconfirmed' | 'sealed'

/** An error for an accepted transaction that did not reach the required state. The message has the reason. */
export class NotIncluded extends Error {
  /** The hash of the transaction. If the transaction still waits in the pool, it may be included later. */
  readonly hash: Hash
  /** The reason why the transaction waits, or why it was dropped. */
  readonly reason: string
  /** The URL of the transaction on the devnet's page. Absent if the devnet has no page at present. */
  declare readonly pageUrl?: string

  constructor(hash: Hash, until: Until, { status, reason }: Explanation) {
    const what = status === 'dropped' ? `was dropped: ${reason}` : `is not ${until}: ${reason}`
    super(`transaction ${hash} ${what}`)
    this.name = 'NotIncluded'
    this.hash = hash
    this.reason = reason
  }
}

interface Explanation {
  readonly status: string
  readonly reason: string
}

/** @internal Mines or waits until an accepted transaction has reached the state `until`. Rejects with `NotIncluded`. */
export async function included(
  context: RpcContext,
  provider: Provider,
  hash: Hash,
  until: 'preconfirmed' | 'sealed',
): Promise<{ readonly block: Block; readonly index: number }> {
  const find = () => (until === 'sealed' ? context.chain.state.history.find(hash) : context.chain.find(hash))
  const isMissing = () => find() === undefined
  if (isMissing()) {
    if (until === 'sealed') await mineUntilThere(context, hash, isMissing)
    else if (context.sequencer.clock.rhythm === 'manual') await tickUntilThere(context, hash, isMissing)
    else await waitUntilIncluded(context, provider, hash, isMissing)
  }
  const place = find()
  if (place === undefined) throw await notIncluded(context, hash, until)
  return place
}

/** @internal Returns the error with the reason why an accepted transaction has not reached the state `until`. */
export async function notIncluded(context: RpcContext, hash: Hash, until: Until): Promise<NotIncluded> {
  const error = new NotIncluded(hash, until, (await preseal_explain(context, [hash])) as Explanation)
  return withPageUrl(error, pageUrlOf(context, hash))
}

/** Reasons for waiting that new blocks alone do not remove. */
const HELPLESS: ReadonlySet<string> = new Set(['nonceGap', 'behind', 'feeTooLow'])

/** Mining stops after this number of consecutive blocks without transactions, because more blocks would not help. */
const IDLE_BLOCKS = 2

/** Mines blocks until the transaction is sealed, even if other transactions are included first or a fault delays it. */
async function mineUntilThere(context: RpcContext, hash: Hash, isMissing: () => boolean): Promise<void> {
  const { chain, pool, commands } = context
  for (let idle = 0; idle < IDLE_BLOCKS && isMissing(); ) {
    const waiting = pool.get(hash)
    // New blocks alone would not include a transaction that waits for such a reason.
    if (waiting && HELPLESS.has(context.whyWaiting(waiting).kind)) return
    await commands.mineUnlessSealed(hash)
    idle = userTransactions(chain.latest.block).length > 0 ? 0 : idle + 1
  }
}

/**
 * Makes ticks until the transaction is found. Continues while other transactions are included first, and after that
 * until the end of the next block, because only its last slice may have room for a large transaction.
 */
async function tickUntilThere(
  { chain, sequencer, commands }: RpcContext,
  hash: Hash,
  isMissing: () => boolean,
): Promise<void> {
  const idleTicks = Math.max(1, 2 * sequencer.steering.ticksPerBlock)
  for (let idle = 0; idle < idleTicks && isMissing(); ) {
    const before = chain.pending.block
    await commands.tickUnlessFound(hash)
    idle = hasGrown(before, chain.pending.block) ? 0 : idle + 1
  }
}

/** Returns whether users' transactions were added since `before` was the newest block. `after` is now the newest. */
function hasGrown(before: Block, after: Block): boolean {
  const isSame = after.header.number === before.header.number
  return userTransactions(after).length > (isSame ? userTransactions(before).length : 0)
}

/** Waits until a tick of the clock includes the transaction, or until it is certain that ticks alone will not. */
function waitUntilIncluded(
  { chain, pool, sequencer }: RpcContext,
  provider: Provider,
  hash: Hash,
  isMissing: () => boolean,
): Promise<void> {
  const isInVain = () => {
    if (!isMissing() || chain.hidden(hash) !== undefined) return false
    const waiting = pool.get(hash)
    // Ticks alone cannot include a transaction if it, or an earlier transaction of its sender, has left the pool.
    return waiting === undefined || waiting.nonce > sequencer.submissions.nextNonce(waiting.from)
  }
  if (sequencer.clock.rhythm === 'instant') return Promise.resolve()
  // If the devnet was closed while the transaction was being accepted, no further events are emitted.
  if (provider.isClosed) return Promise.reject(closed())
  return new Promise((resolve, reject) => {
    const ends: (() => void)[] = []
    const settle = (outcome: () => void) => {
      for (const end of ends) end()
      outcome()
    }
    const look = () => {
      if (!isMissing()) settle(resolve)
      // While a command runs, the transaction may be neither in the pool nor in a block, so the check is repeated.
      else if (isInVain()) void sequencer.queue.idle().then(() => isInVain() && settle(resolve))
    }
    const onClosed = () => settle(() => reject(closed()))
    for (const event of WHEN_TO_LOOK) ends.push(sequencer.listeners.on(event, look))
    provider.on('disconnect', onClosed)
    ends.push(() => provider.removeListener('disconnect', onClosed))
    look()
  })
}

/** Events after which the transaction is looked up again. Restoring a snapshot also emits `cheatsChanged`. */
const WHEN_TO_LOOK = ['preconfirmed', 'revealed', 'sealed', 'dropped', 'reorged', 'cheatsChanged'] as const
