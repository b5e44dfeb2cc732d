/** Texts for refused transactions and calls: those of geth's pool, because clients search errors for them. */

import type { PayloadFlaw } from '../../sequencer/block/buildPayload.ts'
import type { DropReason } from '../../sequencer/events.ts'
import type { SimulationFlaw } from '../../sequencer/simulate/simulateBlocks.ts'
import type { SimulationRejection } from '../../sequencer/simulate/simulatedTransaction.ts'
import * as Code from './errorCodes.ts'

export type ByKind<U extends { readonly kind: string }, Rest extends readonly unknown[], Result> = {
  readonly [K in U['kind']]: (value: Extract<U, { readonly kind: K }>, ...rest: Rest) => Result
}

export function byKind<U extends { readonly kind: string }, Rest extends readonly unknown[], Result>(
  table: ByKind<U, Rest, Result>,
  value: U,
  ...rest: Rest
): Result {
  const row = table[value.kind as U['kind']] as (value: U, ...rest: Rest) => Result
  return row(value, ...rest)
}

export function rejectionText(rejection: SimulationRejection): string {
  return byKind(REJECTIONS, rejection)
}

const REJECTIONS: ByKind<SimulationRejection, [], string> = {
  alreadyKnown: () => 'already known',
  nonceTooLow: ({ next, got }) => `nonce too low: next nonce ${next}, tx nonce ${got}`,
  nonceTooHigh: ({ got }) => `nonce has max value: tx nonce ${got} (EIP-2681)`,
  nonceTooHighForNow: ({ next, got }) => `nonce too high: next nonce ${next}, tx nonce ${got}`,
  highS: () => 'invalid signature: s is in the upper half of the curve order (EIP-2)',
  feeBelowBaseFee: ({ maxFeePerGas, baseFeePerGas }) =>
    `max fee per gas less than block base fee: maxFeePerGas: ${maxFeePerGas}, baseFee: ${baseFeePerGas}`,
  blobFeeTooLow: ({ maxFeePerBlobGas, blobBaseFee }) =>
    `max fee per blob gas less than block blob gas fee: maxFeePerBlobGas: ${maxFeePerBlobGas}, blobGasFee: ${blobBaseFee}`,
  versionedHash: ({ hash }) => `blob hash ${hash} does not begin with 0x01 (EIP-4844)`,
  tooManyBlobs: ({ count, limit }) =>
    `blob transaction has too many blobs: ${count}, at most ${limit} (EIP-7594)`,
  unprovenBlob: ({ index }) => `invalid blob proof: blob ${index} is not what its commitment and proofs say`,
  noBlobsLeft: ({ left, count }) => `block blob limit reached: ${left} blobs left, ${count} wanted`,
  replacementUnderpriced: ({ fee, got, want, percent }) =>
    `replacement transaction underpriced: ${fee} ${got}, at least ${want} needed (${percent} % more)`,
  exceedsBlockGasLimit: ({ gasLimit, limit }) =>
    `exceeds block gas limit: tx gas ${gasLimit}, block limit ${limit}`,
  gasLimitTooHigh: ({ limit, gasLimit }) => `transaction gas limit too high (cap: ${limit}, tx: ${gasLimit})`,
  noGasLeft: ({ left, want }) => `gas limit of the simulation reached: ${left} left, ${want} needed`,
  invalidChainId: ({ have, want }) => `invalid chain ID: have ${have}, want ${want}`,
  chainIdNotSupported: ({ chainId, hardfork }) =>
    `invalid signature: it names chain ID ${chainId} (EIP-155), before Spurious Dragon (${hardfork}) v is 27 or 28`,
  intrinsicGasTooLow: ({ have, want }) => `intrinsic gas too low: gas ${have}, minimum needed ${want}`,
  insufficientFunds: ({ have, want }) =>
    `insufficient funds for gas * price + value: have ${have} want ${want}`,
  tipAboveFee: ({ maxPriorityFeePerGas, maxFeePerGas }) =>
    `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: ${maxPriorityFeePerGas}, maxFeePerGas: ${maxFeePerGas}`,
  typeNotSupported: ({ type, hardfork }) => `transaction type not supported: type ${type} on ${hardfork}`,
  initCodeTooLarge: ({ size, limit }) => `max initcode size exceeded: code size ${size}, limit ${limit}`,
  senderIsContract: ({ address }) => `sender not an eoa: ${address} has code (EIP-3607)`,
}

export function unbuiltPayload(flaw: PayloadFlaw): string {
  return flaw.kind === 'notAfterParent'
    ? `invalid timestamp: ${flaw.got} is not after the parent's timestamp, ${flaw.parent}`
    : `transaction ${flaw.index} (${flaw.hash}) cannot be included: ${rejectionText(flaw.rejection)}`
}

export function dropText(reason: DropReason): string {
  switch (reason.kind) {
    case 'replaced':
      return `replaced by ${reason.by.hash}`
    case 'defect':
      return `preseal could not run it: ${reason.error instanceof Error ? reason.error.stack : reason.error}`
    case 'outOfMemory':
      return `its code took more than ${reason.limitBytes} bytes of memory; give it less gas`
    case 'removed':
      return 'removed on request'
    case 'reorged':
      return 'its block was removed by a reorg'
    case 'fault':
      return `a planned fault${reason.lands === 'next' ? '; it waits for the next block' : ''}`
    default:
      return rejectionText(reason)
  }
}

/** Returns code and message of an error of eth_simulateV1. The message begins with the path of the wrong value. */
export function simulationError(flaw: SimulationFlaw, isGeth: boolean): readonly [number, string] {
  const [code, words, place = ''] = byKind(FLAWS, flaw, isGeth)
  return [code, `blockStateCalls[${flaw.index}]${place}: ${words}`]
}

type FlawRow = readonly [code: number, words: string, place?: string]

const FLAWS: ByKind<SimulationFlaw, [isGeth: boolean], FlawRow> = {
  blockOrder: ({ got, previous }) => [
    Code.BLOCK_ORDER,
    `block numbers must be in order: ${got} <= ${previous}`,
  ],
  timeOrder: ({ got, previous }) => [
    Code.TIME_ORDER,
    `block timestamps must be in order: ${got} <= ${previous}`,
  ],
  endOfTime: ({ got }) => [Code.TIME_ORDER, `block timestamps have at most 64 bits: ${got}`],
  tooManyBlocks: ({ count, limit }) => [
    Code.CLIENT_LIMIT,
    `too many blocks: ${count} after the base block, at most ${limit}`,
  ],
  notAPrecompile: ({ address }) => [
    Code.SERVER,
    `account ${address} is not a precompile: only those can be moved`,
  ],
  movedToItself: ({ address }) => [Code.MOVED_TO_ITSELF, `cannot move precompile ${address} to itself`],
  movedTogether: ({ address }) => [Code.MOVED_TOGETHER, `two precompiles are moved to ${address}`],
  movedOntoOverride: ({ address }) => [
    Code.SERVER,
    `account ${address} is already overridden: no precompile can be moved there`,
  ],
  refusedSimulatedCall: ({ rejection, call }, isGeth) => [
    codeOf(rejection, isGeth),
    rejectionText(rejection),
    `.calls[${call}]`,
  ],
}

/** Returns the error code (execution-apis `src/eth/execute.yaml`). geth has no special code for a tip above the fee. */
function codeOf({ kind }: SimulationRejection, isGeth: boolean): number {
  return isGeth && kind === 'tipAboveFee' ? Code.INVALID_PARAMS : (REJECTION_CODES[kind] ?? Code.SERVER)
}

const REJECTION_CODES: Readonly<Partial<Record<SimulationRejection['kind'], number>>> = {
  nonceTooLow: Code.NONCE_TOO_LOW,
  nonceTooHighForNow: Code.NONCE_TOO_HIGH,
  // The account already has the highest possible nonce. geth and reth return an internal error.
  nonceTooHigh: Code.INTERNAL,
  feeBelowBaseFee: Code.BASE_FEE_NOT_MET,
  blobFeeTooLow: Code.BASE_FEE_NOT_MET,
  tipAboveFee: Code.FEE_TOO_LOW,
  intrinsicGasTooLow: Code.INTRINSIC_GAS,
  insufficientFunds: Code.INSUFFICIENT_FUNDS,
  exceedsBlockGasLimit: Code.BLOCK_IS_FULL,
  noBlobsLeft: Code.BLOCK_IS_FULL,
  senderIsContract: Code.SENDER_IS_CONTRACT,
  initCodeTooLarge: Code.INIT_CODE_TOO_LARGE,
  noGasLeft: Code.CLIENT_LIMIT,
  versionedHash: Code.INVALID_PARAMS,
  tooManyBlobs: Code.INVALID_PARAMS,
}
