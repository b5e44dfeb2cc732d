/** Returns a function that calls all of `ends`, such as the functions that remove listeners. */
export function together(ends: readonly (() => void)[]): () => void {
  return () => {
    for (const end of ends) end()
  }
}

type AnyListener = (...payload: never[]) => void

/** Event listeners. If a listener throws, the other listeners are still called, and the sequencer continues. */
export class Listeners<Each extends Record<keyof Each, AnyListener>> {
  readonly #listeners = new Map<keyof Each, Set<AnyListener>>()

  on<E extends keyof Each>(event: E, listener: Each[E]): () => void {
    const set = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, set)
    set.add(listener)
    return () => {
      set.delete(listener)
    }
  }

  off<E extends keyof Each>(event: E, listener: Each[E]): void {
    this.#listeners.get(event)?.delete(listener)
  }

  has(event: keyof Each): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0
  }

  emit<E extends keyof Each>(event: E, ...payload: Parameters<Each[E]>): void {
    // The loop uses a copy, so that listeners added during the event are not called for this event.
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        ;(listener as (...payload: unknown[]) => void)(...payload)
      } catch (error) {
        // Rethrown after the loop, so that the platform reports an uncaught error.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
