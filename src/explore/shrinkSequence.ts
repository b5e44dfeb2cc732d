/** Shrinks a sequence that breaks a rule: fewer steps, with simpler values. */
import type { Drawn } from './draws.ts'
import type { Break } from './invariants.ts'
import type { Step } from './steps.ts'
import type { Violation } from './systematic.ts'

/** Returns the rule that steps break, and the index of the step that breaks it; `undefined` if they break none. */
export type BreakOf = (steps: readonly Drawn<Step>[]) => Promise<(Break & { at: number }) | undefined>

/** Returns the violation with as few and as simple steps as can be found by leaving out and replacing steps. */
export async function shrunkSequence(found: readonly Drawn<Step>[], breakOf: BreakOf): Promise<Violation> {
  let steps = [...found]
  let broken = (await breakOf(steps))!
  const attempt = async (next: readonly Drawn<Step>[]): Promise<boolean> => {
    const still = await breakOf(next)
    if (still === undefined) return false
    broken = still
    steps = next.slice(0, still.at + 1)
    return true
  }
  for (let size = steps.length >> 1; size > 0; size >>= 1) {
    for (let i = steps.length - size; i >= 0; i = Math.min(i, steps.length) - size) {
      await attempt([...steps.slice(0, i), ...steps.slice(i + size)])
    }
  }
  for (let isSimpler = true; isSimpler; ) {
    isSimpler = false
    for (let i = steps.length - 1; i >= 0; i--) {
      if (i >= steps.length) continue
      if (await attempt([...steps.slice(0, i), ...steps.slice(i + 1)])) isSimpler = true
      else {
        for (const next of steps[i]!.simpler()) {
          if (!(await attempt(steps.with(i, next)))) continue
          isSimpler = true
          break
        }
      }
    }
  }
  const { rule, why } = broken
  return { rule, why, steps: steps.map(({ value }) => value) }
}
