/** The members of solc's standard JSON input and output that preseal reads. Old versions of solc lack some of them. */

import type { Abi } from '../abi/contract.ts'
import type { LinkReferences } from './link.ts'

export interface SolcInput {
  /** `Solidity` or `Yul`. */
  readonly language: string
  /** Source texts by source name. A source with `urls` has no `content`. */
  readonly sources: Readonly<Record<string, { readonly content?: string }>>
  readonly settings?: {
    readonly optimizer?: { readonly enabled?: boolean; readonly runs?: number; readonly details?: unknown }
    readonly viaIR?: boolean
    readonly evmVersion?: string
    readonly remappings?: readonly string[]
  }
}

export interface SolcOutput {
  /** Sources by name. Source maps refer to `id`. */
  readonly sources?: Readonly<Record<string, { readonly id: number; readonly ast?: AstNode }>>
  /** Contracts by source name, then by contract name. */
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, SolcContract>>>>
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage?: string }[]
}

export interface SolcContract {
  readonly abi?: Abi
  readonly storageLayout?: StorageLayout
  /** The layout of transient state variables (since solc 0.8.27). */
  readonly transientStorageLayout?: StorageLayout
  readonly evm?: {
    readonly bytecode?: SolcBytecode
    readonly deployedBytecode?: SolcBytecode
    /** Selectors (8 hex digits) by signature. */
    readonly methodIdentifiers?: Readonly<Record<string, string>>
  }
}

export interface SolcBytecode {
  /** Hex without `0x`, with library placeholders; empty for interfaces and abstract contracts. */
  readonly object: string
  /** solc's compressed form: `start:length:file:jump:modifierDepth` per instruction, separated by `;`. */
  readonly sourceMap?: string
  readonly linkReferences?: LinkReferences
  /** Byte ranges of immutables in the runtime code, by the AST id of each immutable's declaration. */
  readonly immutableReferences?: Readonly<
    Record<string, readonly { readonly start: number; readonly length: number }[]>
  >
  /** Entry points by internal function name, since solc 0.8.5. */
  readonly functionDebugData?: Readonly<
    Record<string, { readonly entryPoint?: number | null; readonly id?: number | null }>
  >
}

/** The storage layout of state variables (since solc 0.5.13). */
export interface StorageLayout {
  readonly storage: readonly {
    readonly astId: number
    readonly contract: string
    readonly label: string
    /** Offset in the slot in bytes, counted from the least significant byte. */
    readonly offset: number
    /** A decimal number. */
    readonly slot: string
    readonly type: string
  }[]
  readonly types: Readonly<
    Record<
      string,
      {
        readonly encoding: 'inplace' | 'mapping' | 'dynamic_array' | 'bytes'
        readonly label: string
        /** A decimal number. */
        readonly numberOfBytes: string
        readonly base?: string
        readonly key?: string
        readonly value?: string
        readonly members?: StorageLayout['storage']
      }
    >
  > | null
}

export interface AstNode {
  readonly id: number
  readonly nodeType: string
  /** `start:length:file`, in UTF-8 bytes. */
  readonly src: string
  readonly [member: string]: unknown
}

/** One run of solc: standard JSON input and output, each as a value or the path of a file. */
export interface SolcRun {
  /** Standard JSON input: `{ language, sources, settings }`. */
  readonly input: object | string
  /** Standard JSON output: `{ contracts, sources }`. */
  readonly output: object | string
  /** The version of solc, such as `0.8.28`. By default, the version in the code's metadata. */
  readonly solcVersion?: string | undefined
  /**
   * @internal Paths to show, by source name, if they differ from the source names. Set for compilations from another
   * machine.
   */
  readonly paths?: Readonly<Record<string, string>> | undefined
}

/**
 * Artifacts for a devnet: a folder (Foundry's `out`, Hardhat's `artifacts`, or a project with a `foundry.toml` or
 * `hardhat.config.*`), a file (build info, standard JSON output of solc, an artifact), or a run of solc.
 */
export type ArtifactSource = string | SolcRun

/** @internal */
export function isSolcRun(what: unknown): what is SolcRun {
  const { input, output } = (what ?? {}) as Partial<SolcRun>
  const isJson = (value: unknown) =>
    typeof value === 'string' || (typeof value === 'object' && value !== null)
  return isJson(input) && isJson(output)
}
