/** The vitest reporter `preseal/vitest/gas`: prints the gas of the run's transactions by contract and function. */
import { relative } from 'node:path'
import type { GasFigures } from '../../../solidity/gas/figures.ts'
import {
  changesText,
  FIGURES_META,
  SNAPSHOTS_META,
  type SnapshotChange,
} from '../../../testing/gas/snapshots.ts'
import { type GasReportOptions, gasTables, measureGas } from '../../gas.ts'
import type { Measurement } from '../../results.ts'
import { type Vitest, VitestReporter } from '../frame.ts'

export type { GasReportOptions } from '../../gas.ts'

export default class GasReporter extends VitestReporter<GasFigures> {
  readonly #options: GasReportOptions

  constructor(options: GasReportOptions = {}) {
    super(import.meta.url, FIGURES_META)
    this.#options = options
  }

  protected prepare(): boolean {
    return true
  }

  protected measure(): Measurement<GasFigures> {
    return measureGas()
  }

  protected report(figures: readonly GasFigures[], { state, logger }: Vitest): void {
    const changes = state
      .getFiles()
      .map(({ filepath, meta }) => [relative('', filepath), taken(meta)] as const)
    const texts = [gasTables(figures, this.#options), changesText(changes)].filter((text) => text !== '')
    logger.log(`\n${texts.join('\n\n')}\n`)
  }
}

/** Removes the snapshot changes from a test file's `meta` and returns them, so that watch mode prints them once. */
function taken(meta: { [SNAPSHOTS_META]?: readonly SnapshotChange[] }): readonly SnapshotChange[] {
  const changes = meta[SNAPSHOTS_META] ?? []
  delete meta[SNAPSHOTS_META]
  return changes
}
