/** What running code can learn about the block it runs in. */

import type { Header } from '../model/block/header.ts'
import type { Address, Hash } from '../model/bytes/hex.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import { blobBaseFee } from '../model/transaction/fees.ts'

export interface BlockContext {
  readonly number: bigint
  /** Seconds. */
  readonly timestamp: bigint
  readonly coinbase: Address
  readonly gasLimit: bigint
  readonly difficulty: bigint
  readonly prevRandao: Hash
  /** Wei; `undefined` before London. */
  readonly baseFeePerGas: bigint | undefined
  /** Wei; `undefined` before Cancun. */
  readonly blobBaseFee: bigint | undefined
  /** The hash of one of the 256 blocks before this one. */
  blockHash(number: bigint): Hash | undefined
}

/** The context of the block that `header` heads. */
export function blockContext(
  rules: Rules,
  header: Header,
  blockHash: BlockContext['blockHash'],
): BlockContext {
  return {
    number: header.number,
    timestamp: header.timestamp,
    coinbase: header.coinbase,
    gasLimit: header.gasLimit,
    difficulty: header.difficulty,
    prevRandao: header.prevRandao,
    baseFeePerGas: header.baseFeePerGas,
    blobBaseFee: blobBaseFee(rules, header.excessBlobGas),
    blockHash,
  }
}
