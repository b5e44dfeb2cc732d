/**
 * The standard JSON of solc: what it is given and what it answers (docs.soliditylang.org, "Compiler Input and Output JSON
 * Description"). Only the members that are read here, and those optional that some version or setting leaves out.
 */
import type { Abi } from '../abi/contract.ts'
import type { LinkReferences } from './link.ts'

/** The input of one run of solc. */
export interface SolcInput {
  /** `Solidity` or `Yul`. */
  readonly language: string
  /** The text of each source file by its source name. A source that is named by `urls` only has no `content`. */
  readonly sources: Readonly<Record<string, { readonly content?: string }>>
  readonly settings?: {
    readonly optimizer?: { readonly enabled?: boolean; readonly runs?: number; readonly details?: unknown }
    readonly viaIR?: boolean
    readonly evmVersion?: string
    readonly remappings?: readonly string[]
  }
}

/** The output of one run of solc. */
export interface SolcOutput {
  /** By source name. `id` is the number of the file in source maps. */
  readonly sources?: Readonly<Record<string, { readonly id: number; readonly ast?: AstNode }>>
  /** By source name, then by contract name. */
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage?: string }[]
}

/** What solc says of a contract. */
export interface SolcContract {
  readonly abi?: Abi
  readonly storageLayout?: StorageLayout
  /** Of transient storage (since solc 0.8.27). */
  readonly transientStorageLayout?: StorageLayout
  readonly evm?: {
    /** The code that creates the contract. */
    readonly bytecode?: SolcBytecode
    /** The code that the contract has. */
    readonly deployedBytecode?: SolcBytecode
    /** Selectors (8 hex digits) by signature. */
    readonly methodIdentifiers?: Readonly<Record<string, string>>
  }
}

/** Code, and what its bytes come from. */
export interface SolcBytecode {
  /** Hex without `0x`, with placeholders for libraries that are not linked; empty for interfaces and abstract contracts. */
  readonly object: string
  /** The compressed source map: `start:length:file:jump:modifierDepth` for each instruction, `;` between them. */
  readonly sourceMap?: string
  readonly linkReferences?: LinkReferences
  /** Places of immutables by the id of their declaration; of runtime code only. */
  readonly immutableReferences?: Readonly<
    Record<string, readonly { readonly start: number; readonly length: number }[]>
  >
  /** Functions that the code generator wrote, which source maps refer to by `id`. */
  readonly generatedSources?: readonly {
    readonly id: number
    readonly name: string
    readonly contents?: string
  }[]
  /** Entry points of functions, by internal name; absent before solc 0.8.5. */
  readonly functionDebugData?: Readonly<
    Record<
      string,
      {
        readonly entryPoint?: number | null
        readonly id?: number | null
        readonly parameterSlots?: number | null
        readonly returnSlots?: number | null
      }
    >
  >
}

/** Where state variables stand in storage (since solc 0.5.13). */
export interface StorageLayout {
  readonly storage: readonly {
    readonly astId: number
    readonly contract: string
    readonly label: string
    /** The first byte in the slot, counted from the least significant. */
    readonly offset: number
    /** Decimal. */
    readonly slot: string
    readonly type: string
  }[]
  readonly types: Readonly<
    Record<
      string,
      {
        readonly encoding: 'inplace' | 'mapping' | 'dynamic_array' | 'bytes'
        readonly label: string
        /** Decimal. */
        readonly numberOfBytes: string
        readonly base?: string
        readonly key?: string
        readonly value?: string
        readonly members?: StorageLayout['storage']
      }
    >
  > | null
}

/** A node of solc's syntax tree. Members depend on `nodeType`. */
export interface AstNode {
  readonly id: number
  readonly nodeType: string
  /** `start:length:file`, in bytes of the UTF-8 text. */
  readonly src: string
  readonly [member: string]: unknown
}
