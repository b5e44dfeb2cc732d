/** Caches the keys of the state tries: keccak(address) and keccak(slot). */
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

/** The key of an account in the trie, and the last record read, so that repeated reads do not search the trie. */
export interface AccountKey<R> {
  /** keccak(address) as a byte string. */
  readonly key: string
  /** The number of the state from which `record` was read; 0: no record. */
  state: number
  record: R | undefined
  /** The index of this key in `remembering`, unless another key has taken the index. */
  cacheIndex: number
}

/** The maximum number of keys with a record. A record keeps the whole storage of its account in memory. */
export const MAX_CACHED_RECORDS = 4_096
const remembering: AccountKey<unknown>[] = []
let nextSlot = 0

/** Stores `record` in `key`. `state`: the number of the record's state. Beyond the limit, drops the oldest record. */
export function cacheRecord<R>(key: AccountKey<R>, state: number, record: R | undefined): void {
  key.state = state
  key.record = record
  if (remembering[key.cacheIndex] === key) return
  const forgetting = remembering[nextSlot]
  if (forgetting !== undefined) {
    forgetting.state = 0
    forgetting.record = undefined
  }
  remembering[nextSlot] = key as AccountKey<unknown>
  key.cacheIndex = nextSlot
  nextSlot = (nextSlot + 1) % MAX_CACHED_RECORDS
}

const accounts = new Memo<Address, AccountKey<unknown>>((address) => ({
  key: toBinary(keccak256(fromHex(address))),
  state: 0,
  record: undefined,
  cacheIndex: 0,
}))
const slots = new Memo<bigint, string>((slot) => toBinary(keccak256(toWord(slot))))

/** Returns the cached key of the account at `address` in the state trie. */
export function accountKey<R>(address: Address): AccountKey<R> {
  return accounts.get(address) as AccountKey<R>
}

/** Returns the key of a slot in a storage trie, keccak(slot) as a byte string. */
export function slotKey(slot: bigint): string {
  return slots.get(slot)
}
