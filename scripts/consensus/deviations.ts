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

/** Tests that may need more than the standard time, and that are left out where only a part is played. */
export interface Slow {
  readonly test: RegExp
  readonly limitSeconds: number
  readonly because: string
}

export const SLOW: readonly Slow[] = [
  {
    test: /Call50000(bytes|_\w+)?/,
    limitSeconds: 900,
    because:
      'fifty thousand calls in one transaction, up to 50,000 bytes each: copies and precompiles take 1 to 10 s of processor time, and EthereumJS 0.1 ms more for the promises of each call',
  },
  {
    test: /DelegateCallSpam|Call1024PreCalls|CallRecursiveBombPreCall|LoopCallsThenRevert|Create1000|Create2Recursive/,
    limitSeconds: 900,
    because:
      'thousands of calls or creations within each other: EthereumJS makes a frame and several promises for each, 2 to 5 s of processor time',
  },
]

/** Whether the test of this name is among them. */
export function isSlow(test: string): boolean {
  return SLOW.some((one) => one.test.test(test))
}

/** Seconds that the test of this name may take; `standard` is what those have that are not named. */
export function limitOf(test: string, standard: number): number {
  const slow = SLOW.find((one) => one.test.test(test))
  return slow === undefined ? standard : Math.max(standard, slow.limitSeconds)
}
