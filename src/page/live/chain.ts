/**
 * What happens on the chain while the page is open. Events are taken in as they come, which asks for no frame of the screen, and what
 * lists show of them changes a few times a second, which is as often as people can read.
 */
import { signal } from '@preact/signals'
import { isReport } from '../environment.ts'
import { numberOf } from '../format.ts'
import { source } from '../source/source.ts'
import { earlierBlocks } from './blockList.ts'
import { DevnetClock, type Pace, paceOf } from './clock.ts'
import { SameChain } from './connection.ts'
import { onEvents, type PresealEvent } from './events.ts'
import { head } from './head.ts'
import { added, openBlockOf, openedMsOf, Rhythm } from './rhythm.ts'
import { LiveTransactions, Rates, waitingOf } from './transactions.ts'

export interface ConsoleLine {
  readonly id: number
  readonly atMs: number
  readonly text: string
  readonly from: string
  readonly name: string | undefined
  readonly transaction: string | undefined
}

const READ_MS = 250
const MOST_LINES = 200
const LONGEST_LINE = 2_000
/** Of what waited before the page was opened. */
export const MOST_WAITING = 1_000

export const transactions = new LiveTransactions()
export const rhythm = new Rhythm()
export const rates = new Rates()
export const clock = new DevnetClock()
let lines: ConsoleLine[] = []
let nextLine = 0

/** Another number with each change of what lists show. */
export const change = signal(0)

/** What makes slices and blocks, as it was asked last. */
export const pace = signal<Pace | undefined>(undefined)

/** The newest lines of `console.log`, the newest last. */
export function consoleLines(): readonly ConsoleLine[] {
  return lines
}

/** Another number when blocks were replaced, or may have been while the connection was lost. */
export const replaced = signal(0)

/** What became of the chain while the connection was lost, in words, if it is another one. */
export const otherChain = signal<string | undefined>(undefined)

const sameChain = new SameChain()

let isShownSoon = false

/** Begins to follow what happens. */
export function followChain(): void {
  onEvents(takeIn)
  source().onState((state) => {
    if (state === 'open') void connect()
  })
}

/** Takes in what is there when a connection is. */
async function connect(): Promise<void> {
  const before = head.peek()
  replaced.value++
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
      void askPace()
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

/** Requester what time it is and what makes slices and blocks. */
export async function askPace(): Promise<void> {
  try {
    const answer = await paceOf(source())
    // In a report time stands, whatever the rhythm was.
    clock.set({ ...answer, isRunning: answer.isRunning && !isReport }, performance.now())
    pace.value = answer.pace
  } catch {
    // Load again with the next connection.
  }
}

let seenMs = 0

/** Requester for the blocks of the last `windowMs` milliseconds that were sealed before the page was opened. */
export async function showEarlier(windowMs: number): Promise<void> {
  seenMs = windowMs
  const now = clock.nowMs(performance.now())
  if (now === undefined) return
  const first = rhythm.blocks[0] ?? rhythm.open
  const { earlier } = rhythm
  const known = earlier[0]
  // All that there is has been asked for, or all that is seen is here.
  if (known !== undefined && (known.openedMs <= now - windowMs || known.number <= 1)) return
  const before = known?.number ?? first?.number
  const endMs = known?.openedMs ?? first?.openedMs ?? now
  const found = await earlierBlocks(source(), { before, startMs: now - windowMs, endMs }).catch(() => [])
  // Unless the chain has become another one meanwhile.
  if (rhythm.earlier !== earlier) return
  const firstNow = (rhythm.blocks[0] ?? rhythm.open)?.number ?? Number.POSITIVE_INFINITY
  rhythm.earlier = [...found, ...earlier].filter(({ number }) => number < firstNow)
  showSoon()
}

/** Requester what is there already: what waits, and the open block with its slices. What was told meanwhile stays. */
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
