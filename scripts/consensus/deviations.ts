/** The tests that do not end as they say, by design, and those that take long: each with its reason. */

/** Blocks that have to be refused for something that is not looked at here. */
export interface Deviation {
  /** What the tests name. A test that names one of these and passes is a failure. */
  readonly exceptions: readonly string[]
  /** What happens to such a block: it is imported, or refused for this. */
  readonly got: readonly string[]
  readonly because: string
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    exceptions: ['InvalidBlockNonce', 'InvalidBlockMixHash', 'InvalidProofOfWork'],
    got: ['imported', 'differs stateRoot'],
    because:
      'proofs of work are not verified: a header whose proof is wrong is refused for what else is wrong with its block, or not at all',
  },
]

/** Tests that need more than the standard time. */
export interface Slow {
  readonly test: RegExp
  readonly limitSeconds: number
  readonly because: string
}

export const SLOW: readonly Slow[] = []

/** Seconds that the test of this name may take; `standard` is what those have that are not named. */
export function limitOf(test: string, standard: number): number {
  const slow = SLOW.find((one) => one.test.test(test))
  return slow === undefined ? standard : Math.max(standard, slow.limitSeconds)
}
