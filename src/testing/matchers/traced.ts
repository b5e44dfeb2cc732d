/** Gives errors of matchers the stack trace of the calling test, whether the test awaits them or not. */
import { type CallSite, callSite, thrownAt } from '../../model/callSite.ts'
import { frameText } from '../../solidity/stackTrace/format.ts'
import type { Verdict } from './verdict.ts'

/** An error of the test's own code, which a matcher rethrows unchanged. */
export class Foreign {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/**
 * Returns the frames of the test that called the matcher `callee`: without those of the test runner's `expect`, which
 * are the frames in `node_modules` before it.
 */
export function testSite(callee: (...args: never[]) => unknown): CallSite {
  const [head, ...frames] = callSite(callee).stack.split(FRAME)
  const first = frames.findIndex((frame) => !OF_PACKAGES.test(frame))
  return { stack: [head, ...frames.slice(Math.max(first, 0))].join(FRAME) }
}

const FRAME = '\n    at '
const OF_PACKAGES = /[\\/]node_modules[\\/]/

/** Returns the error of a matcher with the frames of the test; an error of the test's own code unchanged. */
export function atTest(site: CallSite, error: unknown): unknown {
  return error instanceof Foreign ? error.error : thrownAt(site, error)
}

/** The state that Jest and Playwright bind to `this` of a matcher. */
interface Expecting {
  readonly isNot?: boolean
}

type Matcher = (given: never, ...expected: never[]) => Promise<Verdict>

/** Returns `matchers` with rejections that have the stack trace of the test. */
export function traced<All extends Readonly<Record<string, Matcher>>>(matchers: All): All {
  const entries = Object.entries(matchers).map(([name, matcher]) => {
    const call = matcher as unknown as (...all: unknown[]) => Promise<Verdict>
    async function called(this: Expecting | undefined, ...all: unknown[]): Promise<Verdict> {
      const site = testSite(called)
      try {
        const { pass, message, where } = await call.apply(this, all)
        // The error is made by the test runner, of the message alone.
        const frames = pass === (this?.isNot ?? false) ? await linesOf(where) : []
        return { pass, message: () => [message(), ...frames].join(FRAME) }
      } catch (error) {
        throw atTest(site, error)
      }
    }
    return [name, called]
  })
  return Object.fromEntries(entries)
}

async function linesOf(where: Verdict['where']): Promise<readonly string[]> {
  return ((await where?.())?.frames ?? []).map(frameText)
}
