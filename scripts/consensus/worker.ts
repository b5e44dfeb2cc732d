/** A process that plays tests, one after the other, and reports each outcome. */
import { type Engine, isEngine } from './engines.ts'
import { parseFixture, Unplayable } from './fixture.ts'
import { play } from './play.ts'
import { verdict } from './verdict.ts'
import type { FromWorker, ToWorker } from './workers.ts'

const [engine = ''] = process.argv.slice(2)
if (!isEngine(engine)) throw new Error(`unknown engine ${engine}`)

process.on('message', playLine)
// The parent has ended.
process.on('disconnect', () => process.exit())

async function playLine({ text, place }: ToWorker): Promise<void> {
  const start = performance.now()
  try {
    const fixture = parseFixture(text, place)
    const played = verdict(fixture, await play(fixture, engine as Engine))
    tell({ kind: 'ended', verdict: played, milliseconds: performance.now() - start })
  } catch (error) {
    if (error instanceof Unplayable) return tell({ kind: 'unplayable', message: error.message })
    const reasons = ['it threw', error instanceof Error ? (error.stack ?? error.message) : String(error)]
    tell({ kind: 'ended', verdict: { kind: 'fail', reasons }, milliseconds: performance.now() - start })
  }
}

function tell(message: FromWorker): void {
  process.send!(message)
}
