/** Refused transactions and calls in the dialect `hardhat`: codes and texts of Hardhat's network (EDR), which tests compare. */

import { checksummed } from '../../model/account/account.ts'
import type { SimulationRejection } from '../../sequencer/simulate/simulatedTransaction.ts'
import * as Code from './errorCodes.ts'
import type { ProblemKind } from './problem.ts'
import type { ByKind } from './refusals.ts'

type Row = readonly [code: number, message: string]

/** Returns code and message of `problem` in Hardhat's network, if they differ from those of geth. */
export function hardhatRefusal(problem: ProblemKind): Row | undefined {
  switch (problem.kind) {
    case 'rejected':
      return rowOf(problem.rejection, TEXTS, undefined) ?? rowOf(problem.rejection, SENT, problem)
    case 'refusedCall':
      return rowOf(problem.refusal, TEXTS, undefined)
    case 'creationWithoutData':
      return [Code.SERVER, 'Contract creation without any data provided']
    case 'conflictingValues':
      return FEES_BESIDE_PRICE.get(problem.conflict)
    case 'wrongChainId':
      return [
        Code.INVALID_PARAMS,
        `Invalid chainId ${problem.asked} provided, expected ${problem.chainId} instead.`,
      ]
    case 'unknownAccount':
      return [Code.SERVER, `Unknown account ${checksummed(problem.address)}`]
    default:
      return undefined
  }
}

const FEES_BESIDE_PRICE = new Map<string, Row>([
  ['maxFeePerGas', [Code.SERVER, 'Cannot send both gasPrice and maxFeePerGas params']],
  ['maxPriorityFeePerGas', [Code.SERVER, 'Cannot send both gasPrice and maxPriorityFeePerGas']],
])

type Texts<Sent> = Partial<ByKind<SimulationRejection, [sent: Sent], string>>
type Sent = Extract<ProblemKind, { kind: 'rejected' }>

function rowOf<T>(rejection: SimulationRejection, texts: Texts<T>, sent: T): Row | undefined {
  const { kind } = rejection
  const write = texts[kind] as ((rejection: SimulationRejection, sent: T) => string) | undefined
  return write && [INVALID_PARAMS.has(kind) ? Code.INVALID_PARAMS : Code.SERVER, write(rejection, sent)]
}

const INVALID_PARAMS: ReadonlySet<string> = new Set<SimulationRejection['kind']>([
  'invalidChainId',
  'initCodeTooLarge',
])

const TEXTS: Texts<undefined> = {
  insufficientFunds: ({ have, want }) =>
    `Sender doesn't have enough funds to send tx. The max upfront cost is: ${want} and the sender's balance is: ${have}.`,
  intrinsicGasTooLow: ({ have, want, intrinsic }) =>
    have < intrinsic
      ? `Transaction requires at least ${intrinsic} gas but got ${have}`
      : `Transaction requires gas floor of ${want} but got limit of ${have}`,
  gasLimitTooHigh: ({ limit, gasLimit }) =>
    `Transaction gas limit is ${gasLimit} and exceeds transaction gas cap of ${limit}`,
  exceedsBlockGasLimit: ({ limit, gasLimit }) =>
    `Transaction gas limit is ${gasLimit} and exceeds block gas limit of ${limit}`,
  tipAboveFee: ({ maxPriorityFeePerGas, maxFeePerGas }) =>
    `maxPriorityFeePerGas (${maxPriorityFeePerGas}) is bigger than maxFeePerGas (${maxFeePerGas})`,
  initCodeTooLarge: ({ size, limit }) => `
Trying to send a deployment transaction whose init code length is ${size}. The max length allowed by EIP-3860 is ${limit}.

Enable the 'allowUnlimitedContractSize' option to allow init codes of any length.`,
}

/** Texts with values of the transaction. */
const SENT: Texts<Sent> = {
  alreadyKnown: (_, { transaction }) => `Known transaction: ${transaction.hash}`,
  nonceTooLow: ({ next, got }, { mayWait }) =>
    mayWait
      ? `Transaction nonce too low. Expected nonce to be at least ${next} but got ${got}.`
      : `Nonce too low. Expected nonce to be ${next} but got ${got}. ${NO_QUEUE}`,
  nonceTooHighForNow: ({ next, got }) =>
    `Nonce too high. Expected nonce to be ${next} but got ${got}. ${NO_QUEUE}`,
  feeBelowBaseFee: ({ maxFeePerGas, baseFeePerGas }, { transaction }) =>
    `Transaction ${transaction.type < 2 ? 'gasPrice' : 'maxFeePerGas'} (${maxFeePerGas}) is too low for the next block, which has a baseFeePerGas of ${baseFeePerGas}`,
  replacementUnderpriced: ({ fee, want }, { transaction }) =>
    `Replacement transaction underpriced. A gasPrice/${fee} of at least ${want} is necessary to replace the existing transaction with nonce ${transaction.nonce}.`,
  invalidChainId: ({ want }, { transaction }) =>
    transaction.type === 0
      ? 'Trying to send an incompatible EIP-155 transaction, signed for another chain.'
      : `Trying to send a raw transaction with an invalid chainId. The expected chainId is ${want}`,
}

const NO_QUEUE = "Note that transactions can't be queued when automining."
