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
 * Where an account stands in the state trie, and what stood there when it was last read: whoever asks the same state for the
 * same account again is spared the way down the trie, which is the longer the more accounts there are.
 */
export interface AccountKey<R> {
  /** keccak(address) as a byte string. */
  readonly key: string
  /** The number of the state that `record` was read from; no two states have the same, and none has 0. */
  state: number
  record: R | undefined
  /** Which of `remembering` it is, or was. */
  slot: number
}

/** At most so many keys hold a record: a record holds the whole storage of its account, and the state may be long gone. */
export const REMEMBERED = 4_096
const remembering: AccountKey<unknown>[] = []
let nextSlot = 0

/** Notes in `key` what `state` has there; another key forgets its record when there are too many. */
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

/** The key of the account at `address`. */
export function accountKey<R>(address: Address): AccountKey<R> {
  return accounts.get(address) as AccountKey<R>
}

/** keccak(slot) as a byte string: a slot's key in an account's storage trie. */
export function slotKey(slot: bigint): string {
  return slots.get(slot)
}
