/**
 * The keys of the state tries, keccak(address) and keccak(slot), with the record that was last read under each.
 *
 * The same few addresses and slots are read again and again, so their hashes are cached: in two generations of a
 * bounded map, so that used keys stay and memory does not grow with the state.
 */
import { toBinary } from '../bytes/bytes.ts'
import { type Address, fromHex, toWord } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'

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
 * The key of an account in the state trie, with the record that was last read under it. Reading the same account of the
 * same state again skips the path through the trie, which is longer the more accounts there are.
 */
export interface AccountKey<R> {
  /** keccak(address) as a byte string. */
  readonly key: string
  /** The number of the state from which `record` was read. Each state has its own number; none has 0. */
  state: number
  record: R | undefined
  /** The index of this key in `remembering`, current or former. */
  slot: number
}

/**
 * The limit of keys with a record: a record holds the whole storage of its account, also when its state is no longer
 * used.
 */
export const REMEMBERED = 4_096
const remembering: AccountKey<unknown>[] = []
let nextSlot = 0

/** Keeps in `key` the record that `state` has under it. If there are too many records, another key drops its own. */
export function remember<R>(key: AccountKey<R>, state: number, record: R | undefined): void {
  key.state = state
  key.record = record
  if (remembering[key.slot] === key) return
  const forgetting = remembering[nextSlot]
  if (forgetting !== undefined) {
    forgetting.state = 0
    forgetting.record = undefined
  }
  remembering[nextSlot] = key as AccountKey<unknown>
  key.slot = nextSlot
  nextSlot = (nextSlot + 1) % REMEMBERED
}

const accounts = new Memo<Address, AccountKey<unknown>>((address) => ({
  key: toBinary(keccak256(fromHex(address))),
  state: 0,
  record: undefined,
  slot: 0,
}))
const slots = new Memo<bigint, string>((slot) => toBinary(keccak256(toWord(slot))))

/** Returns the key of the account at `address`. */
export function accountKey<R>(address: Address): AccountKey<R> {
  return accounts.get(address) as AccountKey<R>
}

/** Returns keccak(slot) as a byte string: the slot's key in an account's storage trie. */
export function slotKey(slot: bigint): string {
  return slots.get(slot)
}
