import { type Address, type Hash, type Hex, ZERO_HASH } from '../bytes/hex.ts'
import {
  type Block,
  encodedSize,
  feesIn,
  logsAt,
  receiptAt,
  transactionAt,
  transactionCount,
} from '../model/block/block.ts'
import { hashHeader } from '../model/block/header.ts'
import { encodeHeader, encodeWithdrawal } from './header.ts'
import { encodeBytes, encodeQuantity, parseAddress, parseUint64, smallAmount } from './hex.ts'
import { oneOf, optional, parseCount, withDefault } from './parser.ts'
import { limitOf, partOf } from './parts.ts'

export interface RpcBlockSummary {
  readonly number: Hex
  /** Zero until the block is sealed. */
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestamp: Hex
  readonly gasUsed: Hex
  readonly gasLimit: Hex
  readonly baseFeePerGas?: Hex
  readonly miner: Address
  readonly transactionCount: Hex
  readonly logCount: Hex
  /** `null` before London, which introduced the base fee. */
  readonly fees: { readonly burnt: Hex; readonly tips: Hex } | null
  readonly blobs: readonly RpcBlob[]
  readonly removed: boolean
  readonly [field: string]: unknown
}

export interface RpcBlob {
  readonly versionedHash: Hash
  readonly transactionHash: Hash
}

export interface RpcListedTransaction {
  readonly index: Hex
  readonly hash: Hash
  readonly from: Address
  readonly to: Address | null
  readonly value: Hex
  /** The whole input, or only its function selector if the input exceeds 1,024 bytes. */
  readonly input: Hex
  /** `null` before Byzantium, when receipts had no status. */
  readonly status: '0x0' | '0x1' | null
  readonly gasUsed: Hex
  readonly logCount: Hex
  readonly contractAddress: Address | null
}

const OF_SEALED = { stateRoot: null, transactionsRoot: null, receiptsRoot: null, logsBloom: null }

/** Encodes a block without its transactions. Roots and bloom are `null` until the block is sealed. */
export function encodeContentSummary(block: Block, isRemoved: boolean): RpcBlockSummary {
  const { header, hash, ommers, withdrawals } = block
  const fees = feesIn(block)
  return {
    hash,
    ...encodeHeader(header),
    ...(hash === ZERO_HASH ? OF_SEALED : {}),
    size: encodeQuantity(encodedSize(block)),
    transactionCount: encodeQuantity(transactionCount(block)),
    logCount: encodeQuantity(logCountIn(block)),
    fees: fees === undefined ? null : { burnt: encodeQuantity(fees.burnt), tips: encodeQuantity(fees.tips) },
    blobs: blobsIn(block),
    uncles: ommers.map(hashHeader),
    ...(withdrawals === undefined ? {} : { withdrawals: withdrawals.map(encodeWithdrawal) }),
    removed: isRemoved,
  }
}

export function logCountIn(block: Block): number {
  const last = transactionCount(block) - 1
  if (last < 0) return 0
  const { logs, firstLogIndex } = logsAt(block, last)
  return firstLogIndex + logs.length
}

function blobsIn(block: Block): RpcBlob[] {
  // The transactions of a block without blobs need not be decoded.
  if ((block.header.blobGasUsed ?? 0n) === 0n) return []
  const blobs: RpcBlob[] = []
  for (let index = 0, count = transactionCount(block); index < count; index++) {
    const { hash, blobVersionedHashes } = transactionAt(block, index)
    for (const versionedHash of blobVersionedHashes ?? [])
      blobs.push({ versionedHash, transactionHash: hash })
  }
  return blobs
}

const LONGEST_INPUT = 1_024
const SELECTOR = 4

export function encodeListedTransaction(block: Block, index: number): RpcListedTransaction {
  const { hash, from, to, value, data } = transactionAt(block, index)
  const { status, root, gasUsed, contractAddress, logs } = receiptAt(block, index)
  return {
    index: encodeQuantity(index),
    hash,
    from,
    to: to ?? null,
    value: encodeQuantity(value),
    input: shortInput(data),
    // A receipt before Byzantium has a state root instead of a status.
    status: root !== undefined ? null : status === 'success' ? '0x1' : '0x0',
    gasUsed: encodeQuantity(gasUsed),
    logCount: encodeQuantity(logs.length),
    contractAddress: contractAddress ?? null,
  }
}

/** Encodes calldata, but only the function selector of long calldata. */
export function shortInput(data: Uint8Array): Hex {
  return encodeBytes(data.length > LONGEST_INPUT ? data.subarray(0, SELECTOR) : data)
}

const MOST = Number.MAX_SAFE_INTEGER

/** Parses the requested part of a block's slices, and their form. Default: all slices, as `blocks`. */
export const parseSlicesPart = partOf({
  /** The maximum number of slices to return. */
  limit: withDefault(smallAmount(MOST), MOST),
  after: optional(smallAmount(MOST)),
  /** `blocks`: each slice with its transactions, its logs and the block after it. `counts`: each slice with counts. */
  show: withDefault(oneOf(['blocks', 'counts']), 'blocks'),
})

/** Parses the requested part of the list of blocks. Default: the newest 100 blocks. */
export const parseBlocksPart = partOf({
  limit: limitOf(100, 1_000),
  after: optional(parseUint64),
  /** The number of newest entries to skip. */
  offset: withDefault(parseCount, 0),
  /** `joined`: consecutive empty blocks are one entry. `each`: each is one. */
  empty: withDefault(oneOf(['each', 'joined']), 'each'),
})

export const parseTransactionsPart = partOf({
  limit: limitOf(100, 1_000),
  after: optional(smallAmount(MOST)),
  /** The direction in which transactions are listed. */
  order: withDefault(oneOf(['oldest', 'newest']), 'oldest'),
  /** Selects transactions that this address sent or received, that created it, or in which it emitted a log. */
  address: optional(parseAddress),
})
