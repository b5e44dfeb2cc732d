/**
 * `preseal/vitest/coverage`, a reporter of vitest: `reporters: ['default', 'preseal/vitest/coverage']`. Reports which functions,
 * statements, branches and lines of Solidity the tests ran. The setup file that it adds (`vitestSetup.ts`) collects which code ran.
 */
import type { Collection } from '../../coverageOfDevnets.ts'
import { type LeftRun, leftRun } from '../../coverageOfProcess.ts'
import { folderInEnvironment } from '../nodeTest.ts'
import { addSetupBeside, handedOver, hasGlobalSetup, type Vitest } from '../vitest.ts'
import { type CoverageReportOptions, reportCoverage } from './output.ts'
import { FOLDER, META } from './vitestMeta.ts'

export type { CoverageReportOptions, CoverageThresholds } from './output.ts'

/** Options of the reporter. */
export interface VitestCoverageOptions extends CoverageReportOptions {
  /**
   * Whether it reports; `'with vitest'`: if vitest's own coverage is on (`--coverage`). By default it does. The environment variable
   * `PRESEAL_COVERAGE` decides where it is `1` or `0`.
   */
  readonly enabled?: boolean | 'with vitest' | undefined
}

export default class CoverageReporter {
  readonly #options: VitestCoverageOptions
  /** `undefined`: it is not enabled. */
  #run: { readonly vitest: Vitest; readonly folder: string } | undefined

  /** Collects what chains run that `preseal/vitest/setup` serves: they are in this process. */
  #ofSetup: Collection | undefined

  constructor(options: VitestCoverageOptions = {}) {
    this.#options = options
  }

  /** Called by vitest when it begins. */
  onInit(vitest: Vitest): void {
    if (!this.#isEnabled(vitest)) return
    this.#run = { vitest, folder: folderInEnvironment(FOLDER) }
    addSetupBeside(import.meta.url, vitest)
  }

  #isEnabled({ config }: Vitest): boolean {
    const said = process.env.PRESEAL_COVERAGE
    if (said === '1' || said === '0') return said === '1'
    const { enabled = true } = this.#options
    return enabled === 'with vitest' ? config.coverage?.enabled === true : enabled
  }

  /** Called by vitest at the beginning of each run, before it calls the functions of `globalSetup`. */
  async onTestRunStart(): Promise<void> {
    this.#ofSetup?.end()
    this.#ofSetup = undefined
    if (this.#run === undefined || !hasGlobalSetup(this.#run.vitest)) return
    const { collectRun } = await import('../../coverageOfDevnets.ts')
    this.#ofSetup = collectRun()
  }

  /** Called by vitest at the end of each run; in watch mode with the files that did not run again, too. */
  async onTestRunEnd(): Promise<void> {
    if (this.#run === undefined) return
    const { vitest, folder } = this.#run
    const runs = handedOver<LeftRun>(vitest, META)
    if (this.#ofSetup !== undefined) runs.push(leftRun(folder, this.#ofSetup.ran()))
    const failures = await reportCoverage(runs, folder, this.#options, (text) => vitest.logger.log(text))
    for (const failure of failures) vitest.logger.error(failure)
    if (failures.length > 0) process.exitCode = 1
  }
}
