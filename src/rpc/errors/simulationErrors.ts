/**
 * The errors of eth_simulateV1: the codes of the specification (execution-apis `src/eth/execute.yaml`), and messages
 * with the path of the flaw in the request.
 */
import type { SimulationFlaw } from '../../sequencer/simulate/simulateBlocks.ts'
import type { SimulationRejection } from '../../sequencer/simulate/simulatedTransaction.ts'
import * as Code from './errorCodes.ts'
import { type ByKind, byKind, rejectionText } from './refusals.ts'

/** Returns code and message of the error of `flaw`. */
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

/** A tip above the fee has its own code in the specification; geth uses that of invalid parameters. */
function codeOf({ kind }: SimulationRejection, isGeth: boolean): number {
  return isGeth && kind === 'tipAboveFee' ? Code.INVALID_PARAMS : (REJECTION_CODES[kind] ?? Code.SERVER)
}

const REJECTION_CODES: Readonly<Partial<Record<SimulationRejection['kind'], number>>> = {
  nonceTooLow: Code.NONCE_TOO_LOW,
  nonceTooHighForNow: Code.NONCE_TOO_HIGH,
  // The nonce is the correct one, but the largest possible. geth and RETH return an internal error.
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
