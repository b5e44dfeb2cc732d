/** State of the chain, updated by every event. Only `change` triggers rendering, a few times a second. */
import { signal } from '@preact/signals'
import { loadNames } from '../accounts/names.ts'
import { isReport } from '../environment.ts'
import { findTransactions, request, source } from '../source/source.ts'
import { earlierBlocks } from './blockList.ts'
import { DevnetClock, type Pace } from './clock.ts'
import { SameChain } from './connection.ts'
import { onEvents, type PresealEvent } from './events.ts'
import { head } from './head.ts'
import { openBlockOf, Rhythm } from './rhythm.ts'
import { LiveTransactions } from './transactions.ts'

type ConsoleLine = Extract<PresealEvent, { kind: 'console' }> & { readonly id: number }

const READ_MS = 250
const MOST_LINES = 200
const LONGEST_LINE = 2_000

export const transactions = new LiveTransactions()
export const rhythm = new Rhythm()
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
    apply({ kind: 'restored', time: clock.timeMs(performance.now()) ?? 0 })
  } else await askPresent()
}

function takeIn(events: readonly PresealEvent[]): void {
  const pageMs = performance.now()
  for (const event of events) apply(clock.placed(event))
  const last = events.at(-1)
  if (last === undefined) return
  clock.note(last.time, pageMs)
  showSoon()
}

function apply(event: PresealEvent): void {
  transactions.apply(event)
  rhythm.apply(event)
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
      const line = { ...event, id: nextLine++, text: event.text.slice(0, LONGEST_LINE) }
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

let windowMs = 0

/** Loads the blocks with transactions that fill a timeline of `ms` and were sealed before the page was opened. */
export async function showEarlier(ms: number): Promise<void> {
  windowMs = ms
  const nowMs = clock.nowMs(performance.now())
  if (nowMs === undefined) return
  const { earlier } = rhythm
  const next = rhythm.blocks[0] ?? rhythm.open
  const found = await earlierBlocks(source(), {
    before: next?.number,
    endMs: next?.openedMs ?? nowMs,
    windowMs,
  }).catch(() => undefined)
  // During the request, a reorg or another chain may have replaced the list.
  if (found === undefined || rhythm.earlier !== earlier) return
  const first = rhythm.blocks[0] ?? rhythm.open
  const before = found.filter(({ number }) => first === undefined || number < first.number)
  rhythm.earlier = [...before, ...earlier.filter(({ removedMs }) => removedMs !== undefined)]
  showSoon()
}

const MOST_FOUND = 200
const STATES = [{}, { state: 'dropped' }, { state: 'reorged' }, { state: 'waiting' }] as const

/** Loads the newest transactions and the open block. Newer data that events report meanwhile takes precedence. */
async function askPresent(): Promise<void> {
  const from = source()
  const time = askPace().then(() => clock.nowMs(performance.now()) ?? 0)
  const [now, open, ...found] = await Promise.all([
    time,
    openBlockOf(from, time).catch(() => undefined),
    ...STATES.map((state) =>
      findTransactions({ limit: MOST_FOUND, deposits: 'omitted', ...state }, from).catch(() => undefined),
    ),
  ])
  if (open !== undefined && rhythm.open === undefined && open.number > (rhythm.blocks.at(-1)?.number ?? -1))
    rhythm.open = open
  for (const some of found) transactions.addFound(some?.transactions ?? [], now)
  showSoon()
  if (windowMs > 0) void showEarlier(windowMs)
}
