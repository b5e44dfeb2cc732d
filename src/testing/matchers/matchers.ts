/**
 * All matchers, for `expect.extend(matchers)` of Jest and Playwright. `preseal/vitest` extends vitest's `expect` with
 * them; `assertThat` offers them without `expect`.
 */
import { toBePreconfirmed, toBeSealed } from './toBeSealed.ts'
import { toChangeBalance, toChangeTokenBalance } from './toChangeBalance.ts'
import { toEmit } from './toEmit.ts'
import { toRevert, toRevertWith } from './toRevert.ts'
import { traced } from './traced.ts'

export const matchers = {
  toRevert: traced(toRevert),
  toRevertWith: traced(toRevertWith),
  toEmit: traced(toEmit),
  toChangeBalance: traced(toChangeBalance),
  toChangeTokenBalance: traced(toChangeTokenBalance),
  toBePreconfirmed: traced(toBePreconfirmed),
  toBeSealed: traced(toBeSealed),
}
