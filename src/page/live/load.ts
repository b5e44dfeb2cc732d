import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'

export type Load<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'here'; readonly value: T }
  | { readonly state: 'failed'; readonly error: Error }

/** Calls `ask` when `keys` change. Keeps the previous value until the next one has loaded. Ignores outdated results. */
export function useLoad<T>(ask: () => Promise<T>, keys: readonly unknown[]): Signal<Load<T>> {
  return useLiveLoad(ask, keys, 0)
}

export function loaded<T>(load: Load<T>): T | undefined {
  return load.state === 'here' ? load.value : undefined
}

/** Minimum pause after a request, as a multiple of its duration. */
const REST = 3

/** Like `useLoad`, but also calls `ask` when `changes` changes. Sends one request at a time, and pauses after each. */
export function useLiveLoad<T>(
  ask: () => Promise<T>,
  keys: readonly unknown[],
  changes: number,
): Signal<Load<T>> {
  const asked = useSignal<Load<T>>({ state: 'loading' })
  const run = useRef<() => Promise<void>>(undefined)
  useEffect(() => {
    let isOld = false
    let isBusy = false
    let isWanted = false
    run.current = async () => {
      isWanted = true
      if (isBusy) return
      isBusy = true
      while (isWanted && !isOld) {
        isWanted = false
        const began = performance.now()
        const next = await ask().then(
          (value): Load<T> => ({ state: 'here', value }),
          (error: Error): Load<T> => ({ state: 'failed', error }),
        )
        if (isOld) return
        asked.value = next
        await new Promise((done) => setTimeout(done, (performance.now() - began) * REST))
      }
      isBusy = false
    }
    return () => {
      isOld = true
    }
  }, keys)
  useEffect(() => void run.current!(), [changes, ...keys])
  return asked
}

/** Like `useLiveLoad`, but calls `ask` with the previous result, if there is one for the same `keys`. */
export function useRenewed<T>(
  ask: (before: T | undefined) => Promise<T>,
  keys: readonly unknown[],
  changes: number,
): Signal<Load<T>> {
  const last = useMemo<{ value?: T }>(() => ({}), keys)
  return useLiveLoad(async () => (last.value = await ask(last.value)), [last], changes)
}
