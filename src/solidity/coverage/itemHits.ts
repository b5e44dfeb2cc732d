/** How often items of a source file ran, as far as the instructions of one code tell. */
import type { SourceRange } from '../source/instructions.ts'
import type { BranchItem, FunctionItem, Step } from './items.ts'
import type { Hits, MeasuredFile, Way } from './measuredCode.ts'

/** Returns the sum of what is known. */
export function plus(a: Hits, b: Hits): Hits {
  return a === undefined ? b : b === undefined ? a : a + b
}

/**
 * Returns the hits of a function: it ran as often as it was entered, or its first statement or its modifiers ran; where nothing of these is left, as the
 * instructions that come from all of it.
 */
export function functionHits(code: MeasuredFile, one: FunctionItem): Hits {
  const { range, head, steps, isYul } = one
  const first = firstHits(code, steps)
  // The code of a function in assembly stands where it is written, and is jumped over.
  if (isYul) return first
  const told = [code.hitsOfEntry(range), first, code.hitsIn(head)].filter((hits) => hits !== undefined)
  return told.length === 0 ? code.hitsOfWhole(range) : Math.max(...told)
}

/** Returns how often the first statement ran that left instructions. */
export function firstHits(code: MeasuredFile, steps: readonly Step[]): Hits {
  for (const step of steps) {
    const hits = firstHitsOf(code, step)
    if (hits !== undefined) return hits
  }
  return undefined
}

function firstHitsOf(code: MeasuredFile, step: Step): Hits {
  switch (step.kind) {
    case 'statement':
      return code.hitsIn(step.statement.range)
    case 'assembly':
      return firstHits(code, step.steps) ?? code.hitsIn(step.statement.range)
    case 'loop':
      return firstHits(code, step.body)
    default:
      return undefined
  }
}

/** Returns the hits of each path; `inside`: of the first statement in each that left instructions. */
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

/** Returns how often a condition was true and false: by what is in the paths, or by the jump that decides. */
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

/** Returns how often a requirement failed and held: by the jump that decides, or by the call of what checks it. */
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
