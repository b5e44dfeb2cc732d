import { oncePer } from '../../model/collections/oncePer.ts'
import { type Item, itemsOf } from '../abi/codec.ts'
import type { Abi, Contract } from '../abi/contract.ts'
import type { CompiledCode, Fit } from './compiledCode.ts'
import { JsonValue } from './jsonSlice.ts'
import type { SolcBytecode, SolcContract, SolcInput, SolcOutput } from './solcJson.ts'

/** One run of solc: its input and output. */
export interface Compilation {
  /** The version of solc without commit and platform, such as `0.8.28`. */
  readonly solcVersion: string
  readonly input: SolcInput
  readonly output: SolcOutput
  /** Returns a source file's path to show, such as `contracts/Token.sol`; for an unknown file, the source name. */
  pathOf(sourceName: string): string
  /** Returns the AST id of a source file without parsing its AST. */
  unitId?(sourceName: string): number | undefined
  /** Reports, once, which output of solc a stack trace or the debugger lacks, and the settings that add it. */
  reportMissing?(contract: CompiledContract): void
}

export interface CompiledContract {
  readonly compilation: Compilation
  readonly sourceName: string
  readonly name: string
  readonly output: SolcContract
}

export function bytecodeOf({ output }: CompiledContract, isCreation: boolean): SolcBytecode | undefined {
  return isCreation ? output.evm?.bytecode : output.evm?.deployedBytecode
}

/** The contract that code was compiled from, or several contracts with the same code. */
export type CodeMatch =
  | {
      readonly kind: 'contract'
      readonly contract: CompiledContract
      /** How the code matches: `exactly` if the metadata also matches. */
      readonly fit?: Fit | undefined
    }
  | { readonly kind: 'ambiguous'; readonly contracts: readonly CompiledContract[] }

/** Finds a contract by runtime or (`isCreation`) init code. Ignores arguments, immutables, libraries and metadata. */
export type FindCode = (code: Uint8Array, isCreation: boolean) => CodeMatch | undefined

/** The data of a contract. The methods parse the data when they are called. */
export interface ContractData {
  readonly creation: CompiledCode | undefined
  readonly runtime: CompiledCode | undefined
  abi(): Abi | undefined
  /** Returns solc's metadata, which is JSON text in a valid file. */
  metadata(): unknown
  output(): SolcContract
}

/** A contract of a compilation. `output` and `abi` are parsed on first use. */
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

  get abi(): Abi {
    if (this.#abi === undefined) {
      const abi = this.#output?.abi ?? this.#parts.abi()
      this.#abi = Array.isArray(abi) ? abi.filter((item) => typeof item?.type === 'string') : []
    }
    return this.#abi
  }

  /** The source name and the contract's name, such as `contracts/Token.sol:Token`. */
  get qualifiedName(): string {
    return `${this.compilation.pathOf(this.sourceName)}:${this.name}`
  }
}

export interface Creation {
  /** Length of the creation code in bytes, without constructor arguments. */
  readonly codeSize: number
  readonly constructorItem: Item | undefined
}

/** Returns a contract's constructor and code size; `undefined` if code or ABI is missing, as for interfaces. */
export function creationOf(contract: CompiledContract): Creation | undefined {
  const codeSize = new JsonValue(bytecodeOf(contract, true)?.object).hexBytes
  const { abi } = contract.output
  if (!codeSize || !Number.isInteger(codeSize) || abi === undefined) return undefined
  return { codeSize, constructorItem: itemsOf(abi).find(({ type }) => type === 'constructor') }
}

/** Returns a contract's ABI for decoding: always the same object, because decoders are cached by this object. */
export const abiOf = oncePer(({ name, output }: CompiledContract): Contract => {
  return { name, abi: output.abi ?? [], address: undefined, creation: undefined, runtime: undefined }
})
