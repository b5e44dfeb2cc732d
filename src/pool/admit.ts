/** Checks whether a transaction may enter the pool. The checks are in the same order as in other nodes. */

import type { Address, Hash } from '../bytes/hex.ts'
import { delegateOf } from '../model/account/account.ts'
import { GAS_PER_BLOB } from '../model/block/fees.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import { l1Charge, operatorFee } from '../model/l2/l1Fee.ts'
import { type GasTooLow, MAX_TRANSACTION_GAS, refuseGasLimit } from '../model/transaction/intrinsicGas.ts'
import { DEPOSIT_TYPE, type Transaction } from '../model/transaction/transaction.ts'
import { l1PricesIn } from '../state/l1Block.ts'
import type { StateView } from '../state/view.ts'
import type { Pool } from './pool.ts'

/** The reason why a transaction is refused, with the values that error messages contain. */
export type Rejection =
  | { readonly kind: 'typeNotSupported'; readonly type: number; readonly hardfork: string }
  | { readonly kind: 'alreadyKnown' }
  | { readonly kind: 'invalidChainId'; readonly have: bigint; readonly want: bigint }
  /** The transaction has a chain id, but the hardfork is older than EIP-155. */
  | { readonly kind: 'chainIdNotSupported'; readonly chainId: bigint; readonly hardfork: string }
  | { readonly kind: 'gasLimitTooHigh'; readonly gasLimit: bigint; readonly limit: bigint }
  | { readonly kind: 'exceedsBlockGasLimit'; readonly gasLimit: bigint; readonly limit: bigint }
  | { readonly kind: 'initCodeTooLarge'; readonly size: number; readonly limit: number }
  | GasTooLow
  | { readonly kind: 'tipAboveFee'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly kind: 'senderIsContract'; readonly address: Address }
  | { readonly kind: 'nonceTooLow'; readonly next: bigint; readonly got: bigint }
  | { readonly kind: 'nonceTooHigh'; readonly got: bigint }
  | {
      readonly kind: 'insufficientFunds'
      readonly address: Address
      readonly have: bigint
      readonly want: bigint
    }
  | {
      readonly kind: 'replacementUnderpriced'
      readonly fee: ReplacedFee
      readonly want: bigint
      readonly got: bigint
      /** By how many percent a replacement must increase each fee. */
      readonly percent: bigint
    }
  | { readonly kind: 'versionedHash'; readonly hash: Hash }
  | { readonly kind: 'tooManyBlobs'; readonly count: number; readonly limit: number }
  /** The blob at `index` does not match its commitment and proof. */
  | { readonly kind: 'unprovenBlob'; readonly index: number }

export type ReplacedFee = (typeof REPLACED_FEES)[number]

export interface AdmissionContext {
  readonly rules: Rules
  /** The newest state, including the effects of pre-confirmed transactions. */
  readonly state: StateView
  /** The maximum gas limit of a transaction; `undefined` if it is unlimited. */
  readonly blockGasLimit: bigint | undefined
  /** Returns whether the open block contains the transaction. For a sealed transaction, the nonce check fails. */
  isPreconfirmed(hash: Transaction['hash']): boolean
}

/** The maximum nonce of a transaction (EIP-2681). */
const MAX_NONCE = 2n ** 64n - 2n
/** By how many percent a replacement must raise each fee, as in geth (`PriceBump`) and reth (`default_price_bump`). */
const PRICE_BUMP_PERCENT = 10n
/** The percentage for blob transactions: geth's blobpool (`PriceBump`) and reth (`replace_blob_tx_price_bump`). */
const BLOB_PRICE_BUMP_PERCENT = 100n
const REPLACED_FEES = ['maxFeePerGas', 'maxPriorityFeePerGas', 'maxFeePerBlobGas'] as const
const TYPE_EIPS = { 1: 2930, 2: 1559, 3: 4844, 4: 7702 } as const

export function admit(
  transaction: Transaction,
  pool: Pool,
  context: AdmissionContext,
): Rejection | undefined {
  return (
    refuseForm(transaction, context) ??
    refuseSender(transaction, pool, context) ??
    refuseReplacement(transaction, pool)
  )
}

export function refuseKind(
  rules: Rules,
  type: Transaction['type'],
  chainId: bigint | undefined,
): Extract<Rejection, { kind: 'typeNotSupported' | 'invalidChainId' }> | undefined {
  // Users cannot send deposits.
  if (type === DEPOSIT_TYPE || (type !== 0 && !rules.has(TYPE_EIPS[type]))) {
    return { kind: 'typeNotSupported', type, hardfork: rules.hardfork }
  }
  if (chainId === undefined || chainId === rules.chainId) return undefined
  return { kind: 'invalidChainId', have: chainId, want: rules.chainId }
}

/** Returns the first violated rule among the rules that do not depend on the state. */
export function refuseForm(
  transaction: Transaction,
  { rules, blockGasLimit }: Pick<AdmissionContext, 'rules' | 'blockGasLimit'>,
): Rejection | undefined {
  const { type, gasLimit, chainId, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const ofAnotherKind = refuseKind(rules, type, chainId)
  if (ofAnotherKind !== undefined) return ofAnotherKind
  if (chainId !== undefined && !rules.since('spuriousDragon')) {
    return { kind: 'chainIdNotSupported', chainId, hardfork: rules.hardfork }
  }
  if (rules.has(7825) && gasLimit > MAX_TRANSACTION_GAS) {
    return { kind: 'gasLimitTooHigh', gasLimit, limit: MAX_TRANSACTION_GAS }
  }
  if (blockGasLimit !== undefined && gasLimit > blockGasLimit)
    return { kind: 'exceedsBlockGasLimit', gasLimit, limit: blockGasLimit }
  const wrong =
    refuseInitCode(rules, transaction) ??
    refuseBlobs(rules, transaction) ??
    refuseGasLimit(rules, transaction)
  if (wrong !== undefined) return wrong
  if (maxPriorityFeePerGas > maxFeePerGas) return { kind: 'tipAboveFee', maxFeePerGas, maxPriorityFeePerGas }
  return undefined
}

/** Refuses init code that is too large (EIP-3860). */
export function refuseInitCode(
  rules: Rules,
  { to, data }: { to: unknown; data: Uint8Array },
): Extract<Rejection, { kind: 'initCodeTooLarge' }> | undefined {
  if (to !== undefined || !rules.has(3860)) return undefined
  const limit = Number(rules.param('maxInitCodeSize'))
  return data.length > limit ? { kind: 'initCodeTooLarge', size: data.length, limit } : undefined
}

/** The first byte of a versioned hash (EIP-4844). */
const KZG_VERSION = '0x01'
/** The maximum number of blobs in a transaction since Osaka (EIP-7594). */
const MAX_BLOBS_PER_TRANSACTION = 6

export function refuseBlobs(
  rules: Rules,
  { blobVersionedHashes: hashes }: Transaction,
): Extract<Rejection, { kind: 'versionedHash' | 'tooManyBlobs' }> | undefined {
  if (hashes === undefined) return undefined
  const limit = rules.has(7594) ? MAX_BLOBS_PER_TRANSACTION : (rules.blobs?.max ?? 0)
  if (hashes.length > limit) return { kind: 'tooManyBlobs', count: hashes.length, limit }
  const unversioned = hashes.find((hash) => !hash.startsWith(KZG_VERSION))
  return unversioned && { kind: 'versionedHash', hash: unversioned }
}

function refuseSender(
  transaction: Transaction,
  pool: Pool,
  context: AdmissionContext,
): Rejection | undefined {
  const { hash } = transaction
  if (pool.get(hash) !== undefined || context.isPreconfirmed(hash)) return { kind: 'alreadyKnown' }
  return refuseAccount(transaction, context.state, context.rules)
}

/** Checks the sender's nonce, balance and code: on admission, and again before execution, because `state` changes. */
export function refuseAccount(
  transaction: Transaction,
  state: StateView,
  rules: Rules,
): Rejection | undefined {
  const { from, nonce, isImpersonated } = transaction
  if (!isImpersonated && !mayBeSender(state.code(from))) return { kind: 'senderIsContract', address: from }
  const account = state.account(from)
  const next = account?.nonce ?? 0n
  if (nonce < next) return { kind: 'nonceTooLow', next, got: nonce }
  if (nonce > MAX_NONCE) return { kind: 'nonceTooHigh', got: nonce }
  const have = account?.balance ?? 0n
  const want = maxCost(transaction) + (rules.l2 === undefined ? 0n : costOnL2(transaction, state, rules))
  return have < want ? { kind: 'insufficientFunds', address: from, have, want } : undefined
}

/** Returns the maximum fees that an L2 charges in addition to gas: for data on L1, and for the operator. */
function costOnL2({ raw, gasLimit }: Transaction, state: StateView, { l2Upgrade }: Rules): bigint {
  const prices = l1PricesIn(state, l2Upgrade)
  return l1Charge(l2Upgrade, raw, prices).fee + operatorFee(l2Upgrade, prices, gasLimit)
}

/** Refuses a replacement that does not raise each fee enough, as geth's pools do. A fee of 0 may stay 0, as in reth. */
function refuseReplacement(transaction: Transaction, pool: Pool): Rejection | undefined {
  const rival = pool.rivalOf(transaction)
  if (rival === undefined) return undefined
  const percent = rival.maxFeePerBlobGas === undefined ? PRICE_BUMP_PERCENT : BLOB_PRICE_BUMP_PERCENT
  for (const fee of REPLACED_FEES) {
    const { [fee]: was = 0n } = rival
    const { [fee]: got = 0n } = transaction
    const raised = (was * (100n + percent)) / 100n
    const want = raised === was && was > 0n ? was + 1n : raised
    if (got < want) return { kind: 'replacementUnderpriced', fee, want, got, percent }
  }
  return undefined
}

/** Returns whether an account may send transactions: without code or with a delegation (EIP-3607, EIP-7702). */
function mayBeSender(code: Uint8Array): boolean {
  return code.length === 0 || delegateOf(code) !== undefined
}

/** Returns the maximum cost of a transaction in wei, without the fees that an L2 charges in addition to gas. */
export function maxCost({
  gasLimit,
  maxFeePerGas,
  value,
  maxFeePerBlobGas,
  blobVersionedHashes,
}: Transaction): bigint {
  const execution = gasLimit * maxFeePerGas + value
  if (maxFeePerBlobGas === undefined || blobVersionedHashes === undefined) return execution
  return execution + maxFeePerBlobGas * GAS_PER_BLOB * BigInt(blobVersionedHashes.length)
}
