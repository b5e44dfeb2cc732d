/** All matchers. */
import { toCostGas } from '../gas/toCostGas.ts'
import { toChangeBalance, toChangeTokenBalance } from './toChangeBalance.ts'
import { toEmit } from './toEmit.ts'
import { toBePreconfirmed, toBeSealed, toRevert, toRevertWith } from './toRevert.ts'
import { traced } from './traced.ts'

/** @internal The matchers without the stack trace of the test. */
export const MATCHERS = {
  toRevert,
  toRevertWith,
  toEmit,
  toCostGas,
  toChangeBalance,
  toChangeTokenBalance,
  toBePreconfirmed,
  toBeSealed,
}

/**
 * All matchers, for `expect.extend(matchers)` of Jest and Playwright. `preseal/vitest` extends vitest's `expect` with
 * them; `assertThat` offers them without `expect`.
 */
export const matchers = traced(MATCHERS)
