/** Reverts in optimized code: of its functions some became parts of others, and equal pieces of code are one. */
import type { SourceFunction } from '../source/sourceModel.ts'
import { entered, placed } from './beginnings.ts'
import { reachedFrom } from './candidates.ts'
import { certainly } from './certain.ts'
import type { Decoded } from './decoded.ts'
import { type Entries, entry, failure } from './entry.ts'
import type { InternalCalls } from './internalCalls.ts'
import type { FailureKind } from './stackTrace.ts'
import { atRange, atStart, named } from './where.ts'

/** A revert in optimized code: the function that was running, or one that became a part of it, and the place if it is certain. */
export function ofOptimized(decoded: Decoded, calls: InternalCalls, kind: FailureKind): Entries {
  const running = runningIn(decoded, calls)
  const certain = certainly(decoded, running, calls)
  const entries = [...calls.entries]
  if (certain === undefined) {
    const where = running === undefined ? placed(decoded, decoded.last, calls) : atStart(decoded, running)
    return [...entries, failure(kind, decoded, named(where))]
  }
  // It is a part of the one that was running, which called it somewhere.
  if (running !== undefined && certain.function !== running && running.kind !== 'constructor') {
    entries.push(entry('call', decoded, named(atStart(decoded, running))))
  }
  return [...entries, failure(kind, decoded, atRange(decoded, certain.function, certain.range))]
}

/** The function that was running, without those that became a part of it, and without modifiers, which are parts of it. */
function runningIn(decoded: Decoded, { starts }: InternalCalls): SourceFunction | undefined {
  const functions = starts.map((start) => decoded.functionOf(start))
  const inner = functions.filter((one) => one !== undefined && one.kind !== 'modifier').at(-1)
  const { source, model } = decoded
  if (decoded.isCreation) return inner ?? source?.constructorFunction
  const outer = entered(decoded)
  if (inner === undefined || outer === undefined || source === undefined) return outer ?? inner
  // Equal functions become one, which is not always the one that was called.
  return reachedFrom([outer], source, model)?.has(inner) === false ? outer : inner
}
