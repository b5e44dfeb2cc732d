/**
 * The keys of the state tries: keccak(address) and keccak(slot), and what was last found under them.
 *
 * The same few addresses and slots are asked for again and again, so their hashes are remembered; two generations of a
 * bounded map, so that what is used stays and memory does not grow with the state.
 */
import { toBinary } from '../model/bytes/binary.ts'
import { type Address, fromHex, toWord } from '../model/bytes/hex.ts'
import { keccak256 } from '../model/crypto/keccak.ts'

const GENERATION = 65_536

class Memo<K, V> {
  readonly #make: (key: K) => V
  #young = new Map<K, V>()
  #old = new Map<K, V>()

  constructor(make: (key: K) => V) {
    this.#make = make
  }

  get(key: K): V {
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

/**
 * An account's place in the state trie, and what stood there when it was last read: whoever asks the same state for the same
 * account again is spared the way down the trie, which is the longer the more accounts there are.
 */
export interface Place<R> {
  /** keccak(address) as a byte string. */
  readonly key: string
  /** The number of the state that was read; no two states have the same. */
  state: number
  record: R | undefined
}

const places = new Memo<Address, Place<unknown>>((address) => ({
  key: toBinary(keccak256(fromHex(address))),
  state: 0,
  record: undefined,
}))
const slots = new Memo<bigint, string>((slot) => toBinary(keccak256(toWord(slot))))

/** The place of the account at `address`. */
export function placeOf<R>(address: Address): Place<R> {
  return places.get(address) as Place<R>
}

/** keccak(slot) as a byte string: a slot's key in an account's storage trie. */
export function slotKey(slot: bigint): string {
  return slots.get(slot)
}
