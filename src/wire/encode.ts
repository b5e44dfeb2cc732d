/** Logs, receipts, transactions and blocks in the JSON of execution-apis (`src/schemas`). */

import { type Hash, toHex, ZERO_HASH } from '../bytes/hex.ts'
import {
  type Block,
  briefOf,
  encodedSize,
  endsAt,
  type PlacedLog,
  receiptAt,
  transactionAt,
  transactionCount,
  transactionHashAt,
} from '../model/block/block.ts'
import { hashHeader } from '../model/block/header.ts'
import type { L1Prices } from '../model/l2/l1Fee.ts'
import {
  DEPOSIT_RECEIPT_VERSION,
  daFootprintIn,
  type L2Receipt,
  type Receipt,
} from '../model/receipt/receipt.ts'
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

/** Returns a log with the ten fields of seed 2.3. */
export function encodeLog(placed: PlacedLog): JsonObject {
  const { number, timestamp } = briefOf(placed.block)
  return logIn(placed, encodeQuantity(number), encodeQuantity(timestamp))
}

export function encodeLogs(logs: readonly PlacedLog[]): JsonObject[] {
  return logs.map(logEncoder())
}

/** The same as `encodeLog`, for many logs: encodes the number and the time of a block once for all of its logs. */
export function logEncoder(): (log: PlacedLog) => JsonObject {
  let block: Block | undefined
  let number = ''
  let timestamp = ''
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
  blockNumber: string,
  blockTimestamp: string,
): JsonObject {
  return {
    address: log.address,
    // A copy: a caller in the same process may change the response, but not published data.
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

/** Returns the receipt of a block's transaction. Before the block is sealed the block hash is zero (CONTRACT 6). */
export function encodeReceipt(block: Block, transactionIndex: number): JsonObject {
  const { from, to } = endsAt(block, transactionIndex)
  const receipt = receiptAt(block, transactionIndex)
  return {
    type: encodeQuantity(receipt.type),
    // Before Byzantium a receipt has a state root instead of a status (EIP-658).
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
    ...(receipt.blobs === undefined
      ? {}
      : {
          blobGasUsed: encodeQuantity(receipt.blobs.gasUsed),
          blobGasPrice: encodeQuantity(receipt.blobs.gasPrice),
        }),
    ...(receipt.l2 === undefined ? {} : encodeL2Receipt(receipt.l2)),
  }
}

/** Returns the fields that op-geth adds to receipts (`core/types/receipt_opstack.go`). */
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
    ...(operator === undefined
      ? {}
      : {
          operatorFeeScalar: encodeQuantity(operator.scalar),
          operatorFeeConstant: encodeQuantity(operator.constant),
        }),
    ...(daFootprintGasScalar === undefined
      ? {}
      : {
          daFootprintGasScalar: encodeQuantity(daFootprintGasScalar),
          blobGasUsed: encodeQuantity(daFootprintIn(receipt)),
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

/** Returns millionths as a decimal number, such as "0.684". */
function millionths(value: bigint): string {
  const digits = value.toString().padStart(7, '0')
  const rest = digits.slice(-6).replace(/0+$/, '')
  return rest === '' ? digits.slice(0, -6) : `${digits.slice(0, -6)}.${rest}`
}

/** Returns a transaction of a block. The block hash is `null` until the block is sealed. */
export function encodeIncludedTransaction(block: Block, index: number): JsonObject {
  const transaction = transactionAt(block, index)
  const { number, timestamp, baseFeePerGas } = briefOf(block)
  const { deposit } = transaction
  return {
    blockHash: hashOrNull(block.hash),
    blockNumber: encodeQuantity(number),
    blockTimestamp: encodeQuantity(timestamp),
    transactionIndex: encodeQuantity(index),
    ...transactionFields(transaction, effectiveGasPrice(transaction, baseFeePerGas ?? 0n)),
    ...(deposit === undefined ? {} : depositFields(deposit, receiptAt(block, index))),
  }
}

/** Returns a transaction of the pool. */
export function encodePooledTransaction(transaction: Transaction): JsonObject {
  return {
    blockHash: null,
    blockNumber: null,
    blockTimestamp: null,
    transactionIndex: null,
    ...transactionFields(transaction, transaction.maxFeePerGas),
  }
}

function transactionFields(transaction: Transaction, gasPrice: bigint): JsonObject {
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

/** Returns the fields of a deposit that other transactions lack, or that differ. */
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

/** Returns a block with its transactions as objects or as hashes. */
export function encodeBlock(block: Block, transactions: 'full' | 'hashes'): JsonObject {
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

function hashOrNull(hash: Hash): Hash | null {
  return hash === ZERO_HASH ? null : hash
}

/** Returns number, hash and fill of a block. The hash of a block under construction is zero. */
export function encodeSummary(block: Block): JsonObject {
  return { number: encodeQuantity(block.header.number), hash: block.hash, ...encodeFill(block) }
}

/** Returns time, gas and base fee of a block, and the number of its transactions. */
export function encodeFill({ header, transactions }: Block): JsonObject {
  const { timestamp, gasUsed, gasLimit, baseFeePerGas } = header
  return {
    timestamp: encodeQuantity(timestamp),
    transactionCount: encodeQuantity(transactions.length),
    gasUsed: encodeQuantity(gasUsed),
    gasLimit: encodeQuantity(gasLimit),
    baseFeePerGas: baseFeePerGas === undefined ? null : encodeQuantity(baseFeePerGas),
  }
}
