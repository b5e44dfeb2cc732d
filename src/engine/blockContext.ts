import type { Address, Hash } from '../bytes/hex.ts'
import { blobBaseFee } from '../model/block/fees.ts'
import type { Header } from '../model/block/header.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'

export interface BlockContext {
  readonly number: bigint
  readonly timestamp: bigint
  readonly coinbase: Address
  readonly gasLimit: bigint
  readonly difficulty: bigint
  readonly prevRandao: Hash
  /** The base fee in wei per gas; `undefined` before London. */
  readonly baseFeePerGas: bigint | undefined
  /** The base fee in wei per blob gas; `undefined` before Cancun. */
  readonly blobBaseFee: bigint | undefined
  /** Returns the hash of one of the 256 preceding blocks. */
  blockHash(number: bigint): Hash | undefined
}

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

/** Creates block contexts, and caches the last context, because consecutive requests usually concern the same block. */
export class BlockContexts {
  #rules: Rules | undefined
  #header: Header | undefined
  #context: BlockContext | undefined

  /** Returns the context of a block. All calls on one object must concern one chain and pass the same `blockHash`. */
  of(rules: Rules, header: Header, blockHash: BlockContext['blockHash']): BlockContext {
    if (this.#context === undefined || header !== this.#header || rules !== this.#rules) {
      this.#rules = rules
      this.#header = header
      this.#context = blockContext(rules, header, blockHash)
    }
    return this.#context
  }
}
