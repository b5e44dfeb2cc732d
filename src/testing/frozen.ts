/** Plain data that nobody can change any more, however deep. */
import { isWithoutClass } from './kindOf.ts'

/** `value` itself, with all plain data in it frozen. What is more than data (clients, contracts, bytes) stays as it is. */
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

/** Whether `value` is an array, or an object without a class that can do nothing by itself. */
function isPlainData(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  if (!isWithoutClass(value)) return false
  const members = Object.values(Object.getOwnPropertyDescriptors(value))
  return members.every((member) => 'value' in member && typeof member.value !== 'function')
}
