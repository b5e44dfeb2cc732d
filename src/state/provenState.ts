/** Exact roots and proofs of forked states, computed from local changes and fetched trie nodes of the network. */
import { type Address, fromHex, type Hash, toHex, toQuantity } from '../bytes/hex.ts'
import { viewRlp } from '../bytes/rlp.ts'
import {
  type AccountRecord,
  DeletedRecord,
  encodeAccount,
  encodeSlot,
  remoteSlot,
  type SlotRecord,
} from './accountRecord.ts'
import { MissingValues } from './fetchingView.ts'
import { accountKey, slotKey } from './hashedKey.ts'
import {
  type Account,
  type MissingValue,
  NOT_FETCHED,
  NotFetched,
  PartialState,
  type ProvenNodes,
  type RemoteState,
} from './remoteState.ts'
import { type NodeReader, type NodeSource, removeKey, resolvePath, trieOf } from './sparseTrie.ts'
import * as trie from './trie.ts'
import { changesBetween, type TrieChange } from './trieChanges.ts'
import { EMPTY_ROOT_BYTES, proofOf, rootOf } from './trieEncoding.ts'

/** An account in the network's state trie with local changes applied. */
export interface ProvenAccount extends Account {
  /** The leaf values are RLP-encoded slot values. */
  readonly storage: trie.Trie<Uint8Array>
}

type Accounts = trie.Trie<ProvenAccount>
type Changes = trie.Trie<AccountRecord>
type Slots = trie.Trie<Uint8Array>

export function decodeAccount(encoded: Uint8Array): ProvenAccount {
  const [nonce, balance, storageRoot, codeHash] = viewRlp(encoded) as Uint8Array[]
  return {
    nonce: toQuantity(nonce!),
    balance: toQuantity(balance!),
    codeHash: codeHash!.slice(),
    storage: trieOf(storageRoot!),
  }
}

export function rootOfStorage({ storage }: ProvenAccount): Uint8Array {
  return rootOf(storage, sameBytes)
}

const nothing = (): void => {}
const sameBytes = (bytes: Uint8Array): Uint8Array => bytes

function encodeProven(account: ProvenAccount): Uint8Array {
  return encodeAccount(account, rootOfStorage(account))
}

/** Thrown when the upstream node cannot provide a trie node. */
class NodeUnavailable {}

/** Returns the value to fetch for a missing trie node. The first `depth` nibbles of `key` lead to the node. */
type MissingValueOf = (hash: string, key: string, depth: number) => MissingValue

/** The state tries of all forked states that share one remote state. */
export class ProvenStates {
  readonly #remote: RemoteState
  readonly #nodes: ProvenNodes
  #base: Accounts
  /** The changes last applied, with the resulting state trie. */
  #last: { readonly changes: Changes; readonly accounts: Accounts }
  /** State tries, keyed by the changes they contain, for proofs of older states. */
  readonly #made = new WeakMap<trie.Node<AccountRecord>, { readonly accounts: Accounts }>()
  /** Changes whose state trie needs a node that the upstream node cannot provide. */
  readonly #inexact = new WeakSet<trie.Node<AccountRecord>>()

  constructor(remote: RemoteState, nodes: ProvenNodes, root: Hash) {
    this.#remote = remote
    this.#nodes = nodes
    this.#base = trieOf(fromHex(root))
    this.#last = { changes: undefined, accounts: this.#base }
  }

  /**
   * Returns the state root after `changes`; `undefined` if the network's node cannot provide a node of the trie. Throws
   * `NotFetched` if values must be fetched first.
   */
  root(changes: Changes): Hash | undefined {
    const accounts = this.#accounts(changes)
    return accounts === undefined ? undefined : toHex(rootOf(accounts.trie, encodeProven))
  }

  /** Returns the proof of the account at `address`, or of its absence. Throws `NotFetched` or `PartialState`. */
  proof(changes: Changes, address: Address): Uint8Array[] {
    const { key } = accountKey(address)
    return proofOf(this.#wayTo(changes, address).trie, key, encodeProven)
  }

  /** Returns the storage root of the account at `address`, 32 bytes. Throws `NotFetched` or `PartialState`. */
  storageRoot(changes: Changes, address: Address): Uint8Array {
    const { leaf } = this.#wayTo(changes, address)
    return leaf === undefined ? EMPTY_ROOT_BYTES : rootOfStorage(leaf.value)
  }

  /** Returns the proof of a slot against the storage root of its account. Throws `NotFetched` or `PartialState`. */
  slotProof(changes: Changes, address: Address, slot: bigint): Uint8Array[] {
    const { leaf } = this.#wayTo(changes, address)
    const key = slotKey(slot)
    const whole = resolvePath(leaf?.value.storage, key, this.#slotReader(address, slot)).trie
    return proofOf(whole, key, sameBytes)
  }

  #wayTo(changes: Changes, address: Address) {
    const accounts = this.#accounts(changes)
    if (accounts === undefined) {
      const why = 'its node does not provide a trie node that a deletion needs, so the root is unknown'
      throw new PartialState('proofs', why)
    }
    return resolvePath(accounts.trie, accountKey(address).key, this.#accountReader(address))
  }

  /**
   * Returns the state trie after `changes`; `undefined` if the network's node cannot provide a node of the trie. Throws
   * `NotFetched` if values must be fetched first.
   */
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

  /** Returns a state trie with `changes` applied. Throws `NotFetched` with all missing values. */
  #changed(accounts: Accounts, changes: Iterable<TrieChange<AccountRecord>>): Accounts {
    const lacks = new MissingValues()
    const removed: TrieChange<AccountRecord>[] = []
    const batch = trie.newBatch()
    let next = accounts
    for (const change of changes) {
      const [key, before, after] = change
      const { address } = (after ?? before)!
      const reader = this.#accountReader(address)
      lacks.read(() => {
        const way = resolvePath(next, key, reader)
        next = way.trie
        const account = this.#accountAfter(way.leaf?.value, key, before, after)
        if (account === undefined) removed.push(change)
        else next = trie.set(next, key, account, batch)
      }, nothing)
    }
    // Removals come last, so that a branch that loses one child and gains another never has a single child.
    for (const [key, before, after] of removed) {
      const reader = this.#accountReader((after ?? before)!.address)
      lacks.read(() => {
        next = removeKey(next, key, reader, this.#beside(undefined), batch)
      }, nothing)
    }
    this.#requireAll(lacks)
    return next
  }

  /** Returns an account after a change; `undefined` if it no longer exists. `was`: the account before the change. */
  #accountAfter(
    was: ProvenAccount | undefined,
    key: string,
    before: AccountRecord | undefined,
    after: AccountRecord | undefined,
  ): ProvenAccount | undefined {
    // Without a local record, the account has its remote values.
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

  #accountBelow(key: string, address: Address): ProvenAccount | undefined {
    const { trie: base, leaf } = resolvePath(this.#base, key, this.#accountReader(address))
    this.#base = base
    return leaf?.value
  }

  #slotsAfter(
    storage: Slots,
    changes: Iterable<TrieChange<SlotRecord>>,
    address: Address,
    remote: RemoteState | undefined,
  ): Slots {
    const lacks = new MissingValues()
    const removed: bigint[] = []
    const batch = trie.newBatch()
    let next = storage
    for (const [key, before, after] of changes) {
      const { slot } = (after ?? before)!
      lacks.read(() => {
        let value = after?.value
        // Without a local record, the slot has its remote value.
        value ??= remote === undefined ? 0n : remoteSlot(remote, address, slot)
        next = resolvePath(next, key, this.#slotReader(address, slot)).trie
        if (value === 0n) removed.push(slot)
        else next = trie.set(next, key, encodeSlot({ slot, value }), batch)
      }, nothing)
    }
    for (const slot of removed) {
      lacks.read(() => {
        next = removeKey(next, slotKey(slot), this.#slotReader(address, slot), this.#beside(address), batch)
      }, nothing)
    }
    this.#requireAll(lacks)
    return next
  }

  #requireAll(lacks: MissingValues): void {
    if (lacks.hasMissing) throw new NotFetched(this.#remote, lacks.missing)
  }

  #accountReader(address: Address): NodeReader<ProvenAccount> {
    const lack: MissingValueOf = (hash, key, depth) =>
      this.#remote.account(address) === NOT_FETCHED
        ? { kind: 'account', address }
        : { kind: 'node', address: undefined, hash, key, depth }
    return { source: this.#source(lack), decodeValue: decodeAccount }
  }

  #slotReader(address: Address, slot: bigint): NodeReader<Uint8Array> {
    const lack: MissingValueOf = (hash, key, depth) =>
      this.#remote.slot(address, slot) === NOT_FETCHED
        ? { kind: 'slot', address, slot }
        : { kind: 'node', address, hash, key, depth }
    return { source: this.#source(lack), decodeValue: sameBytes }
  }

  /** Returns the source of nodes next to a removed key. `address`: the account, if the key is that of a slot. */
  #beside(address: Address | undefined): NodeSource {
    return this.#source((hash, key, depth) => ({ kind: 'node', address, hash, key, depth }))
  }

  #source(lack: MissingValueOf): NodeSource {
    return (hash, key, depth) => {
      const node = this.#nodes.node(hash)
      if (node === null) throw new NodeUnavailable()
      if (node === undefined) throw new NotFetched(this.#remote, [lack(hash, key, depth)])
      return node
    }
  }
}
