/** Loading as a signal: once, or again with each change. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export type Load<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'here'; readonly value: T }
  | { readonly state: 'failed'; readonly error: Error }

/** Loads when `keys` change. The previous value stays until the next has loaded; outdated results are ignored. */
export function useLoad<T>(ask: () => Promise<T>, keys: readonly unknown[]): Signal<Load<T>> {
  const asked = useSignal<Load<T>>({ state: 'loading' })
  useEffect(() => {
    let isOld = false
    ask().then(
      (value) => {
        if (!isOld) asked.value = { state: 'here', value }
      },
      (error: Error) => {
        if (!isOld) asked.value = { state: 'failed', error }
      },
    )
    return () => {
      isOld = true
    }
  }, keys)
  return asked
}

/** Returns the value of a load; `undefined` while it is loading, or when it failed. */
export function loaded<T>(load: Load<T>): T | undefined {
  return load.state === 'here' ? load.value : undefined
}

/** Waits this multiple of the last request's duration before requesting again. */
const REST = 3

/**
 * Loads when `keys` change, and again when `changes` does. The previous value stays until the next has loaded. Only one request is in
 * flight, and the pause after it grows with its duration, so that a page that follows the chain does not keep the devnet busy.
 */
export function useLiveLoad<T>(
  ask: () => Promise<T>,
  keys: readonly unknown[],
  changes: number,
): Signal<Load<T>> {
  const asked = useSignal<Load<T>>({ state: 'loading' })
  const again = useRef<() => void>(() => {})
  const isFirst = useRef(true)
  useEffect(() => {
    let isOld = false
    let isBusy = false
    let isWanted = false
    async function run() {
      if (isBusy) {
        isWanted = true
        return
      }
      isBusy = true
      const began = performance.now()
      const next = await ask().then(
        (value): Load<T> => ({ state: 'here', value }),
        (error: Error): Load<T> => ({ state: 'failed', error }),
      )
      if (isOld) return
      asked.value = next
      await new Promise((done) => setTimeout(done, (performance.now() - began) * REST))
      isBusy = false
      if (!isWanted || isOld) return
      isWanted = false
      void run()
    }
    again.current = () => void run()
    isFirst.current = true
    void run()
    return () => {
      isOld = true
    }
  }, keys)
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else again.current()
  }, [changes, ...keys])
  return asked
}
