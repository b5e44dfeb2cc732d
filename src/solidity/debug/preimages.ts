/** What was hashed in a run: the keys of mappings and the places of arrays are found by it. */
import { toQuantity, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'

/** A hash that stands for a place in storage, and what was hashed. */
export interface Preimage {
  readonly hash: bigint
  /** The key of a mapping; empty for the contents of arrays and texts. */
  readonly key: Uint8Array
  /** The slot of the mapping, array or text. */
  readonly slot: bigint
}

/** Preimages by their hashes, and by places that are a little behind. */
export class Preimages {
  /** By the upper 192 bits of the hash: members and elements stand behind it. */
  readonly #byBeginning = new Map<bigint, Preimage[]>()

  /** Adds what was hashed: at least 32 bytes, of which the last 32 are a slot. Returns whether it is new. */
  add(bytes: Uint8Array): boolean {
    const hash = toQuantity(keccak256(bytes))
    const beginning = hash >> OFFSET_BITS
    const group = this.#byBeginning.get(beginning)
    if (group?.some((one) => one.hash === hash)) return false
    const end = bytes.length - 32
    const added = { hash, key: bytes.slice(0, end), slot: toQuantity(bytes.subarray(end)) }
    if (group === undefined) this.#byBeginning.set(beginning, [added])
    else group.push(added)
    return true
  }

  addSlot(slot: bigint): void {
    this.add(toWord(slot))
  }

  /** Returns those at or before `slot`, the nearest first; none that is further than 2^64 slots away. */
  before(slot: bigint): readonly Preimage[] {
    const beginning = slot >> OFFSET_BITS
    const groups = [this.#byBeginning.get(beginning), this.#byBeginning.get(beginning - 1n)]
    const found = groups.flatMap((group) => group ?? []).filter(({ hash }) => hash <= slot)
    return found.length < 2 ? found : found.sort((a, b) => (a.hash < b.hash ? 1 : -1))
  }
}

const OFFSET_BITS = 64n
