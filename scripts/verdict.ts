/** The verdicts of scripts that play tests, as their reports count them. */

export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'byDesign'; readonly because: string }
  | { readonly kind: 'fail'; readonly reasons: readonly string[] }

interface Judged {
  readonly verdict: { readonly kind: Verdict['kind'] }
}

export function countOf(played: readonly Judged[], kind: Verdict['kind']): number {
  return played.filter(({ verdict }) => verdict.kind === kind).length
}

/** The three counts as cells of a table; empty for no deviation and no failure. */
export function countCells(played: readonly Judged[]): [pass: string, byDesign: string, fail: string] {
  const [pass, ...others] = (['pass', 'byDesign', 'fail'] as const).map((kind) => countOf(played, kind))
  const [byDesign, fail] = others.map((count) => (count === 0 ? '' : String(count)))
  return [String(pass), byDesign!, fail!]
}

/** One line: `passing`, the deviations with the words `byDesign`, and the failures. */
export function summaryOf(played: readonly Judged[], passing: string, byDesign: string): string {
  const [deviations, failures] = [countOf(played, 'byDesign'), countOf(played, 'fail')]
  return [
    passing,
    ...(deviations > 0 ? [`${deviations} ${byDesign}`] : []),
    ...(failures > 0 ? [`${failures} fail`] : []),
  ].join('; ')
}
