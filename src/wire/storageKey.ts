/** The slots that are asked for many at a time, and how their names come back. */
import type { Address } from '../model/bytes/hex.ts'
import { encodeQuantity, encodeWord, parseAddress, parseSlot, parseWord } from './hex.ts'
import { arrayOf, entriesOf, InvalidValue, type Parser } from './parser.ts'

/** A slot, and how it was named: by 32 bytes or by a shorter text. */
export interface StorageKey {
  readonly slot: bigint
  readonly form: 'word' | 'quantity'
}

/** What go-ethereum and Base allow: each key is a walk through the trie. */
const MAX_KEYS = 1024

export const parseStorageKeys: Parser<StorageKey[]> = (value, path) => {
  if (Array.isArray(value) && value.length > MAX_KEYS) {
    throw new InvalidValue(path, `at most ${MAX_KEYS} storage keys`, value.length)
  }
  return arrayOf(parseStorageKey, 'an array of storage keys')(value, path)
}

const parseStorageKey: Parser<StorageKey> = (value, path) => {
  const slot = parseSlot(value, path)
  // Half a byte counts as one, so 63 digits are 32 bytes too.
  return { slot, form: (value as string).length >= '0x'.length + 63 ? 'word' : 'quantity' }
}

/** Whoever asks with 32 bytes gets them back, for anything else it is EIP-1186's quantity (go-ethereum's `GetProof`). */
export function encodeStorageKey({ slot, form }: StorageKey): string {
  return form === 'word' ? encodeWord(slot) : encodeQuantity(slot)
}

/** What `eth_getStorageValues` is asked for: slots, each of 32 bytes, by their accounts. */
export interface AccountSlots {
  readonly address: Address
  readonly slots: readonly bigint[]
}

export const parseSlotsByAccount: Parser<AccountSlots[]> = (value, path) => {
  const expected = 'an object {address: [slot, …]}, each slot of 32 bytes'
  const wanted = entriesOf(value, path, expected).map(([key, slots]) => {
    const at = `${path}["${key}"]`
    return {
      address: parseAddress(key, at),
      slots: arrayOf(parseWord, 'an array of storage slots')(slots, at),
    }
  })
  const count = wanted.reduce((sum, { slots }) => sum + slots.length, 0)
  if (count === 0) throw new InvalidValue(path, 'at least one storage slot', value)
  if (count > MAX_KEYS) throw new InvalidValue(path, `at most ${MAX_KEYS} storage slots`, count)
  return wanted
}
