/** The matchers without `expect`: for `node:assert`, or in a script. */
import { thrownAt } from '../../model/callSite.ts'
import type { RunnerState } from '../gas/snapshots.ts'
import { MATCHERS } from './matchers.ts'
import { atTest, testSite } from './traced.ts'
import type { DevnetMatchers } from './types.ts'
import type { Verdict } from './verdict.ts'
import { locatedBy } from './verdict.ts'

/** The error of a failed assertion. Test runners recognise it by its code, like those of `node:assert`. */
export class AssertionFailed extends Error {
  readonly code = 'ERR_ASSERTION'
  readonly generatedMessage = false

  constructor(message: string) {
    super(message)
    this.name = 'AssertionError'
  }
}

/**
 * Returns the matchers for a value: `await assertThat(promise).toRevertWith(abi, 'TooFew')`, `await
 * assertThat(hash).not.toEmit(abi, 'Sold')`. They reject with an `AssertionFailed`, whose message has the actual
 * outcome.
 */
export function assertThat(given: unknown): DevnetMatchers & { readonly not: DevnetMatchers } {
  return { ...bound(given, true), not: bound(given, false) }
}

type Matcher = (given: unknown, ...expected: unknown[]) => Promise<Verdict>

function bound(given: unknown, wanted: boolean): DevnetMatchers {
  const bindings = Object.entries(MATCHERS as unknown as Readonly<Record<string, Matcher>>).map(
    ([name, matcher]) => [
      name,
      async function called(...expected: unknown[]) {
        const site = testSite(called)
        const state: RunnerState = { isNot: !wanted, site }
        const { pass, message, where } = await matcher.call(state, given, ...expected).catch((error) => {
          throw atTest(site, error)
        })
        if (pass !== wanted) {
          throw thrownAt(site, await locatedBy(where, new AssertionFailed(message())))
        }
      },
    ],
  )
  return Object.fromEntries(bindings)
}
