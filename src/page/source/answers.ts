/** The answers of JSON-RPC that the page reads, as execution-apis has them. */

export type Hex = `0x${string}`

export interface BlockAnswer {
  readonly number: Hex
  readonly hash: Hex | null
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly gasUsed: Hex
  readonly gasLimit: Hex
  readonly baseFeePerGas?: Hex
  readonly miner: Hex
  readonly transactions: readonly (Hex | TransactionAnswer)[]
  readonly [field: string]: unknown
}

export interface TransactionAnswer {
  readonly hash: Hex
  readonly type: Hex
  readonly from: Hex
  readonly to: Hex | null
  readonly nonce: Hex
  readonly value: Hex
  readonly input: Hex
  readonly gas: Hex
  readonly blockNumber: Hex | null
  readonly blockHash: Hex | null
  readonly transactionIndex: Hex | null
  readonly [field: string]: unknown
}

export interface LogAnswer {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex | null
  readonly transactionHash: Hex | null
  readonly logIndex: Hex | null
  readonly removed?: boolean
}

export interface ReceiptAnswer {
  readonly transactionHash: Hex
  readonly status: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly contractAddress: Hex | null
  readonly logs: readonly LogAnswer[]
  readonly blockNumber: Hex
  readonly blockHash: Hex | null
  readonly [field: string]: unknown
}

/** Where in Solidity code failed: `stackTrace` beside an error's `data`, and of `preseal_explain`. */
export interface StackTraceAnswer {
  readonly kind: string
  /** What happened, in words. */
  readonly message: string
  /** The innermost function first. */
  readonly frames: readonly {
    readonly contract?: string
    readonly function?: string
    readonly isModifier: boolean
    readonly position?: { readonly file: string; readonly line: number; readonly column: number }
    readonly file?: string
    readonly address?: string
  }[]
}

/** A call of geth's `callTracer`. */
export interface CallFrame {
  readonly type: string
  readonly from: Hex
  readonly to?: Hex
  readonly value?: Hex
  readonly gas: Hex
  readonly gasUsed: Hex
  readonly input: Hex
  readonly output?: Hex
  readonly error?: string
  readonly revertReason?: string
  readonly calls?: readonly CallFrame[]
  readonly logs?: readonly CallLog[]
  /** Where in Solidity it was made. */
  readonly source?: { readonly file: string; readonly line: number; readonly column: number }
}

export interface CallLog {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly index: Hex
  /** The number of calls of its frame before it. */
  readonly position: Hex
}
