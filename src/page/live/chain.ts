/** State of the chain, updated by every event. Only `change` triggers rendering, a few times a second. */
import { signal } from '@preact/signals'
import type { RpcFoundTransaction } from '../../wire/transactionSearch.ts'
import { loadNames } from '../accounts/names.ts'
import { isReport } from '../environment.ts'
import { type Requester, request, source } from '../source/source.ts'
import { earlierBlocks } from './blockList.ts'
import { DevnetClock, type Pace } from './clock.ts'
import { SameChain } from './connection.ts'
import { onEvents, type PresealEvent } from './events.ts'
import { head } from './head.ts'
import { openBlockOf, Rhythm } from './rhythm.ts'
import { LiveTransactions, Rates, waitingOf } from './transactions.ts'

export interface ConsoleLine {
  readonly id: number
  readonly atMs: number
  readonly text: string
  readonly from: string
  readonly name: string | null
  /** `null` if the line was printed by a call, not by a transaction. */
  readonly transaction: string | null
}

const READ_MS = 250
const MOST_LINES = 200
const LONGEST_LINE = 2_000
export const MOST_WAITING = 1_000

export const transactions = new LiveTransactions()
export const rhythm = new Rhythm()
export const rates = new Rates()
export const clock = new DevnetClock()
/** Lines of `console.log`, newest last. */
export let lines: readonly ConsoleLine[] = []
let nextLine = 0
/** Whether a transaction that creates a contract has been accepted since names were loaded. */
let hasCreation = false

export const change = signal(0)

export const pace = signal<Pace | undefined>(undefined)

/** Explains that the chain changed while the connection was lost. `undefined` if it did not. */
export const otherChain = signal<string | undefined>(undefined)

const sameChain = new SameChain()

export function followChain(): void {
  onEvents(takeIn)
  source().state.subscribe((state) => {
    if (state === 'open') void connect()
  })
}

async function connect(): Promise<void> {
  const before = head.peek()
  const [difference] = await Promise.all([
    sameChain.difference(source(), before).catch(() => undefined),
    before === undefined && askPresent(),
  ])
  if (before === undefined) return
  if (difference !== undefined) {
    otherChain.value = difference
    lines = []
    await askPace()
    apply({ kind: 'restored', time: clock.timeMs(performance.now()) ?? 0 }, performance.now())
  } else await askPresent()
}

function takeIn(events: readonly PresealEvent[]): void {
  const pageMs = performance.now()
  for (const event of events) apply(clock.placed(event), pageMs)
  const last = events.at(-1)
  if (last === undefined) return
  clock.note(last.time, pageMs)
  showSoon()
}

function apply(event: PresealEvent, pageMs: number): void {
  transactions.apply(event)
  rhythm.apply(event)
  rates.apply(event, pageMs)
  switch (event.kind) {
    case 'accepted':
      hasCreation ||= event.to === null
      break
    case 'preconfirmed':
    case 'sealed':
      if (hasCreation) void loadNames()
      hasCreation = false
      break
    case 'console': {
      const { text, from, name, transaction, time } = event
      const line = { id: nextLine++, atMs: time, text: text.slice(0, LONGEST_LINE), from, name, transaction }
      lines = [...lines.slice(1 - MOST_LINES), line]
      break
    }
    case 'cheatsChanged':
      void askPace()
      break
    case 'reorged':
    case 'restored':
      void askPresent()
      break
  }
}

let isShownSoon = false

function showSoon(): void {
  if (isShownSoon) return
  isShownSoon = true
  setTimeout(() => {
    isShownSoon = false
    change.value++
  }, READ_MS)
}

export async function askPace(): Promise<void> {
  try {
    const answer = await request<Pace & { readonly time: number }>('preseal_getRhythm')
    // The clock of a report stands still, because its devnet does not advance.
    const isRunning = answer.rhythm !== 'manual' && !isReport
    clock.set({ nowMs: answer.time, isRunning }, performance.now())
    pace.value = answer
  } catch {
    // The pace is requested again after the next connection.
  }
}

let seenMs = 0

/** Loads the blocks of the last `windowMs` that were sealed before the page was opened. */
export async function showEarlier(windowMs: number): Promise<void> {
  seenMs = windowMs
  const now = clock.nowMs(performance.now())
  if (now === undefined) return
  const { earlier } = rhythm
  const known = earlier[0]
  // The known blocks fill the window, or begin at the first block.
  if (known !== undefined && (known.openedMs <= now - windowMs || known.number <= 1)) return
  const next = known ?? rhythm.blocks[0] ?? rhythm.open
  const found = await earlierBlocks(source(), {
    before: next?.number,
    startMs: now - windowMs,
    endMs: next?.openedMs ?? now,
  }).catch(() => [])
  // During the request, a reorg or another chain replaced the list.
  if (rhythm.earlier !== earlier) return
  const firstNow = (rhythm.blocks[0] ?? rhythm.open)?.number ?? Number.POSITIVE_INFINITY
  rhythm.earlier = [...found, ...earlier].filter(({ number }) => number < firstNow)
  showSoon()
}

/** Loads the waiting transactions and the open block. Newer data that events report meanwhile takes precedence. */
async function askPresent(): Promise<void> {
  const from = source()
  const time = askPace().then(() => clock.nowMs(performance.now()) ?? 0)
  const [now, open, waiting, ...found] = await Promise.all([
    time,
    openBlockOf(from, time).catch(() => undefined),
    waitingOf(from, MOST_WAITING).catch(() => undefined),
    ...[undefined, 'dropped', 'reorged'].map((state) => newestOf(from, state)),
  ])
  if (open !== undefined && rhythm.open === undefined && open.number > (rhythm.blocks.at(-1)?.number ?? -1))
    rhythm.open = open
  for (const { hash, from: sender, to, since } of waiting?.transactions ?? [])
    transactions.addWaiting(hash, { from: sender, to }, since ?? now)
  for (const some of found) transactions.addFound(some, now)
  showSoon()
  if (seenMs > 0) void showEarlier(seenMs)
}

const MOST_FOUND = 100

/** Resolves to the newest transactions in `state` (default: in blocks); to none if the request fails. */
async function newestOf(from: Requester, state: string | undefined): Promise<readonly RpcFoundTransaction[]> {
  const search = { limit: MOST_FOUND, ...(state !== undefined && { state }) }
  return from
    .request<{ transactions: readonly RpcFoundTransaction[] }>('preseal_searchTransactions', [search])
    .then(({ transactions }) => transactions)
    .catch(() => [])
}
