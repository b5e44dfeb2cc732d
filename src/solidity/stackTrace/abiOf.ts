/** ABIs of compiled contracts in the form that decoders take. */
import type { Contract } from '../abi/contract.ts'
import type { CompiledContract } from '../artifacts/compilation.ts'
import type { SolcContract } from '../artifacts/solcJson.ts'

const known = new WeakMap<SolcContract, Contract>()

/** Returns the contract with its ABI: the same at each call, so that its decoder is made once. */
export function abiOf({ name, output }: CompiledContract): Contract {
  let contract = known.get(output)
  if (contract === undefined) {
    contract = { name, abi: output.abi ?? [], address: undefined, creation: undefined, runtime: undefined }
    known.set(output, contract)
  }
  return contract
}
