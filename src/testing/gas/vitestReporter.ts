/**
 * `preseal/vitest/gas`, a reporter of vitest: `reporters: ['default', 'preseal/vitest/gas']`. Prints the gas of all
 * transactions of the run by contract and function.
 *
 * It adds a setup file (`vitestSetup.ts`) to the tests, which measures, and hands the figures of each test file to the
 * reporter as `meta` of the file. That needs no disk, works in all pools, and vitest replaces it if the file runs again.
 */
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GasMeasurement } from '../../gasOfDevnets.ts'
import type { GasFigures } from '../../solidity/gas/figures.ts'
import { type GasReportOptions, reportGas } from './output.ts'
import { changesText, type SnapshotChange } from './snapshotChanges.ts'
import { FIGURES_META, SNAPSHOTS_META } from './vitestMeta.ts'

export type { GasReportOptions } from './output.ts'

/** The members of vitest (3 and later) that are used here. */
interface Vitest {
  readonly projects: readonly {
    readonly config: { readonly setupFiles: string[]; readonly globalSetup?: readonly string[] | string }
  }[]
  readonly state: { getFiles(): readonly { readonly filepath: string; readonly meta: object }[] }
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
  /** Measures the chains of the port that `preseal/vitest/setup` shares: they are in this process. */
  #ofSetup: GasMeasurement | undefined

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

  /** Called by vitest at the beginning of each run, before it calls the functions of `globalSetup`. */
  async onTestRunStart(): Promise<void> {
    this.#ofSetup?.end()
    this.#ofSetup = undefined
    if (!this.#vitest?.projects.some(({ config }) => (config.globalSetup?.length ?? 0) > 0)) return
    const { measureGas } = await import('../../gasOfDevnets.ts')
    this.#ofSetup = measureGas()
  }

  /** Called by vitest at the end of each run; in watch mode with the files that did not run again, too. */
  async onTestRunEnd(): Promise<void> {
    const files = this.#vitest?.state.getFiles() ?? []
    const figures = files.map(({ meta }) => (meta as FileMeta)[FIGURES_META] ?? [])
    await this.#ofSetup?.loadArtifacts()
    figures.push(this.#ofSetup?.figures() ?? [])
    const changes = files.map(({ filepath, meta }) => [relative('', filepath), taken(meta)] as const)
    const texts = [reportGas(figures, this.#options), changesText(changes)].filter((text) => text !== '')
    this.#vitest?.logger.log(`\n${texts.join('\n\n')}\n`)
  }
}

interface FileMeta {
  readonly [FIGURES_META]?: GasFigures
  [SNAPSHOTS_META]?: readonly SnapshotChange[]
}

/** Returns the changes of a file, and takes them out of its `meta`: in watch mode they are told once. */
function taken(meta: FileMeta): readonly SnapshotChange[] {
  const changes = meta[SNAPSHOTS_META] ?? []
  delete meta[SNAPSHOTS_META]
  return changes
}
