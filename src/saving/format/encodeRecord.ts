/**
 * The JSON of the records of a state file. The first member is the kind. Members have a fixed order, and empty ones are
 * omitted, so that equal chains have equal bytes.
 */
import { toHex } from '../../bytes/hex.ts'
import { encodeBlock } from '../../model/block/block.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { ExecutionResult, L2Receipt } from '../../model/receipt/receipt.ts'
import { senderOf } from '../../model/transaction/signedTransaction.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { encodeForkConfig } from '../../wire/forkConfig.ts'
import { encodeBytes, encodeQuantity } from '../../wire/hex.ts'
import type { JsonObject } from '../../wire/parser.ts'
import type { SavedAccount, SavedCheats, SavedFork, SavedRecord } from '../savedChain.ts'

/** The first members of the first line, which identify a state file and its version. */
export const FORMAT = 'state'
export const VERSION = 1

export function encodeRecord(record: SavedRecord): JsonObject {
  switch (record.kind) {
    case 'head': {
      const { schedule, first, coinbase, randaoSeed, fork } = record
      return {
        preseal: FORMAT,
        version: VERSION,
        config: encodeForkConfig(schedule),
        ...(first === 0n ? {} : { first: encodeQuantity(first) }),
        coinbase,
        randaoSeed,
        ...(fork === undefined ? {} : { fork: encodeFork(fork) }),
      }
    }
    case 'fetched': {
      const { method, params, result } = record
      return { fetched: method, params, result }
    }
    case 'code':
      return { code: toHex(record.code) }
    case 'account':
      return encodeAccount(record)
    case 'block': {
      const { block, isStateKnown, isForeign } = record
      return {
        block: encodeQuantity(block.header.number),
        hash: block.hash,
        rlp: toHex(encodeBlock(block)),
        ...encodeSenders(block.transactions),
        ...(isStateKnown ? {} : { stateless: true }),
        ...(isForeign === true ? { foreign: true } : {}),
      }
    }
    case 'preconfirmed': {
      const { block, slices } = record
      return {
        preconfirmed: encodeQuantity(block.header.number),
        slices,
        rlp: toHex(encodeBlock(block)),
        ...encodeSenders(block.transactions),
      }
    }
    case 'receipt':
      return encodeResult(record.result)
    case 'changed':
      return { changed: encodeQuantity(record.after) }
    case 'pruned':
      return { pruned: record.hashes }
    case 'waiting':
      return { waiting: toHex(record.transaction.raw), sender: encodeSender(record.transaction) }
    case 'clock': {
      const { nowMs, lastTickMs, shiftedMs } = record
      return { clock: { nowMs, lastTickMs, shiftedMs } }
    }
    case 'cheats':
      return { cheats: encodeCheats(record) }
  }
}

function encodeFork({ chainId, number, hash, hasProofs }: SavedFork): JsonObject {
  const proofs = hasProofs ? { proofs: true } : {}
  return { chainId: encodeQuantity(chainId), number: encodeQuantity(number), hash, ...proofs }
}

function encodeAccount({ address, isDeleted, nonce, balance, codeHash, storage }: SavedAccount): JsonObject {
  const json: JsonObject = { account: address }
  if (isDeleted) json.deleted = true
  if (nonce !== undefined) json.nonce = encodeQuantity(nonce)
  if (balance !== undefined) json.balance = encodeQuantity(balance)
  if (codeHash !== undefined) json.code = codeHash
  if (storage.length > 0) {
    json.storage = storage.map(([slot, value]) => [encodeQuantity(slot), encodeQuantity(value)])
  }
  return json
}

/** Returns the senders of transactions, so that loading does not recover them from signatures. */
function encodeSenders(transactions: readonly Transaction[]): JsonObject {
  return transactions.length === 0 ? {} : { senders: transactions.map(encodeSender) }
}

function encodeSender(transaction: Transaction): unknown {
  const sender = senderOf(transaction)
  return sender.kind === 'signed' ? sender.from : { impersonated: sender.from, hash: sender.hash }
}

function encodeResult({
  status,
  root,
  gasUsed,
  logs,
  failure,
  blobGasPrice,
  l2,
}: ExecutionResult): JsonObject {
  return {
    receipt: status,
    ...(root === undefined ? {} : { root }),
    gasUsed: encodeQuantity(gasUsed),
    ...(logs.length === 0 ? {} : { logs: logs.map(encodeLog) }),
    ...(failure?.kind === 'revert' ? { revert: encodeBytes(failure.data) } : {}),
    ...(failure?.kind === 'halt' ? { halt: failure.reason } : {}),
    ...(blobGasPrice === undefined ? {} : { blobGasPrice: encodeQuantity(blobGasPrice) }),
    ...(l2 === undefined ? {} : { l2: encodeL2(l2) }),
  }
}

/** Returns the L1 data fee, its gas, and the prices of it and of the operator fee. */
function encodeL2({ l1: { fee, gasUsed, prices }, depositNonce }: L2Receipt): JsonObject {
  const { baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar, bedrock, operator } = prices
  const { daFootprintGasScalar } = prices
  return {
    l1: [fee, gasUsed, baseFee, blobBaseFee, baseFeeScalar, blobBaseFeeScalar].map(encodeQuantity),
    ...(bedrock === undefined ? {} : { bedrock: [bedrock.overhead, bedrock.scalar].map(encodeQuantity) }),
    ...(operator === undefined ? {} : { operator: [operator.scalar, operator.constant].map(encodeQuantity) }),
    ...(daFootprintGasScalar === undefined ? {} : { daFootprint: encodeQuantity(daFootprintGasScalar) }),
    ...(depositNonce === undefined ? {} : { depositNonce: encodeQuantity(depositNonce) }),
  }
}

function encodeLog({ address, topics, data }: Log): unknown[] {
  return [address, topics, encodeBytes(data)]
}

function encodeCheats({
  next,
  chainId,
  coinbase,
  extraData,
  timestampInterval,
  ...cheats
}: SavedCheats): JsonObject {
  const { timestamp, baseFeePerGas, prevRandao, gasLimit } = next
  return {
    next: {
      ...(timestamp === undefined ? {} : { timestamp: encodeQuantity(timestamp) }),
      ...(baseFeePerGas === undefined ? {} : { baseFeePerGas: encodeQuantity(baseFeePerGas) }),
      ...(prevRandao === undefined ? {} : { prevRandao }),
      ...(gasLimit === undefined ? {} : { gasLimit: encodeQuantity(gasLimit) }),
    },
    ...(chainId === undefined ? {} : { chainId: encodeQuantity(chainId) }),
    ...(coinbase === undefined ? {} : { coinbase }),
    ...(extraData === undefined ? {} : { extraData: encodeBytes(extraData) }),
    ...(timestampInterval === undefined ? {} : { timestampInterval: encodeQuantity(timestampInterval) }),
    impersonated: [...cheats.impersonated].sort(),
    impersonatesAll: cheats.impersonatesAll,
    ...(cheats.branch === 0 ? {} : { branch: cheats.branch }),
  }
}
