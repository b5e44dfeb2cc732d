import type { Address, Hash } from '../../bytes/hex.ts'
import type { DepositFields } from '../../model/transaction/transaction.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Message, MovedPrecompiles } from '../engine.ts'

export interface Runnable
  extends Pick<
    Message,
    'type' | 'from' | 'to' | 'nonce' | 'gasLimit' | 'value' | 'data' | 'accessList' | 'authorizationList'
  > {
  /** The maximum fee in wei per gas. For types 0 and 1, this fee and the priority fee both equal the gas price. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly blobVersionedHashes?: readonly Hash[]
  /** The maximum fee in wei per blob gas; absent in calls, which do not pay for blobs. */
  readonly maxFeePerBlobGas?: bigint
  /** True if the sender is impersonated. Such a sender may be a contract. */
  readonly isImpersonated?: true
  /** The encoded transaction, which an L2 posts to L1; absent in simulations. */
  readonly raw?: Uint8Array
  readonly deposit?: DepositFields
}

export type Payment = Pick<Message, 'gasPrice' | 'tip' | 'blobGasPrice'>

const NOTHING: Payment = { gasPrice: 0n, tip: 0n, blobGasPrice: 0n }

/** Returns the effective prices of a transaction in a block (EIP-1559, EIP-4844). */
export function paymentOf(
  { maxFeePerGas, maxPriorityFeePerGas }: Pick<Runnable, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  { baseFeePerGas = 0n, blobBaseFee = 0n }: Pick<BlockContext, 'baseFeePerGas' | 'blobBaseFee'>,
): Payment {
  const left = maxFeePerGas - baseFeePerGas
  const tip = left < maxPriorityFeePerGas ? left : maxPriorityFeePerGas
  return { gasPrice: baseFeePerGas + tip, tip, blobGasPrice: blobBaseFee }
}

/** Returns the message of a transaction in the block of `context`. Deposits pay nothing: they are paid for on L1. */
export function transactionMessage(transaction: Runnable, context: BlockContext): Message {
  const { deposit, isImpersonated = false } = transaction
  return deposit === undefined
    ? messageOf('transaction', transaction, paymentOf(transaction, context), isImpersonated)
    : messageOf('deposit', transaction, NOTHING, isImpersonated)
}

export function simulationMessage(
  call: Runnable,
  payment: Payment,
  moved?: MovedPrecompiles,
  dropsChanges = false,
): Message {
  return messageOf('simulation', call, payment, true, moved, dropsChanges)
}

function messageOf(
  kind: Message['kind'],
  runnable: Omit<Runnable, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  { gasPrice, tip, blobGasPrice }: Payment,
  mayComeFromContract: boolean,
  movedPrecompiles?: MovedPrecompiles,
  dropsChanges = false,
): Message {
  const { type, from, to, nonce, gasLimit, value, data, accessList, authorizationList } = runnable
  return {
    kind,
    type,
    from,
    to,
    nonce,
    gasLimit,
    value,
    data,
    gasPrice,
    tip,
    blobGasPrice,
    accessList,
    authorizationList,
    blobVersionedHashes: runnable.blobVersionedHashes ?? [],
    mayComeFromContract,
    movedPrecompiles,
    dropsChanges,
  }
}

/** The constant fields of calls by the protocol (EIP-4788). */
const SYSTEM_CALL = {
  type: 0,
  from: '0xfffffffffffffffffffffffffffffffffffffffe',
  nonce: 0n,
  gasLimit: 30_000_000n,
  value: 0n,
  accessList: [],
  authorizationList: [],
} as const

export function systemMessage(to: Address, data: Uint8Array): Message {
  return messageOf('system', { ...SYSTEM_CALL, to, data }, NOTHING, true)
}
