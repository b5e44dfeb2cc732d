/** A row of the benchmark: a measurement, its peer, and its goals. */
import { contest, type Effort, summary, type Timing, timed, type Work } from './measure.ts'

export type Row = Measured | Skipped

export interface Measured {
  readonly what: string
  readonly ours: Timing
  readonly unit: Unit
  readonly peer?: Peer | Absent | undefined
  readonly goal?: Goal | undefined
}

/** A measurement that this machine cannot make, and why. */
export interface Skipped {
  readonly what: string
  readonly skipped: string
}

export type Unit = 'microseconds' | 'per second' | 'bytes' | 'times'

/** The same, done by another in the same rounds, and the ratio of ours to theirs: the median of the rounds. */
export interface Peer {
  readonly name: string
  readonly timing: Timing
  readonly ratio: number
}

/** A peer that this machine does not have. */
export interface Absent {
  readonly name: string
  readonly absent: string
}

/** Limits that all hold where the goal is met. */
export interface Goal {
  /** Limits of the ratio to the peer. */
  readonly ratioAtMost?: number
  readonly ratioAtLeast?: number
  /** Limits of the median, in the unit of the row. */
  readonly below?: number
  readonly atMost?: number
  /** Limit of every round, in the unit of the row. */
  readonly eachAtMost?: number
}

/** `not judged`: the goal needs a peer, which is absent. */
export type Verdict = 'met' | 'missed' | 'not judged' | 'without goal'

/** How a topic is measured: in full, or shortened to see that it runs. */
export type Thoroughness = 'full' | 'quick'

/** A row of the rounds `own`, by default of durations. */
export function rowOf(
  what: string,
  own: readonly number[],
  { unit = 'microseconds', peer, goal }: Partial<Pick<Measured, 'unit' | 'peer' | 'goal'>> = {},
): Measured {
  return { what, ours: summary(own), unit, peer, goal }
}

/** The row of `ours` and `theirs`, timed by turns. */
export async function raced(
  what: string,
  ours: Work,
  name: string,
  theirs: Work,
  { rounds, roundMs }: Effort,
  goal?: Goal,
): Promise<Measured> {
  const contenders = [await timed(ours, roundMs), await timed(theirs, roundMs)]
  const [own, other] = (await contest(contenders, rounds)) as [number[], number[]]
  return rowOf(what, own, { peer: beside(name, own, other), goal })
}

/** The peer `name` of the rounds `own`, with the rounds `other`. */
export function beside(name: string, own: readonly number[], other: readonly number[]): Peer {
  const ratio = summary(own.map((value, round) => value / other[round]!)).median
  return { name, timing: summary(other), ratio }
}

export function verdict(row: Row): Verdict {
  if ('skipped' in row || row.goal === undefined) return 'without goal'
  const { ours, peer, goal } = row
  const { ratioAtMost, ratioAtLeast, below = Infinity, atMost = Infinity, eachAtMost = Infinity } = goal
  if (ours.median >= below || ours.median > atMost || ours.max > eachAtMost) return 'missed'
  if (ratioAtMost === undefined && ratioAtLeast === undefined) return 'met'
  if (peer === undefined || 'absent' in peer) return 'not judged'
  return peer.ratio <= (ratioAtMost ?? Infinity) && peer.ratio >= (ratioAtLeast ?? 0) ? 'met' : 'missed'
}
