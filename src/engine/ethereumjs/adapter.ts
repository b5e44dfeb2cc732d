/**
 * Adapts the synchronous `Draft` to EthereumJS's asynchronous `StateManagerInterface`. `putAccount` takes only nonce
 * and balance from the given account; `putCode`, `putStorage` and `clearStorage` change code and storage.
 */
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address as AddressObject, KECCAK256_RLP } from '@ethereumjs/util'
import { type Address, EMPTY_BYTES, toMinimalBytes, toQuantity } from '../../bytes/hex.ts'
import { EMPTY_CODE_HASH } from '../../state/state.ts'
import type { Draft } from './draft.ts'
import { addressOf } from './transaction.ts'

/** The storage root that every account with storage gets. EthereumJS only checks whether an account has storage. */
const SOME_STORAGE = new Uint8Array(32).fill(1)

const NO_ROOT = new Uint8Array(32)

const DONE = Promise.resolve()

/** The state manager of one VM. Each run attaches its own draft. */
export class Adapter implements StateManagerInterface {
  #draft: Draft | undefined
  #disguised: Address | undefined

  /** Uses `draft` from now on; `undefined` releases the last draft. */
  attach(draft: Draft | undefined): void {
    this.#draft = draft
    this.#disguised = undefined
  }

  /** Hides the code of `address` at the next read, because `runTx` refuses senders with code (EIP-3607). */
  hideCodeOnce(address: Address): void {
    this.#disguised = address
  }

  get #world(): Draft {
    if (this.#draft === undefined) throw new Error('the adapter is not attached to a draft')
    return this.#draft
  }

  async getAccount(address: AddressObject): Promise<Account | undefined> {
    const key = addressOf(address)
    const account = this.#world.account(key)
    if (account === undefined) return undefined
    let { codeHash } = account
    if (key === this.#disguised) {
      codeHash = EMPTY_CODE_HASH
      this.#disguised = undefined
    }
    const storageRoot = this.#world.hasStorage(key) ? SOME_STORAGE : KECCAK256_RLP
    return new Account(account.nonce, account.balance, storageRoot, codeHash)
  }

  async putAccount(address: AddressObject, account?: Account): Promise<void> {
    const key = addressOf(address)
    if (account === undefined) this.#world.deleteAccount(key)
    // The sender of a simulation may have the highest nonce (EIP-2681), which then wraps around to 0, as in geth.
    else this.#world.putAccount(key, BigInt.asUintN(64, account.nonce), account.balance)
  }

  async deleteAccount(address: AddressObject): Promise<void> {
    this.#world.deleteAccount(addressOf(address))
  }

  async modifyAccountFields(address: AddressObject, fields: AccountFields): Promise<void> {
    const key = addressOf(address)
    const account = this.#world.account(key)
    this.#world.putAccount(
      key,
      fields.nonce ?? account?.nonce ?? 0n,
      fields.balance ?? account?.balance ?? 0n,
    )
  }

  async putCode(address: AddressObject, code: Uint8Array): Promise<void> {
    this.#world.putCode(addressOf(address), code)
  }

  async getCode(address: AddressObject): Promise<Uint8Array> {
    return this.#world.code(addressOf(address))
  }

  async getCodeSize(address: AddressObject): Promise<number> {
    return this.#world.code(addressOf(address)).length
  }

  async getStorage(address: AddressObject, key: Uint8Array): Promise<Uint8Array> {
    return toStorageBytes(this.#world.storage(addressOf(address), toQuantity(key)))
  }

  async putStorage(address: AddressObject, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.#world.putStorage(addressOf(address), toQuantity(key), toQuantity(value))
  }

  async clearStorage(address: AddressObject): Promise<void> {
    this.#world.clearStorage(addressOf(address))
  }

  readonly originalStorageCache = {
    get: async (address: AddressObject, key: Uint8Array): Promise<Uint8Array> =>
      toStorageBytes(this.#world.originalStorage(addressOf(address), toQuantity(key))),
    // There is no cache to clear: a draft serves one transaction, so the state below the draft has the original slots.
    clear: (): void => {},
  }

  checkpoint(): Promise<void> {
    this.#world.checkpoint()
    return DONE
  }

  commit(): Promise<void> {
    this.#world.commit()
    return DONE
  }

  revert(): Promise<void> {
    this.#world.revert()
    return DONE
  }

  /** EthereumJS adds this root to receipts before Byzantium, but preseal ignores EthereumJS's receipts. */
  async getStateRoot(): Promise<Uint8Array> {
    return NO_ROOT
  }

  async setStateRoot(): Promise<void> {
    throw new Error('a state is chosen by attaching a draft, not by its root')
  }

  async hasStateRoot(): Promise<boolean> {
    return false
  }

  clearCaches(): void {}

  shallowCopy(): StateManagerInterface {
    throw new Error('a draft is not copied: attach another adapter')
  }
}

function toStorageBytes(value: bigint): Uint8Array {
  return value === 0n ? EMPTY_BYTES : toMinimalBytes(value)
}
