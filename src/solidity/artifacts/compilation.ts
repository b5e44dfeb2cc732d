/** One run of solc, and a contract of it. */

import type { SolcBytecode, SolcContract, SolcInput, SolcOutput } from './solcJson.ts'
import type { Fit } from './writtenCode.ts'

/** One run of solc: what it was given, what it answered, and where its sources are. */
export interface Compilation {
  /** Such as `0.8.28`: without commit and platform. */
  readonly solcVersion: string
  readonly input: SolcInput
  readonly output: SolcOutput
  /**
   * Returns the path by which people know a source file: relative to the project's folder, such as `contracts/Token.sol`.
   * Hardhat 3 gives solc names such as `project/contracts/Token.sol`; the source name itself where nothing else is known.
   */
  pathOf(sourceName: string): string
}

/** A contract of a compilation. */
export interface CompiledContract {
  readonly compilation: Compilation
  readonly sourceName: string
  readonly name: string
  readonly output: SolcContract
}

/** Returns what the compiler wrote of the code that creates a contract, or of the code that it has. */
export function bytecodeOf({ output }: CompiledContract, isCreation: boolean): SolcBytecode | undefined {
  return isCreation ? output.evm?.bytecode : output.evm?.deployedBytecode
}

/** What code was found to be: a contract, or several that compile to the same code. */
export type CodeMatch =
  | {
      readonly kind: 'contract'
      readonly contract: CompiledContract
      /** Whether the metadata is the same, too. */
      readonly fit?: Fit | undefined
    }
  | { readonly kind: 'ambiguous'; readonly contracts: readonly CompiledContract[] }

/**
 * Returns what `code` was compiled from, `undefined` where no known compilation has it. `isCreation`: it is the input of a
 * creation, with constructor arguments behind the code. Immutables, addresses of libraries and metadata are not compared.
 */
export type FindCode = (code: Uint8Array, isCreation: boolean) => CodeMatch | undefined
