/**
 * `preseal/node-test/gas`, a reporter of node:test:
 * `node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=preseal/node-test/gas
 * --test-reporter-destination=stdout`. Prints the gas of all transactions of the run by contract and function.
 */
import type { GasFigures } from '../../../solidity/gas/figures.ts'
import { gasTables } from '../../gas.ts'
import { folderInEnvironment, GAS_FOLDER } from '../../results.ts'
import { nodeTestReporter } from '../frame.ts'

/** Yields the tables at the end of the run; in watch mode after each run. */
export default nodeTestReporter<GasFigures>(
  folderInEnvironment(GAS_FOLDER),
  (figures) => `\n${gasTables(figures, {})}\n`,
)
