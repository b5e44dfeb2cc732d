import { type Address, type Hex, toHex } from '../../bytes/hex.ts'
import type { AccountChange } from '../../state/state.ts'
import type { StateView } from '../../state/view.ts'
import type { MaybePromise } from '../../work/maybePromise.ts'
import { MemoryLimitExceeded, TimeLimitExceeded, WorkCancelled } from '../../work/work.ts'
import { type Execution, type Outcome, plainOutcome } from '../engine.ts'

export type Attempt = { readonly execution: Execution } | { readonly error: unknown }

export type AttemptSummary = Outcome | { readonly kind: 'error'; readonly error: string }

/** Returns the execution or error of `transact`. Rethrows the errors in `THROWN` and in `others`. */
export async function attempt(
  transact: () => MaybePromise<Execution>,
  others: ReadonlySet<unknown> = new Set(),
): Promise<Attempt> {
  try {
    return { execution: await transact() }
  } catch (error) {
    if (THROWN.some((thrown) => error instanceof thrown) || others.has(error)) throw error
    return { error }
  }
}

const THROWN = [TimeLimitExceeded, MemoryLimitExceeded, WorkCancelled]

/** Returns a proxy of `target` that adds each error that a method throws to `errors`. */
export function recordingErrors<T extends object>(target: T, errors: Set<unknown>): T {
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

export function summaryOf(one: Attempt): AttemptSummary {
  return 'error' in one ? { kind: 'error', error: String(one.error) } : plainOutcome(one.execution.outcome)
}

export type AccountAfter = AccountFields | undefined

interface AccountFields {
  readonly nonce: bigint
  readonly balance: bigint
  readonly code: Hex
  /** Whether the run deleted all slots that the account had before. */
  readonly isCleared: boolean
  /** The changed slots, sorted by key; if `isCleared`, all slots that are not zero. */
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}

/** Returns the accounts whose values after `changes` differ from their values in `state`, sorted by address. */
export function effectOf(
  state: StateView,
  changes: Iterable<AccountChange>,
): ReadonlyMap<Address, AccountAfter> {
  const effect: [Address, AccountAfter][] = []
  for (const change of changes) {
    const after = accountAfter(state, change)
    if (!isEqual(accountBefore(state, change.address), after)) effect.push([change.address, after])
  }
  return new Map(effect.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function accountBefore(state: StateView, address: Address): AccountAfter {
  const account = state.account(address)
  if (account === undefined) return undefined
  const { nonce, balance } = account
  return { nonce, balance, code: toHex(state.code(address)), isCleared: false, storage: [] }
}

function accountAfter(state: StateView, change: AccountChange): AccountAfter {
  const { address, deleted = false, nonce, balance, code } = change
  if (deleted && nonce === undefined && balance === undefined && code === undefined) return undefined
  const before = deleted ? undefined : accountBefore(state, address)
  const isCleared = (deleted || change.storageCleared === true) && state.hasStorage(address)
  const valueBefore = (slot: bigint) => (isCleared ? 0n : state.storage(address, slot))
  return {
    nonce: nonce ?? before?.nonce ?? 0n,
    balance: balance ?? before?.balance ?? 0n,
    code: code === undefined ? (before?.code ?? '0x') : toHex(code),
    isCleared,
    storage: [...(change.storage ?? [])]
      .filter(([slot, value]) => value !== valueBefore(slot))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  }
}

export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) =>
    isEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  )
}
