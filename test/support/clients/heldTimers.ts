/** Timers of clients that a test lets pass, so that it does not depend on how long anything takes. */
import { onTestFinished, vi } from 'vitest'

/** Timers that wait for the test. */
export interface HeldTimers {
  /** How many wait. */
  readonly count: number
  /** Lets the time of all pass. */
  pass(): void
}

/**
 * Holds all timers of exactly `ms` milliseconds until the test ends; all others run as ever. `onCleared` is called after one of
 * them was cleared.
 */
export function holdTimers(ms: number, onCleared = () => {}): HeldTimers {
  const held = new Map<object, () => void>()
  const { setTimeout: set, clearTimeout: clear } = globalThis
  const setting = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    action: (...values: unknown[]) => void,
    afterMs?: number,
    ...values: unknown[]
  ) => {
    if (afterMs !== ms) return set(action, afterMs, ...values)
    const timer = {}
    held.set(timer, () => action(...values))
    return timer
  }) as typeof setTimeout)
  const clearing = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    if (held.delete(timer as object)) onCleared()
    else clear(timer)
  })
  onTestFinished(() => {
    setting.mockRestore()
    clearing.mockRestore()
  })
  return {
    get count() {
      return held.size
    },
    pass() {
      const actions = [...held.values()]
      held.clear()
      for (const action of actions) action()
    },
  }
}
