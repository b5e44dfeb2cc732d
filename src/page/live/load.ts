import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Moment } from '../moment.ts'
import { source } from '../source/source.ts'
import { onEvents, type PresealEvent } from './events.ts'

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

/** Minimum time between two updates of the views. */
const SHORTEST_GAP_MS = 250

/** Counters of changes: of the pending state, of the newest sealed state, and of earlier states. */
const COUNTERS = [signal(0), signal(0), signal(0)] as const

/** The number of `COUNTERS`, from the first on, that an event of each kind increments. */
const REACHES: Partial<Record<PresealEvent['kind'], number>> = {
  accepted: 1,
  dropped: 1,
  preconfirmed: 1,
  revealed: 1,
  sealed: 2,
  cheatsChanged: 2,
  reorged: 3,
  restored: 3,
}

let isCounting = false
/** The number of `COUNTERS`, from the first on, that the next update increments. */
let reach = 0

/**
 * Returns a number that changes when the state at `moment` may have changed: for `pending` with each event in
 * `REACHES`, for other tags with each block or cheat, for block numbers after a reorg. Then the caller renders again.
 */
export function changesAt({ text, number }: Moment): number {
  follow()
  const [pending, sealed, past] = COUNTERS
  if (number !== undefined) return past.value
  return text === 'pending' ? pending.value : sealed.value
}

function follow(): void {
  if (isCounting) return
  isCounting = true
  let hasOpened = false
  onEvents((events) => {
    for (const { kind } of events) note(kind)
  })
  source().state.subscribe((state) => {
    if (state !== 'open') return
    // Events may have been missed while the connection was lost.
    if (hasOpened) note('restored')
    hasOpened = true
  })
}

function note(kind: PresealEvent['kind']): void {
  const next = REACHES[kind] ?? 0
  if (reach === 0 && next > 0) setTimeout(tell, SHORTEST_GAP_MS)
  reach = Math.max(reach, next)
}

function tell(): void {
  for (const counter of COUNTERS.slice(0, reach)) counter.value++
  reach = 0
}
