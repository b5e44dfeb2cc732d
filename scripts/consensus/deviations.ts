/** Tests with another outcome by design, and slow tests: each with its reason. */

/** Blocks that are invalid for a reason that is not checked here. */
export interface Deviation {
  /** Exceptions of the tests. A test that names one of these and passes is a failure. */
  readonly exceptions: readonly string[]
  /** The actual outcome of such a block: `imported`, or another reason of refusal. */
  readonly got: readonly string[]
  readonly because: string
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    exceptions: ['InvalidBlockNonce', 'InvalidBlockMixHash', 'InvalidProofOfWork'],
    got: ['imported', 'differs stateRoot'],
    because:
      'proofs of work are not verified: a header with a wrong proof is refused for other faults of its block, or not at all',
  },
]

/** Tests that may need more than the standard time. Samples leave them out. */
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

export function isSlow(test: string): boolean {
  return limitOf(test, 0) > 0
}

/** The time limit of the test of this name in seconds; `standard` for tests that are not slow. */
export function limitOf(test: string, standard: number): number {
  const slow = SLOW.find((one) => one.test.test(test))
  return slow === undefined ? standard : Math.max(standard, slow.limitSeconds)
}
