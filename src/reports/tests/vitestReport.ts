/** The reports of a vitest test that fails: its chains are recorded from the beginning of the test. */
import type { Devnet } from '../../devnet/devnet.ts'
import { RecordedChains } from './recordedChains.ts'
import { reportFolder } from './reportPath.ts'
import type { ReportedTest } from './vitestFailure.ts'

export type { ReportedTest } from './vitestFailure.ts'

const reports = new WeakMap<Devnet, VitestReport>()

/** Returns the report that the test of `devnet` has if it fails. */
export function reportOfTest(devnet: Devnet): VitestReport | undefined {
  return reports.get(devnet)
}

/** Begins the report of a test before it is set up; `undefined`: tests that fail have none. `wanted`: the option `reportOnFailure`. */
export function beginReport(wanted: boolean | string | undefined): VitestReport | undefined {
  const folder = reportFolder(wanted)
  return folder === undefined ? undefined : new VitestReport(folder)
}

class VitestReport {
  readonly #folder: string
  readonly #chains = new RecordedChains()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Begins the test, whose devnet is `devnet`. */
  async begin(devnet: Devnet): Promise<void> {
    await this.#chains.begin(devnet)
    reports.set(devnet, this)
  }

  /** Writes reports if the test has failed. */
  async write(test: ReportedTest): Promise<void> {
    const { reportIfFailed } = await import('./vitestFailure.ts')
    await reportIfFailed(test, this.#chains, this.#folder)
  }

  /** Adds a chain of another process that is about to be deleted, if the test has failed. `ask` resolves to its report. */
  async take(test: ReportedTest, ask: (title: string) => Promise<string>): Promise<void> {
    const { takeIfFailed } = await import('./vitestFailure.ts')
    await takeIfFailed(test, this.#chains, ask)
  }

  /** Ends the recordings. */
  async end(): Promise<void> {
    await this.#chains.end()
  }
}
