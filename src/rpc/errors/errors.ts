/**
 * The table of JSON-RPC errors: code, message and data of each problem (CONTRACT 4).
 *
 * The dialect `base` follows the seed, then Base and RETH; `geth` follows the tests of execution-apis. A problem that
 * is the same in both has one row.
 */

import type { Hex } from '../../bytes/hex.ts'
import type { Missing } from '../../chain/moment.ts'
import type { Halt, HaltReason, Revert } from '../../engine/engine.ts'
import type { CallRefusal } from '../../engine/run/runCall.ts'
import type { Unrepeatable } from '../../engine/trace/traceBlock.ts'
import { revertReason } from '../../model/execution/call.ts'
import { encodeBytes, encodeQuantity } from '../../wire/hex.ts'
import { type Limited, MOST_MEMORY } from '../../work/work.ts'
import {
  BATCH_TOO_LARGE,
  DISCONNECTED,
  GETH_REVERT,
  INTERNAL,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  NOT_FOUND,
  NOT_SUPPORTED,
  PARSE_ERROR,
  PRUNED,
  REJECTED,
  SERVER,
  SIMULATED_HALT,
  TIMED_OUT,
  TOO_MANY_SUBSCRIPTIONS,
  UNCONFIRMED,
  UNKNOWN_CHAIN,
} from './errorCodes.ts'
import type { ProblemKind } from './problem.ts'
import {
  dropText,
  feeBelowBaseFee,
  insufficientFunds,
  rejection,
  tipAboveFee,
  unbuiltPayload,
} from './refusals.ts'
import { simulationError } from './simulationErrors.ts'

export const DIALECTS = ['base', 'geth'] as const
export type Dialect = (typeof DIALECTS)[number]

/** The error member of a JSON-RPC response. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** Returns the error of `problem` in `dialect`. */
export function toRpcError(problem: ProblemKind, dialect: Dialect): RpcError {
  const isGeth = dialect === 'geth'
  switch (problem.kind) {
    case 'revert':
      return revert(problem, isGeth)
    case 'halt':
      return isGeth
        ? { code: SERVER, message: GETH_HALTS[problem.reason] }
        : { code: REJECTED, message: baseHalt(problem) }
    case 'refusedCall':
      return refusedCall(problem.refusal, isGeth)
    case 'allowanceExceeded':
      return { code: SERVER, message: `gas required exceeds allowance (${problem.allowance})` }
    case 'unknownNumber':
    case 'unknownHash':
    case 'unknownSlice':
    case 'prunedHistory':
    case 'unknownState':
      return missing(problem, isGeth)
    case 'beforeFork':
      return {
        code: isGeth ? SERVER : NOT_FOUND,
        message: `block not found: ${problem.asked} is before the block at which the chain was forked; this method is answered from ${encodeQuantity(problem.fork)} on`,
      }
    case 'unknownLogBlock':
      return isGeth
        ? { code: SERVER, message: 'unknown block' }
        : { code: NOT_FOUND, message: `block not found: hash ${problem.hash}` }
    // Both texts, without data, are those of the tests of execution-apis.
    case 'reversedRange':
      return { code: INVALID_PARAMS, message: 'invalid block range params' }
    case 'beyondHead':
      return { code: INVALID_PARAMS, message: 'block range extends beyond current head block' }
    case 'rangeTooLarge':
      return {
        code: INVALID_PARAMS,
        message: isGeth
          ? `exceed maximum block range ${problem.limit}`
          : `query exceeds max block range ${problem.limit}, retry with the range ${rangeText(problem)}`,
      }
    case 'tooManyResults':
      return {
        code: INVALID_PARAMS,
        message: `query exceeds max results ${problem.limit}, retry with the range ${rangeText(problem)}`,
      }
    case 'rejected':
      return { code: SERVER, message: rejection(problem.rejection) }
    case 'invalidParams':
      return { code: INVALID_PARAMS, message: `invalid argument ${problem.argument}: ${problem.detail}` }
    case 'conflictingFees':
      return {
        code: isGeth ? SERVER : INVALID_PARAMS,
        message: `invalid argument ${problem.argument}: ${problem.detail}`,
      }
    case 'invalidRequest':
      return { code: INVALID_REQUEST, message: `invalid request: ${problem.detail}` }
    case 'parseError':
      return { code: PARSE_ERROR, message: `parse error: ${problem.detail}` }
    case 'unknownMethod':
      return {
        code: METHOD_NOT_FOUND,
        message: `the method ${problem.method} does not exist/is not available${meantText(problem.meant)}`,
      }
    case 'needsWebSocket':
      return {
        code: METHOD_NOT_FOUND,
        message: `${problem.method} needs a WebSocket connection; over HTTP poll eth_getLogs instead`,
      }
    case 'batchTooLarge':
      return {
        code: isGeth ? INVALID_REQUEST : BATCH_TOO_LARGE,
        message: `batch too large: ${problem.size} calls, at most ${problem.limit}`,
      }
    case 'unknownAccount':
      return {
        code: SERVER,
        message: `unknown account ${problem.address}: only the development accounts are unlocked (eth_accounts); impersonate it (anvil_impersonateAccount), or sign yourself and use eth_sendRawTransaction`,
      }
    case 'unknownChain':
      return {
        code: UNKNOWN_CHAIN,
        message: `Unrecognized chain ID "${encodeQuantity(problem.asked)}": this devnet is the chain "${encodeQuantity(problem.chainId)}" and no other; the option chainId, or anvil_setChainId, make it another`,
      }
    case 'unknownFilter':
      return {
        code: SERVER,
        message: 'filter not found',
        data: `there is no filter ${encodeQuantity(problem.id)}; one that nobody asks for five minutes is removed`,
      }
    case 'tooManyFilters':
      return { code: SERVER, message: 'too many filters: remove some with eth_uninstallFilter' }
    case 'tooManySubscriptions':
      return {
        code: TOO_MANY_SUBSCRIPTIONS,
        message: `too many subscriptions: this connection has ${problem.limit}; end some with eth_unsubscribe`,
      }
    case 'unknownTransaction':
      return isGeth
        ? { code: SERVER, message: 'transaction not found' }
        : { code: NOT_FOUND, message: `transaction not found: hash ${problem.hash}` }
    case 'unconfirmed':
      return {
        code: UNCONFIRMED,
        message: `transaction ${problem.hash} was accepted but is not confirmed within ${problem.waitMs} ms`,
        data: problem.hash,
      }
    case 'droppedTransaction':
      return {
        code: SERVER,
        message: `transaction ${problem.hash} was dropped: ${dropText(problem.reason)}`,
        data: problem.hash,
      }
    case 'genesisNotTraceable':
      return { code: SERVER, message: 'genesis is not traceable' }
    case 'noAccessList':
      return {
        code: NOT_FOUND,
        message: `block ${encodeQuantity(problem.number)} has no access list: blocks have one since Amsterdam (EIP-7928)`,
      }
    case 'unknownIndex':
      return {
        code: SERVER,
        message: `transaction index ${problem.index} out of range: the block has ${problem.count} transactions`,
      }
    case 'unrepeatable':
      return {
        code: SERVER,
        message: unrepeatableText(problem),
      }
    case 'simulation':
      return simulationError(problem.flaw, isGeth)
    case 'payload':
      return { code: isGeth ? SERVER : INVALID_PARAMS, message: unbuiltPayload(problem.flaw) }
    case 'traceTooLarge':
      return {
        code: SERVER,
        message: `trace too large: it takes more than ${problem.bytes} bytes; trace one transaction instead of a block, or ask for less (limit, disableStack, disableStorage, onlyTopCall)`,
      }
    case 'unsupported':
      return { code: NOT_SUPPORTED, message: problem.detail }
    case 'timedOut':
      // geth has no limit of a request, but one of a call (--rpc.evmtimeout).
      return isGeth && problem.limited === 'call'
        ? { code: SERVER, message: `execution aborted (timeout = ${durationInGo(problem.limitMs)})` }
        : { code: TIMED_OUT, message: timedOutText(problem.limited, problem.limitMs) }
    case 'outOfMemory':
      return { code: SERVER, message: outOfMemoryText(problem.limitBytes) }
    case 'closed':
      return { code: DISCONNECTED, message: 'the devnet is closed' }
    case 'enginesDiffer':
      return { code: INTERNAL, message: problem.detail }
    // Not -32603, which clients take as a reason to ask again: the network has been asked as often as makes sense.
    case 'networkFailed':
      return { code: SERVER, message: problem.detail }
    case 'networkRefused':
      return problem.error
    case 'defect':
      return { code: INTERNAL, message: 'internal error: this is a defect of preseal; its log says more' }
  }
}

/**
 * Returns the error of one call of eth_simulateV1, for its entry in the results. The codes are those of the
 * specification, whose schema requires that each message begins with the kind of the error.
 */
export function simulatedCallError(outcome: Revert | Halt, dialect: Dialect): RpcError {
  if (outcome.kind === 'revert') return revert(outcome, true)
  return { code: SIMULATED_HALT, message: `vm execution error: ${toRpcError(outcome, dialect).message}` }
}

/** The option and the flag of each limit. */
const LIMITS: Readonly<Record<Limited, string>> = {
  request: 'option requestTimeoutMs, --request-timeout',
  call: 'option callTimeoutMs, --call-timeout',
}

function timedOutText(limited: Limited, limitMs: number): string {
  return `${limited} timed out: it was not done within ${limitMs} ms, and was ended; ask for less, or raise the limit (${LIMITS[limited]}; 0: none)`
}

function outOfMemoryText(limitBytes: number): string {
  const remedy =
    limitBytes < MOST_MEMORY
      ? 'give it less gas, or raise the limit (option callMemoryLimit, --call-memory-limit)'
      : 'give it less gas'
  return `out of memory: the code took more than ${limitBytes} bytes, and was ended; ${remedy}`
}

/** Returns a duration as Go prints it: "5s", "1m30s", "250ms". */
function durationInGo(ms: number): string {
  if (ms < 1_000) return `${ms}ms`
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60]
  const seconds = `${(ms % 60_000) / 1_000}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}

/**
 * Reports only what is known: the state before the transaction differs from the original one, for whatever reason.
 */
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

function revert({ data }: Revert, isGeth: boolean): RpcError {
  const encoded: Hex = encodeBytes(data)
  // viem decodes a -32000 only if its message is exactly this.
  if (!isGeth) return { code: SERVER, message: 'execution reverted', data: encoded }
  const reason = revertReason(data)
  return {
    code: GETH_REVERT,
    message: reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`,
    data: encoded,
  }
}

function baseHalt({ reason, gasUsed }: Halt): string {
  return reason === 'outOfGas'
    ? `out of gas: gas required exceeds: ${gasUsed}`
    : `EVM error: ${RETH_HALTS[reason]}`
}

function refusedCall(refusal: CallRefusal, isGeth: boolean): RpcError {
  switch (refusal.kind) {
    case 'insufficientFunds':
      return { code: isGeth ? SERVER : REJECTED, message: insufficientFunds(refusal) }
    case 'intrinsicGasTooLow':
      return { code: SERVER, message: `intrinsic gas too low: have ${refusal.have}, want ${refusal.want}` }
    case 'tipAboveFee':
      return { code: isGeth ? SERVER : REJECTED, message: tipAboveFee(refusal) }
    case 'feeBelowBaseFee':
      return {
        code: SERVER,
        message: feeBelowBaseFee(refusal),
      }
  }
}

function missing(problem: Missing, isGeth: boolean): RpcError {
  switch (problem.kind) {
    case 'unknownNumber':
      return isGeth
        ? { code: SERVER, message: 'header not found' }
        : { code: NOT_FOUND, message: `block not found: ${encodeQuantity(problem.number)}` }
    case 'unknownHash':
      return isGeth
        ? { code: SERVER, message: 'header for hash not found' }
        : { code: NOT_FOUND, message: `block not found: hash ${problem.hash}` }
    case 'unknownSlice':
      return {
        code: isGeth ? SERVER : NOT_FOUND,
        message: `slice not found: block ${encodeQuantity(problem.number)} has slices up to ${problem.last}, got ${problem.slice}`,
      }
    case 'prunedHistory':
      return {
        code: PRUNED,
        message: 'pruned history unavailable',
        data: `block ${encodeQuantity(problem.number)} was pruned; the oldest that is kept is ${encodeQuantity(problem.oldest)}`,
      }
    case 'unknownState':
      return {
        code: PRUNED,
        message: 'pruned history unavailable',
        data: `the state after block ${encodeQuantity(problem.block.header.number)} is not known: the file that was loaded did not have it`,
      }
  }
}

/** Returns the range in decimal, as RETH does: clients that narrow the range parse it with a pattern. */
function rangeText({ from, to }: { from: bigint; to: bigint }): string {
  return `${from}-${to}`
}

/** Returns the end of a message that proposes a name; empty without one. */
function meantText(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

/** RETH's names of the reasons. */
const RETH_HALTS: Record<HaltReason, string> = {
  outOfGas: 'OutOfGas',
  invalidOpcode: 'InvalidFEOpcode',
  invalidJump: 'InvalidJump',
  stackUnderflow: 'StackUnderflow',
  stackOverflow: 'StackOverflow',
  staticStateChange: 'StateChangeDuringStaticCall',
  createCollision: 'CreateCollision',
  codeTooLarge: 'CreateContractSizeLimit',
  initCodeTooLarge: 'CreateInitCodeSizeLimit',
  invalidCode: 'CreateContractStartingWithEF',
  insufficientBalance: 'OutOfFunds',
  precompileFailed: 'PrecompileError',
  other: 'Halt',
}

const GETH_HALTS: Record<HaltReason, string> = {
  outOfGas: 'out of gas',
  invalidOpcode: 'invalid opcode: INVALID',
  invalidJump: 'invalid jump destination',
  stackUnderflow: 'stack underflow',
  stackOverflow: 'stack limit reached 1024',
  staticStateChange: 'write protection',
  createCollision: 'contract address collision',
  codeTooLarge: 'max code size exceeded',
  initCodeTooLarge: 'max initcode size exceeded',
  invalidCode: 'invalid code: must not begin with 0xef',
  insufficientBalance: 'insufficient balance for transfer',
  precompileFailed: 'precompile failed',
  other: 'execution failed',
}

/** Returns the reason in geth's words. */
export function haltText(reason: HaltReason): string {
  return GETH_HALTS[reason]
}
