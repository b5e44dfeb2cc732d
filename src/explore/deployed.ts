/** A deployed contract, and the prepared form of its ABI. */
import type { Address } from '../bytes/hex.ts'
import { ContractAbi } from '../client/contract.ts'
import { oncePer } from '../model/collections/oncePer.ts'
import * as encoding from '../solidity/abi/codec.ts'
import type { Abi } from '../solidity/abi/contract.ts'

/** A deployed contract, as `devnet.deploy` returns it. */
export interface ContractOf<abi extends Abi = Abi> {
  readonly address: Address
  readonly abi: abi
}

export const contractAbiOf: (abi: Abi) => ContractAbi = oncePer((abi: Abi) => new ContractAbi(encoding, abi))
