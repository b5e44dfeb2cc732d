/**
 * A block context in the form of EthereumJS's blocks, as far as running code and `runTx` read them. Making a real block
 * would cost more than many calls.
 */
import type { Block } from '@ethereumjs/block'
import type { Address as AddressObject } from '@ethereumjs/util'
import { fromHex } from '../../bytes/hex.ts'
import type { BlockContext } from '../blockContext.ts'
import type { Message } from '../engine.ts'
import { addressObject } from './addressObject.ts'

/** A block that shows the prices that are paid until code runs, then those that code sees. */
export interface ShownBlock {
  readonly block: Block
  /** Shows the prices that code sees. Called before code runs: by then the payment is settled. */
  reveal(): void
}

/** Returns the block of `context` for running `message`. */
export function shownBlock(context: BlockContext, message: Message): ShownBlock {
  const header = new Header(context, message)
  return { block: { header } as unknown as Block, reveal: () => header.reveal(context) }
}

class Header {
  readonly number: bigint
  readonly timestamp: bigint
  readonly coinbase: AddressObject
  readonly gasLimit: bigint
  readonly gasUsed = 0n
  readonly difficulty: bigint
  readonly prevRandao: Uint8Array
  baseFeePerGas: bigint | undefined
  #blobGasPrice: bigint

  constructor(context: BlockContext, { gasPrice, tip, blobGasPrice }: Message) {
    this.number = context.number
    this.timestamp = context.timestamp
    this.coinbase = addressObject(context.coinbase)
    this.gasLimit = context.gasLimit
    this.difficulty = context.difficulty
    this.prevRandao = fromHex(context.prevRandao)
    // `runTx` computes what is paid from the base fee, which may differ from what code sees.
    this.baseFeePerGas = context.baseFeePerGas === undefined ? undefined : gasPrice - tip
    this.#blobGasPrice = blobGasPrice
  }

  reveal({ baseFeePerGas, blobBaseFee = 0n }: BlockContext): void {
    this.baseFeePerGas = baseFeePerGas
    this.#blobGasPrice = blobBaseFee
  }

  getBlobGasPrice(): bigint {
    return this.#blobGasPrice
  }
}
