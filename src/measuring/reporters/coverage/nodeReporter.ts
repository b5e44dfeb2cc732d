/**
 * `preseal/node-test/coverage`, a reporter of node:test:
 * `node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=preseal/node-test/coverage
 * --test-reporter-destination=stdout`. Reports which functions, statements, branches and lines of Solidity the tests ran.
 */
import { type LeftRun, writeCollected } from '../../coverageOfProcess.ts'
import { atEndOfRun, folderInEnvironment, leftIn, type TestEvent } from '../nodeTest.ts'
import { type CoverageReportOptions, reportCoverage } from './output.ts'

export type { CoverageReportOptions, CoverageThresholds } from './output.ts'

const folder = folderInEnvironment('PRESEAL_COVERAGE_FOLDER')

/** A reporter of node:test: what it yields is printed. */
export type NodeTestReporter = (events: AsyncIterable<TestEvent>) => AsyncGenerator<string, void>

/** Returns a reporter with options: for a module of your own that exports it as its default, and is named as the reporter. */
export function coverageReporter(options: CoverageReportOptions = {}): NodeTestReporter {
  return (events) =>
    atEndOfRun(events, async () => {
      // With `--test-isolation=none` the tests ran in this process.
      await writeCollected()
      const said: string[] = []
      const failures = await reportCoverage(leftIn<LeftRun>(folder), folder, options, (text) =>
        said.push(text),
      )
      if (failures.length > 0) process.exitCode = 1
      return [...said, ...failures].map((text) => `${text}\n`).join('')
    })
}

/** Reports coverage at the end of the run; in watch mode after each run. */
export default coverageReporter()
