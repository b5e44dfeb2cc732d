/** What a compiler wrote of the creation of a contract. */
import { type Item, itemsOf } from '../abi/codec.ts'
import { bytecodeOf, type CompiledContract } from './compilation.ts'
import { codeOfValue } from './writtenCode.ts'

export interface Creation {
  /** The number of bytes before the constructor's arguments. */
  readonly codeSize: number
  /** `undefined`: the contract declares no constructor. */
  readonly constructorItem: Item | undefined
}

/** Returns how a contract is created; `undefined` where the compiler wrote no code or no ABI, as of interfaces. */
export function creationOf(contract: CompiledContract): Creation | undefined {
  const code = codeOfValue(bytecodeOf(contract, true))
  const { abi } = contract.output
  if (code === undefined || abi === undefined) return undefined
  return { codeSize: code.size, constructorItem: itemsOf(abi).find(({ type }) => type === 'constructor') }
}
