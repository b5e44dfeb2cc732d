/** Errors of a devnet as Hardhat and its plugins know them: name, message, and a stack trace that begins in Solidity. */

import { type Hash, toHex } from '../bytes/hex.ts'
import type { Devnet } from '../devnet/devnet.ts'
import { stackTraceOfIncluded } from '../methods/solidity/solidityStackTrace.ts'
import { type CallSite, callSite, thrownAt, withForeignFrames } from '../model/api/callSite.ts'
import { ProviderRpcError } from '../rpc/provider.ts'
import { withSolidityStack } from '../solidity/stackTrace/errorStack.ts'
import { frameText } from '../solidity/stackTrace/format.ts'
import { type DecodeError, revertMessage } from './revertMessages.ts'

/** The code of the error of a call that reverted. */
const REVERTED = 3

/**
 * Returns the error for `error` of a request that `callee` answers. Other errors than those of a devnet stay unchanged. `decode` decodes
 * custom errors.
 */
export function hardhatError(
  error: unknown,
  callee: (...args: never[]) => unknown,
  decode: DecodeError,
): unknown {
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
    text ??= revertMessage(data, error.solidityStack, decode) ?? message
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
  Object.defineProperty(error, 'transactionHash', { value: hash, enumerable: true })
  return withSolidityStack(error, await stackTraceOfIncluded(context, inclusion))
}

/** Kept, because Node asks the loader of TypeScript, a thread, at each `import()`, also of a loaded module. */
let codec: typeof import('../solidity/abi/codec.ts') | undefined

/** Returns the decoder of custom errors by the artifacts that `devnet` has read. */
export async function errorDecoder({ wires }: Devnet): Promise<DecodeError> {
  codec ??= await import('../solidity/abi/codec.ts')
  const { codecOf } = codec
  return (data) => {
    const contracts = wires.context.artifacts?.known?.merged
    return contracts && codecOf(contracts).error(data)
  }
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
