/** What the words of slots mean by the variables in them. */
import { grouped } from '../format/quantity.ts'

/** A variable that has a slot of its own, or a part of one. */
export interface SlotVariable {
  readonly name: string
  readonly type: string
}

/** An entry of `preseal_getStorage`, as far as it is used. */
interface Entry {
  readonly slot: string
  readonly variables: readonly SlotVariable[]
}

/** Returns the variables by their slots. */
export function variablesBySlot(entries: readonly Entry[]): ReadonlyMap<string, readonly SlotVariable[]> {
  return new Map(
    entries.flatMap(({ slot, variables }) => (variables.length === 0 ? [] : [[slot, variables]])),
  )
}

/** Returns what `word` means for a variable that has the slot for itself; `undefined` where it is better read as it is. */
export function wordText(type: string, word: string): string | undefined {
  const value = BigInt(word)
  if (/^uint\d*$/.test(type)) return grouped(value)
  // A word in storage has an integer in its lowest bytes, and zeros in front of it.
  const [, bits] = /^int(\d+)$/.exec(type) ?? []
  if (bits !== undefined) return grouped(BigInt.asIntN(Number(bits), value))
  if (type.endsWith('[]')) return `${grouped(value)} ${value === 1n ? 'item' : 'items'}`
  if (/^(address( payable)?|contract .*)$/.test(type)) return value === 0n ? '0x0' : `0x${word.slice(-40)}`
  if (type === 'bool') return value === 0n ? 'false' : 'true'
  if (type === 'string') return shortText(word)
  return undefined
}

/** A string of up to 31 bytes stands in the slot itself, with twice its length behind it; of others there is twice the length, and one. */
function shortText(word: string): string | undefined {
  const twice = Number.parseInt(word.slice(-2), 16)
  // A longer one stands elsewhere.
  if (twice % 2 === 1) return `${grouped((BigInt(word) - 1n) / 2n)} bytes`
  if (twice > 62) return undefined
  const bytes = Uint8Array.from({ length: twice / 2 }, (_, i) =>
    Number.parseInt(word.slice(2 + 2 * i, 4 + 2 * i), 16),
  )
  try {
    return JSON.stringify(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
