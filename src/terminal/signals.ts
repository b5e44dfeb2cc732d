/** Handles signals: the first ends the command after its current work, the second ends the process immediately. */

import { afterTurns } from '../sequencer/clock.ts'

/** Signals that end a process, sent by a terminal, a supervisor or a shell, with their numbers. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGTERM: 15 } as const

/**
 * Milliseconds during which a second signal is ignored: npm forwards signals to its child, so one Ctrl-C arrives twice.
 * Counted in turns of the event loop, because writing a large state may block the loop in between.
 */
const SAME_MS = 500
/** Milliseconds after which a message says that work is still in progress. */
const PATIENCE_MS = 1_000

/** Calls `end` at the first signal; warns if `end` takes long. At the second signal, warns and exits immediately. */
export function endOnSignals(end: () => Promise<void>, warn: (text: string) => void): void {
  let isEnding = false
  let isSame = true
  const onSignal = (number: number) => {
    if (!isEnding) {
      isEnding = true
      afterDelay(SAME_MS, () => {
        isSame = false
        afterDelay(PATIENCE_MS - SAME_MS, () =>
          warn('stopping after the current work; press Ctrl-C again to stop immediately'),
        )
      })
      void end()
    } else if (!isSame) {
      warn('stopped immediately by a second signal: unwritten data is lost')
      process.exit(128 + number)
    }
  }
  for (const [signal, number] of Object.entries(SIGNALS)) process.on(signal, () => onSignal(number))
}

/** Calls `then` after `ms` milliseconds, counted in turns of the event loop. Does not keep the process alive. */
function afterDelay(ms: number, then: () => void): void {
  afterTurns(ms, then, (turnMs, next) => {
    const timer = setTimeout(next, turnMs).unref()
    return () => clearTimeout(timer)
  })
}
