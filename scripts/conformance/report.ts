/** The report: files that fail, files that differ on purpose, and a table of methods. */
import { table } from '../bench/table.ts'
import { countCells, countOf, summaryOf } from '../verdict.ts'
import type { Dialect } from './deviations.ts'
import type { Verdict } from './verdict.ts'

export interface Played {
  readonly name: string
  readonly verdict: Verdict
}

/** Lines per file. Play a file alone and read the response for more. */
const REASONS = 6

export function report(played: readonly Played[], dialect: Dialect): string {
  return [...failures(played), ...deviations(played), methods(played), '', summary(played, dialect)].join(
    '\n',
  )
}

function* failures(played: readonly Played[]): Generator<string> {
  for (const { name, verdict } of played) {
    if (verdict.kind !== 'fail') continue
    yield `${name}.io:${verdict.line}`
    for (const reason of verdict.reasons.slice(0, REASONS)) yield `  ${reason}`
    const rest = verdict.reasons.length - REASONS
    if (rest > 0) yield `  … and ${rest} more`
    yield ''
  }
}

function* deviations(played: readonly Played[]): Generator<string> {
  for (const { name, verdict } of played) {
    if (verdict.kind !== 'byDesign') continue
    yield `${name}.io differs on purpose`
    yield `  ${verdict.because}`
    yield ''
  }
}

function methods(played: readonly Played[]): string {
  const names = new Set(played.map(methodOf))
  const rows = [...names].map((method) => {
    const files = played.filter((one) => methodOf(one) === method)
    const [pass, ...others] = countCells(files)
    return [method, `${pass}/${files.length}`, ...others]
  })
  return table(['method', 'pass', 'on purpose', 'fail'], rows)
}

function methodOf({ name }: Played): string {
  return name.split('/')[0]!
}

function summary(played: readonly Played[], dialect: Dialect): string {
  const passing = `${countOf(played, 'pass')} of ${played.length} files pass in dialect ${dialect}`
  return summaryOf(played, passing, 'differ on purpose, where the seed contradicts the suite')
}
