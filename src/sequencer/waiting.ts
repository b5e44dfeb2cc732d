/** Why a transaction is in no block yet. Pure: it looks at what the next slice would look at. */
import type { Chain } from '../chain/chain.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { type Rejection, refuseAccount } from '../pool/admit.ts'
import type { Pool } from '../pool/pool.ts'
import type { Rhythm } from './clock.ts'

export type WhyWaiting =
  /** It is in the block under construction, of which a fault hides that part. */
  | { readonly kind: 'hidden' }
  /** Others of its sender have to come first: that with the nonce `next` is not here. */
  | { readonly kind: 'nonceGap'; readonly next: bigint; readonly got: bigint }
  /** One of its sender has to come first, and cannot. */
  | { readonly kind: 'behind'; readonly first: Transaction; readonly why: WhyWaiting }
  | { readonly kind: 'feeTooLow'; readonly maxFeePerGas: bigint; readonly baseFeePerGas: bigint }
  /** Its gas does not fit into what is left of the block. */
  | { readonly kind: 'noGasLeft'; readonly gasLimit: bigint; readonly left: bigint }
  /** It will be dropped when its turn comes. */
  | { readonly kind: 'impossible'; readonly rejection: Rejection }
  /** The next slice takes it in, which time brings, or nobody but you. */
  | { readonly kind: 'nextSlice'; readonly rhythm: Rhythm; readonly inMs: number | undefined }

export interface Surroundings {
  readonly chain: Chain
  readonly pool: Pool
  /** Of the block that it could go into. */
  readonly rules: Rules
  readonly baseFeePerGas: bigint
  readonly rhythm: Rhythm
  /** When the next slice falls due; `undefined`: when somebody asks for it. */
  readonly inMs: number | undefined
}

export function whyWaiting(transaction: Transaction, around: Surroundings): WhyWaiting {
  const why = whyAlone(transaction, around)
  if (why.kind === 'hidden' || why.kind === 'nonceGap') return why
  for (const { transaction: first } of around.pool.of(transaction.from)) {
    if (first.nonce >= transaction.nonce) break
    const whyFirst = whyAlone(first, around)
    if (CANNOT_COME.has(whyFirst.kind)) return { kind: 'behind', first, why: whyFirst }
  }
  return why
}

/** Ways to wait that no slice ends. */
const CANNOT_COME: ReadonlySet<WhyWaiting['kind']> = new Set(['feeTooLow', 'impossible'])

/** Why, if those before it can come. */
function whyAlone(transaction: Transaction, around: Surroundings): WhyWaiting {
  const { chain, pool, rules, baseFeePerGas, rhythm, inMs } = around
  if (chain.hidden(transaction.hash) !== undefined) return { kind: 'hidden' }
  const { state, block } = chain.tip
  const { from, nonce, maxFeePerGas, gasLimit } = transaction
  const next = pool.nextNonce(from, state.account(from)?.nonce ?? 0n)
  if (nonce > next) return { kind: 'nonceGap', next, got: nonce }
  const rejection = refuseAccount(transaction, state, rules)
  if (rejection !== undefined) return { kind: 'impossible', rejection }
  if (maxFeePerGas < baseFeePerGas) return { kind: 'feeTooLow', maxFeePerGas, baseFeePerGas }
  const left = chain.open === undefined ? block.header.gasLimit : block.header.gasLimit - block.header.gasUsed
  if (gasLimit > left) return { kind: 'noGasLeft', gasLimit, left }
  return { kind: 'nextSlice', rhythm, inMs }
}
