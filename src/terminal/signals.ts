/** Signals of the command line: the first one ends it in order, a second one at once. */

import { afterTurns } from '../sequencer/clock.ts'

/** The signals with which a terminal, a supervisor or a shell ends a process, and their numbers. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGTERM: 15 } as const

/**
 * Milliseconds within which a second signal counts as the first: npm forwards a terminal's signal to its child, so that one Ctrl-C arrives
 * twice. Counted in turns of the event loop, because writing a large state may block the loop before the second signal is read.
 */
const SAME_MS = 500
/** Milliseconds after which a message reports that work is still in progress. */
const PATIENCE_MS = 1_000

/** Calls `end` at the first signal, and ends the process at once at a second one. `warn` prints a message for both. */
export function endOnSignals(end: () => Promise<void>, warn: (text: string) => void): void {
  let isEnding = false
  let isSame = true
  const onSignal = (number: number) => {
    if (!isEnding) {
      isEnding = true
      passing(SAME_MS, () => {
        isSame = false
        passing(PATIENCE_MS - SAME_MS, () =>
          warn('ending after the current work; another signal (Ctrl-C) ends at once'),
        )
      })
      void end()
    } else if (!isSame) {
      warn('ended at once by a second signal: data not yet written is lost')
      process.exit(128 + number)
    }
  }
  for (const [signal, number] of Object.entries(SIGNALS)) process.on(signal, () => onSignal(number))
}

/** Calls `then` after `ms` milliseconds in turns of the event loop, unless the process ends before. */
function passing(ms: number, then: () => void): void {
  afterTurns(ms, then, (turnMs, next) => {
    const timer = setTimeout(next, turnMs).unref()
    return () => clearTimeout(timer)
  })
}
