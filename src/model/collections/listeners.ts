/** Event listeners by the name of the event. */

type AnyListener = (...payload: never[]) => void

/** Listeners by event. If one throws, the others are still called, and the sequencer goes on. */
export class Listeners<Each extends Record<keyof Each, AnyListener>> {
  readonly #listeners = new Map<keyof Each, Set<AnyListener>>()

  /** Calls `listener` at each `event`. Returns a function that ends this. */
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

  /** Returns whether `event` has listeners. */
  has(event: keyof Each): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0
  }

  emit<E extends keyof Each>(event: E, ...payload: Parameters<Each[E]>): void {
    // A listener that is added during this call is not called for this event.
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        ;(listener as (...payload: unknown[]) => void)(...payload)
      } catch (error) {
        // A listener's error is reported as an uncaught error, and the chain goes on.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
