/**
 * The accounts whose keys are here. Unlocked ones sign whenever they are asked to, locked ones for who has their password:
 * what nodes once called the `personal` namespace.
 */
import { type Address, toHex } from '../model/bytes/hex.ts'
import { Listeners } from '../model/collections/listeners.ts'
import { keccak256 } from '../model/crypto/keccak.ts'
import { addressOfKey } from '../model/crypto/secp256k1.ts'

export interface WalletAccount {
  /** Absent: nobody has it, and who unlocks the account impersonates it. */
  readonly key: Uint8Array | undefined
  /** Absent: any opens it. */
  readonly password: string | undefined
}

interface WalletEvents {
  /** Others may sign now. */
  changed: () => void
}

export class Wallet {
  readonly listeners = new Listeners<WalletEvents>()
  /** Both are replaced and never changed, so that forks share them until one of them changes something. */
  #accounts: ReadonlyMap<Address, WalletAccount>
  #unlocked: ReadonlyMap<Address, Uint8Array>

  private constructor(
    accounts: ReadonlyMap<Address, WalletAccount>,
    unlocked: ReadonlyMap<Address, Uint8Array>,
  ) {
    this.#accounts = accounts
    this.#unlocked = unlocked
  }

  /** A wallet with these keys, unlocked. */
  static of(keys: ReadonlyMap<Address, Uint8Array>): Wallet {
    const accounts = [...keys].map(([address, key]) => [address, { key, password: undefined }] as const)
    return new Wallet(new Map(accounts), new Map(keys))
  }

  /** One of its own for a fork. */
  copy(): Wallet {
    return new Wallet(this.#accounts, this.#unlocked)
  }

  /** Those who sign whenever they are asked to, with their keys. */
  get unlocked(): ReadonlyMap<Address, Uint8Array> {
    return this.#unlocked
  }

  get addresses(): Address[] {
    return [...this.#accounts.keys()]
  }

  get(address: Address): WalletAccount | undefined {
    return this.#accounts.get(address)
  }

  /** Adds an account, locked. Answers whether it was not there before. */
  add(address: Address, account: WalletAccount): boolean {
    if (this.#accounts.has(address)) return false
    this.#accounts = new Map(this.#accounts).set(address, account)
    return true
  }

  /** Makes a key of its own, the same in each devnet, and locks it. Answers its address. */
  create(password: string): Address {
    // The number is taken where one below it was removed.
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
