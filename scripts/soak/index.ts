/**
 * What only shows after a while, under load, in real time: the longer it runs the more it says.
 *
 *   npm run soak                                 all of them
 *   npm run soak -- subscribers --seconds 5      this one, and shorter or longer than its half minute
 *   npm run soak -- --shared                     on a machine that has other things to do, too
 *
 * Exits with 0 where all is as promised, with 1 where something is not, and says what.
 */
import { parseArgs } from 'node:util'
import { Broken } from './broken.ts'
import { hostile } from './hostile.ts'
import { subscribers } from './subscribers.ts'
import type { Machine } from './ticks.ts'

/** Each runs for so many seconds and answers what it has seen, line by line. Throws `Broken` for a broken promise. */
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
