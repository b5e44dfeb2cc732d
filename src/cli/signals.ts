/** Signals of the command line: the first one ends it in order, a second one at once. */

/** The signals with which a terminal, a supervisor or a shell ends a process, and their numbers. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGTERM: 15 } as const

/**
 * Milliseconds within which a second signal counts as the first one: npm also forwards a signal of the terminal to
 * its child, so that one Ctrl-C arrives twice.
 */
const SAME_MS = 500
/** Milliseconds after which a message reports that work is still in progress. */
const PATIENCE_MS = 1_000

/**
 * Calls `end` at the first signal, and ends the process at once at a second one. `warn` prints a message for both.
 */
export function endOnSignals(end: () => Promise<void>, warn: (text: string) => void): void {
  let endingSinceMs: number | undefined
  const onSignal = (number: number) => {
    if (endingSinceMs === undefined) {
      endingSinceMs = performance.now()
      setTimeout(
        () => warn('ending, when what is being done is done; another signal (Ctrl-C) ends at once'),
        PATIENCE_MS,
      ).unref()
      void end()
    } else if (performance.now() - endingSinceMs > SAME_MS) {
      warn('ended at once by a second signal: what was not written yet is lost')
      process.exit(128 + number)
    }
  }
  for (const [signal, number] of Object.entries(SIGNALS)) process.on(signal, () => onSignal(number))
}
