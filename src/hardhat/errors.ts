/** Errors of a devnet as Hardhat and its plugins know them: name, message, and a stack trace that begins in Solidity. */

import { fromHex, type Hash, toHex } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { stackTraceOfIncluded } from '../methods/solidity/solidityStackTrace.ts'
import { type CallSite, callSite, thrownAt, withForeignFrames } from '../model/api/callSite.ts'
import { panicCode, revertReason } from '../model/execution/revertReason.ts'
import { ProviderRpcError } from '../rpc/provider.ts'
import { withSolidityStack } from '../solidity/stackTrace/errorStack.ts'
import { type FailureKind, frameText, type SolidityStackTrace } from '../solidity/stackTrace/format.ts'

/** The code of the error of a call that reverted. */
const REVERTED = 3

/** Returns the error for `error` of a request that `callee` answers. Other errors than those of a devnet stay unchanged. */
export function hardhatError(error: unknown, callee: (...args: never[]) => unknown): unknown {
  if (!(error instanceof ProviderRpcError)) return error
  Object.defineProperty(error, '_isProviderError', { value: true })
  const site = testSite(callee)
  const isOfCode = error.code === REVERTED || 'solidityStack' in error
  error.name = isOfCode ? 'SolidityError' : 'ProviderError'
  if (!isOfCode) return thrownAt(site, error)
  // Computed when it is read: a test that expects the error by its data does not need it.
  const { message, data } = error
  let text: string | undefined
  const own = () => {
    text ??= revertMessage(data, error.solidityStack) ?? message
    return text
  }
  const failed = () => ({ message: own(), frames: (error.solidityStack?.frames ?? []).map(frameText) })
  withForeignFrames(failed, site, error)
  return Object.defineProperty(error, 'message', {
    configurable: true,
    get: own,
    set: (value) => (text = value),
  })
}

/** Returns the error of an included transaction that failed; `undefined` if it succeeded or is not included yet. */
export async function failureOf({ wires }: Devnet, hash: Hash): Promise<ProviderRpcError | undefined> {
  const { context } = wires
  const inclusion = context.inclusionOf(hash)
  const receipt = inclusion?.block.receipts[inclusion.index]
  if (inclusion === undefined || receipt === undefined || receipt.status === 'success') return undefined
  const { failure } = receipt
  const data = failure?.kind === 'revert' ? toHex(failure.data) : '0x'
  const error = new ProviderRpcError({ code: REVERTED, message: 'execution reverted', data })
  return withSolidityStack(error, await stackTraceOfIncluded(context, inclusion))
}

/** Frames of Hardhat and of this plugin, which stand between a test and the devnet. */
const BETWEEN = /\n {4}at [^\n]*(node_modules\/hardhat\/(dist\/)?src\/internal|preseal\/dist)\/[^\n]*/g

/** Returns the frames of the test: the frames beyond `callee` without those of Hardhat. */
function testSite(callee: (...args: never[]) => unknown): CallSite {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 30
  const site = callSite(callee)
  Error.stackTraceLimit = stackTraceLimit
  return {
    get stack() {
      return site.stack.replace(BETWEEN, '')
    },
  }
}

/** Returns the message of Hardhat for a revert; `undefined` if neither data nor the stack trace says why it failed. */
function revertMessage(data: unknown, stackTrace: SolidityStackTrace | undefined): string | undefined {
  const bytes = fromHex(typeof data === 'string' ? (data as Hash) : '0x')
  const panic = panicCode(bytes)
  const reason = revertReason(bytes)
  if (panic !== undefined) return `${VM}reverted with panic code 0x${panic.toString(16)} (${reason})`
  if (reason !== undefined) return `${VM}reverted with reason string '${reason}'`
  const [, custom] = /^reverted with custom error (.*)$/s.exec(stackTrace?.message ?? '') ?? []
  if (custom !== undefined) return `${VM}reverted with custom error '${custom}'`
  if (bytes.length > 0) {
    return `${VM}reverted with an unrecognized custom error (return data: ${toHex(bytes)})`
  }
  return stackTrace && (MESSAGES[stackTrace.kind] ?? `Transaction reverted: ${stackTrace.message}`)
}

const VM = 'VM Exception while processing transaction: '

const WITHOUT_REASON = 'Transaction reverted without a reason string'

/** The messages of Hardhat for failures without data. Other kinds have the words of preseal. */
const MESSAGES: Partial<Record<FailureKind, string>> = {
  revert: WITHOUT_REASON,
  unrecognizedContract: WITHOUT_REASON,
  unrecognizedCreation: WITHOUT_REASON,
  outOfGas: 'Transaction ran out of gas',
  invalidParams: 'Transaction reverted: function was called with incorrect parameters',
  unrecognizedFunctionWithoutFallback:
    "Transaction reverted: function selector was not recognized and there's no fallback function",
  missingFallbackOrReceive:
    "Transaction reverted: function selector was not recognized and there's no fallback nor receive function",
  returnDataSize: 'Transaction reverted: function returned an unexpected amount of data',
  nonContractAccountCalled: 'Transaction reverted: function call to a non-contract account',
  callFailed: 'Transaction reverted: function call failed to execute',
  directLibraryCall: 'Transaction reverted: library was called directly',
  contractTooLarge: 'Transaction reverted: trying to deploy a contract whose code is too large',
}
