/** A row of the benchmark: what was measured, beside what, and whether that is as good as promised. */
import { ratio, summary, type Timing } from './measure.ts'

export type Row = Measured | Skipped

export interface Measured {
  readonly what: string
  readonly ours: Timing
  readonly unit: Unit
  readonly peer?: Peer | Absent
  readonly goals?: readonly Goal[]
}

/** What could not be measured here, and why. */
export interface Skipped {
  readonly what: string
  readonly skipped: string
}

/** What the figures of a row count. */
export type Unit = 'microseconds' | 'per second' | 'bytes' | 'times'

/** Who did the same in the same rounds, and what ours is to theirs: the median of the rounds. */
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
  /** For what takes time: the peer takes at least so many times as long. */
  | { readonly kind: 'timesFaster'; readonly times: number }
  | { readonly kind: 'under'; readonly microseconds: number }
  | { readonly kind: 'atMostBytes'; readonly bytes: number }
  | { readonly kind: 'atMostTimes'; readonly times: number }

/** `unjudged`: there is a goal, and nobody here to hold it against. */
export type Verdict = 'met' | 'missed' | 'unjudged' | 'without goal'

/** How one topic is measured: in full, or shortened to see that it runs. */
export type Thoroughness = 'full' | 'quick'

/** What `own` rounds are beside those of `other`, who is called `name`. */
export function beside(name: string, own: readonly number[], other: readonly number[]): Peer {
  return { name, timing: summary(other), ratio: ratio(own, other) }
}

/** Whether all goals of the row are reached. */
export function verdict(row: Row): Verdict {
  if ('skipped' in row || row.goals === undefined || row.goals.length === 0) return 'without goal'
  const reached = row.goals.map((goal) => isReached(goal, row))
  if (reached.includes(false)) return 'missed'
  return reached.includes(undefined) ? 'unjudged' : 'met'
}

/** `undefined` where it takes a peer to say. */
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
