/** Validates storage layouts: a file from another tool, or a truncated one, must not break a debugged run. */

import { isRecord } from '../../model/api/arguments.ts'
import type { StorageLayout } from '../artifacts/solcJson.ts'

export function layoutFlaw(layout: StorageLayout): string | undefined {
  const { storage, types } = layout as unknown as Fields
  if (types !== null && types !== undefined && !isRecord(types)) return 'types is not an object'
  const known = (types ?? {}) as Readonly<Record<string, unknown>>
  const entries = Object.entries(known)
  return (
    variablesFlaw('storage', storage) ??
    first(entries, ([id, type]) => typeFlaw(`types["${id}"]`, type)) ??
    first(entries, ([id]) => (containsItself(id, known) ? `types["${id}"] contains itself` : undefined))
  )
}

function variablesFlaw(path: string, variables: unknown): string | undefined {
  if (!Array.isArray(variables)) return `${path} is not an array`
  return first(variables, (variable: unknown, i) => {
    const { label, slot, offset, type } = isRecord(variable) ? variable : {}
    if (typeof label !== 'string' || typeof type !== 'string') return `${path}[${i}] has no label and type`
    if (!isDecimal(slot)) return `${path}[${i}].slot is not a decimal number`
    const isOffset = Number.isInteger(offset) && (offset as number) >= 0 && (offset as number) < 32
    return isOffset ? undefined : `${path}[${i}].offset is not an offset in a slot`
  })
}

const ENCODINGS: readonly unknown[] = ['inplace', 'mapping', 'dynamic_array', 'bytes']

function typeFlaw(path: string, type: unknown): string | undefined {
  if (!isRecord(type)) return `${path} is not an object`
  const { encoding, label, numberOfBytes, members } = type
  if (!ENCODINGS.includes(encoding)) return `${path}.encoding is not one of ${ENCODINGS.join(', ')}`
  if (typeof label !== 'string') return `${path} has no label`
  if (!isDecimal(numberOfBytes) || BigInt(numberOfBytes as string) === 0n) {
    return `${path}.numberOfBytes is not a positive number of bytes`
  }
  const reference = ['base', 'key', 'value'].find(
    (name) => !['string', 'undefined'].includes(typeof type[name]),
  )
  if (reference !== undefined) return `${path}.${reference} is not the id of a type`
  return members === undefined ? undefined : variablesFlaw(`${path}.members`, members)
}

/** Whether a type contains itself in its own slots: a look-up would not end. */
function containsItself(id: string, types: Fields): boolean {
  const seen = new Set<string>()
  const waiting = innerTypes(id, types)
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    if (inner === id) return true
    if (seen.has(inner)) continue
    seen.add(inner)
    waiting.push(...innerTypes(inner, types))
  }
  return false
}

function innerTypes(id: string, types: Fields): string[] {
  const { encoding, base, members = [] } = (types[id] ?? {}) as NonNullable<StorageLayout['types']>[string]
  const inner = members.map(({ type }) => type)
  return encoding === 'inplace' && base !== undefined ? [base, ...inner] : inner
}

function first<T>(items: readonly T[], flawOf: (item: T, index: number) => string | undefined) {
  for (const [i, item] of items.entries()) {
    const flaw = flawOf(item, i)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,78}$/.test(value)
}

type Fields = Readonly<Record<string, unknown>>
