/** Freezes plain data at every depth. */
import { isWithoutClass } from './kindOf.ts'

/**
 * Returns `value` itself, with all plain data in it frozen. Other objects (clients, contracts, bytes) are not
 * changed.
 */
export function frozen<T>(value: T): T {
  freeze(value, new Set())
  return value
}

function freeze(value: unknown, seen: Set<object>): void {
  if (!isPlainData(value) || seen.has(value)) return
  seen.add(value)
  Object.freeze(value)
  for (const member of Object.values(value)) freeze(member, seen)
}

/**
 * Returns whether `value` is an array, or an object without a class and whose members are neither functions nor
 * accessors.
 */
function isPlainData(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  if (!isWithoutClass(value)) return false
  const members = Object.values(Object.getOwnPropertyDescriptors(value))
  return members.every((member) => 'value' in member && typeof member.value !== 'function')
}
