/** The results of matchers, and their errors, which have the test's stack trace even without `await`. */
import type { Devnet, SolidityStackTrace } from '../../index.ts'
import { type CallSite, callSite, thrownAt } from '../../model/api/callSite.ts'
import { withSolidityFrames } from '../../solidity/stackTrace/errorStack.ts'

/** The result of a matcher, in the form that vitest, Jest and Playwright require. */
export interface Verdict {
  readonly pass: boolean
  /** Returns the message of the failed assertion, also if `not` was used. */
  readonly message: () => string
  /** Returns where the transaction or call failed in Solidity. Called only if the assertion fails. */
  readonly where?: () => Promise<SolidityStackTrace | undefined>
}

/** A matcher. `DevnetMatchers` declares the types of its arguments. */
export type Matcher = (given: never, ...expected: never[]) => Promise<Verdict>
export type AnyMatcher = (this: unknown, ...given: unknown[]) => Promise<Verdict>

/** Returns an object with the same names, where `wrap` has replaced each matcher. */
export function wrapped(
  matchers: Readonly<Record<string, Matcher>>,
  wrap: (matcher: AnyMatcher, name: string) => unknown,
): unknown {
  const entries = Object.entries(matchers)
  return Object.fromEntries(entries.map(([name, matcher]) => [name, wrap(matcher as AnyMatcher, name)]))
}

/** The devnets of running tests. A matcher that gets only a hash looks for the transaction on them. */
export const inUse: Set<Devnet> = new Set()

/** Returns the first result of `decode` for the ABIs of `devnet`; by default, for the ABIs of all devnets in use. */
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

/** Adds the Solidity frames from `where` to `error`, above the JavaScript frames. */
export async function locatedBy<E extends Error>(where: Verdict['where'], error: E): Promise<E> {
  const stackTrace = await where?.()
  return stackTrace === undefined ? error : withSolidityFrames(error, stackTrace)
}

/** Wraps an error of the test's own code, which a matcher rethrows unchanged. */
export class Foreign {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** Returns the stack frames of the test that called the matcher `callee`, without frames of the runner's `expect`. */
export function testSite(callee: (...args: never[]) => unknown): CallSite {
  const [head, ...frames] = callSite(callee).stack.split(FRAME)
  const first = frames.findIndex((frame) => !OF_PACKAGES.test(frame))
  return { stack: [head, ...frames.slice(Math.max(first, 0))].join(FRAME) }
}

/** @internal The text before each frame of a stack trace. */
export const FRAME = '\n    at '
const OF_PACKAGES = /[\\/]node_modules[\\/]/

/** Returns the error that a matcher throws, with the frames of the test. The test's own errors stay unchanged. */
export function atTest(site: CallSite, error: unknown): unknown {
  return error instanceof Foreign ? error.error : thrownAt(site, error)
}
