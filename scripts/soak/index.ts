/**
 * Tests under load in real time: the longer they run, the more they find.
 *
 *   npm run soak                                 all of them
 *   npm run soak -- subscribers --seconds 5      this one, and shorter or longer than its half minute
 *   npm run soak -- --shared                     on a busy machine
 *
 * Exits with 1 and a message where a promise does not hold.
 */
import { parseArgs } from 'node:util'
import { hostile } from './hostile.ts'
import { subscribers } from './subscribers.ts'
import { Broken, type Machine } from './ticks.ts'

/** Each runs for `seconds` and returns the lines of its report. Throws `Broken` for a broken promise. */
const SOAKS: Record<string, (seconds: number, machine: Machine) => Promise<readonly string[]>> = {
  hostile,
  subscribers,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '30' }, shared: { type: 'boolean', default: false } },
})
const seconds = Number(values.seconds)
const unknown = positionals.find((name) => !Object.hasOwn(SOAKS, name))
if (unknown !== undefined) stop(2, `there is no soak ${unknown}; there are ${Object.keys(SOAKS).join(', ')}`)
if (!(seconds >= 1)) stop(2, `--seconds: expected a number of at least 1, got ${values.seconds}`)
for (const name of positionals.length > 0 ? positionals : Object.keys(SOAKS)) {
  try {
    for (const line of await SOAKS[name]!(seconds, values.shared ? 'shared' : 'own'))
      console.log(`${name}: ${line}`)
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    stop(1, `${name}: ${error.message}`)
  }
}

function stop(code: 1 | 2, message: string): never {
  console.error(`soak: ${message}`)
  process.exit(code)
}
