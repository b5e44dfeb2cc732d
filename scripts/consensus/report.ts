/** The report: tests that fail, tests that differ by design, slow tests, a table of networks. */
import { grouped } from '../../src/model/collections/grouped.ts'
import { table } from '../bench/table.ts'
import { countCells, countOf, summaryOf } from '../verdict.ts'
import type { Played } from './verdict.ts'

const MOST_SHOWN = 200
const LONG_MS = 10_000

export function report(played: readonly Played[], seconds: number): string {
  return [
    ...failures(played),
    ...byDesign(played),
    ...longest(played),
    networks(played),
    '',
    summary(played, seconds),
  ].join('\n')
}

function failureText({ name, network, verdict }: Played): string {
  const reasons = verdict.kind === 'fail' ? verdict.reasons : []
  return [`${network} ${name}`, ...reasons.map((reason) => `  ${reason}`)].join('\n')
}

function* failures(played: readonly Played[]): Generator<string> {
  const failed = played.filter(({ verdict }) => verdict.kind === 'fail')
  for (const one of failed.slice(0, MOST_SHOWN)) yield `${failureText(one)}\n`
  if (failed.length > MOST_SHOWN) yield `… and ${failed.length - MOST_SHOWN} more that fail\n`
}

function* byDesign(played: readonly Played[]): Generator<string> {
  const groups = grouped(played, ({ verdict }) => (verdict.kind === 'byDesign' ? verdict.because : ''))
  groups.delete('')
  for (const [because, tests] of groups) {
    yield `${tests.length} differ by design: ${because}`
    for (const { network, name } of tests) yield `  ${network} ${name}`
    yield ''
  }
}

function* longest(played: readonly Played[]): Generator<string> {
  const long = played.filter(({ milliseconds }) => milliseconds > LONG_MS)
  if (long.length === 0) return
  yield `${long.length} took more than ${LONG_MS / 1_000} s:`
  for (const { network, name, milliseconds } of long.sort((a, b) => b.milliseconds - a.milliseconds)) {
    yield `  ${(milliseconds / 1_000).toFixed(0).padStart(4)} s  ${network} ${name}`
  }
  yield ''
}

function networks(played: readonly Played[]): string {
  const names = [...new Set(played.map(({ network }) => network))].sort()
  const rows = names.map((network) => {
    const tests = played.filter((one) => one.network === network)
    const seconds = tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1_000
    return [network, String(tests.length), ...countCells(tests), seconds.toFixed(1)]
  })
  return table(['network', 'tests', 'pass', 'by design', 'fail', 'seconds'], rows)
}

function summary(played: readonly Played[], seconds: number): string {
  const passing = `${countOf(played, 'pass')} of ${played.length} tests pass (${seconds.toFixed(0)} s)`
  return summaryOf(played, passing, 'differ by design')
}
