/** Types of JSON-RPC methods for `devnet.request`. Parameters and results have JSON-RPC's form: hex in lower case. */
import type { Address, Hash, Hex } from '../bytes/hex.ts'
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '../wire/encode.ts'

/** A block: a tag, number or hash in hex, or an object (EIP-1898). `slice` selects the open block after that slice. */
export type RpcBlockSelector =
  | string
  | { readonly blockNumber: string; readonly slice?: string | undefined }
  | { readonly blockHash: string; readonly requireCanonical?: boolean | undefined }

/** A transaction for `eth_call`, `eth_estimateGas` and `eth_sendTransaction`, in hex. Missing fields are filled in. */
export interface RpcTransactionRequest {
  readonly from?: string | undefined
  readonly to?: string | null | undefined
  readonly data?: string | undefined
  readonly input?: string | undefined
  readonly value?: string | undefined
  readonly gas?: string | undefined
  readonly gasPrice?: string | undefined
  readonly maxFeePerGas?: string | undefined
  readonly maxPriorityFeePerGas?: string | undefined
  readonly nonce?: string | undefined
  readonly [field: string]: unknown
}

/** A filter of logs by block, address and topics, with values in hex. */
export interface RpcLogFilter {
  readonly address?: string | readonly string[] | undefined
  readonly topics?: readonly (string | readonly string[] | null)[] | undefined
  readonly fromBlock?: RpcBlockSelector | undefined
  readonly toBlock?: RpcBlockSelector | undefined
  readonly blockHash?: string | undefined
}

interface Method<params extends readonly unknown[], result> {
  readonly params: params
  readonly result: result
}

type At = RpcBlockSelector
type Nothing = readonly []

/** Methods with typed parameters and results, for wallets and tests. docs/methods.md lists all methods. */
export interface RpcMethods {
  eth_chainId: Method<Nothing, Hex>
  eth_blockNumber: Method<Nothing, Hex>
  eth_gasPrice: Method<Nothing, Hex>
  eth_maxPriorityFeePerGas: Method<Nothing, Hex>
  eth_accounts: Method<Nothing, readonly Address[]>
  eth_requestAccounts: Method<Nothing, readonly Address[]>
  net_version: Method<Nothing, string>
  web3_clientVersion: Method<Nothing, string>
  eth_getBalance: Method<readonly [address: string, at?: At], Hex>
  eth_getTransactionCount: Method<readonly [address: string, at?: At], Hex>
  eth_getCode: Method<readonly [address: string, at?: At], Hex>
  eth_getStorageAt: Method<readonly [address: string, slot: string, at?: At], Hex>
  eth_call: Method<
    readonly [call: RpcTransactionRequest, at?: At, stateOverrides?: object, blockOverrides?: object],
    Hex
  >
  eth_estimateGas: Method<readonly [call: RpcTransactionRequest, at?: At, stateOverrides?: object], Hex>
  eth_sendTransaction: Method<readonly [transaction: RpcTransactionRequest], Hash>
  eth_sendRawTransaction: Method<readonly [signed: string], Hash>
  eth_getTransactionByHash: Method<readonly [hash: string], RpcTransaction | null>
  eth_getTransactionReceipt: Method<readonly [hash: string], RpcReceipt | null>
  eth_getBlockReceipts: Method<readonly [at: At], readonly RpcReceipt[] | null>
  eth_getBlockByNumber: Method<readonly [at: At, withTransactions?: boolean], RpcBlock | null>
  eth_getBlockByHash: Method<readonly [hash: string, withTransactions?: boolean], RpcBlock | null>
  eth_getLogs: Method<readonly [filter: RpcLogFilter], readonly RpcLog[]>
  eth_subscribe: Method<readonly [kind: string, options?: unknown], Hex>
  eth_unsubscribe: Method<readonly [subscription: string], boolean>
  evm_snapshot: Method<Nothing, Hex>
  evm_revert: Method<readonly [snapshot: string], boolean>
}

/** A request of a method. Parameters are typed if `RpcMethods` has the method. */
export interface RpcRequest<method extends string> {
  readonly method: method
  readonly params?: method extends keyof RpcMethods ? RpcMethods[method]['params'] | undefined : unknown
}

/** The result of a method; `unknown` if `RpcMethods` does not have the method. */
export type RpcResult<method extends string> = method extends keyof RpcMethods
  ? RpcMethods[method]['result']
  : unknown
