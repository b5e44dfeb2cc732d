/** Finds where in Solidity a transaction or call failed that a failed assertion is about. */
import type { Devnet, SolidityStackTrace } from '../../index.ts'
import type { Failure } from './failure.ts'
import { knowing, located } from './outcome.ts'
import { inUse, locatedBy } from './verdict.ts'

/**
 * Returns where the code failed: as the error shows it, or as the devnet finds it when it runs the code once more; `undefined`
 * without artifacts.
 */
export async function whereFailed(
  failure: Failure,
  devnet: Devnet | undefined,
): Promise<SolidityStackTrace | undefined> {
  const { stackTrace, hash, request, data } = failure
  if (stackTrace !== undefined) return stackTrace
  const asked = devnet ?? (hash === undefined ? onlyOne() : await knowing(hash))
  if (asked === undefined) return undefined
  if (hash !== undefined) return (await located(asked, hash)).stackTrace
  return request && whereRequestFails(asked, request, data)
}

/** Returns `error` with the Solidity frames of `failure` above its own. */
export async function atFailure<E extends Error>(
  failure: Failure,
  devnet: Devnet | undefined,
  error: E,
): Promise<E> {
  return locatedBy(() => whereFailed(failure, devnet), error)
}

function onlyOne(): Devnet | undefined {
  return inUse.size === 1 ? [...inUse][0] : undefined
}

/** Asks once more: ethers makes errors anew of code, message and data. What fails with another error now is not the same. */
async function whereRequestFails(
  devnet: Devnet,
  { method, params }: NonNullable<Failure['request']>,
  data: Failure['data'],
): Promise<SolidityStackTrace | undefined> {
  try {
    await devnet.calmRequest(method, params)
    return undefined
  } catch (error) {
    const now = error as { readonly data?: unknown; readonly solidityStack?: SolidityStackTrace }
    return selectorOf(now.data) === selectorOf(data) ? now.solidityStack : undefined
  }
}

/** ethers may leave out who called, and so errors may have other arguments. */
function selectorOf(data: unknown): string {
  return String(data ?? '0x').slice(0, 10)
}
