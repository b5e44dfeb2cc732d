/**
 * The keys of the state tries: keccak(address) and keccak(slot).
 *
 * The same few addresses and slots are asked for again and again, so their hashes are remembered; two generations of a
 * bounded map, so that what is used stays and memory does not grow with the state.
 */
import { toBinary } from '../model/binary.ts'
import { type Address, fromHex, toWord } from '../model/hex.ts'
import { keccak256 } from '../model/keccak.ts'

const GENERATION = 65_536

class Memo<K> {
  readonly #make: (key: K) => string
  #young = new Map<K, string>()
  #old = new Map<K, string>()

  constructor(make: (key: K) => string) {
    this.#make = make
  }

  get(key: K): string {
    const known = this.#young.get(key)
    if (known !== undefined) return known
    const value = this.#old.get(key) ?? this.#make(key)
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
    return value
  }
}

const addresses = new Memo<Address>((address) => toBinary(keccak256(fromHex(address))))
const slots = new Memo<bigint>((slot) => toBinary(keccak256(toWord(slot))))

/** keccak(address) as a byte string: an account's key in the state trie. */
export function accountKey(address: Address): string {
  return addresses.get(address)
}

/** keccak(slot) as a byte string: a slot's key in an account's storage trie. */
export function slotKey(slot: bigint): string {
  return slots.get(slot)
}
