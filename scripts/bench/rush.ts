/**
 * Real time: ticks of 200 ms while transfers that were signed before come in over HTTP, each in a request of its own, and
 * others read. How late ticks come, how long a reader waits, and the highest rate at which both are as promised.
 *
 * The chain, those who send, those who read, and a timer with nothing else to do have a process each and run at once. A
 * tick is late by as much as its slice is published after it was due; how late the timer is, is the machine's doing.
 */
import { percentile, summary, type Timing } from './measure.ts'
import { type Measured, type Row, type Thoroughness, verdict } from './row.ts'
import { type Run, Scene, TICK_MS } from './rush/scene.ts'
import { count } from './table.ts'

/** Transfers a second that are promised. */
const PROMISED = 900
/** By how many more are tried in search of the most. */
const STEP = 300
/** A neighbour on the machine can spoil a run: a rate is too high where it fails so often. */
const TRIES = 3

const EFFORTS = {
  full: { warmMs: 5_000, idleMs: 20_000, rushMs: 60_000, searchMs: 10_000, most: Number.POSITIVE_INFINITY },
  quick: { warmMs: 500, idleMs: 1_000, rushMs: 2_000, searchMs: 1_000, most: 2 * STEP },
} as const

export async function* rush(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const { warmMs, idleMs, rushMs, searchMs, most } = EFFORTS[thoroughness]
  for (const profile of ['default', 'base-flashblocks'] as const) {
    const scene = new Scene(profile)
    try {
      // Node compiles what it finds itself doing often.
      await scene.run(PROMISED, warmMs)
      const idle = await scene.run(0, idleMs)
      const name = profile === 'default' ? '' : `profile ${profile}, `
      yield* rowsOf(await scene.run(PROMISED, rushMs), idle, name + nameOf(PROMISED, rushMs))
      if (profile === 'default') yield* highest(scene, { ms: searchMs, most }, idle)
    } finally {
      scene.close()
    }
  }
}

/** The highest rate at which no row is bad, and its rows. */
async function* highest(
  scene: Scene,
  { ms, most }: { ms: number; most: number },
  idle: Run,
): AsyncGenerator<Row> {
  let best: readonly Measured[] = []
  let rate = 0
  while (rate < most) {
    const rows = await tried(scene, rate + STEP, ms, idle)
    if (rows === undefined) break
    best = rows
    rate += STEP
  }
  yield {
    what: `transfers a second, the most at which all of that holds for ${ms / 1000} s`,
    ours: alone(rate),
    unit: 'per second',
  }
  yield* best
}

/** The rows of the first run at `rate` that has no bad one, if there is any in some. */
async function tried(
  scene: Scene,
  rate: number,
  ms: number,
  idle: Run,
): Promise<readonly Measured[] | undefined> {
  for (let i = 0; i < TRIES; i++) {
    const rows = rowsOf(await scene.run(rate, ms), idle, nameOf(rate, ms))
    if (rows.every((row) => verdict(row) === 'met')) return rows
  }
  return undefined
}

function nameOf(rate: number, ms: number): string {
  return `${count(rate)} transfers a second for ${ms / 1000} s`
}

function rowsOf({ lateMs, timerLateMs, readUs, behindMs }: Run, idle: Run, name: string): Measured[] {
  const ofTicks = percentile(lateMs, 99)
  const ofTimer = percentile(timerLateMs, 99)
  const reading = summary(readUs)
  const undisturbed = summary(idle.readUs)
  return [
    {
      what: `${name}: the latest of ${lateMs.length} ticks (skipped if ${TICK_MS} ms late)`,
      ours: alone(Math.max(...lateMs) * 1000),
      unit: 'microseconds',
      goals: [{ kind: 'under', microseconds: TICK_MS * 1000 }],
    },
    {
      what: `${name}: 99th percentile of how late a tick is, less that of an idle timer (${ofTimer} ms)`,
      ours: alone(Math.max(0, ofTicks - ofTimer) * 1000),
      unit: 'microseconds',
      goals: [{ kind: 'under', microseconds: 25_000 }],
    },
    {
      what: `${name}: a reader's answer`,
      ours: reading,
      unit: 'microseconds',
      peer: {
        name: 'while nobody sends',
        timing: undisturbed,
        ratio: reading.median / undisturbed.median,
      },
      goals: [{ kind: 'ratioAtMost', ratio: 3 }],
    },
    {
      what: `${name}: the last is accepted, after its time`,
      ours: alone(behindMs * 1000),
      unit: 'microseconds',
      goals: [{ kind: 'under', microseconds: TICK_MS * 1000 }],
    },
  ]
}

function alone(value: number): Timing {
  return { median: value, min: value, max: value }
}
