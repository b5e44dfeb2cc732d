/** A row of the benchmark: a measurement, its peer, and its goals. */
import { contest, type Effort, summary, type Timing, timed, type Work } from './measure.ts'

export type Row = Measured | Skipped

export interface Measured {
  readonly what: string
  readonly ours: Timing
  readonly unit: Unit
  readonly peer?: Peer | Absent
  readonly goals?: readonly Goal[]
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

export type Goal =
  | { readonly kind: 'ratioAtMost'; readonly ratio: number }
  | { readonly kind: 'ratioAtLeast'; readonly ratio: number }
  /** For durations: the peer takes at least this many times as long. */
  | { readonly kind: 'timesFaster'; readonly times: number }
  | { readonly kind: 'under'; readonly microseconds: number }
  | { readonly kind: 'atMostBytes'; readonly bytes: number }
  | { readonly kind: 'atMostTimes'; readonly times: number }

/** `unjudged`: the goal needs a peer, which is absent. */
export type Verdict = 'met' | 'missed' | 'unjudged' | 'without goal'

/** How a topic is measured: in full, or shortened to see that it runs. */
export type Thoroughness = 'full' | 'quick'

/** A row of the rounds `own`. */
export function rowOf(
  what: string,
  unit: Unit,
  own: readonly number[],
  peer?: Peer | Absent,
  goals: readonly Goal[] = [],
): Measured {
  return { what, ours: summary(own), unit, ...(peer === undefined ? {} : { peer }), goals }
}

/** A row of a single figure. */
export function rowOfOne(what: string, unit: Unit, value: number, goals: readonly Goal[] = []): Measured {
  return rowOf(what, unit, [value], undefined, goals)
}

/** The row of `ours` and `theirs`, timed by turns. */
export async function raced(
  what: string,
  ours: Work,
  name: string,
  theirs: Work,
  { rounds, roundMs }: Effort,
  goals: readonly Goal[] = [],
): Promise<Measured> {
  const contenders = [await timed(ours, roundMs), await timed(theirs, roundMs)]
  const [own, other] = (await contest(contenders, rounds)) as [number[], number[]]
  return rowOf(what, 'microseconds', own, beside(name, own, other), goals)
}

/** The peer `name` of the rounds `own`, with the rounds `other`. */
export function beside(name: string, own: readonly number[], other: readonly number[]): Peer {
  const ratio = summary(own.map((value, round) => value / other[round]!)).median
  return { name, timing: summary(other), ratio }
}

/** Whether the row reaches all its goals. */
export function verdict(row: Row): Verdict {
  if ('skipped' in row || row.goals === undefined || row.goals.length === 0) return 'without goal'
  const reached = row.goals.map((goal) => isReached(goal, row))
  if (reached.includes(false)) return 'missed'
  return reached.includes(undefined) ? 'unjudged' : 'met'
}

/** `undefined` where the goal needs a peer and there is none. */
function isReached(goal: Goal, { ours, peer }: Measured): boolean | undefined {
  switch (goal.kind) {
    case 'under':
      return ours.median < goal.microseconds
    case 'atMostBytes':
      return ours.median <= goal.bytes
    case 'atMostTimes':
      return ours.max <= goal.times
  }
  if (peer === undefined || 'absent' in peer) return undefined
  switch (goal.kind) {
    case 'ratioAtMost':
      return peer.ratio <= goal.ratio
    case 'ratioAtLeast':
      return peer.ratio >= goal.ratio
    case 'timesFaster':
      return peer.ratio * goal.times <= 1
  }
}
