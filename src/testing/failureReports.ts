/** The interface by which test fixtures make reports of failed tests. The room `reports` implements it. */
import { type FoundStory, observeStories, type PlayAgain } from '../explore/found.ts'
import type { Devnet } from '../index.ts'
import { failureReports } from '../reports/tests/failureReports.ts'

/** The report of one test. It is created before the test's devnet. */
export interface FailureReport<Test> {
  /** Begins to record `devnet`, on which the test runs. */
  begin(devnet: Devnet): Promise<void>
  /** Writes the report if the test has failed. */
  write(test: Test): Promise<void>
  end(): Promise<void>
}

export interface FailureReports {
  /** Returns whether failed tests are reported. `wanted` is the option `reportOnFailure`. */
  areWanted(wanted?: boolean | string): boolean
  /** Returns the report of a vitest test; `undefined` if `wanted`, the option `reportOnFailure`, requests no report. */
  ofVitest(wanted: boolean | string | undefined): FailureReport<VitestTest> | undefined
  /** Adds a chain of the shared port to the report if `test` failed. Must be called before the chain is deleted. */
  takeChain(devnet: Devnet, test: VitestTest, chain: ReportedChain): Promise<void>
  /** Adds a story that an exploration found to the report of the running test. */
  takeStory(found: FoundStory, playAgain: PlayAgain): Promise<void>
  ofPlaywright(): FailureReport<PlaywrightTest>
  ofNodeTest(): FailureReport<NodeTest>
}

export interface VitestTest extends SuiteOrTest {
  readonly id: string
  readonly file: { readonly filepath: string; readonly projectName?: string | undefined }
  readonly fails?: boolean | undefined
  /** Exists if vitest's option `includeTaskLocation` is set. */
  readonly location?: { readonly line: number } | undefined
  readonly result?:
    | {
        state: string
        readonly errors?: readonly { message: string }[] | undefined
        readonly retryCount?: number | undefined
      }
    | undefined
  /** The maximum number of times that vitest repeats a failed test. */
  readonly retry?: number | { readonly count?: number | undefined } | undefined
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
  readonly file: string
  readonly line: number
  readonly errors: readonly object[]
  readonly retry: number
  readonly project: { readonly retries: number }
  readonly attachments: readonly { readonly path?: string | undefined }[]
  outputPath(name: string): string
  attach(name: string, options: { path: string; contentType: string }): Promise<void>
}

/** The context `t` of a test of node:test. */
export interface NodeTest {
  readonly name: string
  readonly fullName?: string | undefined
  readonly filePath?: string | undefined
  readonly passed?: boolean | undefined
  readonly error?: unknown
  after(hook: () => Promise<void>): void
  diagnostic(text: string): void
}

/**
 * Records `devnet`, its forks and later devnets of the test `t` of node:test. If the test fails, writes reports to
 * `preseal-reports`, or to the folder in the environment variable `PRESEAL_REPORT_ON_FAILURE`, and prints the paths.
 */
export async function reportOnFailure(t: NodeTest, devnet: Devnet): Promise<void> {
  const report = REPORTS?.ofNodeTest()
  if (report === undefined) return
  t.after(() => report.write(t).finally(() => report.end()))
  await report.begin(devnet)
}

export const REPORTS: FailureReports | undefined = failureReports

if (REPORTS !== undefined) observeStories(REPORTS.takeStory)
