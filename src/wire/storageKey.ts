import { type Address, toHex } from '../bytes/hex.ts'
import type { AccountProof } from '../model/account/account.ts'
import { encodeQuantity, encodeWord, parseAddress, parseSlot, parseWord } from './hex.ts'
import { arrayOf, entriesOf, InvalidValue, type JsonObject, type Parser } from './parser.ts'

export interface StorageKey {
  readonly slot: bigint
  readonly form: 'word' | 'quantity'
}

/** Maximum number of keys in a request, as in go-ethereum and on Base, because each key needs a proof. */
const MAX_KEYS = 1024

export const parseStorageKeys: Parser<StorageKey[]> = (value, path) => {
  if (Array.isArray(value) && value.length > MAX_KEYS) {
    throw new InvalidValue(path, `at most ${MAX_KEYS} storage keys`, value.length)
  }
  return arrayOf(parseStorageKey, 'an array of storage keys')(value, path)
}

const parseStorageKey: Parser<StorageKey> = (value, path) => {
  const slot = parseSlot(value, path)
  // As in geth, an odd number of digits is rounded up: 63 digits count as 32 bytes.
  return { slot, form: (value as string).length >= '0x'.length + 63 ? 'word' : 'quantity' }
}

/** Encodes a key in the form of the request, 32 bytes or a quantity, as `GetProof` of go-ethereum does (EIP-1186). */
export function encodeStorageKey({ slot, form }: StorageKey): string {
  return form === 'word' ? encodeWord(slot) : encodeQuantity(slot)
}

/** Encodes the proof of an account (EIP-1186). `keys` are the requested keys, in the order of `storageProof`. */
export function encodeProof(proof: AccountProof, keys: readonly StorageKey[]): JsonObject {
  return {
    address: proof.address,
    accountProof: proof.accountProof.map(toHex),
    balance: encodeQuantity(proof.balance),
    codeHash: proof.codeHash,
    nonce: encodeQuantity(proof.nonce),
    storageHash: proof.storageHash,
    storageProof: proof.storageProof.map(({ value, proof: nodes }, i) => ({
      key: encodeStorageKey(keys[i]!),
      value: encodeQuantity(value),
      proof: nodes.map(toHex),
    })),
  }
}

export const parseSlotsByAccount: Parser<
  { readonly address: Address; readonly slots: readonly bigint[] }[]
> = (value, path) => {
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
