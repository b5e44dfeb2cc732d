/**
 * Events of the chain while the page is open. They are applied as they arrive, without rendering; lists that show them change a few times a
 * second, as fast as people can read.
 */
import { signal } from '@preact/signals'
import { isReport } from '../environment.ts'
import { numberOf } from '../format.ts'
import { request, source } from '../source/source.ts'
import { earlierBlocks } from './blockList.ts'
import { DevnetClock, type Pace } from './clock.ts'
import { SameChain } from './connection.ts'
import { onEvents, type PresealEvent } from './events.ts'
import { head } from './head.ts'
import { openBlockOf, openedMsOf, Rhythm } from './rhythm.ts'
import { LiveTransactions, Rates, waitingOf } from './transactions.ts'

export interface ConsoleLine {
  readonly id: number
  readonly atMs: number
  readonly text: string
  readonly from: string
  readonly name: string | null
  /** `null` for a line of a call. */
  readonly transaction: string | null
}

const READ_MS = 250
const MOST_LINES = 200
const LONGEST_LINE = 2_000
/** The waiting transactions that are requested when the page opens. */
export const MOST_WAITING = 1_000

export const transactions = new LiveTransactions()
export const rhythm = new Rhythm()
export const rates = new Rates()
export const clock = new DevnetClock()
/** The last lines of `console.log`, the newest last. */
export let lines: readonly ConsoleLine[] = []
let nextLine = 0

/** Changes when lists have to be rendered again. */
export const change = signal(0)

export const pace = signal<Pace | undefined>(undefined)

/** How the chain differs from that before the connection was lost, as text. */
export const otherChain = signal<string | undefined>(undefined)

const sameChain = new SameChain()

let isShownSoon = false

export function followChain(): void {
  onEvents(takeIn)
  source().onState((state) => {
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

function showSoon(): void {
  if (isShownSoon) return
  isShownSoon = true
  setTimeout(() => {
    isShownSoon = false
    change.value++
  }, READ_MS)
}

/** Loads clock and pace of the devnet. */
export async function askPace(): Promise<void> {
  try {
    const answer = await request<Pace & { readonly time: number }>('preseal_getRhythm')
    // In a report, time stands still.
    const isRunning = answer.rhythm !== 'manual' && !isReport
    clock.set({ nowMs: answer.time, isRunning }, performance.now())
    pace.value = answer
  } catch {
    // Requested again with the next connection.
  }
}

let seenMs = 0

/** Loads the blocks of the last `windowMs` milliseconds that were sealed before the page was opened. */
export async function showEarlier(windowMs: number): Promise<void> {
  seenMs = windowMs
  const now = clock.nowMs(performance.now())
  if (now === undefined) return
  const first = rhythm.blocks[0] ?? rhythm.open
  const { earlier } = rhythm
  const known = earlier[0]
  // Everything in sight has been loaded, or there are no more blocks.
  if (known !== undefined && (known.openedMs <= now - windowMs || known.number <= 1)) return
  const before = known?.number ?? first?.number
  const endMs = known?.openedMs ?? first?.openedMs ?? now
  const found = await earlierBlocks(source(), { before, startMs: now - windowMs, endMs }).catch(() => [])
  // The chain was replaced meanwhile.
  if (rhythm.earlier !== earlier) return
  const firstNow = (rhythm.blocks[0] ?? rhythm.open)?.number ?? Number.POSITIVE_INFINITY
  rhythm.earlier = [...found, ...earlier].filter(({ number }) => number < firstNow)
  showSoon()
}

/** Loads the waiting transactions and the open block. Newer events take precedence. */
async function askPresent(): Promise<void> {
  const from = source()
  const [, open, waiting] = await Promise.all([
    askPace(),
    openBlockOf(from).catch(() => undefined),
    waitingOf(from, MOST_WAITING).catch(() => undefined),
  ])
  const now = clock.nowMs(performance.now()) ?? 0
  if (open !== undefined && rhythm.open === undefined && open.number > (rhythm.blocks.at(-1)?.number ?? -1)) {
    rhythm.open = {
      ...open,
      openedMs: openedMsOf(open, now),
      slices: open.slices.map((slice) => ({ ...slice, atMs: now })),
    }
  }
  for (const { hash, from: sender, to, nonce, since } of waiting?.transactions ?? [])
    transactions.addWaiting(hash, { from: sender, to, nonce: numberOf(nonce) }, since ?? now)
  showSoon()
  if (seenMs > 0) void showEarlier(seenMs)
}
