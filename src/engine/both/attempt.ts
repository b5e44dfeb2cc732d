/** One message in one of two engines: an execution, or the error that the engine threw. */
import { MemoryLimitExceeded, TimeLimitExceeded, WorkCancelled } from '../../work/work.ts'
import type { Execution } from '../engine.ts'
import { type Outcome, plainOutcome } from '../outcome.ts'

/** What an engine returned, or what it threw although the message, the state and its listeners are sound. */
export type Attempt = { readonly execution: Execution } | { readonly error: unknown }

/** What an attempt shows to people: the members of its outcome, or its error. */
export type Attempted = Outcome | { readonly kind: 'error'; readonly error: string }

/**
 * Runs `transact` and returns what became of it. Errors that no engine causes are thrown: those of the work (limits of
 * time and memory, a closed devnet) and `others`, which states and watchers threw.
 */
export async function attempt(
  transact: () => Execution | Promise<Execution>,
  others: ReadonlySet<unknown> = new Set(),
): Promise<Attempt> {
  try {
    return { execution: await transact() }
  } catch (error) {
    if (THROWN.some((thrown) => error instanceof thrown) || others.has(error)) throw error
    return { error }
  }
}

/** Errors of the work. */
const THROWN = [TimeLimitExceeded, MemoryLimitExceeded, WorkCancelled]

/** Returns an object with the same members; what its methods throw is added to `errors`. */
export function noting<T extends object>(target: T, errors: Set<unknown>): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        try {
          return Reflect.apply(member, object, args)
        } catch (error) {
          errors.add(error)
          throw error
        }
      }
    },
  })
}

/** Returns an attempt in the form in which it is shown. */
export function attempted(one: Attempt): Attempted {
  return 'error' in one ? { kind: 'error', error: errorText(one.error) } : plainOutcome(one.execution.outcome)
}

function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
