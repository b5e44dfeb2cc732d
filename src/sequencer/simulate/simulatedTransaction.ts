/** The transaction of a simulated call, and the reasons for refusing it, checked in geth's order. */

import { EMPTY_BYTES, ZERO_ADDRESS, ZERO_HASH } from '../../bytes/hex.ts'
import { encodeRlp } from '../../bytes/rlp.ts'
import type { BlockContext } from '../../engine/blockContext.ts'
import type { Block } from '../../model/block/block.ts'
import { GAS_PER_BLOB, nextBaseFee } from '../../model/block/fees.ts'
import { type Header, isMined, withdrawalFields } from '../../model/block/header.ts'
import type { SimulatedBlockOverride, SimulatedCall } from '../../model/execution/call.ts'
import type { BlockPosition, ForkSchedule } from '../../model/hardfork/forkSchedule.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { refuseGasLimit } from '../../model/transaction/intrinsicGas.ts'
import { withoutSignature } from '../../model/transaction/signedTransaction.ts'
import { type Transaction, typeOf } from '../../model/transaction/transaction.ts'
import { maxCost, refuseBlobs, refuseInitCode, refuseKind } from '../../pool/admit.ts'
import { listRoot } from '../../state/roots.ts'
import type { State } from '../../state/state.ts'
import type { PlannedBlock } from '../block/layOut.ts'
import { nextHeader } from '../block/openBlock.ts'
import type { InclusionRejection } from '../import/flawInHeader.ts'

/** The highest nonce of an account (EIP-2681). */
export const MAX_ACCOUNT_NONCE = 2n ** 64n - 1n

export interface Room {
  /** Gas left in the block. */
  readonly gas: bigint
  /** Gas left in the whole simulation. */
  readonly budget: bigint
  /** Blob gas left in the block; `undefined` without validation, because then blobs are not limited. */
  readonly blobGas: bigint | undefined
}

export type SimulationRejection =
  | InclusionRejection
  | { readonly kind: 'noBlobsLeft'; readonly count: number; readonly left: number }
  /** The gas of the simulation is used up. */
  | { readonly kind: 'noGasLeft'; readonly left: bigint; readonly want: bigint }

/** Returns `call` as a transaction, with defaults for missing fields, or the reason why the call is refused. */
export function toSimulatedTransaction(
  rules: Rules,
  context: BlockContext,
  state: State,
  call: SimulatedCall,
  room: Room,
  isValidated: boolean,
): Transaction | SimulationRejection {
  const wanted = call.gas ?? room.gas
  if (wanted > room.gas) return { kind: 'exceedsBlockGasLimit', gasLimit: wanted, limit: room.gas }
  const transaction = filled(rules, state, call, wanted < room.budget ? wanted : room.budget)
  const { gasLimit } = transaction
  const rejection =
    refuseKind(rules, transaction.type, call.chainId) ??
    (isValidated ? refuseNonce(transaction, state) : undefined) ??
    refuseFees(context, transaction, isValidated) ??
    refuseBlobs(rules, transaction) ??
    refuseBlobFee(context, transaction, isValidated) ??
    refuseFunds(transaction, state) ??
    refuseGasLimit(rules, transaction) ??
    refuseInitCode(rules, transaction) ??
    refuseBlobGas(transaction, room)
  if (rejection?.kind === 'intrinsicGasTooLow' && gasLimit < wanted) {
    return { kind: 'noGasLeft', left: gasLimit, want: rejection.want }
  }
  return rejection ?? transaction
}

function filled(rules: Rules, state: State, call: SimulatedCall, gasLimit: bigint): Transaction {
  const { from = ZERO_ADDRESS, gasPrice, blobVersionedHashes } = call
  const type = typeOf(rules, call, call.requestedType)
  const maxFeePerGas = gasPrice ?? call.maxFeePerGas ?? 0n
  const maxPriorityFeePerGas = type < 2 ? maxFeePerGas : (gasPrice ?? call.maxPriorityFeePerGas ?? 0n)
  const unsigned = {
    type,
    chainId: rules.chainId,
    nonce: call.nonce ?? state.account(from)?.nonce ?? 0n,
    gasLimit,
    to: call.to,
    value: call.value ?? 0n,
    data: call.data,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList: call.accessList ?? [],
    authorizationList: call.authorizationList ?? [],
    ...(blobVersionedHashes === undefined
      ? {}
      : { blobVersionedHashes, maxFeePerBlobGas: call.maxFeePerBlobGas ?? 0n }),
  }
  return withoutSignature(unsigned, from)
}

function refuseNonce({ from, nonce: got }: Transaction, state: State): InclusionRejection | undefined {
  const next = state.account(from)?.nonce ?? 0n
  if (got < next) return { kind: 'nonceTooLow', next, got }
  if (got > next) return { kind: 'nonceTooHighForNow', next, got }
  return got === MAX_ACCOUNT_NONCE ? { kind: 'nonceTooHigh', got } : undefined
}

/** Checks the fees of a call. Without validation, a call that states no fee pays nothing. */
function refuseFees(
  { baseFeePerGas }: BlockContext,
  { maxFeePerGas, maxPriorityFeePerGas }: Transaction,
  isValidated: boolean,
): InclusionRejection | undefined {
  const isFree = maxFeePerGas === 0n && maxPriorityFeePerGas === 0n
  if (baseFeePerGas === undefined || (isFree && !isValidated)) return undefined
  if (maxPriorityFeePerGas > maxFeePerGas) return { kind: 'tipAboveFee', maxFeePerGas, maxPriorityFeePerGas }
  return maxFeePerGas < baseFeePerGas ? { kind: 'feeBelowBaseFee', maxFeePerGas, baseFeePerGas } : undefined
}

function refuseBlobFee(
  { blobBaseFee = 0n }: BlockContext,
  { maxFeePerBlobGas }: Transaction,
  isValidated: boolean,
): InclusionRejection | undefined {
  if (maxFeePerBlobGas === undefined || (maxFeePerBlobGas === 0n && !isValidated)) return undefined
  return maxFeePerBlobGas < blobBaseFee ? { kind: 'blobFeeTooLow', maxFeePerBlobGas, blobBaseFee } : undefined
}

function refuseFunds(transaction: Transaction, state: State): InclusionRejection | undefined {
  const { from: address } = transaction
  const have = state.account(address)?.balance ?? 0n
  const want = maxCost(transaction)
  return have < want ? { kind: 'insufficientFunds', address, have, want } : undefined
}

function refuseBlobGas(
  { blobVersionedHashes = [] }: Transaction,
  { blobGas }: Room,
): SimulationRejection | undefined {
  if (blobGas === undefined) return undefined
  const count = blobVersionedHashes.length
  const left = Number(blobGas / GAS_PER_BLOB)
  return count > left ? { kind: 'noBlobsLeft', count, left } : undefined
}

/** Returns number, timestamp and difficulty of a simulated block. The difficulty is 0 since the merge. */
export function positionAfter(
  schedule: ForkSchedule,
  parent: Header,
  { number, timestamp, request }: PlannedBlock,
): BlockPosition {
  const merged = { number, timestamp, difficulty: 0n }
  if (!isMined(parent) || hasMerged(schedule, merged)) return merged
  return { ...merged, difficulty: request.override.difficulty ?? parent.difficulty }
}

/** Returns whether the block is after the merge. Does not need the total difficulty, like geth's `IsPostMerge`. */
function hasMerged({ config, at }: ForkSchedule, position: BlockPosition): boolean {
  const { mergeNetsplitBlock, terminalTotalDifficulty } = config
  return (
    (mergeNetsplitBlock !== undefined && position.number >= mergeNetsplitBlock) ||
    (terminalTotalDifficulty !== undefined && Number(terminalTotalDifficulty) === 0) ||
    at(position).since('shanghai')
  )
}

/** Returns the header at `position` after `parent`, with the values of `override`. */
export function simulatedHeader(
  rules: Rules,
  { header: parent, hash: parentHash }: Block,
  position: BlockPosition,
  override: SimulatedBlockOverride,
  isValidated: boolean,
): Header {
  const { coinbase = parent.coinbase, withdrawals = [], parentBeaconBlockRoot = ZERO_HASH } = override
  const header = nextHeader(rules, parent, parentHash, position, { coinbase, randaoSeed: ZERO_HASH })
  return {
    ...header,
    gasLimit: override.gasLimit ?? parent.gasLimit,
    extraData: EMPTY_BYTES,
    prevRandao: override.prevRandao ?? ZERO_HASH,
    // Without validation the default is 0, so that the sender needs no balance for gas.
    baseFeePerGas: rules.has(1559)
      ? (override.baseFeePerGas ?? (isValidated ? nextBaseFee(rules, parent) : 0n))
      : undefined,
    withdrawalsRoot:
      header.withdrawalsRoot &&
      listRoot(withdrawals.map((withdrawal) => encodeRlp(withdrawalFields(withdrawal)))),
    parentBeaconBlockRoot: header.parentBeaconBlockRoot && parentBeaconBlockRoot,
  }
}
