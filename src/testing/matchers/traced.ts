/** Matchers whose failures have the stack trace of the test that called them, whether it awaits them or not. */
import { type CallSite, callSite, thrownAt } from '../../model/callSite.ts'
import type { Verdict } from './verdict.ts'

type Matcher = (given: never, ...expected: never[]) => Promise<Verdict>

/** An error of the test's own code, which a matcher passes on as it is. */
export class Foreign {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** `matcher`, which rejects at the line of the test. */
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
 * `matchers` for vitest's `expect.extend`. vitest makes the error of a verdict in a `then` of its own, where the test's line is
 * not known any more unless the test awaits; so what it is given is not a promise, but something whose `then` knows the line.
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
