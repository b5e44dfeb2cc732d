/** The remote state of a fork: the upstream node's state at one block. Values are fetched on demand, in batches. */
import type { Address, Hash } from '../bytes/hex.ts'
import { keccakHash } from '../crypto/keccak.ts'
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../model/bytecode/predeploys.ts'
import { isMissing, missingValueKey } from '../state/fetchingView.ts'
import {
  type MissingNode,
  type MissingValue,
  NOT_FETCHED,
  type ProvenNodes,
  type RemoteAccount,
  type RemoteCall,
  type RemoteState,
} from '../state/remoteState.ts'
import { encodeBytes, encodeQuantity, parseAddress, parseSlot } from '../wire/hex.ts'
import { lacksMethod } from './answers.ts'
import { type CachedExchange, keyOf } from './cacheFile.ts'
import { KeysToNodes } from './keysToNodes.ts'
import { ProofPlanner } from './proofRequests.ts'
import { SharedValues } from './sharedForks.ts'
import { fetchBatch, NodeStore, StatePlanner, type Values } from './stateRequests.ts'
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './upstream.ts'

interface RemoteBlock {
  readonly number: bigint
  readonly hash: Hash
  /** The hash of the parent block, if known. BLOCKHASH reads this hash most often. */
  readonly parentHash?: Hash
}

interface RemoteStateSettings {
  /** Values that other states of the same block have fetched. Each value is fetched only once. */
  readonly shared?: SharedValues
  /** Called when this state reads a value that another state has fetched, with the exchanges that fetched the value. */
  readonly use?: (exchanges: readonly CachedExchange[]) => void
  /** The state root of the block. If present, values are fetched with proofs (eth_getProof) and verified against it. */
  readonly provenBy?: Hash | undefined
}

export function remoteStateOf(
  upstream: Upstream,
  block: RemoteBlock,
  settings: RemoteStateSettings = {},
): RemoteState {
  return new FetchedState(upstream, block, settings)
}

function valuesOf({ number, hash, parentHash }: RemoteBlock, isProven: boolean): Values {
  const parent: [bigint, Hash][] = parentHash === undefined ? [] : [[number - 1n, parentHash]]
  return {
    accounts: new Map(),
    slots: new Map(),
    blockHashes: new Map([...parent, [number, hash]]),
    proofs: isProven ? new NodeStore() : undefined,
  }
}

class FetchedState implements RemoteState {
  readonly #upstream: Upstream
  readonly #block: RemoteBlock
  readonly #values: Values
  readonly #shared: SharedValues
  readonly #use: (exchanges: readonly CachedExchange[]) => void
  readonly #provenBy: Hash | undefined
  readonly #keys: KeysToNodes
  #hasAccessLists = true

  constructor(
    upstream: Upstream,
    block: RemoteBlock,
    { shared = new SharedValues(), use = () => {}, provenBy }: RemoteStateSettings,
  ) {
    this.#upstream = upstream
    this.#block = block
    this.#values = valuesOf(block, provenBy !== undefined)
    this.#shared = shared
    this.#use = use
    this.#provenBy = provenBy
    this.#keys = new KeysToNodes(upstream, block)
  }

  get proofs(): ProvenNodes | undefined {
    return this.#values.proofs
  }

  *fetched(): Iterable<RemoteAccount> {
    for (const account of this.#values.accounts.values()) if (account !== undefined) yield account
  }

  account(address: Address): RemoteAccount | undefined | typeof NOT_FETCHED {
    const { accounts } = this.#values
    const account = accounts.get(address)
    if (account !== undefined || accounts.has(address)) return account
    return this.#take({ kind: 'account', address }) ? accounts.get(address) : NOT_FETCHED
  }

  slot(address: Address, slot: bigint): bigint | typeof NOT_FETCHED {
    const { slots } = this.#values
    const value = slots.get(address)?.get(slot)
    if (value !== undefined) return value
    return this.#take({ kind: 'slot', address, slot }) ? slots.get(address)!.get(slot)! : NOT_FETCHED
  }

  blockHash(number: bigint): Hash | typeof NOT_FETCHED {
    const { blockHashes } = this.#values
    const hash = blockHashes.get(number)
    if (hash !== undefined) return hash
    return this.#take({ kind: 'blockHash', number }) ? blockHashes.get(number)! : NOT_FETCHED
  }

  async fetch(
    values: readonly MissingValue[],
    call?: RemoteCall,
    guesses: readonly MissingValue[] = [],
  ): Promise<void> {
    const nodes = values.filter((value) => value.kind === 'node')
    const asked = nodes.length === 0 ? values : await this.#leadingTo(values, nodes)
    const ahead = this.#provenBy === undefined ? [] : slotsAhead(asked, (value) => this.#has(value))
    const named = await this.#fetchTogether(asked, call, [...guesses, ...ahead])
    // The call will probably need the values in its access list. If fetching them fails, the call still continues.
    if (named.length > 0) await this.#fetchTogether(named).catch(() => {})
  }

  /** Replaces each missing trie node with a value whose proof contains the node. */
  async #leadingTo(
    values: readonly MissingValue[],
    nodes: readonly MissingNode[],
  ): Promise<readonly MissingValue[]> {
    const found: MissingValue[] = values.filter(({ kind }) => kind !== 'node')
    for (const node of nodes) {
      const value = await this.#keys.valueAt(node)
      if (value === undefined) this.#values.proofs!.giveUp(node.hash)
      else found.push(value)
    }
    return found
  }

  /** Copies a value that another state of the same block has fetched. Returns whether such a value exists. */
  #take(value: MissingValue): boolean {
    const fetched = this.#shared.fetched.get(missingValueKey(value))
    if (fetched === undefined) return false
    fetched.keep(this.#values)
    this.#use(fetched.exchanges)
    return true
  }

  async #fetchTogether(
    values: readonly MissingValue[],
    call?: RemoteCall,
    guesses: readonly MissingValue[] = [],
  ): Promise<readonly MissingValue[]> {
    const { running } = this.#shared
    const wanted = new Map(
      values.filter((value) => !this.#has(value)).map((value) => [missingValueKey(value), value]),
    )
    const others = [...wanted.keys()].flatMap((key) => running.get(key) ?? [])
    const ours = [...wanted].filter(([key]) => !running.has(key))
    const list = call === undefined ? undefined : this.#accessListRequest(call)
    const likely = guesses.filter((value) => !this.#has(value) && !wanted.has(missingValueKey(value)))
    const [named] = await Promise.all([this.#fetchOurs(new Map(ours), likely, list), ...others])
    // Values are still missing if the fetch of another state failed for a reason of its own, such as a timeout.
    const left = [...wanted.values()].filter((value) => !this.#has(value))
    if (left.length > 0) await this.#fetchTogether(left)
    return named
  }

  async #fetchOurs(
    values: ReadonlyMap<string, MissingValue>,
    guesses: readonly MissingValue[],
    list: UpstreamRequest | undefined,
  ): Promise<readonly MissingValue[]> {
    if (values.size === 0 && list === undefined) return []
    const { running } = this.#shared
    const fetched = this.#fetchBatch([...values.values()], guesses, list)
    const end = () => {
      for (const key of values.keys()) running.delete(key)
    }
    const done = fetched.then(end, end)
    for (const key of values.keys()) running.set(key, done)
    await done
    return fetched
  }

  /** Returns the request for the access list of a call; `undefined` if it is unsupported or was sent before. */
  #accessListRequest(call: RemoteCall): UpstreamRequest | undefined {
    if (!this.#hasAccessLists) return undefined
    const request = accessListRequest(call, this.#block.number)
    const key = keccakHash(new TextEncoder().encode(keyOf(request.method, request.params)))
    if (this.#shared.calls.has(key)) return undefined
    this.#shared.calls.add(key)
    return request
  }

  async #fetchBatch(
    wanted: readonly MissingValue[],
    guesses: readonly MissingValue[],
    list: UpstreamRequest | undefined,
  ): Promise<readonly MissingValue[]> {
    const planner = this.#planner()
    const values = this.#provenBy === undefined ? wanted : this.#withAccounts(wanted, guesses)
    const plans = values.map((value) => planner.plan(value))
    const guessed = guesses.map((value) => planner.plan(value))
    const { fetched, likely, more } = await fetchBatch(this.#upstream, plans, guessed, list)
    for (const [index, value] of values.entries()) {
      this.#shared.fetched.set(missingValueKey(value), fetched[index]!)
      fetched[index]!.keep(this.#values)
    }
    // Guessed values are stored only in the shared values. This state copies a guessed value when the value is read.
    for (const [index, value] of guesses.entries()) {
      const found = likely[index]
      if (found !== undefined) this.#shared.fetched.set(missingValueKey(value), found)
    }
    return more === undefined ? [] : this.#namedBy(more)
  }

  #planner(): StatePlanner {
    const { number } = this.#block
    const { proofs } = this.#values
    if (proofs === undefined) return new StatePlanner(this.#upstream, number)
    return new ProofPlanner(this.#upstream, number, this.#provenBy!, proofs)
  }

  /** Puts accounts first, and adds unfetched accounts of slots, because a slot is verified against its account. */
  #withAccounts(values: readonly MissingValue[], guesses: readonly MissingValue[]): readonly MissingValue[] {
    const accounts = new Map<string, MissingValue>()
    const others: MissingValue[] = []
    for (const value of [...values, ...guesses]) {
      if (value.kind === 'account') accounts.set(value.address, value)
      else if (value.kind !== 'slot') continue
      else if (this.account(value.address) === NOT_FETCHED) {
        accounts.set(value.address, { kind: 'account', address: value.address })
      }
    }
    for (const value of values) if (value.kind !== 'account') others.push(value)
    return [...accounts.values(), ...others]
  }

  #namedBy(answer: UpstreamAnswer): readonly MissingValue[] {
    if ('error' in answer) {
      if (lacksMethod(answer.error)) this.#hasAccessLists = false
      return []
    }
    return parseAccessList(answer.result).filter((value) => !this.#has(value))
  }

  #has(value: MissingValue): boolean {
    return !isMissing(this, value)
  }
}

function accessListRequest({ from, to, value, data }: RemoteCall, number: bigint): UpstreamRequest {
  const call = {
    from,
    ...(to === undefined ? {} : { to }),
    value: encodeQuantity(value),
    data: encodeBytes(data),
    // With a gas price of zero, the sender needs no ether for gas.
    gasPrice: '0x0',
  }
  const params = [call, encodeQuantity(number)]
  return { method: 'eth_createAccessList', params, isImmutable: true, isOptional: true }
}

/** Returns the accounts and slots in the result of eth_createAccessList; an empty list for a malformed result. */
function parseAccessList(result: unknown): readonly MissingValue[] {
  try {
    const { accessList } = result as {
      accessList: readonly { address: unknown; storageKeys: readonly unknown[] }[]
    }
    return accessList.flatMap(({ address: given, storageKeys }): MissingValue[] => {
      const address = parseAddress(given, 'address')
      const slots = storageKeys.map((key) => {
        return { kind: 'slot' as const, address, slot: parseSlot(key, 'key') }
      })
      return [{ kind: 'account', address }, ...slots]
    })
  } catch {
    return []
  }
}

/** System contracts with a ring buffer: each block writes the next slots without reading them (EIP-2935, EIP-4788). */
const RINGS: readonly string[] = [HISTORY_STORAGE_ADDRESS, BEACON_ROOTS_ADDRESS]
/** The maximum distance between the slots of consecutive blocks. In EIP-4788, timestamps determine the slots. */
const MOST_APART = 15n
const MOST_AHEAD = 32

/** Returns slots to guess: after each ring-buffer slot in `values`, as many slots as are already known before it. */
function slotsAhead(
  values: readonly MissingValue[],
  has: (value: MissingValue) => boolean,
): readonly MissingValue[] {
  return values.flatMap((value) => {
    if (value.kind !== 'slot' || !RINGS.includes(value.address)) return []
    const { address, slot } = value
    const at = (place: bigint): MissingValue => ({ kind: 'slot', address, slot: place })
    let step = 1n
    while (step <= MOST_APART && !(slot >= step && has(at(slot - step)))) step++
    let before = 0
    while (
      before < MOST_AHEAD &&
      slot >= step * BigInt(before + 1) &&
      has(at(slot - step * BigInt(before + 1)))
    ) {
      before++
    }
    return Array.from({ length: before }, (_, index) => at(slot + step * BigInt(index + 1)))
  })
}
