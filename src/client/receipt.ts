/** Transaction receipts with the members and types of viem's. */
import { type Address, type Hash, type Hex, toHex } from '../bytes/hex.ts'
import { checksummed } from '../model/account/account.ts'
import type { Block } from '../model/block/block.ts'
import { encodeBytes } from '../wire/hex.ts'

/** The receipt of a transaction. It is assignable to viem's `TransactionReceipt`. */
export interface Receipt {
  readonly status: 'success' | 'reverted'
  readonly transactionHash: Hash
  readonly transactionIndex: number
  /** The hash of the block. It is 32 zero bytes until the block is sealed. */
  readonly blockHash: Hash
  readonly blockNumber: bigint
  readonly from: Address
  readonly to: Address | null
  /** The address of the contract that the transaction created; null if it created none. */
  readonly contractAddress: Address | null
  readonly gasUsed: bigint
  /** Gas used by all transactions of the block up to and including this one. */
  readonly cumulativeGasUsed: bigint
  /** Price that the transaction paid, in wei per gas. */
  readonly effectiveGasPrice: bigint
  readonly logs: Log[]
  readonly logsBloom: Hex
  /** Transaction type: `legacy`, `eip2930`, `eip1559`, `eip4844`, `eip7702`, or a hex number for any other type. */
  readonly type: string
  readonly blobGasUsed?: bigint
  readonly blobGasPrice?: bigint
}

/** A log of a transaction, with topics and data in hex. */
export interface Log {
  readonly address: Address
  readonly topics: [] | [Hash, ...Hash[]]
  readonly data: Hex
  readonly logIndex: number
  readonly transactionHash: Hash
  readonly transactionIndex: number
  readonly blockHash: Hash
  readonly blockNumber: bigint
  readonly blockTimestamp: bigint
  readonly removed: boolean
}

const TYPES = ['legacy', 'eip2930', 'eip1559', 'eip4844', 'eip7702']

export function receiptIn(block: Block, transactionIndex: number): Receipt {
  const { header, hash: blockHash } = block
  const { hash: transactionHash, from, to = null, type } = block.transactions[transactionIndex]!
  const receipt = block.receipts[transactionIndex]!
  const place = { transactionHash, transactionIndex, blockHash, blockNumber: header.number }
  return {
    status: receipt.status === 'success' ? 'success' : 'reverted',
    ...place,
    from: checksummed(from),
    to: to && checksummed(to),
    contractAddress: receipt.contractAddress === undefined ? null : checksummed(receipt.contractAddress),
    gasUsed: receipt.gasUsed,
    cumulativeGasUsed: receipt.cumulativeGasUsed,
    effectiveGasPrice: receipt.effectiveGasPrice,
    logs: receipt.logs.map(({ address, topics, data }, i) => ({
      address: checksummed(address),
      topics: [...topics] as Log['topics'],
      data: encodeBytes(data),
      logIndex: receipt.firstLogIndex + i,
      ...place,
      blockTimestamp: header.timestamp,
      removed: false,
    })),
    logsBloom: toHex(receipt.logsBloom),
    type: TYPES[type] ?? `0x${type.toString(16)}`,
    ...(receipt.blobs && { blobGasUsed: receipt.blobs.gasUsed, blobGasPrice: receipt.blobs.gasPrice }),
  }
}
