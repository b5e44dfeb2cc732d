/**
 * `preseal/vitest/gas`, a reporter of vitest: `reporters: ['default', 'preseal/vitest/gas']`. Prints the gas of all
 * transactions of the run by contract and function.
 *
 * It adds a setup file (`vitestSetup.ts`) to the tests, which measures, and hands the figures of each test file to the
 * reporter as `meta` of the file. That needs no disk, works in all pools, and vitest replaces it if the file runs again.
 */
import { fileURLToPath } from 'node:url'
import type { GasFigures } from '../../solidity/gas/figures.ts'
import { type GasReportOptions, reportGas } from './output.ts'
import { META } from './vitestMeta.ts'

export type { GasReportOptions } from './output.ts'

/** The members of vitest (3 and later) that are used here. */
interface Vitest {
  readonly projects: readonly { readonly config: { readonly setupFiles: string[] } }[]
  readonly state: { getFiles(): readonly { readonly meta: object }[] }
  readonly logger: { log(text: string): void }
}

/**
 * The setup file, which lies beside this one, as source and as published. vitest evaluates it for each test file, also
 * where files share their modules; but a module of a package only if its name ends like this one's.
 */
const SETUP = `${fileURLToPath(import.meta.url.replace(/vitestReporter\.(\w+)(\?.*)?$/, 'vitestSetup.$1'))}?init`

export default class GasReporter {
  readonly #options: GasReportOptions
  #vitest: Vitest | undefined

  constructor(options: GasReportOptions = {}) {
    this.#options = options
  }

  /** Called by vitest when it begins. */
  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    for (const { config } of vitest.projects) {
      if (!config.setupFiles.includes(SETUP)) config.setupFiles.unshift(SETUP)
    }
  }

  /** Called by vitest at the end of each run; in watch mode with the files that did not run again, too. */
  onTestRunEnd(): void {
    const files = this.#vitest?.state.getFiles() ?? []
    const figures = files.flatMap(({ meta }) => {
      const own = (meta as Record<string, GasFigures | undefined>)[META]
      return own === undefined ? [] : [own]
    })
    this.#vitest?.logger.log(`\n${reportGas(figures, this.#options)}\n`)
  }
}
