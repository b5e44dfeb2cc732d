/** Who is told of what happens: functions by the event that they are called at. */

type AnyListener = (...payload: never[]) => void

/** Listeners by event. One that throws does not keep the others, or the sequencer, from going on. */
export class Listeners<Each extends Record<keyof Each, AnyListener>> {
  readonly #listeners = new Map<keyof Each, Set<AnyListener>>()

  /** Calls `listener` at each `event` until the answered function is called. */
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

  /** Whether anybody would be told of `event`. */
  has(event: keyof Each): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0
  }

  emit<E extends keyof Each>(event: E, ...payload: Parameters<Each[E]>): void {
    // Whoever begins to listen while this is told has missed it.
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        ;(listener as (...payload: unknown[]) => void)(...payload)
      } catch (error) {
        // A listener's fault is its own: it is shown where uncaught errors are, and the chain goes on.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
