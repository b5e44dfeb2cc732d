/** Gives errors of matchers the stack trace of the calling test, whether the test awaits them or not. */
import { type CallSite, callSite, thrownAt } from '../../model/callSite.ts'
import type { Verdict } from './verdict.ts'

type Matcher = (given: never, ...expected: never[]) => Promise<Verdict>

/** An error of the test's own code, which a matcher rethrows unchanged. */
export class Foreign {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** Returns `matcher` with rejections that have the stack trace of the test. */
export function traced<M extends Matcher>(matcher: M): M {
  const call = matcher as unknown as (...all: unknown[]) => Promise<Verdict>
  async function called(...all: unknown[]): Promise<Verdict> {
    const site = callSite(called)
    try {
      return await call(...all)
    } catch (error) {
      throw error instanceof Foreign ? error.error : thrownAt(site, error)
    }
  }
  return called as unknown as M
}

/**
 * Returns `matchers` for vitest's `expect.extend`. vitest creates the error of a verdict in a `then` callback, where
 * the stack has lost the line of the test unless the test awaits. So the result is a thenable whose `then` keeps the
 * line.
 */
export function tracedInVitest<All extends Readonly<Record<string, Matcher>>>(matchers: All): All {
  const entries = Object.entries(matchers).map(([name, matcher]) => {
    const call = matcher as unknown as (...all: unknown[]) => Promise<Verdict>
    function called(...all: unknown[]) {
      const site = callSite(called)
      const verdict = call(...all)
      return {
        // biome-ignore lint/suspicious/noThenProperty: that is what it is for
        then: (judge: Judge, otherwise?: (error: unknown) => unknown) =>
          verdict.then((value) => judged(judge, value, site), otherwise),
      }
    }
    return [name, called]
  })
  return Object.fromEntries(entries)
}

type Judge = (verdict: Verdict) => unknown

function judged(judge: Judge, verdict: Verdict, site: CallSite): unknown {
  try {
    return judge(verdict)
  } catch (error) {
    throw thrownAt(site, error)
  }
}
