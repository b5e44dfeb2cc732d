/** A row of the benchmark: what was measured, beside what, and whether that is as good as promised. */
import type { Timing } from './measure.ts'

export interface Row {
  readonly what: string
  readonly ours: Timing
  /** What `ours` counts: microseconds, or how many in a second. */
  readonly unit: 'microseconds' | 'per second'
  /** Who did the same in the same rounds, and what `ours` is to theirs: the median of the rounds. */
  readonly peer?: { readonly name: string; readonly timing: Timing; readonly ratio: number }
  readonly goals?: readonly Goal[]
}

export type Goal =
  | { readonly kind: 'ratioAtMost'; readonly ratio: number }
  | { readonly kind: 'ratioAtLeast'; readonly ratio: number }
  | { readonly kind: 'under'; readonly microseconds: number }

/** How one topic is measured: in full, or shortened to see that it runs. */
export type Thoroughness = 'full' | 'quick'

export const HEAD = ['what', 'median (min – max)', 'peer or floor', 'ratio', 'goal', '']

/** The row as the cells of a table. */
export function cells(row: Row): string[] {
  const { what, ours, unit, peer, goals = [] } = row
  return [
    what,
    `${shown(ours.median, unit)} (${shown(ours.min, unit)} – ${shown(ours.max, unit)})`,
    peer === undefined ? '' : `${shown(peer.timing.median, unit)} ${peer.name}`,
    peer === undefined ? '' : ratio(peer.ratio),
    goals.map(goalText).join(', '),
    goals.length === 0 ? '' : isMet(row) ? 'met' : 'short of it',
  ]
}

/** Whether all goals of the row are reached. */
export function isMet(row: Row): boolean {
  return (row.goals ?? []).every((goal) => isReached(goal, row))
}

function isReached(goal: Goal, { ours, peer }: Row): boolean {
  switch (goal.kind) {
    case 'ratioAtMost':
      return peer !== undefined && peer.ratio <= goal.ratio
    case 'ratioAtLeast':
      return peer !== undefined && peer.ratio >= goal.ratio
    case 'under':
      return ours.median < goal.microseconds
  }
}

function goalText(goal: Goal): string {
  switch (goal.kind) {
    case 'ratioAtMost':
      return `≤ ${goal.ratio} ×`
    case 'ratioAtLeast':
      return `≥ ${goal.ratio} ×`
    case 'under':
      return `< ${duration(goal.microseconds)}`
  }
}

function ratio(value: number): string {
  return `${value.toFixed(value < 0.1 ? 3 : 2)} ×`
}

function shown(value: number, unit: Row['unit']): string {
  return unit === 'microseconds' ? duration(value) : `${Math.round(value).toLocaleString('en')}/s`
}

/** Microseconds in the unit that reads best. */
export function duration(microseconds: number): string {
  if (microseconds < 1) return `${(microseconds * 1000).toFixed(0)} ns`
  if (microseconds < 1000) return `${microseconds.toFixed(microseconds < 10 ? 2 : 1)} µs`
  if (microseconds < 1_000_000) return `${(microseconds / 1000).toFixed(2)} ms`
  return `${(microseconds / 1_000_000).toFixed(2)} s`
}

/** Rows of text as an aligned table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => text.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
