/** The ABIs of `devnet.abis`, as methods know them. */
import type { Address } from '../bytes/hex.ts'

/** An ABI with the name of its contract, as `devnet.abis` knows it. */
export interface NamedAbi {
  readonly name: string | undefined
  readonly abi: readonly (string | { readonly type: string })[]
}

/** An ABI as it was added: of the account at an address, of code, or of any contract. */
export interface AddedAbi {
  readonly name?: string | undefined
  readonly address?: string | undefined
  readonly artifact: {
    readonly abi: NamedAbi['abi']
    readonly bytecode?: string | undefined
    readonly deployedBytecode?: string | undefined
  }
}

/** What the devnet knows of code besides artifacts. */
export interface AddedAbis {
  /** Returns the contract that was added for the account at `address`, or for its code. */
  find(address: Address, code: Uint8Array): NamedAbi | undefined
  /** Resolves to an ABI as JSON, without lines in human-readable form. */
  toJson(abi: NamedAbi['abi']): Promise<readonly { readonly type: string }[]>
  /** All that were added, the newest first: the same objects each time, in an array that is another when one was added. */
  readonly all: readonly object[]
  /** Returns one of `all` as a value of JSON. */
  encode(added: object): AddedAbi
  add(added: AddedAbi): void
}
