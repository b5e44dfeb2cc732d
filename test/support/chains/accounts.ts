/** What a world is compared with: @ethereumjs/statemanager's, under the same operations. */

import type { Proof } from '@ethereumjs/common'
import { getMerkleStateProof, MerkleStateManager } from '@ethereumjs/statemanager'
import { Account, Address, hexToBytes } from '@ethereumjs/util'
import { type Address as AddressText, toHex, toWord } from '../../../src/bytes/hex.ts'

/** A world of @ethereumjs/statemanager that is spoken to in our nouns. */
export class ReferenceWorld {
  readonly #manager = new MerkleStateManager()

  async root(): Promise<string> {
    return toHex(await this.#manager.getStateRoot())
  }

  /** Sets what is given and lets the account exist. */
  async putAccount(
    address: AddressText,
    nonce: bigint | undefined,
    balance: bigint | undefined,
  ): Promise<void> {
    const account = (await this.#manager.getAccount(of(address))) ?? new Account()
    if (nonce !== undefined) account.nonce = nonce
    if (balance !== undefined) account.balance = balance
    await this.#manager.putAccount(of(address), account)
  }

  async putCode(address: AddressText, code: Uint8Array): Promise<void> {
    await this.#manager.putCode(of(address), code)
  }

  /** Only for an account that exists. */
  async putStorage(address: AddressText, slot: bigint, value: bigint): Promise<void> {
    await this.#manager.putStorage(of(address), toWord(slot), toWord(value))
  }

  async clearStorage(address: AddressText): Promise<void> {
    // Theirs would make an account to clear it.
    if ((await this.#manager.getAccount(of(address))) !== undefined)
      await this.#manager.clearStorage(of(address))
  }

  async deleteAccount(address: AddressText): Promise<void> {
    // Theirs keeps the storage trie of a deleted account for the next account at that address.
    await this.clearStorage(address)
    await this.#manager.deleteAccount(of(address))
  }

  /** Their answer to `eth_getProof`. */
  proof(address: AddressText, slots: readonly bigint[]): Promise<Proof> {
    return getMerkleStateProof(this.#manager, of(address), slots.map(toWord))
  }

  checkpoint(): Promise<void> {
    return this.#manager.checkpoint()
  }

  commit(): Promise<void> {
    return this.#manager.commit()
  }

  revert(): Promise<void> {
    return this.#manager.revert()
  }
}

function of(address: AddressText): Address {
  return new Address(hexToBytes(address))
}
