/** What was asked, and is asked again when it may have changed: for views that show one thing while it changes. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Asked } from './asked.ts'

/** A question that took so long is asked again after a rest of so many times that. */
const REST = 3

/**
 * Asks when `keys` change, and once more when `changes` does. The answer before stays until the next is here. There is never more than one
 * question on its way, and the rest after each is the longer the longer its answer took: a page that follows does not keep the devnet busy.
 */
export function useFollowed<T>(
  ask: () => Promise<T>,
  keys: readonly unknown[],
  changes: number,
): Signal<Asked<T>> {
  const asked = useSignal<Asked<T>>({ state: 'loading' })
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
        (value): Asked<T> => ({ state: 'here', value }),
        (error: Error): Asked<T> => ({ state: 'failed', error }),
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
