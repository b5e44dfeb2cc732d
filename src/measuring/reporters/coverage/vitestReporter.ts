/**
 * `preseal/vitest/coverage`, a reporter of vitest: `reporters: ['default', 'preseal/vitest/coverage']`. Reports which
 * functions, statements, branches and lines of Solidity the tests ran.
 */
import { HITS_FOLDER, HITS_META, measureCoverage, type ProcessHits } from '../../coverage.ts'
import { folderInEnvironment, type Measurement } from '../../results.ts'
import { type Vitest, VitestReporter } from '../frame.ts'
import { type CoverageReportOptions, writeCoverage } from './coverageReport.ts'

export type { CoverageReportOptions, CoverageThresholds } from './coverageReport.ts'

/** Options of `preseal/vitest/coverage`. */
export interface VitestCoverageOptions extends CoverageReportOptions {
  /**
   * Whether the reporter is on. By default true. With `'with vitest'` it is on only if vitest's own coverage is on
   * (`--coverage`). The environment variable `PRESEAL_COVERAGE` (`1` or `0`) takes precedence.
   */
  readonly enabled?: boolean | 'with vitest' | undefined
}

export default class CoverageReporter extends VitestReporter<ProcessHits> {
  readonly #options: VitestCoverageOptions
  /** The folder in which workers store the code that ran. */
  #folder = ''

  constructor(options: VitestCoverageOptions = {}) {
    super(import.meta.url, HITS_META)
    this.#options = options
  }

  protected prepare(vitest: Vitest): boolean {
    if (!this.#isEnabled(vitest)) return false
    this.#folder = folderInEnvironment(HITS_FOLDER)
    return true
  }

  #isEnabled({ config }: Vitest): boolean {
    const variable = process.env.PRESEAL_COVERAGE
    if (variable === '1' || variable === '0') return variable === '1'
    const { enabled = true } = this.#options
    return enabled === 'with vitest' ? config.coverage?.enabled === true : enabled
  }

  protected measure(): Measurement<ProcessHits> {
    return measureCoverage(this.#folder)
  }

  protected async report(runs: readonly ProcessHits[], { logger }: Vitest): Promise<void> {
    const failures = await writeCoverage(runs, this.#folder, this.#options, (text) => logger.log(text))
    for (const failure of failures) logger.error(failure)
    if (failures.length > 0) process.exitCode = 1
  }
}
