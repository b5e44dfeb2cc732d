/** The report: files that fail, files that differ on purpose, and a table of methods. */
import { table } from '../bench/table.ts'
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
    if (verdict.kind !== 'onPurpose') continue
    yield `${name}.io differs on purpose`
    yield `  ${verdict.because}`
    yield ''
  }
}

function methods(played: readonly Played[]): string {
  const names = new Set(played.map(methodOf))
  const rows = [...names].map((method) => {
    const files = played.filter((one) => methodOf(one) === method)
    return [
      method,
      `${count(files, 'pass')}/${files.length}`,
      shown(count(files, 'onPurpose')),
      shown(count(files, 'fail')),
    ]
  })
  return table(['method', 'pass', 'on purpose', 'fail'], rows)
}

function methodOf({ name }: Played): string {
  return name.split('/')[0]!
}

function summary(played: readonly Played[], dialect: Dialect): string {
  const [onPurpose, fail] = [count(played, 'onPurpose'), count(played, 'fail')]
  return [
    `${count(played, 'pass')} of ${played.length} files pass in dialect ${dialect}`,
    ...(onPurpose > 0 ? [`${onPurpose} differ on purpose, where the seed contradicts the suite`] : []),
    ...(fail > 0 ? [`${fail} fail`] : []),
  ].join('; ')
}

function count(played: readonly Played[], kind: Verdict['kind']): number {
  return played.filter(({ verdict }) => verdict.kind === kind).length
}

function shown(number: number): string {
  return number === 0 ? '' : String(number)
}
