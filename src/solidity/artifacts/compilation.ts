/** One run of solc, and its contracts. */

import { oncePer } from '../../model/collections/oncePer.ts'
import { type Item, itemsOf } from '../abi/codec.ts'
import type { Abi, Contract } from '../abi/contract.ts'
import type { CompiledCode, Fit } from './compiledCode.ts'
import { JsonValue } from './jsonSlice.ts'
import type { SolcBytecode, SolcContract, SolcInput, SolcOutput } from './solcJson.ts'

/** One run of solc, with the paths of its sources. */
export interface Compilation {
  /** Such as `0.8.28`, without commit and platform. */
  readonly solcVersion: string
  readonly input: SolcInput
  readonly output: SolcOutput
  /**
   * Returns the path of a source file for users: relative to the project, such as `contracts/Token.sol`,
   * where solc may have `project/contracts/Token.sol` (Hardhat 3). Returns the source name for unknown files.
   */
  pathOf(sourceName: string): string
}

export interface CompiledContract {
  readonly compilation: Compilation
  readonly sourceName: string
  readonly name: string
  readonly output: SolcContract
}

/** Returns the creation or the runtime code. */
export function bytecodeOf({ output }: CompiledContract, isCreation: boolean): SolcBytecode | undefined {
  return isCreation ? output.evm?.bytecode : output.evm?.deployedBytecode
}

/** The contract that code was compiled from, or several contracts with the same code. */
export type CodeMatch =
  | {
      readonly kind: 'contract'
      readonly contract: CompiledContract
      /** `exactly` if the metadata agrees, too. */
      readonly fit?: Fit | undefined
    }
  | { readonly kind: 'ambiguous'; readonly contracts: readonly CompiledContract[] }

/**
 * Returns the contract that `code` was compiled from; `undefined` for unknown code. `isCreation`: `code` is
 * the input of a creation, with constructor arguments. Immutables, library addresses and metadata are not
 * compared.
 */
export type FindCode = (code: Uint8Array, isCreation: boolean) => CodeMatch | undefined

/** A contract's data, read on demand. */
export interface ContractData {
  readonly creation: CompiledCode | undefined
  readonly runtime: CompiledCode | undefined
  abi(): Abi | undefined
  /** JSON text, as in solc's output. */
  metadata(): unknown
  output(): SolcContract
}

/** A contract of a compilation. Members other than code are read on first use. */
export class KnownContract implements CompiledContract {
  readonly compilation: Compilation
  readonly sourceName: string
  readonly name: string
  readonly creation: CompiledCode | undefined
  readonly runtime: CompiledCode | undefined
  readonly #parts: ContractData
  #output: SolcContract | undefined
  #abi: Abi | undefined

  constructor(compilation: Compilation, sourceName: string, name: string, parts: ContractData) {
    this.compilation = compilation
    this.sourceName = sourceName
    this.name = name
    this.creation = parts.creation
    this.runtime = parts.runtime
    this.#parts = parts
  }

  get output(): SolcContract {
    this.#output ??= this.#parts.output()
    return this.#output
  }

  /** Empty if the compiler did not write the ABI. */
  get abi(): Abi {
    if (this.#abi === undefined) {
      const abi = this.#output?.abi ?? this.#parts.abi()
      this.#abi = Array.isArray(abi) ? abi.filter((item) => typeof item?.type === 'string') : []
    }
    return this.#abi
  }

  /** Such as `contracts/Token.sol:Token`. */
  get qualifiedName(): string {
    return `${this.compilation.pathOf(this.sourceName)}:${this.name}`
  }
}

export interface Creation {
  /** Bytes of creation code before constructor arguments. */
  readonly codeSize: number
  /** `undefined` without a declared constructor. */
  readonly constructorItem: Item | undefined
}

/** Returns how a contract is created; `undefined` without code or ABI, as for interfaces. */
export function creationOf(contract: CompiledContract): Creation | undefined {
  const codeSize = new JsonValue(bytecodeOf(contract, true)?.object).hexBytes
  const { abi } = contract.output
  if (!codeSize || !Number.isInteger(codeSize) || abi === undefined) return undefined
  return { codeSize, constructorItem: itemsOf(abi).find(({ type }) => type === 'constructor') }
}

/** Returns a contract's ABI for decoding: the same object each time, so that its decoder is built once. */
export const abiOf = oncePer(({ name, output }: CompiledContract): Contract => {
  return { name, abi: output.abi ?? [], address: undefined, creation: undefined, runtime: undefined }
})
