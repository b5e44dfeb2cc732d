/** A contract that a compiler wrote, read no further than it was asked for. */
import type { Abi } from '../abi/contract.ts'
import type { Compilation, CompiledContract } from './compilation.ts'
import type { SolcContract } from './solcJson.ts'
import type { WrittenCode } from './writtenCode.ts'

/** What is known of a contract before it is read whole. */
export interface ContractParts {
  readonly creation: WrittenCode | undefined
  readonly runtime: WrittenCode | undefined
  abi(): Abi | undefined
  /** Returns the metadata as solc writes it: JSON as text. */
  metadata(): unknown
  /** Returns all that the compiler says of it. */
  output(): SolcContract
}

/** A contract of a compilation. Its code is at hand; the rest is read when it is asked for, once. */
export class KnownContract implements CompiledContract {
  readonly compilation: Compilation
  readonly sourceName: string
  readonly name: string
  readonly creation: WrittenCode | undefined
  readonly runtime: WrittenCode | undefined
  readonly #parts: ContractParts
  #output: SolcContract | undefined
  #abi: Abi | undefined

  constructor(compilation: Compilation, sourceName: string, name: string, parts: ContractParts) {
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

  /** The ABI: empty where the compiler did not write it. */
  get abi(): Abi {
    if (this.#abi === undefined) {
      const abi = this.#output?.abi ?? this.#parts.abi()
      this.#abi = Array.isArray(abi) ? abi.filter((item) => typeof item?.type === 'string') : []
    }
    return this.#abi
  }

  /** Where the contract stands, such as `contracts/Token.sol:Token`. */
  get qualifiedName(): string {
    return `${this.compilation.pathOf(this.sourceName)}:${this.name}`
  }
}
