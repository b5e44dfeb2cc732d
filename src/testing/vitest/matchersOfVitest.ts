/** The matchers as vitest's `expect.extend` takes them. */
import { type CallSite, thrownAt } from '../../model/callSite.ts'
import { atTest, testSite } from '../matchers/traced.ts'
import type { Verdict } from '../matchers/verdict.ts'

/**
 * Returns `matchers` for `expect.extend`. vitest creates the error of a verdict in a `then` callback, where the stack
 * has lost the line of the test unless the test awaits. So the result is a thenable whose `then` keeps the line.
 */
export function matchersOfVitest<All extends Readonly<Record<string, Matcher>>>(matchers: All): All {
  const entries = Object.entries(matchers).map(([name, matcher]) => {
    const call = matcher as unknown as (...all: unknown[]) => Promise<Verdict>
    function called(...all: unknown[]) {
      const site = testSite(called)
      const verdict = call(...all)
      return {
        // biome-ignore lint/suspicious/noThenProperty: that is what it is for
        then: (judge: Judge) =>
          verdict.then(
            (value) => judged(judge, value, site),
            (error) => {
              throw atTest(site, error)
            },
          ),
      }
    }
    return [name, called]
  })
  return Object.fromEntries(entries)
}

type Matcher = (given: never, ...expected: never[]) => Promise<Verdict>
type Judge = (verdict: Verdict) => unknown

function judged(judge: Judge, verdict: Verdict, site: CallSite): unknown {
  try {
    return judge(verdict)
  } catch (error) {
    throw thrownAt(site, error)
  }
}
