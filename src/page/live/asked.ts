/** What was asked once, as a signal: for views that show one thing. */
import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'

export type Asked<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'here'; readonly value: T }
  | { readonly state: 'failed'; readonly error: Error }

/** Asks when `keys` change, and shows the answer of the newest question. An answer before stays until the next is here. */
export function useAsked<T>(ask: () => Promise<T>, keys: readonly unknown[]): Signal<Asked<T>> {
  const asked = useSignal<Asked<T>>({ state: 'loading' })
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

/** Calls `run` when the signals that it reads change, while the component is there. */
export const useReaction = useSignalEffect
