/**
 * JSON-RPC errors: code, message and data for each problem. The dialect `base` follows the specification of the
 * simulated service, then Base's nodes and reth; the dialect `geth` follows the tests of execution-apis. `hardhat` differs
 * from `geth` in refused transactions.
 */

import type { Hex } from '../../bytes/hex.ts'
import type { Halt, HaltReason, Revert } from '../../engine/engine.ts'
import type { CallRefusal } from '../../engine/run/runCall.ts'
import type { Unrepeatable } from '../../engine/trace/traceBlock.ts'
import { revertReason } from '../../model/execution/revertReason.ts'
import type { Dialect } from '../../wire/dialect.ts'
import { encodeBytes, encodeQuantity } from '../../wire/hex.ts'
import { DEFAULT_MEMORY_LIMIT, type LimitScope } from '../../work/work.ts'
import * as Code from './errorCodes.ts'
import { hardhatRefusal } from './hardhatRefusals.ts'
import type { ProblemKind } from './problem.ts'
import { type ByKind, byKind, dropText, rejectionText, simulationError, unbuiltPayload } from './refusals.ts'

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export function toRpcError(problem: ProblemKind, dialect: Dialect): RpcError {
  const ofHardhat = dialect === 'hardhat' ? hardhatRefusal(problem) : undefined
  const [code, message, data] = ofHardhat ?? byKind(ERRORS, problem, dialect !== 'base')
  return data === undefined ? { code, message } : { code, message, data }
}

type ErrorRow = readonly [code: number, message: string, data?: unknown]

const ERRORS: ByKind<ProblemKind, [isGeth: boolean], ErrorRow> = {
  revert,
  halt: (halt, isGeth) => (isGeth ? [Code.SERVER, haltText(halt.reason)] : [Code.REJECTED, baseHalt(halt)]),
  refusedCall: ({ refusal }, isGeth) => refusedCall(refusal, isGeth),
  allowanceExceeded: ({ allowance }) => [Code.SERVER, `gas required exceeds allowance (${allowance})`],
  unknownNumber: ({ number }, isGeth) =>
    isGeth
      ? [Code.SERVER, 'header not found']
      : [Code.NOT_FOUND, `block not found: ${encodeQuantity(number)}`],
  unknownHash: ({ hash }, isGeth) =>
    isGeth ? [Code.SERVER, 'header for hash not found'] : [Code.NOT_FOUND, `block not found: hash ${hash}`],
  unknownSlice: ({ number, slice, last }, isGeth) => [
    isGeth ? Code.SERVER : Code.NOT_FOUND,
    `slice not found: block ${encodeQuantity(number)} has slices up to ${last}, got ${slice}`,
  ],
  prunedHistory: ({ number, oldest }) => [
    Code.PRUNED,
    PRUNED_HISTORY,
    `block ${encodeQuantity(number)} was pruned; the oldest block that is kept is ${encodeQuantity(oldest)}`,
  ],
  unknownState: ({ block }) => [
    Code.PRUNED,
    PRUNED_HISTORY,
    `the state after block ${encodeQuantity(block.header.number)} is not known: the file that was loaded did not have it`,
  ],
  beforeFork: ({ asked, fork }, isGeth) => [
    isGeth ? Code.SERVER : Code.NOT_FOUND,
    `block not found: ${asked} is before the block at which the chain was forked; this method is available from block ${encodeQuantity(fork)} on`,
  ],
  unknownLogBlock: ({ hash }, isGeth) =>
    isGeth ? [Code.SERVER, 'unknown block'] : [Code.NOT_FOUND, `block not found: hash ${hash}`],
  // The tests of execution-apis require exactly these two messages, without data.
  reversedRange: () => [Code.INVALID_PARAMS, 'invalid block range params'],
  beyondHead: () => [Code.INVALID_PARAMS, 'block range extends beyond current head block'],
  rangeTooLarge: ({ limit, from, to }, isGeth) => [
    Code.INVALID_PARAMS,
    isGeth
      ? `exceed maximum block range ${limit}`
      : `query exceeds max block range ${limit}, retry with the range ${from}-${to}`,
  ],
  tooManyResults: ({ limit, from, to }) => [
    Code.INVALID_PARAMS,
    // Block numbers are decimal, as in reth: clients extract the range from the message to repeat the request.
    `query exceeds max results ${limit}, retry with the range ${from}-${to}`,
  ],
  rejected: ({ rejection }) => [Code.SERVER, rejectionText(rejection)],
  invalidParams: (problem) => [Code.INVALID_PARAMS, argumentText(problem)],
  conflictingValues: (problem, isGeth) => [isGeth ? Code.SERVER : Code.INVALID_PARAMS, argumentText(problem)],
  invalidRequest: ({ detail }) => [Code.INVALID_REQUEST, `invalid request: ${detail}`],
  parseError: ({ detail }) => [Code.PARSE_ERROR, `parse error: ${detail}`],
  unknownMethod: ({ method, meant }) => [
    Code.METHOD_NOT_FOUND,
    `the method ${method} does not exist/is not available${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  ],
  needsWebSocket: ({ method }) => [
    Code.METHOD_NOT_FOUND,
    `${method} needs a WebSocket connection; over HTTP poll eth_getLogs instead`,
  ],
  batchTooLarge: ({ size, limit }, isGeth) => [
    isGeth ? Code.INVALID_REQUEST : Code.BATCH_TOO_LARGE,
    `batch too large: ${size} calls, at most ${limit}`,
  ],
  lowerNonce: ({ have, got }) => [
    Code.SERVER,
    `New nonce (${got}) must not be smaller than the existing nonce (${have})`,
  ],
  nonceWhileWaiting: () => [Code.SERVER, 'Cannot set account nonce when the transaction pool is not empty'],
  creationWithoutData: () => [Code.SERVER, 'contract creation without any data provided'],
  wrongChainId: ({ asked, chainId }) => [
    Code.SERVER,
    `chainId does not match node's (have=${asked}, want=${chainId})`,
  ],
  unknownAccount: ({ address }) => [
    Code.SERVER,
    `unknown account ${address}: only the development accounts are unlocked (eth_accounts); impersonate it (anvil_impersonateAccount), or sign yourself and use eth_sendRawTransaction`,
  ],
  unknownChain: ({ asked, chainId }) => [
    Code.UNKNOWN_CHAIN,
    `Unrecognized chain ID "${encodeQuantity(asked)}": this devnet is the chain "${encodeQuantity(chainId)}" and no other; the option chainId or anvil_setChainId changes that`,
  ],
  unknownFilter: ({ id }) => [
    Code.SERVER,
    'filter not found',
    `there is no filter ${encodeQuantity(id)}; a filter that is not used for five minutes is removed`,
  ],
  tooManyFilters: () => [Code.SERVER, 'too many filters: remove some with eth_uninstallFilter'],
  tooManySubscriptions: ({ limit }) => [
    Code.TOO_MANY_SUBSCRIPTIONS,
    `too many subscriptions: this connection has ${limit}; end some with eth_unsubscribe`,
  ],
  unknownTransaction: ({ hash }, isGeth) =>
    isGeth ? [Code.SERVER, 'transaction not found'] : [Code.NOT_FOUND, `transaction not found: hash ${hash}`],
  unconfirmed: ({ hash, waitMs }) => [
    Code.UNCONFIRMED,
    `transaction ${hash} was accepted but is not confirmed within ${waitMs} ms`,
    hash,
  ],
  droppedTransaction: ({ hash, reason }) => [
    Code.SERVER,
    `transaction ${hash} was dropped: ${dropText(reason)}`,
    hash,
  ],
  genesisNotTraceable: () => [Code.SERVER, 'genesis is not traceable'],
  noAccessList: ({ number }) => [
    Code.NOT_FOUND,
    `block ${encodeQuantity(number)} has no access list: blocks have one since Amsterdam (EIP-7928)`,
  ],
  unknownIndex: ({ index, count }) => [
    Code.SERVER,
    `transaction index ${index} out of range: the block has ${count} transactions`,
  ],
  unrepeatable: (problem) => [Code.SERVER, unrepeatableText(problem)],
  simulation: ({ flaw }, isGeth) => simulationError(flaw, isGeth),
  payload: ({ flaw }, isGeth) => [isGeth ? Code.SERVER : Code.INVALID_PARAMS, unbuiltPayload(flaw)],
  traceTooLarge: ({ bytes }) => [
    Code.SERVER,
    `trace too large: it takes more than ${bytes} bytes; trace one transaction instead of a block, or ask for less (limit, disableStack, disableStorage, onlyTopCall)`,
  ],
  tracerFailed: ({ detail }) => [Code.SERVER, detail],
  unsupported: ({ detail }) => [Code.NOT_SUPPORTED, detail],
  // geth limits the time of a call (--rpc.evmtimeout), but not the time of a request.
  timedOut: ({ limited, limitMs, done }, isGeth) => {
    if (!isGeth || limited === 'request') return [Code.TIMED_OUT, timedOutText(limited, limitMs, done)]
    const text =
      limited === 'trace' ? 'execution timeout' : `execution aborted (timeout = ${durationInGo(limitMs)})`
    return [Code.SERVER, text]
  },
  outOfMemory: ({ limitBytes }) => [Code.SERVER, outOfMemoryText(limitBytes)],
  closed: () => [Code.DISCONNECTED, 'the devnet is closed'],
  enginesDiffer: ({ detail }) => [Code.INTERNAL, detail],
  // The code is not -32603: clients would repeat the request, although the upstream connection has already retried.
  networkFailed: ({ detail }) => [Code.SERVER, detail],
  networkRefused: ({ error: { code, message, data } }) => [code, message, data],
  notLoaded: ({ detail }) => [Code.INTERNAL, detail],
  defect: () => [Code.INTERNAL, 'internal error: this is a defect of preseal; its log says more'],
}

const PRUNED_HISTORY = 'pruned history unavailable'

/** Returns the error of a simulated call. The message must begin with `execution reverted` or `vm execution error`. */
export function simulatedCallError(outcome: Revert | Halt, dialect: Dialect): RpcError {
  if (outcome.kind === 'revert') return toRpcError(outcome, 'geth')
  return { code: Code.SIMULATED_HALT, message: `vm execution error: ${toRpcError(outcome, dialect).message}` }
}

const LIMITS: Readonly<Record<LimitScope, string>> = {
  request: 'option requestTimeoutMs, --request-timeout; 0: none',
  call: 'option callTimeoutMs, --call-timeout; 0: none',
  trace: 'member timeout of the trace configuration, such as "20s"',
}

function timedOutText(limited: LimitScope, limitMs: number, done: string | undefined): string {
  const after = done === undefined ? '' : ` after ${done}`
  return `${limited} timed out: it was not finished within ${limitMs} ms and was stopped${after}; request less, or raise the limit (${LIMITS[limited]})`
}

function outOfMemoryText(limitBytes: number): string {
  const remedy =
    limitBytes < DEFAULT_MEMORY_LIMIT
      ? 'give it less gas, or raise the limit (option callMemoryLimit, --call-memory-limit)'
      : 'give it less gas'
  return `out of memory: the code used more than ${limitBytes} bytes and was stopped; ${remedy}`
}

/** Returns a duration as Go prints it: "5s", "1m30s", "250ms". */
function durationInGo(ms: number): string {
  if (ms < 1_000) return `${ms}ms`
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60]
  const seconds = `${(ms % 60_000) / 1_000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}

/** Describes how the second run of a transaction differs from the first. Gives no cause, because it is unknown. */
function unrepeatableText({ hash, difference }: Unrepeatable): string {
  const what = `transaction ${hash} cannot be run again`
  switch (difference.kind) {
    case 'sender': {
      const { from, nonce, balance, needsNonce, needsBalance } = difference
      return `${what}: it needs nonce ${needsNonce} and ${needsBalance} wei, ${from} has nonce ${nonce} and ${balance} wei in the state before it`
    }
    case 'gasUsed':
      return `${what}: in the state before it, it uses ${difference.used} gas, its receipt says ${difference.recorded}`
  }
}

function revert({ data }: Revert, isGeth: boolean): ErrorRow {
  const encoded: Hex = encodeBytes(data)
  // viem decodes revert data with code -32000 only if the message is exactly this text.
  if (!isGeth) return [Code.SERVER, 'execution reverted', encoded]
  const reason = revertReason(data)
  return [
    Code.GETH_REVERT,
    reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`,
    encoded,
  ]
}

function baseHalt({ reason, gasUsed }: Halt): string {
  return reason === 'outOfGas'
    ? `out of gas: gas required exceeds: ${gasUsed}`
    : `EVM error: ${HALTS[reason][1]}`
}

function refusedCall(refusal: CallRefusal, isGeth: boolean): ErrorRow {
  if (refusal.kind === 'intrinsicGasTooLow')
    return [Code.SERVER, `intrinsic gas too low: have ${refusal.have}, want ${refusal.want}`]
  const isServers = isGeth || refusal.kind === 'feeBelowBaseFee'
  return [isServers ? Code.SERVER : Code.REJECTED, rejectionText(refusal)]
}

function argumentText({ argument, detail }: { readonly argument: number; readonly detail: string }): string {
  return `invalid argument ${argument}: ${detail}`
}

const HALTS: Record<HaltReason, readonly [geth: string, reth: string]> = {
  outOfGas: ['out of gas', 'OutOfGas'],
  invalidOpcode: ['invalid opcode: INVALID', 'InvalidFEOpcode'],
  invalidJump: ['invalid jump destination', 'InvalidJump'],
  stackUnderflow: ['stack underflow', 'StackUnderflow'],
  stackOverflow: ['stack limit reached 1024', 'StackOverflow'],
  staticStateChange: ['write protection', 'StateChangeDuringStaticCall'],
  createCollision: ['contract address collision', 'CreateCollision'],
  codeTooLarge: ['max code size exceeded', 'CreateContractSizeLimit'],
  initCodeTooLarge: ['max initcode size exceeded', 'CreateInitCodeSizeLimit'],
  invalidCode: ['invalid code: must not begin with 0xef', 'CreateContractStartingWithEF'],
  insufficientBalance: ['insufficient balance for transfer', 'OutOfFunds'],
  precompileFailed: ['precompile failed', 'PrecompileError'],
  other: ['execution failed', 'Halt'],
}

export function haltText(reason: HaltReason): string {
  return HALTS[reason][0]
}
