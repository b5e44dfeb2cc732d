/**
 * Keys that lead to nodes.
 *
 * A deletion that leaves one child to a branch puts that child in its place, whose content is needed though no key that
 * was read leads to it. eth_getProof gives nodes by keys, and tries have hashes of keys: so one is looked for whose hash
 * begins as the node's place does. Near the root many do. Further down some nodes name the keys that they have.
 */

import { fromBinary } from '../bytes/bytes.ts'
import { type Address, type Hash, toHex } from '../bytes/hex.ts'
import { accountKey, slotKey } from '../state/hashedKey.ts'
import type { MissingNode, MissingValue } from '../state/remoteState.ts'
import { divergence } from '../state/trie.ts'
import { encodeQuantity, encodeWord } from '../wire/hex.ts'
import { lacksMethod } from './answerErrors.ts'
import { MOST_NIBBLES, numberUnder } from './hashedKeys.ts'
import type { Upstream, UpstreamRequest } from './upstream.ts'
import { UpstreamFailed } from './upstreamFailed.ts'

/** Up to here a key is found faster than a node answers. */
const FEW_NIBBLES = 4
/** The keys that a node is asked for: of some it may know the hash only. */
const MOST_KEYS = 16

/** Finds keys for the tries of the state at one block of another node. */
export class KeysToNodes {
  readonly #upstream: Upstream
  readonly #block: { readonly number: bigint; readonly hash: Hash }
  /** The methods that the node does not have. */
  readonly #lacking = new Set<string>()

  constructor(upstream: Upstream, block: { readonly number: bigint; readonly hash: Hash }) {
    this.#upstream = upstream
    this.#block = block
  }

  /**
   * Returns a value whose proof has the node; `undefined` if none can be found. Rejects with `UpstreamFailed` if the
   * node cannot be asked.
   */
  async valueAt(node: MissingNode): Promise<MissingValue | undefined> {
    const { key, depth } = node
    const isNear = depth <= FEW_NIBBLES
    const named = isNear ? undefined : await this.#named(node)
    if (named !== undefined || depth > MOST_NIBBLES) return named
    const { address } = node
    return address === undefined
      ? { kind: 'account', address: addressOf(await numberUnder(key, depth, 20)) }
      : { kind: 'slot', address, slot: await numberUnder(key, depth, 32) }
  }

  /** Returns what the node names by the hashes of its keys, as geth, Erigon and others do in the namespace `debug`. */
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
    // The slots before the block's first transaction: keys with the same beginning prove as much.
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

  /** Returns the result; `undefined` if there is none, or nothing was recorded of it. */
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

function addressOf(number: bigint): Address {
  return `0x${encodeWord(number).slice(26)}`
}
