/** Payloads of the Engine API (execution-apis `src/engine/openrpc/schemas/payload.yaml`). */

import { type Address, type Hash, toHex, ZERO_HASH } from '../bytes/hex.ts'
import type { Block } from '../model/block/block.ts'
import type { Withdrawal } from '../model/block/header.ts'
import type { BlobSidecar } from '../model/transaction/blobSidecar.ts'
import { encodeWithdrawal, parseWithdrawals } from './header.ts'
import { encodeBytes, encodeQuantity, parseAddress, parseBytes, parseHash, parseUint64 } from './hex.ts'
import { InvalidValue, type Parser, recordOf, withDefault } from './parser.ts'

/** The fields of a block that the consensus client sets. */
export interface PayloadAttributes {
  /** Seconds since 1970. */
  readonly timestamp: bigint
  readonly prevRandao: Hash
  readonly feeRecipient: Address
  readonly withdrawals: readonly Withdrawal[]
  readonly parentBeaconBlockRoot: Hash
}

/** Parses `PayloadAttributesV3`. The fields of Shanghai and Cancun are optional. */
export const parsePayloadAttributes: Parser<PayloadAttributes> = (value, path) => {
  const record = recordOf(value, path, 'payload attributes {timestamp, prevRandao, suggestedFeeRecipient, …}')
  const member = <T>(name: string, parse: Parser<T>): T => parse(record[name], `${path}.${name}`)
  return {
    timestamp: member('timestamp', parseUint64),
    prevRandao: member('prevRandao', parseHash),
    feeRecipient: member('suggestedFeeRecipient', parseAddress),
    withdrawals: member('withdrawals', withDefault(parseWithdrawals, [])),
    parentBeaconBlockRoot: member('parentBeaconBlockRoot', withDefault(parseHash, ZERO_HASH)),
  }
}

const MAX_EXTRA_DATA_BYTES = 32

export const parseExtraData: Parser<Uint8Array> = (value, path) => {
  const bytes = parseBytes(value, path)
  if (bytes.length > MAX_EXTRA_DATA_BYTES) {
    throw new InvalidValue(path, `at most ${MAX_EXTRA_DATA_BYTES} bytes`, value)
  }
  return bytes
}

/** Returns `ExecutionPayloadV3`, before Shanghai or Cancun without their fields. */
export function encodePayload({ header, hash, transactions, withdrawals }: Block): Record<string, unknown> {
  return {
    parentHash: header.parentHash,
    feeRecipient: header.coinbase,
    stateRoot: header.stateRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: toHex(header.logsBloom),
    prevRandao: header.prevRandao,
    blockNumber: encodeQuantity(header.number),
    gasLimit: encodeQuantity(header.gasLimit),
    gasUsed: encodeQuantity(header.gasUsed),
    timestamp: encodeQuantity(header.timestamp),
    extraData: encodeBytes(header.extraData),
    baseFeePerGas: encodeQuantity(header.baseFeePerGas ?? 0n),
    blockHash: hash,
    transactions: transactions.map(({ raw }) => encodeBytes(raw)),
    ...(withdrawals === undefined ? {} : { withdrawals: withdrawals.map(encodeWithdrawal) }),
    ...(header.blobGasUsed === undefined ? {} : { blobGasUsed: encodeQuantity(header.blobGasUsed) }),
    ...(header.excessBlobGas === undefined ? {} : { excessBlobGas: encodeQuantity(header.excessBlobGas) }),
  }
}

/** Returns `BlobsBundleV2`: the sidecars of a block's transactions, in order. */
export function encodeBlobsBundle(sidecars: readonly BlobSidecar[]): Record<string, unknown> {
  return {
    commitments: sidecars.flatMap(({ commitments }) => commitments.map(encodeBytes)),
    proofs: sidecars.flatMap(({ proofs }) => proofs.map(encodeBytes)),
    blobs: sidecars.flatMap(({ blobs }) => blobs.map(encodeBytes)),
  }
}
