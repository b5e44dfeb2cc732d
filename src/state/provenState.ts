/**
 * Roots and proofs of states above a remote one whose values are proven: the tries of the remote state as far as they are
 * here, with the changes.
 *
 * They are made when a root is needed, from those of the state whose root was made last: the difference of two states costs
 * what changed between them.
 */
import { areEqual, toBinary } from '../bytes/bytes.ts'
import { type Address, fromHex, type Hash, toHex, toQuantity } from '../bytes/hex.ts'
import { viewRlp } from '../bytes/rlp.ts'
import type { Account } from './account.ts'
import { type AccountRecord, encodeAccount, encodeSlot, type SlotRecord } from './accountRecord.ts'
import { Lacks } from './fetchingView.ts'
import { accountKey, slotKey } from './hashedKey.ts'
import { DeletedRecord } from './localRecord.ts'
import {
  type MissingValue,
  NOT_FETCHED,
  NotFetched,
  PartialState,
  type ProvenNodes,
  type RemoteState,
} from './remoteState.ts'
import { type NodeReader, type NodeSource, rootOnly, wayTo, without } from './sparseTrie.ts'
import * as trie from './trie.ts'
import { changesBetween, type TrieChange } from './trieChanges.ts'
import { EMPTY_ROOT_BYTES, rootOf } from './trieEncoding.ts'
import { proofOf } from './trieProof.ts'

/** An account as the trie of all accounts has it. */
export interface ProvenAccount extends Account {
  /** The slots, each as its leaf has it. */
  readonly storage: trie.Trie<Uint8Array>
}

type Accounts = trie.Trie<ProvenAccount>
type Changes = trie.Trie<AccountRecord>
type Slots = trie.Trie<Uint8Array>

/** A trie that has only the node of its root, or nothing if that is the root of the empty trie. */
export function trieOf<V>(root: Uint8Array): trie.Trie<V> {
  return areEqual(root, EMPTY_ROOT_BYTES) ? undefined : rootOnly(toBinary(root))
}

/** Returns the account that a leaf of the trie of all accounts has. */
export function decodeAccount(encoded: Uint8Array): ProvenAccount {
  const [nonce, balance, storageRoot, codeHash] = viewRlp(encoded) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  return {
    nonce: toQuantity(nonce),
    balance: toQuantity(balance),
    codeHash: codeHash.slice(),
    storage: trieOf(storageRoot),
  }
}

/** Returns the Merkle root of an account's slots, 32 bytes. */
export function rootOfStorage({ storage }: ProvenAccount): Uint8Array {
  return rootOf(storage, sameBytes)
}

const nothing = (): void => {}
const sameBytes = (bytes: Uint8Array): Uint8Array => bytes

function encodeProven(account: ProvenAccount): Uint8Array {
  return encodeAccount(account, rootOfStorage(account))
}

/** Thrown where a node is needed that the network's node does not give. */
class NodeUnavailable {}

/** Where a node is looked for: what is to be fetched if it is not here. */
type Lack = (hash: string, key: string, depth: number) => MissingValue

/** The tries of the states above one remote state. */
export class ProvenStates {
  readonly #remote: RemoteState
  readonly #nodes: ProvenNodes
  /** The accounts of the remote state. */
  #base: Accounts
  /** The changes whose accounts were made last, and those accounts. */
  #last: { readonly changes: Changes; readonly accounts: Accounts }
  /** The accounts with changes, for proofs of older states. */
  readonly #made = new WeakMap<trie.Node<AccountRecord>, { readonly accounts: Accounts }>()
  readonly #inexact = new WeakSet<trie.Node<AccountRecord>>()

  constructor(remote: RemoteState, nodes: ProvenNodes, root: Hash) {
    this.#remote = remote
    this.#nodes = nodes
    this.#base = trieOf(fromHex(root))
    this.#last = { changes: undefined, accounts: this.#base }
  }

  /**
   * Returns the Merkle root of the state with `changes`; `undefined` if it needs a node that cannot be had. Throws `NotFetched`.
   */
  root(changes: Changes): Hash | undefined {
    const accounts = this.#accounts(changes)
    return accounts === undefined ? undefined : toHex(rootOf(accounts.trie, encodeProven))
  }

  /** Returns the proof of the account at `address`, or of its absence. Throws `NotFetched`, or `PartialState`. */
  proof(changes: Changes, address: Address): Uint8Array[] {
    const { key } = accountKey(address)
    return proofOf(this.#wayTo(changes, address).trie, key, encodeProven)
  }

  /** Returns the Merkle root of the slots of the account at `address`, 32 bytes. Throws the same. */
  storageRoot(changes: Changes, address: Address): Uint8Array {
    const { leaf } = this.#wayTo(changes, address)
    return leaf === undefined ? EMPTY_ROOT_BYTES : rootOfStorage(leaf.value)
  }

  /** Returns the proof of a slot of the account at `address` against the root of its storage. Throws the same. */
  slotProof(changes: Changes, address: Address, slot: bigint): Uint8Array[] {
    const { leaf } = this.#wayTo(changes, address)
    const key = slotKey(slot)
    const whole = wayTo(leaf?.value.storage, key, this.#slotReader(address, slot)).trie
    return proofOf(whole, key, sameBytes)
  }

  #wayTo(changes: Changes, address: Address) {
    const accounts = this.#accounts(changes)
    if (accounts === undefined) {
      throw new PartialState(
        'proofs',
        'its node does not give what a deletion needs, so that the root is unknown',
      )
    }
    return wayTo(accounts.trie, accountKey(address).key, this.#accountReader(address))
  }

  /** Returns the accounts of the state with `changes`; `undefined` if that needs a node that cannot be had. Throws `NotFetched`. */
  #accounts(changes: Changes): { readonly trie: Accounts } | undefined {
    if (changes === undefined) return { trie: this.#base }
    if (this.#inexact.has(changes)) return undefined
    const made = this.#made.get(changes)
    if (made !== undefined) return { trie: made.accounts }
    try {
      const accounts = this.#changed(this.#last.accounts, changesBetween(this.#last.changes, changes))
      this.#last = { changes, accounts }
      this.#made.set(changes, { accounts })
      return { trie: accounts }
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error
      this.#inexact.add(changes)
      return undefined
    }
  }

  /** Returns `accounts` with changes of the overlay. Throws `NotFetched` with all that they lack. */
  #changed(accounts: Accounts, changes: Iterable<TrieChange<AccountRecord>>): Accounts {
    const lacks = new Lacks()
    const removed: TrieChange<AccountRecord>[] = []
    const batch = trie.newBatch()
    let next = accounts
    for (const change of changes) {
      const [key, before, after] = change
      const { address } = (after ?? before)!
      const reader = this.#accountReader(address)
      lacks.read(() => {
        const way = wayTo(next, key, reader)
        next = way.trie
        const account = this.#accountAfter(way.leaf?.value, key, before, after)
        if (account === undefined) removed.push(change)
        else next = trie.set(next, key, account, batch)
      }, nothing)
    }
    // A branch that gets a new child in place of an old one keeps its place.
    for (const [key, before, after] of removed) {
      const reader = this.#accountReader((after ?? before)!.address)
      lacks.read(() => {
        next = without(next, key, reader, this.#beside(undefined), batch)
      }, nothing)
    }
    this.#requireAll(lacks)
    return next
  }

  /** Returns the account as the changed overlay has it; `undefined` if it does not exist. `was` is that before. */
  #accountAfter(
    was: ProvenAccount | undefined,
    key: string,
    before: AccountRecord | undefined,
    after: AccountRecord | undefined,
  ): ProvenAccount | undefined {
    // Without a record in the overlay it is as the remote state has it.
    if (after === undefined) return this.#accountBelow(key, before!.address)
    if (after instanceof DeletedRecord) return undefined
    const { address, nonce, balance, codeHash, remote } = after
    const isGrown = before !== undefined && !(before instanceof DeletedRecord) && before.remote === remote
    const start = isGrown ? was?.storage : this.#storageBelow(remote, key, address)
    const changes = changesBetween(isGrown ? before.slots : undefined, after.slots)
    return { nonce, balance, codeHash, storage: this.#slotsAfter(start, changes, address, remote) }
  }

  #storageBelow(remote: RemoteState | undefined, key: string, address: Address): Slots {
    return remote === undefined ? undefined : this.#accountBelow(key, address)?.storage
  }

  /** Returns the account as the remote state has it. */
  #accountBelow(key: string, address: Address): ProvenAccount | undefined {
    const { trie: base, leaf } = wayTo(this.#base, key, this.#accountReader(address))
    this.#base = base
    return leaf?.value
  }

  #slotsAfter(
    storage: Slots,
    changes: Iterable<TrieChange<SlotRecord>>,
    address: Address,
    remote: RemoteState | undefined,
  ): Slots {
    const lacks = new Lacks()
    const removed: bigint[] = []
    const batch = trie.newBatch()
    let next = storage
    for (const [key, before, after] of changes) {
      const { slot } = (after ?? before)!
      lacks.read(() => {
        const value = after === undefined ? valueBelow(remote, address, slot) : after.value
        next = wayTo(next, key, this.#slotReader(address, slot)).trie
        if (value === 0n) removed.push(slot)
        else next = trie.set(next, key, encodeSlot({ slot, value }), batch)
      }, nothing)
    }
    for (const slot of removed) {
      lacks.read(() => {
        next = without(next, slotKey(slot), this.#slotReader(address, slot), this.#beside(address), batch)
      }, nothing)
    }
    this.#requireAll(lacks)
    return next
  }

  #requireAll(lacks: Lacks): void {
    if (lacks.lacks) throw new NotFetched(this.#remote, lacks.missing)
  }

  #accountReader(address: Address): NodeReader<ProvenAccount> {
    const lack: Lack = (hash, key, depth) =>
      this.#remote.account(address) === NOT_FETCHED
        ? { kind: 'account', address }
        : { kind: 'node', address: undefined, hash, key, depth }
    return { source: this.#source(lack), decodeValue: decodeAccount }
  }

  #slotReader(address: Address, slot: bigint): NodeReader<Uint8Array> {
    const lack: Lack = (hash, key, depth) =>
      this.#remote.slot(address, slot) === NOT_FETCHED
        ? { kind: 'slot', address, slot }
        : { kind: 'node', address, hash, key, depth }
    return { source: this.#source(lack), decodeValue: sameBytes }
  }

  /** The nodes beside a key that is removed, in the trie of the slots of an account, or of all accounts. */
  #beside(address: Address | undefined): NodeSource {
    return this.#source((hash, key, depth) => ({ kind: 'node', address, hash, key, depth }))
  }

  #source(lack: Lack): NodeSource {
    return (hash, key, depth) => {
      const node = this.#nodes.node(hash)
      if (node === null) throw new NodeUnavailable()
      if (node === undefined) throw new NotFetched(this.#remote, [lack(hash, key, depth)])
      return node
    }
  }
}

/** Returns a slot as the remote state has it: one that is in the overlay, and not in an older one. */
function valueBelow(remote: RemoteState | undefined, address: Address, slot: bigint): bigint {
  if (remote === undefined) return 0n
  const value = remote.slot(address, slot)
  if (value === NOT_FETCHED) throw new NotFetched(remote, [{ kind: 'slot', address, slot }])
  return value
}
