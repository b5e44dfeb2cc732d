/**
 * `preseal/node-test/gas`, a reporter of node:test:
 * `node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=preseal/node-test/gas
 * --test-reporter-destination=stdout`. Prints the gas of all transactions of the run by contract and function.
 *
 * node:test loads reporters before it starts the processes of the test files. So they find the folder for their figures in
 * the environment.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeMeasured } from '../../gasOfProcess.ts'
import type { GasFigures } from '../../solidity/gas/figures.ts'
import { reportGas } from './output.ts'

const folder = mkdtempSync(join(tmpdir(), 'preseal-gas-'))
process.env.PRESEAL_GAS_FOLDER = folder
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** An event of node:test. */
interface TestEvent {
  readonly type: string
}

/** Yields the tables at the end of the run; in watch mode after each run. */
export default async function* gas(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  let isReported = false
  for await (const { type } of events) {
    isReported = type === 'test:watch:drained'
    if (isReported) yield await report()
  }
  if (!isReported) yield await report()
}

async function report(): Promise<string> {
  // With `--test-isolation=none` the tests ran in this process.
  await writeMeasured()
  return `\n${reportGas(figuresIn(folder), {})}\n`
}

function figuresIn(folder: string): GasFigures[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}
