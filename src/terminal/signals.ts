/** Handles signals: the first ends the command after its current work, the second ends the process immediately. */

import { afterTurns } from '../sequencer/clock.ts'

/** Signals that end a process, sent by a terminal, a supervisor or a shell, with their numbers. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGTERM: 15 } as const

/**
 * Milliseconds during which a second signal is ignored. npm forwards a terminal's signal to its child, so one
 * Ctrl-C arrives twice. The time is counted in turns of the event loop, because writing a large state may block the
 * loop before the second signal is read.
 */
const SAME_MS = 500
/** Milliseconds after which a message says that work is still in progress. */
const PATIENCE_MS = 1_000

/**
 * Calls `end` at the first signal, and exits immediately at the second. `warn` prints a message if `end` takes
 * long, and at the second signal.
 */
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

/** Calls `then` after `ms` milliseconds, counted in turns of the event loop. Does not keep the process alive. */
function passing(ms: number, then: () => void): void {
  afterTurns(ms, then, (turnMs, next) => {
    const timer = setTimeout(next, turnMs).unref()
    return () => clearTimeout(timer)
  })
}
