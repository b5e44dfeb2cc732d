/** The matchers as vitest's `expect.extend` takes them. */
import { type CallSite, thrownAt } from '../../model/callSite.ts'
import { locatedBy } from '../matchers/locatedBy.ts'
import { atTest, testSite } from '../matchers/traced.ts'
import type { Verdict } from '../matchers/verdict.ts'
import { requireAwait, type Task } from './requireAwait.ts'
import { runnerState } from './runnerState.ts'

/**
 * Returns `matchers` for `expect.extend`. vitest creates the error of a verdict in a `then` callback, where the stack
 * has lost the line of the test unless the test awaits. So the result is a promise, as its class says (vitest 3.0 looks at that), whose
 * `then` keeps the line. It returns what the test gets: a thenable that fails the test if it is not awaited.
 */
export function matchersOfVitest<All extends Readonly<Record<string, Matcher>>>(matchers: All): All {
  const entries = Object.entries(matchers).map(([name, matcher]) => {
    const call = matcher as unknown as (...all: unknown[]) => Promise<Verdict>
    function called(this: State, ...all: unknown[]) {
      const site = testSite(called)
      const verdict = call.apply(runnerState(this), all)
      return Object.assign(Object.create(Promise.prototype), {
        // biome-ignore lint/suspicious/noThenProperty: that is what it is for
        then: (judge: Judge) => {
          const judged = verdict.then(
            (value) => judgedAt(site, judge, value),
            (error) => {
              throw atTest(site, error)
            },
          )
          const { task, isNot, soft } = this
          // `expect.soft` awaits by itself and records the failure.
          if (task === undefined || soft) return judged
          return requireAwait(judged, task, { site, text: `expect(…)${isNot ? '.not' : ''}.${name}(…)` })
        },
      })
    }
    return [name, called]
  })
  return Object.fromEntries(entries)
}

type Matcher = (given: never, ...expected: never[]) => Promise<Verdict>
type Judge = (verdict: Verdict) => unknown

/** The state that vitest binds to `this` of a matcher. `task` is the running test; none outside of tests. */
interface State {
  readonly task?: Task | undefined
  readonly isNot?: boolean
  readonly soft?: boolean
}

async function judgedAt(site: CallSite, judge: Judge, verdict: Verdict): Promise<unknown> {
  try {
    return judge(verdict)
  } catch (error) {
    if (error instanceof Error) await locatedBy(verdict.where, error)
    throw thrownAt(site, error)
  }
}
