/** Encodes logs, receipts, transactions and blocks as JSON, as specified by execution-apis (`src/schemas`). */

import { type Address, type Hash, type Hex, toHex, ZERO_HASH } from '../bytes/hex.ts'
import {
  type Block,
  briefOf,
  encodedSize,
  type PlacedLog,
  partiesAt,
  receiptAt,
  transactionAt,
  transactionCount,
  transactionHashAt,
} from '../model/block/block.ts'
import { hashHeader } from '../model/block/header.ts'
import { chargedDaFootprint, type L1Prices } from '../model/l2/l1Fee.ts'
import { DEPOSIT_RECEIPT_VERSION, type L2Receipt, type Receipt } from '../model/receipt/receipt.ts'
import {
  type AccessList,
  type Authorization,
  type DepositFields,
  effectiveGasPrice,
  legacyV,
  type Transaction,
} from '../model/transaction/transaction.ts'

import { encodeHeader, encodeWithdrawal } from './header.ts'
import { encodeBytes, encodeQuantity } from './hex.ts'
import type { JsonObject } from './parser.ts'

/** A log. Before its block is sealed, `blockHash` is `null` or zero, depending on the option `pendingHash`. */
export interface RpcLog {
  readonly address: Address
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex | null
  readonly blockHash: Hash | null
  readonly transactionHash: Hash | null
  readonly transactionIndex: Hex | null
  readonly logIndex: Hex | null
  readonly removed: boolean
  readonly [field: string]: unknown
}

export interface RpcReceipt {
  readonly transactionHash: Hash
  readonly transactionIndex: Hex
  readonly blockHash: Hash
  readonly blockNumber: Hex
  readonly from: Address
  readonly to: Address | null
  readonly contractAddress: Address | null
  readonly status?: '0x0' | '0x1'
  readonly type: Hex
  readonly gasUsed: Hex
  readonly cumulativeGasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly logs: readonly RpcLog[]
  readonly logsBloom: Hex
  readonly [field: string]: unknown
}

/** A transaction. In the pool, block hash, block number and index are `null`. */
export interface RpcTransaction {
  readonly hash: Hash
  readonly from: Address
  readonly to: Address | null
  readonly input: Hex
  readonly value: Hex
  readonly gas: Hex
  readonly nonce: Hex
  readonly type: Hex
  readonly blockHash: Hash | null
  readonly blockNumber: Hex | null
  readonly transactionIndex: Hex | null
  readonly [field: string]: unknown
}

export interface RpcBlock<transaction = Hash | RpcTransaction> {
  readonly number: Hex
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestamp: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly miner: Address
  readonly stateRoot: Hash
  readonly transactions: readonly transaction[]
  readonly baseFeePerGas?: Hex
  readonly [field: string]: unknown
}

export interface RpcBlockFill {
  readonly timestamp: Hex
  readonly transactionCount: Hex
  /** The number of deposits that begin the block, as on layer 2. */
  readonly depositCount: Hex
  readonly gasUsed: Hex
  readonly gasLimit: Hex
  readonly baseFeePerGas: Hex | null
}

export function encodeLog(placed: PlacedLog): RpcLog {
  const { number, timestamp } = briefOf(placed.block)
  return logIn(placed, encodeQuantity(number), encodeQuantity(timestamp))
}

export function encodeLogs(logs: readonly PlacedLog[]): RpcLog[] {
  return logs.map(logEncoder())
}

/** Returns a function like `encodeLog` that encodes number and time of a block once for consecutive logs. */
export function logEncoder(): (log: PlacedLog) => RpcLog {
  let block: Block | undefined
  let number: Hex = '0x'
  let timestamp: Hex = '0x'
  return (placed) => {
    if (placed.block !== block) {
      block = placed.block
      const brief = briefOf(block)
      number = encodeQuantity(brief.number)
      timestamp = encodeQuantity(brief.timestamp)
    }
    return logIn(placed, number, timestamp)
  }
}

function logIn(
  { log, block, transactionIndex, logIndex, isRemoved }: PlacedLog,
  blockNumber: Hex,
  blockTimestamp: Hex,
): RpcLog {
  return {
    address: log.address,
    // Topics are copied, because a caller in the same process could change the response and thus the chain.
    topics: [...log.topics],
    data: encodeBytes(log.data),
    blockNumber,
    blockTimestamp,
    transactionHash: transactionHashAt(block, transactionIndex),
    transactionIndex: encodeQuantity(transactionIndex),
    blockHash: block.hash,
    logIndex: encodeQuantity(logIndex),
    removed: isRemoved === true,
  }
}

/** Encodes a receipt. The block hash is zero until the block is sealed. */
export function encodeReceipt(block: Block, transactionIndex: number): RpcReceipt {
  const { from, to } = partiesAt(block, transactionIndex)
  const receipt = receiptAt(block, transactionIndex)
  return {
    type: encodeQuantity(receipt.type),
    // A receipt before Byzantium has a state root instead of a status (EIP-658).
    ...(receipt.root === undefined
      ? { status: receipt.status === 'success' ? '0x1' : '0x0' }
      : { root: receipt.root }),
    cumulativeGasUsed: encodeQuantity(receipt.cumulativeGasUsed),
    logs: encodeLogs(
      receipt.logs.map((log, i) => ({ log, block, transactionIndex, logIndex: receipt.firstLogIndex + i })),
    ),
    logsBloom: toHex(receipt.logsBloom),
    transactionHash: transactionHashAt(block, transactionIndex),
    transactionIndex: encodeQuantity(transactionIndex),
    blockHash: block.hash,
    blockNumber: encodeQuantity(briefOf(block).number),
    gasUsed: encodeQuantity(receipt.gasUsed),
    effectiveGasPrice: encodeQuantity(receipt.effectiveGasPrice),
    from,
    to: to ?? null,
    contractAddress: receipt.contractAddress ?? null,
    ...(receipt.blobs && {
      blobGasUsed: encodeQuantity(receipt.blobs.gasUsed),
      blobGasPrice: encodeQuantity(receipt.blobs.gasPrice),
    }),
    ...(receipt.l2 === undefined ? {} : encodeL2Receipt(receipt.l2)),
  }
}

/** Encodes the fields that op-geth adds to receipts (`core/types/receipt_opstack.go`). */
function encodeL2Receipt(receipt: L2Receipt): JsonObject {
  const { l1, depositNonce } = receipt
  const { fee, gasUsed, prices } = l1
  const { operator, daFootprintGasScalar } = prices
  return {
    ...(depositNonce === undefined
      ? {}
      : {
          depositNonce: encodeQuantity(depositNonce),
          depositReceiptVersion: encodeQuantity(DEPOSIT_RECEIPT_VERSION),
        }),
    l1Fee: encodeQuantity(fee),
    l1GasUsed: encodeQuantity(gasUsed),
    l1GasPrice: encodeQuantity(prices.baseFee),
    ...encodeWeights(prices),
    ...(operator && {
      operatorFeeScalar: encodeQuantity(operator.scalar),
      operatorFeeConstant: encodeQuantity(operator.constant),
    }),
    ...(daFootprintGasScalar === undefined
      ? {}
      : {
          daFootprintGasScalar: encodeQuantity(daFootprintGasScalar),
          blobGasUsed: encodeQuantity(chargedDaFootprint(l1)!),
        }),
  }
}

function encodeWeights({ bedrock, blobBaseFee, baseFeeScalar, blobBaseFeeScalar }: L1Prices): JsonObject {
  if (bedrock !== undefined) return { l1FeeScalar: millionths(bedrock.scalar) }
  return {
    l1BaseFeeScalar: encodeQuantity(baseFeeScalar),
    l1BlobBaseFee: encodeQuantity(blobBaseFee),
    l1BlobBaseFeeScalar: encodeQuantity(blobBaseFeeScalar),
  }
}

function millionths(value: bigint): string {
  const digits = value.toString().padStart(7, '0')
  const rest = digits.slice(-6).replace(/0+$/, '')
  return rest === '' ? digits.slice(0, -6) : `${digits.slice(0, -6)}.${rest}`
}

/** Encodes a transaction of a block. The block hash is `null` until the block is sealed. */
export function encodeIncludedTransaction(block: Block, index: number): RpcTransaction {
  const transaction = transactionAt(block, index)
  const { number, timestamp, baseFeePerGas } = briefOf(block)
  const { deposit } = transaction
  return {
    blockHash: block.hash === ZERO_HASH ? null : block.hash,
    blockNumber: encodeQuantity(number),
    blockTimestamp: encodeQuantity(timestamp),
    transactionIndex: encodeQuantity(index),
    ...transactionFields(transaction, effectiveGasPrice(transaction, baseFeePerGas ?? 0n)),
    ...(deposit === undefined ? {} : depositFields(deposit, receiptAt(block, index))),
  }
}

export function encodePooledTransaction(transaction: Transaction): RpcTransaction {
  return {
    blockHash: null,
    blockNumber: null,
    blockTimestamp: null,
    transactionIndex: null,
    ...transactionFields(transaction, transaction.maxFeePerGas),
  }
}

function transactionFields(transaction: Transaction, gasPrice: bigint) {
  const { type, chainId, signature, maxFeePerBlobGas, blobVersionedHashes, deposit } = transaction
  // A deposit has neither fees nor an access list.
  const isSigned = deposit === undefined
  const parity = encodeQuantity(signature.yParity)
  return {
    from: transaction.from,
    gas: encodeQuantity(transaction.gasLimit),
    gasPrice: encodeQuantity(gasPrice),
    ...(type >= 2 && isSigned
      ? {
          maxFeePerGas: encodeQuantity(transaction.maxFeePerGas),
          maxPriorityFeePerGas: encodeQuantity(transaction.maxPriorityFeePerGas),
        }
      : {}),
    hash: transaction.hash,
    input: encodeBytes(transaction.data),
    nonce: encodeQuantity(transaction.nonce),
    to: transaction.to ?? null,
    value: encodeQuantity(transaction.value),
    type: encodeQuantity(type),
    ...(type >= 1 && isSigned ? { accessList: encodeAccessList(transaction.accessList) } : {}),
    ...(maxFeePerBlobGas === undefined ? {} : { maxFeePerBlobGas: encodeQuantity(maxFeePerBlobGas) }),
    ...(blobVersionedHashes === undefined ? {} : { blobVersionedHashes: [...blobVersionedHashes] }),
    ...(type === 4 ? { authorizationList: transaction.authorizationList.map(encodeAuthorization) } : {}),
    ...(chainId === undefined ? {} : { chainId: encodeQuantity(chainId) }),
    v: type === 0 ? encodeQuantity(legacyV(transaction)) : parity,
    ...(type === 0 ? {} : { yParity: parity }),
    r: encodeQuantity(signature.r),
    s: encodeQuantity(signature.s),
  }
}

/** Encodes the fields that only deposits have, and the nonce, which comes from the receipt. */
function depositFields({ sourceHash, mint }: DepositFields, { l2 }: Receipt): JsonObject {
  return {
    sourceHash,
    mint: encodeQuantity(mint),
    nonce: encodeQuantity(l2?.depositNonce ?? 0n),
    depositReceiptVersion: encodeQuantity(DEPOSIT_RECEIPT_VERSION),
  }
}

export function encodeAccessList(accessList: AccessList): JsonObject[] {
  return accessList.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }))
}

function encodeAuthorization(authorization: Authorization): JsonObject {
  return {
    chainId: encodeQuantity(authorization.chainId),
    address: authorization.address,
    nonce: encodeQuantity(authorization.nonce),
    yParity: encodeQuantity(authorization.yParity),
    r: encodeQuantity(authorization.r),
    s: encodeQuantity(authorization.s),
  }
}

export function encodeBlock(block: Block, transactions: 'full' | 'hashes'): RpcBlock {
  return {
    hash: block.hash,
    ...encodeHeader(block.header),
    size: encodeQuantity(encodedSize(block)),
    transactions: Array.from({ length: transactionCount(block) }, (_, index) =>
      transactions === 'full' ? encodeIncludedTransaction(block, index) : transactionHashAt(block, index),
    ),
    uncles: block.ommers.map(hashHeader),
    ...(block.withdrawals === undefined ? {} : { withdrawals: block.withdrawals.map(encodeWithdrawal) }),
  }
}

/** Encodes number, hash and gas usage of a block. The hash is zero until the block is sealed. */
export function encodeSummary(block: Block): RpcBlockFill & { readonly number: Hex; readonly hash: Hash } {
  return { number: encodeQuantity(block.header.number), hash: block.hash, ...encodeFill(block) }
}

export function encodeFill({ header, transactions }: Block): RpcBlockFill {
  const { timestamp, gasUsed, gasLimit, baseFeePerGas } = header
  const deposits = transactions.findIndex(({ deposit }) => deposit === undefined)
  return {
    timestamp: encodeQuantity(timestamp),
    transactionCount: encodeQuantity(transactions.length),
    depositCount: encodeQuantity(deposits === -1 ? transactions.length : deposits),
    gasUsed: encodeQuantity(gasUsed),
    gasLimit: encodeQuantity(gasLimit),
    baseFeePerGas: baseFeePerGas === undefined ? null : encodeQuantity(baseFeePerGas),
  }
}
