import type { SolidityStackTrace } from '../../index.ts'

/** The result of a matcher, as vitest, Jest and Playwright require it. */
export interface Verdict {
  readonly pass: boolean
  /** The message of the failure: of a failed match, or of a match under `not`. */
  readonly message: () => string
  /** Returns where in Solidity the code failed that the verdict is about; called only if the assertion fails. */
  readonly where?: () => Promise<SolidityStackTrace | undefined>
}
