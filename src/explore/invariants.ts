/** Decides whether a state or a step breaks an exploration's rules. */
import { toHex } from '../bytes/hex.ts'
import type { Outcome } from '../engine/engine.ts'
import { panicCode } from '../model/execution/revertReason.ts'
import { NotFetched } from '../state/remoteState.ts'
import { whenFetched } from '../state/whenFetched.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import type { CallStep } from './steps.ts'
import { failureText, type World } from './world.ts'

/** A rule by its name: returns `false` or throws in a state that must not exist. It must not wait for anything. */
export type Invariants = Readonly<Record<string, (world: World) => unknown>>

/** A broken rule. */
export interface Break {
  /** The rule, such as `invariant solvent`. */
  readonly rule: string
  /** Why it is broken, if anything says why. */
  readonly why: string | undefined
}

/** Thrown by a read whose values have to be fetched or whose run paused. After `done`, the read can be repeated. */
export class NotReady {
  readonly done: Promise<unknown>

  constructor(done: Promise<unknown>) {
    this.done = done
  }
}

/**
 * Returns the result of `act`, which reads a world. Repeats it after reads that have to wait: for a paused run, or for
 * values of a forked network.
 */
export function whenReady<T>(act: () => T): MaybePromise<T> {
  return whenFetched(() => {
    try {
      return act()
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      return error.done.then(() => whenReady(act))
    }
  })
}

/** Returns the first invariant that does not hold. Throws `NotReady`. */
export function brokenInvariant(invariants: Invariants, world: World): Break | undefined {
  for (const name in invariants) {
    try {
      const held = invariants[name]!(world)
      if (held instanceof Promise) {
        held.catch(() => {})
        throw new TypeError(
          `invariant ${name}: expected a function that returns at once, got a promise; world.read does not wait`,
        )
      }
      if (held === false) return { rule: `invariant ${name}`, why: undefined }
    } catch (error) {
      if (error instanceof NotReady || error instanceof NotFetched || error instanceof TypeError) throw error
      return { rule: `invariant ${name}`, why: error instanceof Error ? error.message : String(error) }
    }
  }
  return undefined
}

const ASSERTION = 1n

/** Returns the rule that a failed call breaks: that it must succeed, or an `assert` in Solidity. */
export function brokenCall({ plan }: CallStep, outcome: Outcome): Break | undefined {
  if (outcome.kind === 'success') return undefined
  if (outcome.kind === 'revert' && panicCode(outcome.data) === ASSERTION) {
    return { rule: `an assertion in ${plan.name}`, why: undefined }
  }
  return plan.mustSucceed ? { rule: `${plan.name} must succeed`, why: failureText(outcome) } : undefined
}

/** Identifies how a call ended: its kind, and the selector of its error. */
export function endingOf(outcome: Outcome): string {
  if (outcome.kind === 'success') return ''
  return outcome.kind === 'halt' ? outcome.reason : toHex(outcome.data.subarray(0, 4))
}
