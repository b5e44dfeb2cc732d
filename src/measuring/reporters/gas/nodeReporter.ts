/**
 * `preseal/node-test/gas`, a reporter of node:test:
 * `node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=preseal/node-test/gas
 * --test-reporter-destination=stdout`. Prints the gas of all transactions of the run by contract and function.
 */

import type { GasFigures } from '../../../solidity/gas/figures.ts'
import { writeMeasured } from '../../gasOfProcess.ts'
import { atEndOfRun, folderInEnvironment, leftIn, type TestEvent } from '../nodeTest.ts'
import { reportGas } from './output.ts'

const folder = folderInEnvironment('PRESEAL_GAS_FOLDER')

/** Yields the tables at the end of the run; in watch mode after each run. */
export default async function* gas(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  yield* atEndOfRun(events, async () => {
    // With `--test-isolation=none` the tests ran in this process.
    await writeMeasured()
    return `\n${reportGas(leftIn<GasFigures>(folder), {})}\n`
  })
}
