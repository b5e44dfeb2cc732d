/** Signals whose values a place has again when a reader goes back to it. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { keepAs, takeKept } from '../navigation.ts'

/** As `useSignal`, of a value that JSON has. `name` is what it is called in its view. */
export function useKept<T>(name: string, initial: T): Signal<T> {
  const first = useMemo(() => (takeKept(name) as T | undefined) ?? initial, [])
  const value = useSignal(first)
  useEffect(() => keepAs(name, () => value.peek()), [name])
  return value
}
