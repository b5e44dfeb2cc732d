/**
 * `preseal/node-test/coverage`, a reporter of node:test:
 * `node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=preseal/node-test/coverage
 * --test-reporter-destination=stdout`. Reports which Solidity functions, statements, branches and lines the tests ran.
 */
import type { ProcessHits } from '../../coverage.ts'
import { COVERAGE_FOLDER, folderInEnvironment } from '../../results.ts'
import { type NodeTestReporter, nodeTestReporter } from '../frame.ts'
import { type CoverageReportOptions, writeCoverage } from './coverageReport.ts'

export type { NodeTestReporter } from '../frame.ts'
export type { CoverageReportOptions, CoverageThresholds } from './coverageReport.ts'

const folder = folderInEnvironment(COVERAGE_FOLDER)

/** Returns a reporter with options. Export it as the default of a module, and give that module to `--test-reporter`. */
export function coverageReporter(options: CoverageReportOptions = {}): NodeTestReporter {
  return nodeTestReporter<ProcessHits>(folder, async (runs) => {
    const lines: string[] = []
    const failures = await writeCoverage(runs, folder, options, (text) => lines.push(text))
    if (failures.length > 0) process.exitCode = 1
    return [...lines, ...failures].map((text) => `${text}\n`).join('')
  })
}

/** Reports coverage at the end of the run; in watch mode after each run. */
export default coverageReporter()
