/** Logs, receipts, transactions and blocks in the JSON of execution-apis (`src/schemas`). */

import { type Hash, toHex, ZERO_HASH } from '../bytes/hex.ts'
import type { AccountProof } from '../model/account.ts'
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
import { type Header, hashHeader } from '../model/block/header.ts'
import { DEPOSIT_RECEIPT_VERSION, type Receipt } from '../model/receipt/receipt.ts'
import {
  type AccessList,
  type Authorization,
  type DepositFields,
  effectiveGasPrice,
  legacyV,
  type Transaction,
} from '../model/transaction/transaction.ts'
import { encodeL2Receipt } from './encodeL2Receipt.ts'
import { encodeWithdrawal } from './header.ts'
import { encodeBytes, encodeQuantity } from './hex.ts'
import type { JsonObject } from './parser.ts'
import { encodeStorageKey, type StorageKey } from './storageKey.ts'

/** Returns a log with the ten fields of seed 2.3. */
export function encodeLog(placed: PlacedLog): JsonObject {
  const { number, timestamp } = briefOf(placed.block)
  return logIn(placed, encodeQuantity(number), encodeQuantity(timestamp))
}

/** Returns what `encodeLog` returns of each log. */
export function encodeLogs(logs: readonly PlacedLog[]): JsonObject[] {
  return logs.map(logEncoder())
}

/** Returns a function that does what `encodeLog` does. The number and the time of a block are encoded once for its logs. */
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
    // Before Byzantium a receipt has the state root after the transaction in place of a status (EIP-658).
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

/**
 * Returns a transaction of a block. Before the block is sealed the block hash is `null`; the block number and index are
 * known.
 */
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

/** Returns a waiting transaction, which has no block and no index yet. */
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

/**
 * Returns the fields of a deposit: those that only deposits have, and those that differ from other transactions. Its
 * signature is zero, as on all nodes.
 */
function depositFields({ sourceHash, mint }: DepositFields, { l2 }: Receipt): JsonObject {
  return {
    sourceHash,
    mint: encodeQuantity(mint),
    nonce: encodeQuantity(l2?.depositNonce ?? 0n),
    depositReceiptVersion: encodeQuantity(DEPOSIT_RECEIPT_VERSION),
  }
}

/** Returns a copy of an access list. */
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

/** Returns an ommer (uncle) block, of which only the header is known. `size` is that of its RLP. */
export function encodeUncle(header: Header, size: number): JsonObject {
  return { hash: hashHeader(header), ...encodeHeader(header), size: encodeQuantity(size), uncles: [] }
}

/** Returns the fields of a header, without its hash. */
export function encodeHeader(header: Header): JsonObject {
  const json: JsonObject = {
    parentHash: header.parentHash,
    sha3Uncles: header.ommersHash,
    miner: header.coinbase,
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: toHex(header.logsBloom),
    difficulty: encodeQuantity(header.difficulty),
    number: encodeQuantity(header.number),
    gasLimit: encodeQuantity(header.gasLimit),
    gasUsed: encodeQuantity(header.gasUsed),
    timestamp: encodeQuantity(header.timestamp),
    extraData: encodeBytes(header.extraData),
    mixHash: header.prevRandao,
    nonce: toHex(header.nonce),
  }
  if (header.baseFeePerGas !== undefined) json.baseFeePerGas = encodeQuantity(header.baseFeePerGas)
  if (header.withdrawalsRoot !== undefined) json.withdrawalsRoot = header.withdrawalsRoot
  if (header.blobGasUsed !== undefined) json.blobGasUsed = encodeQuantity(header.blobGasUsed)
  if (header.excessBlobGas !== undefined) json.excessBlobGas = encodeQuantity(header.excessBlobGas)
  if (header.parentBeaconBlockRoot !== undefined) json.parentBeaconBlockRoot = header.parentBeaconBlockRoot
  if (header.requestsHash !== undefined) json.requestsHash = header.requestsHash
  return json
}

function hashOrNull(hash: Hash): Hash | null {
  return hash === ZERO_HASH ? null : hash
}

/** Returns the proof of an account and of the slots with these `keys`, in their order. */
export function encodeProof(proof: AccountProof, keys: readonly StorageKey[]): Record<string, unknown> {
  return {
    address: proof.address,
    accountProof: proof.accountProof.map(toHex),
    balance: encodeQuantity(proof.balance),
    codeHash: proof.codeHash,
    nonce: encodeQuantity(proof.nonce),
    storageHash: proof.storageHash,
    storageProof: proof.storageProof.map(({ value, proof: nodes }, i) => ({
      key: encodeStorageKey(keys[i]!),
      value: encodeQuantity(value),
      proof: nodes.map(toHex),
    })),
  }
}

/** Returns which block it is, and how full. Its hash is zero while it is under construction. */
export function encodeSummary(block: Block): JsonObject {
  return { number: encodeQuantity(block.header.number), hash: block.hash, ...encodeFill(block) }
}

/** Returns how full a block is, with what its transactions depend on. */
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
