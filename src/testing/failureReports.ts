/** The interface of reports of failed tests. The room `reports` implements it. */
import type { Devnet } from '../index.ts'
import { failureReports } from '../reports/tests/failureReports.ts'

/** The report of one test, created before the test is set up. */
export interface FailureReport<Test> {
  /** Begins the test on `devnet`. */
  begin(devnet: Devnet): Promise<void>
  /** Writes the report if the test has failed. */
  write(test: Test): Promise<void>
  end(): Promise<void>
}

export interface FailureReports {
  /** Returns whether failed tests have reports, if no option says so. */
  areWanted(): boolean
  /** `wanted` is the option `reportOnFailure`. Returns `undefined` if failed tests have no reports. */
  ofVitest(wanted: boolean | string | undefined): FailureReport<VitestTest> | undefined
  /** Adds a chain of the shared port to the report of the failed test on `devnet`, before the chain is deleted. */
  takeChain(devnet: Devnet, test: VitestTest, chain: ReportedChain): Promise<void>
  ofPlaywright(): FailureReport<PlaywrightTest>
}

export interface VitestTest extends SuiteOrTest {
  readonly id: string
  readonly file: { readonly filepath: string; readonly projectName?: string | undefined }
  /** Whether the test is marked as expected to fail. */
  readonly fails?: boolean | undefined
  readonly result?:
    | { state: string; readonly errors?: readonly { message: string }[] | undefined }
    | undefined
  /** `annotate` exists since vitest 3.2. */
  readonly context: { readonly annotate?: (message: string, attachment: object) => Promise<unknown> }
}

export interface SuiteOrTest {
  readonly name: string
  readonly suite?: SuiteOrTest | undefined
}

export interface ReportedChain {
  readonly url: string
  readonly isRecorded: boolean
}

export interface PlaywrightTest {
  readonly status?: string | undefined
  readonly expectedStatus: string
  readonly titlePath: readonly string[]
  outputPath(name: string): string
  attach(name: string, options: { path: string; contentType: string }): Promise<void>
}

export const REPORTS: FailureReports | undefined = failureReports
