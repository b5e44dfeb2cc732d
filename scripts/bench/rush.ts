/**
 * Real time: ticks of 200 ms while signed transfers come in over HTTP, each in a request of its own, and other clients
 * read. Measures the lateness of ticks, the wait of readers, and the highest rate at which both meet their goals.
 *
 * The chain, the senders, the readers, and a timer with nothing else to do have a process each and run at once. The
 * lateness of a tick is that of its slice; the lateness of the timer is the machine's.
 */
import { single } from './http/load.ts'
import { contest, percentile, summary } from './measure.ts'
import { ANVIL_IS_ABSENT, startAnvil } from './peers/anvil.ts'
import { start, told } from './processes.ts'
import { beside, type Goal, type Measured, type Row, rowOf, type Thoroughness, verdict } from './row.ts'
import { type Place, type Run, Scene, type Task, TICK_MS } from './rush/scene.ts'
import { addressOf } from './scenario.ts'
import { count } from './table.ts'

/** Transfers a second that must be possible. */
const PROMISED = 900
/** Steps of the search for the highest rate. */
const STEP = 300
/** Other processes can disturb a run: a rate is too high after this many failures. */
const TRIES = 3

const EFFORTS = {
  full: { warmMs: 5_000, idleMs: 20_000, rushMs: 60_000, searchMs: 10_000, most: Number.POSITIVE_INFINITY },
  quick: { warmMs: 500, idleMs: 1_000, rushMs: 2_000, searchMs: 1_000, most: 2 * STEP },
} as const

export default async function* rush(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const { warmMs, idleMs, rushMs, searchMs, most } = EFFORTS[thoroughness]
  for (const profile of ['default', 'base-flashblocks'] as const) {
    const scene = new Scene(profile)
    try {
      // Lets Node compile the hot code.
      await scene.run(PROMISED, warmMs)
      const idle = await scene.run(0, idleMs)
      const name = profile === 'default' ? '' : `profile ${profile}, `
      yield* rowsOf(await scene.run(PROMISED, rushMs), idle, name + nameOf(PROMISED, rushMs))
      if (profile === 'default') yield* highest(scene, { ms: searchMs, most }, idle)
    } finally {
      scene.close()
    }
  }
  yield* pendingReads(thoroughness)
}

/** Transfers a second while `pending` is read beside anvil, and milliseconds between two reads. */
const CALM = 100
const READ_EVERY_MS = 5

/** How long a reader of `pending` waits while transfers come in, in rounds by turns with anvil. */
async function* pendingReads(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const [rounds, ms] = thoroughness === 'full' ? [5, 10_000] : [1, 1_000]
  const chain = start('./rush/chain.ts', ['default'])
  const [senders, readers] = [start('./rush/client.ts'), start('./rush/client.ts')]
  const anvil = await startAnvil(['--block-time', '1'])
  try {
    const { url } = await told<Place>(chain)
    const bodies = [single({ method: 'eth_getBalance', params: [addressOf(0), 'pending'] })]
    const read = async (url: string): Promise<number[]> => {
      await told(senders, { kind: 'sign', url, transfers: (CALM * ms) / 1000 } satisfies Task)
      const [us] = await Promise.all([
        told<number[]>(readers, { kind: 'read', url, bodies, everyMs: READ_EVERY_MS, ms } satisfies Task),
        told<number>(senders, { kind: 'send', perSecond: CALM } satisfies Task),
      ])
      return us
    }
    const all = await contest(
      [url, ...(anvil ? [anvil.url] : [])].map((at) => () => read(at)),
      rounds,
    )
    for (const [name, share] of [
      ['median', 50],
      ['99th percentile', 99],
    ] as const) {
      const [own, other] = all.map((each) => each.map((us) => percentile(us, share)))
      const peer = other === undefined ? ANVIL_IS_ABSENT : beside('anvil', own!, other)
      const what = `${CALM} transfers a second: the ${name} of reads of pending`
      yield rowOf(what, own!, { peer, goal: { ratioAtMost: 1 } })
    }
  } finally {
    for (const child of [chain, senders, readers]) child.kill()
    await anvil?.stop()
  }
}

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
  const what = `transfers a second, the most at which all of that holds for ${ms / 1000} s`
  yield rowOf(what, [rate], { unit: 'per second' })
  yield* best
}

/** The rows of the first run at `rate` that meets all goals; `undefined` where none of some runs does. */
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
  const ofTimer = percentile(timerLateMs, 99)
  const beyondTimer = Math.max(0, percentile(lateMs, 99) - ofTimer)
  const undisturbed = summary(idle.readUs)
  const ratio = summary(readUs).median / undisturbed.median
  const before = { name: 'while nobody sends', timing: undisturbed, ratio }
  const inTick: Goal = { below: TICK_MS * 1000 }
  return [
    rowOf(
      `${name}: the latest of ${lateMs.length} ticks (skipped if ${TICK_MS} ms late)`,
      [Math.max(...lateMs) * 1000],
      { goal: inTick },
    ),
    rowOf(
      `${name}: 99th percentile of how late a tick is, less that of an idle timer (${ofTimer} ms)`,
      [beyondTimer * 1000],
      { goal: { below: 25_000 } },
    ),
    rowOf(`${name}: a reader's answer`, readUs, { peer: before, goal: { ratioAtMost: 3 } }),
    rowOf(`${name}: the last is accepted, after its time`, [behindMs * 1000], { goal: inTick }),
  ]
}
