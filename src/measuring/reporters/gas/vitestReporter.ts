/**
 * `preseal/vitest/gas`, a reporter of vitest: `reporters: ['default', 'preseal/vitest/gas']`. Prints the gas of all
 * transactions of the run by contract and function. The setup file that it adds (`vitestSetup.ts`) measures.
 */
import { relative } from 'node:path'
import type { GasFigures } from '../../../solidity/gas/figures.ts'
import {
  changesText,
  FIGURES_META,
  SNAPSHOTS_META,
  type SnapshotChange,
} from '../../../testing/gas/snapshots.ts'
import type { GasMeasurement } from '../../gasOfDevnets.ts'
import { addSetupBeside, hasGlobalSetup, type Vitest } from '../vitest.ts'
import { type GasReportOptions, reportGas } from './output.ts'

export type { GasReportOptions } from './output.ts'

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
    addSetupBeside(import.meta.url, vitest)
  }

  /** Called by vitest at the beginning of each run, before it calls the functions of `globalSetup`. */
  async onTestRunStart(): Promise<void> {
    this.#ofSetup?.end()
    this.#ofSetup = undefined
    if (this.#vitest === undefined || !hasGlobalSetup(this.#vitest)) return
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
