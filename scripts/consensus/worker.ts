/** A process that plays tests, one after the other, and reports each outcome. */
import { Unplayable } from '../commandLine.ts'
import { parseFixture } from './fixture.ts'
import { type Engine, play } from './play.ts'
import { verdict } from './verdict.ts'
import type { FromWorker, ToWorker } from './workers.ts'

const engine = process.argv[2] as Engine

process.on('message', playLine)
// The parent has ended.
process.on('disconnect', () => process.exit())

async function playLine({ text, place }: ToWorker): Promise<void> {
  const start = performance.now()
  try {
    const fixture = parseFixture(text, place)
    const played = verdict(fixture, await play(fixture, engine))
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
