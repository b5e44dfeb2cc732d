/** Hits of functions and branches in one code. */
import type { SourceRange } from '../source/instructions.ts'
import type { BranchItem, FunctionItem, Step } from './items.ts'
import type { Hits, MeasuredFile, Way } from './measuredCode.ts'

/** Returns the sum of hits in two codes. */
export function plus(a: Hits, b: Hits): Hits {
  return a === undefined ? b : b === undefined ? a : a + b
}

/** Returns the most hits of a function's entry, first statement and modifiers, or of its whole range. */
export function functionHits(code: MeasuredFile, one: FunctionItem): Hits {
  const { range, head, steps, isYul } = one
  const first = firstHits(code, steps)
  // The code of an assembly function stands inline and is jumped over.
  if (isYul) return first
  const told = [code.hitsOfEntry(range), first, code.hitsIn(head)].filter((hits) => hits !== undefined)
  return told.length === 0 ? code.hitsOfWhole(range) : Math.max(...told)
}

/** Returns the hits of the first statement with instructions. */
export function firstHits(code: MeasuredFile, steps: readonly Step[]): Hits {
  for (const step of steps) {
    const inside =
      step.kind === 'loop' || step.kind === 'assembly' ? firstHits(code, step.blocks[0]) : undefined
    const hits = inside ?? ('statement' in step ? code.hitsIn(step.statement.range) : undefined)
    if (hits !== undefined) return hits
  }
  return undefined
}

/** Returns the hits of each path; `inside`: of the first statement with instructions in each. */
export function pathHits(code: MeasuredFile, branch: BranchItem, inside: readonly Hits[] = []): Hits[] {
  const { kind, range, paths } = branch
  switch (kind) {
    case 'if':
      return eitherHits(code, branch, inside)
    case 'require':
      return requireHits(code, range)
    default: {
      const within = paths.map((path, i) => inside[i] ?? (path && code.hitsIn(path)))
      return kind === 'cond-expr' ? eitherHits(code, branch, within) : within
    }
  }
}

/** Returns how often a condition was true and false, by its paths or the conditional jump. */
function eitherHits(
  code: MeasuredFile,
  { range, paths: [yes] }: BranchItem,
  inside: readonly Hits[],
): Hits[] {
  if (inside[0] !== undefined && inside[1] !== undefined) return [...inside]
  let told: [Hits, Hits] = [undefined, undefined]
  for (const { push, taken, next } of code.waysFrom(range)) {
    const isTakenYes =
      yes !== undefined &&
      (code.comesFrom(push, yes) || (code.leadsInto(taken.to, yes) && !code.leadsInto(next.to, yes)))
    const [is, isNot] = isTakenYes ? [taken, next] : [next, taken]
    told = [plus(told[0], is.hits), plus(told[1], isNot.hits)]
  }
  return [inside[0] ?? told[0], inside[1] ?? told[1]]
}

/** Returns how often a requirement failed and held, by its jump or the call of a generated check. */
function requireHits(code: MeasuredFile, range: SourceRange): Hits[] {
  let failed: Hits
  let held: Hits
  for (const { taken, next } of code.waysFrom(range)) {
    const isTakenFailure = code.fails(taken.to) && !code.fails(next.to)
    const [failure, pass]: [Way, Way] = isTakenFailure ? [taken, next] : [next, taken]
    failed = plus(failed, failure.hits)
    held = plus(held, pass.hits)
  }
  if (held !== undefined) return [failed, held]
  for (const { begun, ended } of code.callsFrom(range)) {
    failed = plus(failed, begun - ended)
    held = plus(held, ended)
  }
  return [failed, held]
}
