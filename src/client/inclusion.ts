/** Waiting for what becomes of a transaction that was accepted: as long as its sender wants to, and no longer than it makes sense. */
import { type Block, sentIn } from '../model/block/block.ts'
import type { Hash } from '../model/bytes/hex.ts'
import type { RpcContext } from '../rpc/context.ts'
import { preseal_explain } from '../rpc/methods/watching.ts'
import { closed, type Provider } from '../rpc/provider.ts'

/** How far a transaction is to be when its sender goes on: in the pool, in a slice, in a sealed block. */
export type Until = 'accepted' | 'preconfirmed' | 'sealed'

/** An accepted transaction that did not get where its sender wanted it; the message says why. */
export class NotIncluded extends Error {
  /** The hash of the transaction, which may still come where it waits. */
  readonly hash: Hash
  /** What it waits for, or why it was given up. */
  readonly reason: string

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

/** @internal Where a transaction stands. */
export interface TransactionPlace {
  readonly block: Block
  readonly index: number
}

/** @internal Brings an accepted transaction into a block, or waits until it is in one. Rejects with `NotIncluded`. */
export async function included(
  context: RpcContext,
  provider: Provider,
  hash: Hash,
  until: 'preconfirmed' | 'sealed',
): Promise<TransactionPlace> {
  const find = () => (until === 'sealed' ? context.chain.state.history.find(hash) : context.chain.find(hash))
  const isMissing = () => find() === undefined
  if (isMissing()) {
    if (until === 'sealed') await mineUntilThere(context, hash, isMissing)
    else if (context.sequencer.steering.rhythm === 'manual') await tickUntilThere(context, hash, isMissing)
    else await comes(context, provider, hash, isMissing)
  }
  const place = find()
  if (place === undefined) throw notIncluded(context, hash, until)
  return place
}

/** @internal The error that says why an accepted transaction is not where its sender wants it. */
export function notIncluded(context: RpcContext, hash: Hash, until: Until): NotIncluded {
  return new NotIncluded(hash, until, preseal_explain(context, [hash]) as Explanation)
}

/** What it may wait for that no block brings. What is impossible is dropped by the next one. */
const HELPLESS: ReadonlySet<string> = new Set(['nonceGap', 'behind', 'feeTooLow'])

/** Blocks in a row that take nothing in: then more of them are of no use. */
const IDLE_BLOCKS = 2

/** Mines as long as others go first, or a fault puts it off. */
async function mineUntilThere(
  { chain, pool, sequencer, commands }: RpcContext,
  hash: Hash,
  isMissing: () => boolean,
): Promise<void> {
  for (let idle = 0; idle < IDLE_BLOCKS && isMissing(); ) {
    const waiting = pool.get(hash)
    // Blocks would not help it.
    if (waiting && HELPLESS.has(sequencer.whyWaiting(waiting).kind)) return
    await commands.mineUnlessSealed(hash)
    idle = sentIn(chain.latest.block).length > 0 ? 0 : idle + 1
  }
}

/** Makes ticks for as long as one block takes: it may be full, or its gas given out slice by slice. */
async function tickUntilThere(
  { sequencer, commands }: RpcContext,
  hash: Hash,
  isMissing: () => boolean,
): Promise<void> {
  const { ticksPerBlock } = sequencer.steering
  for (let ticks = 0; ticks <= ticksPerBlock && isMissing(); ticks++) {
    await commands.tickUnlessFound(hash)
  }
}

/** Waits for time to bring it; ends, too, when it is clear that it will not. */
function comes(
  { chain, pool, sequencer }: RpcContext,
  provider: Provider,
  hash: Hash,
  isMissing: () => boolean,
): Promise<void> {
  const isInVain = () => {
    if (!isMissing() || chain.hidden(hash) !== undefined) return false
    const waiting = pool.get(hash)
    // It is gone, or one of its sender that had to come first is, which no time brings.
    return waiting === undefined || waiting.nonce > sequencer.nextNonce(waiting.from)
  }
  if (sequencer.steering.rhythm === 'instant') return Promise.resolve()
  // It was closed while the transaction was let in, and tells of that no more.
  if (provider.isClosed) return Promise.reject(closed())
  return new Promise((resolve, reject) => {
    const ends: (() => void)[] = []
    const settle = (outcome: () => void) => {
      for (const end of ends) end()
      outcome()
    }
    const look = () => {
      if (!isMissing()) settle(resolve)
      // In the middle of a command it may be nowhere.
      else if (isInVain()) void sequencer.idle().then(() => isInVain() && settle(resolve))
    }
    const onClosed = () => settle(() => reject(closed()))
    for (const event of WHEN_TO_LOOK) ends.push(sequencer.listeners.on(event, look))
    provider.on('disconnect', onClosed)
    ends.push(() => provider.removeListener('disconnect', onClosed))
    look()
  })
}

/** `bent`: a snapshot may have been gone back to. */
const WHEN_TO_LOOK = ['preconfirmed', 'revealed', 'sealed', 'dropped', 'reorged', 'bent'] as const
