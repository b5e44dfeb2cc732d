/** What the view shows beside the line, while it changes: each part of the view at its turn. */
import { type ReadonlySignal, type Signal, signal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { change } from '../../live/chain.ts'
import { readShown, type Shown } from './shown.ts'

type Parts<T> = readonly [head: T, left: T, middle: T, right: T]

/**
 * Returns what each part of the view shows. A change comes to one after the other, each in a task of its own, so that none keeps the browser
 * long; nothing comes while `isPaused`.
 */
export function useShown(isPaused: Signal<boolean>): Parts<ReadonlySignal<Shown>> {
  const parts = useMemo(() => {
    const first = readShown(change.peek())
    const part = () => signal(first)
    return [part(), part(), part(), part()] as const
  }, [])
  const turns = useMemo(() => new Turns(parts), [])
  useSignalEffect(() => {
    const number = change.value
    if (!isPaused.value) turns.begin(readShown(number))
  })
  useEffect(() => () => turns.end(), [])
  return parts
}

/** Hands a value to parts, one in a task. */
class Turns<T> {
  readonly #parts: readonly Signal<T>[]
  #next = 0
  #value: T | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: readonly Signal<T>[]) {
    this.#parts = parts
  }

  /** Goes on with `value`; parts that have not come to their turn with the one before never have that. */
  begin(value: T): void {
    this.#value = value
    this.#next = 0
    this.end()
    this.#take()
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #take(): void {
    this.#parts[this.#next++]!.value = this.#value!
    if (this.#next < this.#parts.length) this.#timer = setTimeout(() => this.#take())
  }
}
