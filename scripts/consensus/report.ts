/** The report: tests that fail, tests that differ by design, slow tests, a table of networks. */
import { table } from '../bench/table.ts'
import type { Played, Verdict } from './verdict.ts'

/** Failures to print; the rest is counted. */
const MOST_SHOWN = 200
/** Slower tests are listed. */
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

/** A test that failed, as lines. */
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
  const groups = new Map<string, Played[]>()
  for (const one of played) {
    if (one.verdict.kind !== 'byDesign') continue
    const { because } = one.verdict
    groups.set(because, [...(groups.get(because) ?? []), one])
  }
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
    return [
      network,
      String(tests.length),
      shown(count(tests, 'pass')),
      shown(count(tests, 'byDesign')),
      shown(count(tests, 'fail')),
      seconds.toFixed(1),
    ]
  })
  return table(['network', 'tests', 'pass', 'by design', 'fail', 'seconds'], rows)
}

function summary(played: readonly Played[], seconds: number): string {
  const [onPurpose, fail] = [count(played, 'byDesign'), count(played, 'fail')]
  return [
    `${count(played, 'pass')} of ${played.length} tests pass (${seconds.toFixed(0)} s)`,
    ...(onPurpose > 0 ? [`${onPurpose} differ by design`] : []),
    ...(fail > 0 ? [`${fail} fail`] : []),
  ].join('; ')
}

function count(played: readonly Played[], kind: Verdict['kind']): number {
  return played.filter(({ verdict }) => verdict.kind === kind).length
}

function shown(number: number): string {
  return number === 0 ? '' : String(number)
}
