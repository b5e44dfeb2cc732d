/**
 * What happens on the chain while the page is open. Events are taken in once for each frame of the screen, and what lists show of
 * them changes a few times a second, which is as often as people can read.
 */
import { signal } from '@preact/signals'
import { numberOf } from '../format/quantity.ts'
import { source } from '../source/index.ts'
import { DevnetClock } from './devnetClock.ts'
import { onEvents } from './events.ts'
import type { PresealEvent } from './presealEvent.ts'
import { openBlockOf, timeOf, waitingOf } from './present.ts'
import { Rates } from './rates.ts'
import { added, Rhythm } from './rhythm.ts'
import { LiveTransactions } from './transactions.ts'

export interface ConsoleLine {
  readonly id: number
  readonly atMs: number
  readonly text: string
  readonly from: string
  readonly name: string | undefined
  readonly transaction: string | undefined
}

const READ_MS = 250
/** A page that is not seen has no frames. */
const UNSEEN_MS = 1_000
const MOST_LINES = 200
const LONGEST_LINE = 2_000
/** Of what waited before the page was opened. */
const MOST_WAITING = 1_000

export const transactions = new LiveTransactions()
export const rhythm = new Rhythm()
export const rates = new Rates()
export const clock = new DevnetClock()
let lines: ConsoleLine[] = []
let nextLine = 0

/** Another number with each change of what lists show. */
export const change = signal(0)

/** The newest lines of `console.log`, the newest last. */
export function consoleLines(): readonly ConsoleLine[] {
  return lines
}

/** Another number when blocks were replaced, or may have been while the connection was lost. */
export const replaced = signal(0)

let arrived: { readonly events: readonly PresealEvent[]; readonly pageMs: number }[] = []
let isAwaited = false
let isShownSoon = false

/** Begins to follow what happens. */
export function followChain(): void {
  onEvents((events) => {
    arrived.push({ events, pageMs: performance.now() })
    if (isAwaited) return
    isAwaited = true
    if (document.hidden) setTimeout(takeIn, UNSEEN_MS)
    else requestAnimationFrame(takeIn)
  })
  // Frames that were awaited when the page was hidden come when it is seen again.
  document.addEventListener('visibilitychange', takeIn)
  source().onState((state) => {
    if (state !== 'open') return
    replaced.value++
    void askPresent()
  })
}

function takeIn(): void {
  isAwaited = false
  const taken = arrived
  arrived = []
  for (const { events, pageMs } of taken) {
    for (const event of events) apply(clock.placed(event), pageMs)
    const last = events.at(-1)
    if (last !== undefined) clock.note(last.time, pageMs)
  }
  if (taken.length > 0) showSoon()
}

function apply(event: PresealEvent, pageMs: number): void {
  transactions.apply(event)
  rhythm.apply(event)
  rates.apply(event, pageMs)
  switch (event.kind) {
    case 'console': {
      const { text, from, name, transaction, time } = event
      lines = added(
        lines,
        {
          id: nextLine++,
          atMs: time,
          text: text.slice(0, LONGEST_LINE),
          from,
          name: name ?? undefined,
          transaction: transaction ?? undefined,
        },
        MOST_LINES,
      )
      break
    }
    case 'cheatsChanged':
      void timeOf(source()).then(
        (time) => clock.set(time, performance.now()),
        () => {},
      )
      break
    case 'reorged':
    case 'restored':
      replaced.value++
      void askPresent()
      break
  }
}

function showSoon(): void {
  if (isShownSoon) return
  isShownSoon = true
  setTimeout(() => {
    isShownSoon = false
    change.value++
  }, READ_MS)
}

/** Asks what is there already: what waits, and the open block with its slices. What was told meanwhile stays. */
async function askPresent(): Promise<void> {
  const from = source()
  const [time, open, waiting] = await Promise.all([
    timeOf(from).catch(() => undefined),
    openBlockOf(from).catch(() => undefined),
    waitingOf(from, MOST_WAITING).catch(() => undefined),
  ])
  if (time !== undefined) clock.set(time, performance.now())
  const now = clock.nowMs(performance.now()) ?? 0
  if (open !== undefined && rhythm.open === undefined && open.number > (rhythm.blocks.at(-1)?.number ?? -1)) {
    rhythm.open = { ...open, openedMs: now, slices: open.slices.map((slice) => ({ ...slice, atMs: now })) }
  }
  for (const { hash, from: sender, to, nonce, since } of waiting?.transactions ?? [])
    transactions.addWaiting(hash, { from: sender, to, nonce: numberOf(nonce) }, since ?? now)
  showSoon()
}
