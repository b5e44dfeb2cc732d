/** What a matcher answers, as vitest, Jest and Playwright want it. */
export interface Verdict {
  readonly pass: boolean
  /** What is wrong: where it does not pass, or where it passes and stands behind `not`. */
  readonly message: () => string
}
