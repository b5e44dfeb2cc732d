/**
 * The errors of eth_simulateV1: the codes of the specification (execution-apis `src/eth/execute.yaml`), and messages
 * with the path of the flaw in the request.
 */
import type { SimulationFlaw } from '../../sequencer/simulate/simulateBlocks.ts'
import type { SimulationRejection } from '../../sequencer/simulate/simulatedTransaction.ts'
import {
  BASE_FEE_NOT_MET,
  BLOCK_IS_FULL,
  BLOCK_ORDER,
  CLIENT_LIMIT,
  FEE_TOO_LOW,
  INIT_CODE_TOO_LARGE,
  INSUFFICIENT_FUNDS,
  INTERNAL,
  INTRINSIC_GAS,
  INVALID_PARAMS,
  MOVED_TO_ITSELF,
  MOVED_TOGETHER,
  NONCE_TOO_HIGH,
  NONCE_TOO_LOW,
  SENDER_IS_CONTRACT,
  SERVER,
  TIME_ORDER,
} from './errorCodes.ts'
import { noBlobsLeft, rejection as wordsOf } from './refusals.ts'

/** Returns the error of `flaw`. */
export function simulationError(flaw: SimulationFlaw, isGeth: boolean): { code: number; message: string } {
  const at = `blockStateCalls[${flaw.index}]`
  const said = (code: number, words: string, place = at) => ({ code, message: `${place}: ${words}` })
  switch (flaw.kind) {
    case 'blockOrder':
      return said(BLOCK_ORDER, `block numbers must be in order: ${flaw.got} <= ${flaw.previous}`)
    case 'timeOrder':
      return said(TIME_ORDER, `block timestamps must be in order: ${flaw.got} <= ${flaw.previous}`)
    case 'endOfTime':
      return said(TIME_ORDER, `block timestamps have at most 64 bits: ${flaw.got}`)
    case 'tooManyBlocks':
      return said(CLIENT_LIMIT, `too many blocks: ${flaw.count} after the base block, at most ${flaw.limit}`)
    case 'notAPrecompile':
      return said(SERVER, `account ${flaw.address} is not a precompile: only those can be moved`)
    case 'movedToItself':
      return said(MOVED_TO_ITSELF, `cannot move precompile ${flaw.address} to itself`)
    case 'movedTogether':
      return said(MOVED_TOGETHER, `two precompiles are moved to ${flaw.address}`)
    case 'movedOntoOverride':
      return said(SERVER, `account ${flaw.address} is already overridden: no precompile can be moved there`)
    case 'refusedSimulatedCall':
      return said(codeOf(flaw.rejection, isGeth), rejectionWords(flaw.rejection), `${at}.calls[${flaw.call}]`)
  }
}

/** A tip above the fee has its own code in the specification; geth uses that of invalid parameters. */
function codeOf({ kind }: SimulationRejection, isGeth: boolean): number {
  switch (kind) {
    case 'nonceTooLow':
      return NONCE_TOO_LOW
    case 'nonceTooHighForNow':
      return NONCE_TOO_HIGH
    // The nonce is the correct one, but the largest possible. geth and RETH return an internal error.
    case 'nonceTooHigh':
      return INTERNAL
    case 'feeBelowBaseFee':
    case 'blobFeeTooLow':
      return BASE_FEE_NOT_MET
    case 'tipAboveFee':
      return isGeth ? INVALID_PARAMS : FEE_TOO_LOW
    case 'intrinsicGasTooLow':
      return INTRINSIC_GAS
    case 'insufficientFunds':
      return INSUFFICIENT_FUNDS
    case 'exceedsBlockGasLimit':
    case 'noBlobsLeft':
      return BLOCK_IS_FULL
    case 'senderIsContract':
      return SENDER_IS_CONTRACT
    case 'initCodeTooLarge':
      return INIT_CODE_TOO_LARGE
    case 'noGasLeft':
      return CLIENT_LIMIT
    case 'versionedHash':
    case 'tooManyBlobs':
      return INVALID_PARAMS
    default:
      return SERVER
  }
}

function rejectionWords(rejection: SimulationRejection): string {
  switch (rejection.kind) {
    case 'noGasLeft':
      return `gas limit of the simulation reached: ${rejection.left} left, ${rejection.want} needed`
    case 'noBlobsLeft':
      return noBlobsLeft(rejection)
    default:
      return wordsOf(rejection)
  }
}
