/** What was asked once, as a signal: for views that show one thing. */
import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export type Load<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'here'; readonly value: T }
  | { readonly state: 'failed'; readonly error: Error }

/** Requester when `keys` change, and shows the answer of the newest question. An answer before stays until the next is here. */
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

/** Calls `run` when the signals that it reads change, while the component is there. */
export const useReaction = useSignalEffect

/** A question that took so long is asked again after a rest of so many times that. */
const REST = 3

/**
 * Requester when `keys` change, and once more when `changes` does. The answer before stays until the next is here. There is never more than one
 * question on its way, and the rest after each is the longer the longer its answer took: a page that follows does not keep the devnet busy.
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
