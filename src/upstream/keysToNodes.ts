/**
 * Finds a key whose hash leads to a given trie node. A deletion that leaves a branch with one child replaces the branch
 * with the child, which must then be fetched. eth_getProof selects nodes by key, but tries contain only hashes of keys.
 * Near the root of the trie, a suitable key is found by trial. Further down, `debug` methods of RPC nodes return keys.
 */
import { fromBinary } from '../bytes/bytes.ts'
import { type Address, type Hash, toHex } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { accountKey, slotKey } from '../state/hashedKey.ts'
import type { MissingNode, MissingValue } from '../state/remoteState.ts'
import { divergence } from '../state/trie.ts'
import { encodeQuantity, encodeWord } from '../wire/hex.ts'
import { Work } from '../work/work.ts'
import { lacksMethod } from './answers.ts'
import { type Upstream, UpstreamFailed, type UpstreamRequest } from './upstream.ts'

/** Up to this depth, in nibbles, a search by trial is faster than a request. */
const FEW_NIBBLES = 4
/** The maximum depth, in nibbles, of a search by trial: 17 million attempts on average, about ten seconds. */
export const MOST_NIBBLES = 6
/** The maximum number of keys in an answer. One key may not suffice, because the node may lack a preimage. */
const MOST_KEYS = 16

export class KeysToNodes {
  readonly #upstream: Upstream
  readonly #block: { readonly number: bigint; readonly hash: Hash }
  readonly #lacking = new Set<string>()

  constructor(upstream: Upstream, block: { readonly number: bigint; readonly hash: Hash }) {
    this.#upstream = upstream
    this.#block = block
  }

  /** Returns a value whose proof contains the node; `undefined` if none is found. Rejects with `UpstreamFailed`. */
  async valueAt(node: MissingNode): Promise<MissingValue | undefined> {
    const { key, depth } = node
    const isNear = depth <= FEW_NIBBLES
    const named = isNear ? undefined : await this.#named(node)
    if (named !== undefined || depth > MOST_NIBBLES) return named
    const { address } = node
    return address === undefined
      ? {
          kind: 'account',
          address: `0x${encodeWord(await smallestNumberWithPrefix(key, depth, 20)).slice(26)}`,
        }
      : { kind: 'slot', address, slot: await smallestNumberWithPrefix(key, depth, 32) }
  }

  /** Requests keys by hash, with `debug` methods of geth, Erigon and others. Returns a value with a suitable key. */
  async #named(node: MissingNode): Promise<MissingValue | undefined> {
    const { address, key, depth } = node
    const start = toHex(fromBinary(key))
    const isUnder = (hash: string) => divergence(hash, key, 0, depth) === depth
    if (address === undefined) {
      const params = [encodeQuantity(this.#block.number), start, MOST_KEYS, true, true, true]
      const found = await this.#ask({ method: 'debug_accountRange', params, isImmutable: true })
      const addresses = Object.keys(Object(Object(found).accounts)) as Address[]
      const owner = addresses
        .map((text) => text.toLowerCase() as Address)
        .find((text) => /^0x[0-9a-f]{40}$/.test(text) && isUnder(accountKey(text).key))
      return owner && { kind: 'account', address: owner }
    }
    // The request lists the slots before the block's first transaction, because any key with the prefix is suitable.
    const params = [this.#block.hash, 0, address, start, MOST_KEYS]
    const found = await this.#ask({ method: 'debug_storageRangeAt', params, isImmutable: true })
    const slots = Object.values(Object(Object(found).storage)) as ({ key?: unknown } | null)[]
    const slot = slots
      .map((one) => one?.key)
      .filter((text) => typeof text === 'string' && /^0x[0-9a-f]{1,64}$/i.test(text))
      .map((text) => BigInt(text as string))
      .find((number) => isUnder(slotKey(number)))
    return slot === undefined ? undefined : { kind: 'slot', address, slot }
  }

  async #ask(request: UpstreamRequest): Promise<unknown> {
    if (this.#lacking.has(request.method)) return undefined
    try {
      const [answer] = await this.#upstream.send([request])
      if ('result' in answer!) return answer.result
      if (lacksMethod(answer!.error)) this.#lacking.add(request.method)
      return undefined
    } catch (error) {
      if (error instanceof UpstreamFailed && error.kind === 'offline') return undefined
      throw error
    }
  }
}

/** The length of the indexed prefixes of hashes, in nibbles. The index contains a million prefixes and takes 4 MB. */
const REMEMBERED_NIBBLES = 5
const KEYS_BETWEEN_PAUSES = 512

/** An index of numbers by the first nibbles of their hashes. A number is hashed as a key of `length` bytes. */
class HashedNumbers {
  readonly #key: Uint8Array
  /** For each prefix, the smallest number whose hash has the prefix, plus 1; 0 if no such number is indexed yet. */
  readonly #smallest = new Uint32Array(16 ** REMEMBERED_NIBBLES)
  #next = 0

  constructor(length: number) {
    this.#key = new Uint8Array(length)
  }

  /** Returns a number whose hash begins with `prefix`: the smallest, so that each run can reuse cached proofs. */
  async smallest(prefix: number, nibbles: number): Promise<number> {
    const work = new Work()
    const more = 4 * (REMEMBERED_NIBBLES - nibbles)
    if (more < 0) return this.#smallestOfMany(prefix, nibbles, work)
    const range = this.#smallest.subarray(prefix << more, (prefix + 1) << more)
    for (;;) {
      let least = 0
      for (const number of range) if (number !== 0 && (least === 0 || number < least)) least = number
      if (least !== 0) return least - 1
      for (let tried = 0; tried < KEYS_BETWEEN_PAUSES; tried++) this.#remember(this.#next++)
      const pause = work.pause()
      if (pause !== undefined) await pause
    }
  }

  async #smallestOfMany(prefix: number, nibbles: number, work: Work): Promise<number> {
    for (let number = 0; ; number++) {
      if (this.#firstOf(number, nibbles) === prefix) return number
      if (number % KEYS_BETWEEN_PAUSES === 0) {
        const pause = work.pause()
        if (pause !== undefined) await pause
      }
    }
  }

  #remember(number: number): void {
    const place = this.#firstOf(number, REMEMBERED_NIBBLES)
    if (this.#smallest[place] === 0) this.#smallest[place] = number + 1
  }

  #firstOf(number: number, nibbles: number): number {
    const key = this.#key
    for (let at = 1, rest = number; at <= 5; at++, rest = Math.floor(rest / 256)) key[key.length - at] = rest
    const hash = keccak256(key)
    return ((hash[0]! << 16) | (hash[1]! << 8) | hash[2]!) >>> (4 * (6 - nibbles))
  }
}

const numbers = new Map<number, HashedNumbers>()

/** Returns the smallest number, as a key of `length` bytes, whose hash begins with the first `nibbles` of `hash`. */
export async function smallestNumberWithPrefix(
  hash: string,
  nibbles: number,
  length: number,
): Promise<bigint> {
  let known = numbers.get(length)
  if (known === undefined) {
    known = new HashedNumbers(length)
    numbers.set(length, known)
  }
  let prefix = 0
  for (let at = 0; at < nibbles; at++) {
    const byte = hash.charCodeAt(at >> 1)
    prefix = prefix * 16 + ((at & 1) === 0 ? byte >> 4 : byte & 15)
  }
  return BigInt(await known.smallest(prefix, nibbles))
}
