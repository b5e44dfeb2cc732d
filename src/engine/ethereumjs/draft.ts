/**
 * A mutable state for EthereumJS: the reads and writes of a running message, on top of an immutable state.
 *
 * Checkpoints nest. `revert` undoes the changes since the last checkpoint with an undo log. A slot is either written
 * (its value is known), unwritten (read from the state below), or wiped together with its account (zero).
 */
import { type Address, EMPTY_BYTES } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { type AccountChange, EMPTY_CODE_HASH } from '../../state/state.ts'
import type { Account, StateView } from '../../state/view.ts'

interface Entry {
  exists: boolean
  nonce: bigint
  balance: bigint
  code: Uint8Array
  codeHash: Uint8Array
  /** Whether the account's slots in the state below are hidden. */
  wiped: boolean
  /** Whether the entry was ever changed, even if the change was undone. */
  touched: boolean
  slots: Map<bigint, bigint> | undefined
  readonly hadStorage: boolean
}

export class Draft implements StateView {
  readonly #below: StateView
  readonly #entries = new Map<Address, Entry>()
  readonly #undo: (() => void)[] = []
  readonly #checkpoints: number[] = []

  constructor(below: StateView) {
    this.#below = below
  }

  account(address: Address): Account | undefined {
    const entry = this.#entry(address)
    return entry.exists ? entry : undefined
  }

  code(address: Address): Uint8Array {
    return this.#entry(address).code
  }

  storage(address: Address, slot: bigint): bigint {
    const entry = this.#entry(address)
    const written = entry.slots?.get(slot)
    if (written !== undefined) return written
    return entry.wiped || !entry.hadStorage ? 0n : this.#below.storage(address, slot)
  }

  /** Returns the value in the state below, which is the original value of EIP-2200. */
  originalStorage(address: Address, slot: bigint): bigint {
    return this.#entry(address).hadStorage ? this.#below.storage(address, slot) : 0n
  }

  hasStorage(address: Address): boolean {
    const entry = this.#entry(address)
    return (entry.hadStorage && !entry.wiped) || (entry.slots !== undefined && entry.slots.size > 0)
  }

  putAccount(address: Address, nonce: bigint, balance: bigint): void {
    this.#change(this.#entry(address), { exists: true, nonce, balance })
  }

  putCode(address: Address, code: Uint8Array): void {
    const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code)
    this.#change(this.#entry(address), { exists: true, code, codeHash })
  }

  putStorage(address: Address, slot: bigint, value: bigint): void {
    const entry = this.#entry(address)
    entry.slots ??= new Map()
    const { slots } = entry
    const before = slots.get(slot)
    this.#undo.push(before === undefined ? () => slots.delete(slot) : () => slots.set(slot, before))
    entry.touched = true
    slots.set(slot, value)
  }

  clearStorage(address: Address): void {
    if (this.hasStorage(address)) this.#change(this.#entry(address), { wiped: true, slots: undefined })
  }

  deleteAccount(address: Address): void {
    const entry = this.#entry(address)
    if (!entry.exists && !entry.hadStorage && entry.slots === undefined) return
    this.#change(entry, { ...NOTHING, wiped: true })
  }

  /** Changes an entry and logs its previous values for `revert`, which does not reset `touched`. */
  #change(entry: Entry, change: Partial<Entry>): void {
    const { touched: _, ...before } = entry
    this.#undo.push(() => Object.assign(entry, before))
    Object.assign(entry, change, { touched: true })
  }

  checkpoint(): void {
    this.#checkpoints.push(this.#undo.length)
  }

  commit(): void {
    this.#checkpoints.pop()
  }

  revert(): void {
    const mark = this.#checkpoints.pop() ?? 0
    while (this.#undo.length > mark) this.#undo.pop()!()
  }

  changes(): AccountChange[] {
    const changes: AccountChange[] = []
    for (const [address, entry] of this.#entries) {
      if (!entry.touched) continue
      const below = this.#below.account(address)
      if (!entry.exists) {
        if (below !== undefined) changes.push({ address, deleted: true })
        continue
      }
      const { nonce, balance, code, wiped, slots } = entry
      const hasSameStorage = !wiped && slots === undefined
      if (below !== undefined && hasSameStorage && this.#isAsBelow(address, entry, below)) continue
      const storage = slots === undefined ? {} : { storage: slots }
      changes.push({ address, nonce, balance, code, storageCleared: wiped, ...storage })
    }
    return changes
  }

  #isAsBelow(address: Address, { nonce, balance, code }: Entry, below: Account): boolean {
    return nonce === below.nonce && balance === below.balance && code === this.#below.code(address)
  }

  #entry(address: Address): Entry {
    const known = this.#entries.get(address)
    if (known !== undefined) return known
    const account = this.#below.account(address)
    const entry: Entry = {
      exists: account !== undefined,
      nonce: account?.nonce ?? 0n,
      balance: account?.balance ?? 0n,
      code: this.#below.code(address),
      codeHash: account?.codeHash ?? EMPTY_CODE_HASH,
      wiped: false,
      touched: false,
      slots: undefined,
      hadStorage: this.#below.hasStorage(address),
    }
    this.#entries.set(address, entry)
    return entry
  }
}

const NOTHING = {
  exists: false,
  nonce: 0n,
  balance: 0n,
  code: EMPTY_BYTES,
  codeHash: EMPTY_CODE_HASH,
  slots: undefined,
}
