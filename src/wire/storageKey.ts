/** The slots that `eth_getProof` is asked for, and how their names come back. */
import { encodeQuantity, encodeWord, parseSlot } from './hex.ts'
import { arrayOf, InvalidValue, type Parser } from './parser.ts'

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
