/** JSON-RPC error codes. The codes of RPC services such as Alchemy are in `faults/`. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL = -32603
export const SERVER = -32000
/** EIP-1474: resource not found. */
export const NOT_FOUND = -32001
/** EIP-1474: transaction rejected. */
export const REJECTED = -32003
/** EIP-1474: method not supported. */
export const NOT_SUPPORTED = -32004
/** geth's code for a request that times out (`errcodeTimeout`); EIP-1474: resource unavailable. */
export const TIMED_OUT = -32002
export const BATCH_TOO_LARGE = -32010
/** The code of jsonrpsee, the library that reth uses. */
export const TOO_MANY_SUBSCRIPTIONS = -32006
export const GETH_REVERT = 3
/** The code in execution-apis for a simulated call that the EVM halted. */
export const SIMULATED_HALT = -32015
/** EIP-7966: the transaction was not confirmed within the timeout. */
export const UNCONFIRMED = 4
/** EIP-3326 and EIP-3085: the wallet does not have the chain. */
export const UNKNOWN_CHAIN = 4902
/** EIP-4444: the requested history has been pruned. */
export const PRUNED = 4444
/** EIP-1193: the provider is disconnected from all chains. */
export const DISCONNECTED = 4900

// Codes of eth_simulateV1 (execution-apis, src/eth/execute.yaml).
export const FEE_TOO_LOW = -32005
export const NONCE_TOO_LOW = -38010
export const NONCE_TOO_HIGH = -38011
export const BASE_FEE_NOT_MET = -38012
export const INTRINSIC_GAS = -38013
export const INSUFFICIENT_FUNDS = -38014
export const BLOCK_IS_FULL = -38015
export const BLOCK_ORDER = -38020
export const TIME_ORDER = -38021
export const MOVED_TO_ITSELF = -38022
export const MOVED_TOGETHER = -38023
export const SENDER_IS_CONTRACT = -38024
export const INIT_CODE_TOO_LARGE = -38025
export const CLIENT_LIMIT = -38026
