/** Verdicts: pass, differ by design, or fail. */
import type { Verdict } from '../verdict.ts'
import { DEVIATIONS } from './deviations.ts'
import type { Fixture } from './fixture.ts'
import type { Outcome } from './play.ts'

export interface Played {
  readonly name: string
  readonly network: string
  readonly verdict: Verdict
  readonly milliseconds: number
}

/** A deviation must match exactly: a test that differs otherwise fails, and so does one that does not differ. */
export function verdict({ blocks }: Pick<Fixture, 'blocks'>, outcome: Outcome): Verdict {
  const named = new Set(blocks.flatMap(({ exceptions = [] }) => exceptions))
  const deviation = DEVIATIONS.find(({ exceptions }) => exceptions.some((exception) => named.has(exception)))
  if (outcome.kind === 'same') {
    return deviation === undefined
      ? { kind: 'pass' }
      : { kind: 'fail', reasons: [`expected to differ (${deviation.because}), but it does not`] }
  }
  const { what, expected, got } = outcome
  const isAsSaid =
    deviation?.exceptions.some((exception) => expected === `refused: ${exception}`) === true &&
    deviation.got.some((one) => got === one || got.startsWith(`${one}: `))
  if (deviation !== undefined && isAsSaid) return { kind: 'byDesign', because: deviation.because }
  return { kind: 'fail', reasons: [what, `expected ${expected}`, `got ${got}`] }
}
