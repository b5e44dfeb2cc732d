/** What signals do to the command line: the first one ends it in good order, another one at once. */

/** Those that a terminal, a supervisor or a shell ends a process with, and their numbers. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGTERM: 15 } as const

/**
 * A signal that comes so soon after the first is the same one: npm passes on what the terminal has sent to its child, too, and
 * one Ctrl-C arrives twice.
 */
const SAME_MS = 500
/** After which it is said that something is still being done. */
const PATIENCE_MS = 1_000

/** Calls `end` at the first signal, and ends the process at once at a second one. `warn` tells the user of both. */
export function endOnSignals(end: () => Promise<void>, warn: (text: string) => void): void {
  let endingSinceMs: number | undefined
  const hear = (number: number) => {
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
  for (const [signal, number] of Object.entries(SIGNALS)) process.on(signal, () => hear(number))
}
