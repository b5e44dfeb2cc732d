import type { Devnet, SolidityStackTrace } from '../../index.ts'
import { withSolidityFrames } from '../../solidity/stackTrace/errorStack.ts'

/** The result of a matcher, as vitest, Jest and Playwright require it. */
export interface Verdict {
  readonly pass: boolean
  /** The message of the failure: of a failed match, or of a match under `not`. */
  readonly message: () => string
  /** Returns where in Solidity the code failed that the verdict is about; called only if the assertion fails. */
  readonly where?: () => Promise<SolidityStackTrace | undefined>
}

/**
 * The devnets of running tests. A matcher that gets only a hash finds its devnet among them. Each is removed when its
 * test ends.
 */
export const inUse: Set<Devnet> = new Set()

/**
 * Returns the first result of `decode` for the ABIs of `devnet`, or for those of the devnets in use if it is
 * undefined.
 */
export async function decodedByOne<T>(
  devnet: Devnet | undefined,
  decode: (abis: Devnet['abis']) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const { abis } of devnet === undefined ? inUse : [devnet]) {
    const decoded = await decode(abis)
    if (decoded !== undefined) return decoded
  }
  return undefined
}

/** Returns `error` with the Solidity frames that `where` finds above its own. */
export async function locatedBy<E extends Error>(where: Verdict['where'], error: E): Promise<E> {
  const stackTrace = await where?.()
  return stackTrace === undefined ? error : withSolidityFrames(error, stackTrace)
}
