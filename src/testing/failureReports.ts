/** The interface of reports of tests that fail, which the room `reports` implements. */
import type { Devnet } from '../index.ts'
import { failureReports } from '../reports/tests/failureReports.ts'

/** The report of one test. It begins before the test is set up. */
export interface FailureReport<Test> {
  /** Begins the test, whose devnet is `devnet`. */
  begin(devnet: Devnet): Promise<void>
  /** Writes the report if the test has failed. */
  write(test: Test): Promise<void>
  end(): Promise<void>
}

export interface FailureReports {
  /** Returns whether tests that fail have reports where no option decides. */
  areWanted(): boolean
  /** `wanted`: the option `reportOnFailure`. Returns `undefined` if tests that fail have no reports. */
  ofVitest(wanted: boolean | string | undefined): FailureReport<VitestTest> | undefined
  /** Adds a chain of the shared port, before it is deleted, to the report of a failed test, whose devnet is `devnet`. */
  takeChain(devnet: Devnet, test: VitestTest, chain: ReportedChain): Promise<void>
  ofPlaywright(): FailureReport<PlaywrightTest>
}

/** The members of a vitest test that are used here. */
export interface VitestTest extends SuiteOrTest {
  readonly id: string
  readonly file: { readonly filepath: string; readonly projectName?: string | undefined }
  /** Whether the test is expected to fail. */
  readonly fails?: boolean | undefined
  readonly result?:
    | { state: string; readonly errors?: readonly { message: string }[] | undefined }
    | undefined
  /** `annotate`: since vitest 3.2. */
  readonly context: { readonly annotate?: (message: string, attachment: object) => Promise<unknown> }
}

export interface SuiteOrTest {
  readonly name: string
  readonly suite?: SuiteOrTest | undefined
}

/** A chain of the shared port, and whether it is recorded. */
export interface ReportedChain {
  readonly url: string
  readonly isRecorded: boolean
}

/** The members of a Playwright test that are used here. */
export interface PlaywrightTest {
  readonly status?: string | undefined
  readonly expectedStatus: string
  readonly titlePath: readonly string[]
  outputPath(name: string): string
  attach(name: string, options: { path: string; contentType: string }): Promise<void>
}

export const REPORTS: FailureReports | undefined = failureReports
