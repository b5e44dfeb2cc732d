/** Rows as text: a table for the terminal, the same for a page. */
import { type Goal, type Measured, type Row, type Unit, verdict } from './row.ts'

export const HEAD = [
  'what',
  'median (min – max)',
  'peer or floor',
  'its median (min – max)',
  'ratio',
  'goal',
  '',
]

/** The row as the cells of a table under `HEAD`. */
export function cells(row: Row): string[] {
  if ('skipped' in row) return [row.what, `skipped: ${row.skipped}`, '', '', '', '', '']
  const { what, ours, unit, peer, goal } = row
  const goalCells = goal === undefined ? ['', ''] : [goalText(goal, unit), verdict(row)]
  return [what, spread(ours, unit), ...peerCells(peer, unit), ...goalCells]
}

function peerCells(peer: Measured['peer'], unit: Unit): [name: string, spread: string, ratio: string] {
  if (peer === undefined) return ['', '', '']
  if ('absent' in peer) return [peer.name, peer.absent, '']
  return [peer.name, spread(peer.timing, unit), ratioText(peer.ratio)]
}

function spread({ median, min, max }: Measured['ours'], unit: Unit): string {
  const range = min === max ? '' : ` (${shown(min, unit)} – ${shown(max, unit)})`
  return shown(median, unit) + range
}

function goalText(goal: Goal, unit: Unit): string {
  const { below, atMost, eachAtMost, ratioAtMost, ratioAtLeast } = goal
  const texts = [
    below !== undefined && `< ${shown(below, unit)}`,
    atMost !== undefined && `≤ ${shown(atMost, unit)}`,
    eachAtMost !== undefined && `≤ ${shown(eachAtMost, unit)}`,
    ratioAtMost !== undefined && `≤ ${limitText(ratioAtMost)} ×`,
    ratioAtLeast !== undefined && `≥ ${limitText(ratioAtLeast)} ×`,
  ]
  return texts.filter(Boolean).join(', ')
}

/** Three decimals at most: `1.5`. */
function limitText(ratio: number): string {
  return String(Number(ratio.toFixed(3)))
}

function ratioText(value: number): string {
  if (value < 0.1) return `1/${count(1 / value)} ×`
  return `${value < 10 ? value.toFixed(2) : count(value)} ×`
}

/** A figure with the unit that makes it shortest. */
export function shown(value: number, unit: Unit): string {
  switch (unit) {
    case 'microseconds':
      return duration(value)
    case 'per second':
      return `${count(value)}/s`
    case 'times':
      return count(value)
    case 'bytes':
      if (value < 1e3) return `${Math.round(value)} B`
      return value < 1e6 ? `${(value / 1e3).toFixed(1)} kB` : `${(value / 1e6).toFixed(1)} MB`
  }
}

/** A whole number with separators: `12,345`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function duration(microseconds: number): string {
  if (microseconds === 0) return '0'
  if (microseconds < 1) return `${(microseconds * 1000).toFixed(0)} ns`
  if (microseconds < 1000) return `${microseconds.toFixed(microseconds < 10 ? 2 : 1)} µs`
  if (microseconds < 1_000_000) return `${(microseconds / 1000).toFixed(2)} ms`
  return `${(microseconds / 1_000_000).toFixed(2)} s`
}

/** Rows of text as a table whose columns line up. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => text.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
