/** Verdicts: pass, differ on purpose, or fail. */
import { described } from './compare.ts'
import type { Deviation } from './deviations.ts'
import type { Outcome } from './play.ts'

export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'byDesign'; readonly because: string }
  | { readonly kind: 'fail'; readonly line: number; readonly reasons: readonly string[] }

/** A deviation must match exactly: a file that differs elsewhere fails, and so does one that does not differ. */
export function verdict(outcome: Outcome, deviation: Deviation | undefined): Verdict {
  switch (outcome.kind) {
    case 'unanswered':
      return { kind: 'fail', line: outcome.line, reasons: [outcome.reason] }
    case 'different': {
      const { line, differences } = outcome
      const isAsSaid = sameItems(
        differences.map(({ path }) => path),
        deviation?.at ?? [],
      )
      return deviation !== undefined && isAsSaid
        ? { kind: 'byDesign', because: deviation.because }
        : { kind: 'fail', line, reasons: differences.map(described) }
    }
    case 'same':
      return deviation === undefined
        ? { kind: 'pass' }
        : { kind: 'fail', line: 1, reasons: [`expected to differ (${deviation.because}), but it does not`] }
  }
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item))
}
