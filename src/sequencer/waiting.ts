/** Finds out why a transaction is still waiting, by the checks that the next slice will make. Changes nothing. */
import type { Chain } from '../chain/chain.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { type Rejection, refuseAccount } from '../pool/admit.ts'
import type { Pool } from '../pool/pool.ts'
import { blobRoom } from './block/includedTransactions.ts'
import type { UpcomingBlock } from './block/upcomingBlock.ts'
import type { Clock, Rhythm } from './clock.ts'

export type WhyWaiting =
  /** A fault hides the slice that includes the transaction. */
  | { readonly kind: 'hidden' }
  /** Earlier transactions of the sender are missing, from the nonce `next` on. The transaction has the nonce `got`. */
  | { readonly kind: 'nonceGap'; readonly next: bigint; readonly got: bigint }
  /** An earlier transaction of the sender, `first`, waits because of `why`. */
  | { readonly kind: 'behind'; readonly first: Transaction; readonly why: WhyWaiting }
  | { readonly kind: 'feeTooLow'; readonly maxFeePerGas: bigint; readonly baseFeePerGas: bigint }
  /** The block has less gas left than the transaction's gas limit. */
  | { readonly kind: 'noGasLeft'; readonly gasLimit: bigint; readonly left: bigint }
  /** The block has less blob gas left than the transaction's blobs or, on an L2 since Jovian, its data count. */
  | { readonly kind: 'noBlobGasLeft'; readonly want: bigint; readonly left: bigint; readonly limit: bigint }
  /** The next slice will drop the transaction. */
  | { readonly kind: 'impossible'; readonly rejection: Rejection }
  /** The next slice will include the transaction, in `inMs` milliseconds; `undefined` if only commands make slices. */
  | { readonly kind: 'nextSlice'; readonly rhythm: Rhythm; readonly inMs: number | undefined }

interface Surroundings {
  readonly chain: Chain
  readonly pool: Pool
  readonly upcoming: UpcomingBlock
  readonly clock: Clock
}

/** Returns the reason why `transaction`, which was accepted, is not in a block yet. */
export function whyWaiting(transaction: Transaction, around: Surroundings): WhyWaiting {
  const why = ownReason(transaction, around)
  if (why.kind === 'hidden' || why.kind === 'nonceGap') return why
  for (const { transaction: first } of around.pool.of(transaction.from)) {
    if (first.nonce >= transaction.nonce) break
    const whyFirst = ownReason(first, around)
    if (PERSISTENT_REASONS.has(whyFirst.kind)) return { kind: 'behind', first, why: whyFirst }
  }
  return why
}

/** Reasons that persist in later slices: a transaction with such a reason holds up later transactions of its sender. */
const PERSISTENT_REASONS: ReadonlySet<WhyWaiting['kind']> = new Set(['feeTooLow', 'impossible'])

function ownReason(transaction: Transaction, around: Surroundings): WhyWaiting {
  const { chain, pool, upcoming, clock } = around
  if (chain.hidden(transaction.hash) !== undefined) return { kind: 'hidden' }
  const { state, block } = chain.tip
  const { from, nonce, maxFeePerGas, gasLimit } = transaction
  const next = pool.nextNonce(from, state.account(from)?.nonce ?? 0n)
  if (nonce > next) return { kind: 'nonceGap', next, got: nonce }
  const rejection = refuseAccount(transaction, state, upcoming.rules)
  if (rejection !== undefined) return { kind: 'impossible', rejection }
  const { baseFeePerGas } = upcoming.prices
  if (maxFeePerGas < baseFeePerGas) return { kind: 'feeTooLow', maxFeePerGas, baseFeePerGas }
  const { gasUsed, blobGasUsed = 0n, ...header } = block.header
  const left = chain.open === undefined ? header.gasLimit : header.gasLimit - gasUsed
  if (gasLimit > left) return { kind: 'noGasLeft', gasLimit, left }
  const { limit, shareOf } = blobRoom(upcoming.rules, state, header.gasLimit)
  const [want, blobGasLeft] = [shareOf(transaction), chain.open === undefined ? limit : limit - blobGasUsed]
  if (want > blobGasLeft) return { kind: 'noBlobGasLeft', want, left: blobGasLeft, limit }
  const { rhythm, nextTickMs, nowMs } = clock
  return { kind: 'nextSlice', rhythm, inMs: rhythm === 'interval' ? nextTickMs - nowMs : undefined }
}
