/** The result of a matcher, as vitest, Jest and Playwright require it. */
export interface Verdict {
  readonly pass: boolean
  /** The message of the failure: of a failed match, or of a match under `not`. */
  readonly message: () => string
}
