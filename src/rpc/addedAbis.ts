/** The ABIs of `devnet.abis`, as methods know them. */
import type { Address } from '../model/bytes/hex.ts'

/** An ABI with the name of its contract, as `devnet.abis` knows it. */
export interface NamedAbi {
  readonly name: string | undefined
  readonly abi: readonly (string | { readonly type: string })[]
}

/** What the devnet knows of code besides artifacts. */
export interface AddedAbis {
  /** Returns the contract that was added for the account at `address`, or for its code. */
  find(address: Address, code: Uint8Array): NamedAbi | undefined
  /** Resolves to an ABI as JSON, without lines in human-readable form. */
  toJson(abi: NamedAbi['abi']): Promise<readonly { readonly type: string }[]>
}
