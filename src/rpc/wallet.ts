/**
 * The accounts whose keys are available. Unlocked accounts sign without a password, locked ones need it: the former
 * `personal` namespace of nodes.
 */
import { type Address, toHex } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { addressOfKey } from '../crypto/secp256k1.ts'
import { Listeners } from '../model/collections/listeners.ts'

export interface WalletAccount {
  /** Absent: the key is unknown; unlocking the account impersonates it. */
  readonly key: Uint8Array | undefined
  /** Absent: any password is accepted. */
  readonly password: string | undefined
}

interface WalletEvents {
  /** The set of unlocked accounts has changed. */
  changed: () => void
}

export class Wallet {
  readonly listeners = new Listeners<WalletEvents>()
  /** Replaced as a whole and never mutated, so that forks share them until one of them changes. */
  #accounts: ReadonlyMap<Address, WalletAccount>
  #unlocked: ReadonlyMap<Address, Uint8Array>

  private constructor(
    accounts: ReadonlyMap<Address, WalletAccount>,
    unlocked: ReadonlyMap<Address, Uint8Array>,
  ) {
    this.#accounts = accounts
    this.#unlocked = unlocked
  }

  /** Returns a wallet with these keys, unlocked. */
  static of(keys: ReadonlyMap<Address, Uint8Array>): Wallet {
    const accounts = [...keys].map(([address, key]) => [address, { key, password: undefined }] as const)
    return new Wallet(new Map(accounts), new Map(keys))
  }

  /** Returns an independent copy for a fork. */
  copy(): Wallet {
    return new Wallet(this.#accounts, this.#unlocked)
  }

  /** The unlocked accounts with their keys. */
  get unlocked(): ReadonlyMap<Address, Uint8Array> {
    return this.#unlocked
  }

  get addresses(): Address[] {
    return [...this.#accounts.keys()]
  }

  get(address: Address): WalletAccount | undefined {
    return this.#accounts.get(address)
  }

  /** Adds a locked account. Returns whether it is new. */
  add(address: Address, account: WalletAccount): boolean {
    if (this.#accounts.has(address)) return false
    this.#accounts = new Map(this.#accounts).set(address, account)
    return true
  }

  /** Creates a locked account with a new key, the same in every devnet. Returns its address. */
  create(password: string): Address {
    // The number may be in use if an account with a lower one was removed.
    for (let number = this.#accounts.size; ; number++) {
      const key = keccak256(new TextEncoder().encode(`preseal account ${number}`))
      const address = addressOfKey(toHex(key))
      if (this.add(address, { key, password })) return address
    }
  }

  unlock(address: Address, key: Uint8Array): void {
    this.#unlocked = new Map(this.#unlocked).set(address, key)
    this.listeners.emit('changed')
  }

  lock(address: Address): void {
    if (!this.#unlocked.has(address)) return
    this.#unlocked = without(this.#unlocked, address)
    this.listeners.emit('changed')
  }

  remove(address: Address): void {
    this.#accounts = without(this.#accounts, address)
    this.lock(address)
  }
}

function without<T>(map: ReadonlyMap<Address, T>, address: Address): ReadonlyMap<Address, T> {
  return new Map([...map].filter(([each]) => each !== address))
}
