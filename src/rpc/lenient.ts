/** The option `lenient`: as in Hardhat, quantities may be numbers or have leading zeros, and a halt has empty data. */

import { problemOf } from './errors/problem.ts'
import type { Answer, Dispatch, Request } from './request.ts'

/** The index of the block number among the parameters of each method. */
const BLOCKS: ReadonlyMap<string, number> = new Map([
  ['eth_getBlockByNumber', 0],
  ['eth_getBlockTransactionCountByNumber', 0],
  ['eth_getTransactionByBlockNumberAndIndex', 0],
  ['eth_getUncleCountByBlockNumber', 0],
  ['eth_getUncleByBlockNumberAndIndex', 0],
  ['eth_getBlockReceipts', 0],
  ['eth_getBalance', 1],
  ['eth_getCode', 1],
  ['eth_getTransactionCount', 1],
  ['eth_getStorageAt', 2],
  ['eth_call', 1],
  ['eth_estimateGas', 1],
  ['eth_createAccessList', 1],
  ['debug_traceCall', 1],
  ['eth_feeHistory', 1],
])

/** Methods whose first parameter is a call or a transaction with the members `QUANTITIES`. */
const CALLS: ReadonlySet<string> = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_createAccessList',
  'eth_sendTransaction',
  'eth_signTransaction',
  'eth_fillTransaction',
  'eth_sendUnsignedTransaction',
  'debug_traceCall',
])
const QUANTITIES =
  'gas gasPrice maxFeePerGas maxPriorityFeePerGas maxFeePerBlobGas value nonce chainId type'.split(' ')
/** Quantities in an authorization (EIP-7702). The parsers accept `r` and `s` with leading zeros in any mode. */
const AUTHORIZED = ['chainId', 'nonce', 'yParity', 'v']
const RANGE = ['fromBlock', 'toBlock']
const FILTERS: ReadonlySet<string> = new Set(['eth_getLogs', 'eth_newFilter'])

/** Returns a dispatch that converts quantities and then calls `dispatch`. */
export function lenient(dispatch: Dispatch): Dispatch {
  return (request, subscriptions, startWork) => {
    const answer = dispatch(rewritten(request), subscriptions, startWork)
    return answer instanceof Promise ? answer.then(withDataOfHalt) : withDataOfHalt(answer)
  }
}

/** Adds empty data to the error of halted code: Hardhat's matchers fail if an error has no data. */
function withDataOfHalt(answer: Answer): Answer {
  if (answer.kind !== 'error' || problemOf(answer.cause).kind !== 'halt') return answer
  return { ...answer, error: { ...answer.error, data: '0x' } }
}

function rewritten({ method, params }: Request): Request {
  const block = BLOCKS.get(method)
  const members = CALLS.has(method) ? QUANTITIES : FILTERS.has(method) ? RANGE : undefined
  if (block === undefined && members === undefined) return { method, params }
  return {
    method,
    params: params.map((param, index) => {
      if (index === block) return quantity(param)
      return index === 0 && members !== undefined ? withQuantities(param, members) : param
    }),
  }
}

function withQuantities(param: unknown, members: readonly string[]): unknown {
  if (typeof param !== 'object' || param === null) return param
  const record = param as Record<string, unknown>
  const given = members.filter((name) => record[name] !== undefined)
  const changed = Object.fromEntries(given.map((name) => [name, quantity(record[name])]))
  const list = record.authorizationList
  return Array.isArray(list)
    ? { ...record, ...changed, authorizationList: list.map((item) => withQuantities(item, AUTHORIZED)) }
    : { ...record, ...changed }
}

/** Returns a JSON number as hex, and hex without leading zeros. Other values are returned unchanged. */
function quantity(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? `0x${value.toString(16)}` : value
  // Hex of 66 characters or more is not a quantity but, for example, a block hash.
  if (typeof value !== 'string' || value.length >= 66 || !/^0x0+[0-9a-fA-F]+$/.test(value)) return value
  return `0x${BigInt(value).toString(16)}`
}
