/** Checks storage layouts before they are used: files that tools wrote, or cut off, must not end a run that is looked at. */
import type { StorageLayout } from '../artifacts/solcJson.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns what of `layout` is not as solc writes it; `undefined` for one that is. */
export function layoutFlaw(layout: StorageLayout): string | undefined {
  const { storage, types } = layout as unknown as Fields
  if (types !== null && types !== undefined && !isRecord(types)) return 'types is no object'
  const known = (types ?? {}) as Readonly<Record<string, unknown>>
  const entries = Object.entries(known)
  return (
    variablesFlaw('storage', storage) ??
    first(entries, ([id, type]) => typeFlaw(`types["${id}"]`, type)) ??
    first(entries, ([id]) => (containsItself(id, known) ? `types["${id}"] contains itself` : undefined))
  )
}

function variablesFlaw(path: string, variables: unknown): string | undefined {
  if (!Array.isArray(variables)) return `${path} is no array`
  return first(variables, (variable: unknown, i) => {
    const { label, slot, offset, type } = isRecord(variable) ? variable : {}
    if (typeof label !== 'string' || typeof type !== 'string') return `${path}[${i}] has no label and type`
    if (!isDecimal(slot)) return `${path}[${i}].slot is no decimal number`
    const isOffset = Number.isInteger(offset) && (offset as number) >= 0 && (offset as number) < 32
    return isOffset ? undefined : `${path}[${i}].offset is no number of bytes in a slot`
  })
}

const ENCODINGS: readonly unknown[] = ['inplace', 'mapping', 'dynamic_array', 'bytes']

function typeFlaw(path: string, type: unknown): string | undefined {
  if (!isRecord(type)) return `${path} is no object`
  const { encoding, label, numberOfBytes, members } = type
  if (!ENCODINGS.includes(encoding)) return `${path}.encoding is none of ${ENCODINGS.join(', ')}`
  if (typeof label !== 'string') return `${path} has no label`
  if (!isDecimal(numberOfBytes) || BigInt(numberOfBytes as string) === 0n) {
    return `${path}.numberOfBytes is no number of bytes`
  }
  const reference = ['base', 'key', 'value'].find(
    (name) => !['string', 'undefined'].includes(typeof type[name]),
  )
  if (reference !== undefined) return `${path}.${reference} is no name of a type`
  return members === undefined ? undefined : variablesFlaw(`${path}.members`, members)
}

/** Whether a value of the type would have a value of the same type in its own slots: looking for one would not end. */
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

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,78}$/.test(value)
}
