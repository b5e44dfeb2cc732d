/** Errors that escape from the app: rejections that nothing handles, and exceptions in listeners and timers. */
import { nextTurn } from '../../work/eventLoop.ts'

/** The events and functions of Node's `process` that are used here. Browsers have no such object. */
interface Process {
  listeners(event: string): ((...args: never[]) => void)[]
  on(event: string, listener: (error: unknown) => void): unknown
  removeAllListeners(event: string): unknown
  removeListener(event: string, listener: unknown): unknown
}

const EVENTS = ['unhandledRejection', 'uncaughtException']

/** Turns of the event loop after the last story, in which its late errors are still kept from other listeners. */
const LAST_TURNS = 5

/**
 * Runs `work`, and meanwhile passes escaped errors to `onError` and not to other listeners, such as those of a test
 * runner, for which an escaped error would be an error of the test run.
 */
export async function withEscaped<T>(onError: (error: unknown) => void, work: () => Promise<T>): Promise<T> {
  const { process } = globalThis as unknown as { process?: Process }
  if (process?.listeners === undefined) return work()
  const usual = EVENTS.map((event) => [event, process.listeners(event)] as const)
  for (const event of EVENTS) {
    process.removeAllListeners(event)
    process.on(event, onError)
  }
  try {
    return await work()
  } finally {
    for (let i = 0; i < LAST_TURNS; i++) await new Promise<void>((resolve) => nextTurn(resolve))
    for (const [event, listeners] of usual) {
      process.removeListener(event, onError)
      for (const listener of listeners) process.on(event, listener as (error: unknown) => void)
    }
  }
}
