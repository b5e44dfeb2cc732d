/** One contract as a compiler wrote it to a file: read from Foundry's and Hardhat's JSON, and from what has the same members. */
import type { Abi } from '../abi/contract.ts'
import type { KnownContract } from './knownContract.ts'
import type { LinkReferences } from './link.ts'
import type { Run } from './run.ts'

/** A compiled contract. `deploy` takes it as it takes any artifact. */
export interface Compiled {
  readonly contractName: string
  /** The source file as the compiler names it, such as `src/Token.sol`; `undefined` where the artifact does not say. */
  readonly sourceName: string | undefined
  readonly abi: Abi
  /** Code that creates the contract, with placeholders for libraries that are not linked. */
  readonly bytecode: { readonly object: string; readonly linkReferences?: LinkReferences | undefined }
  readonly deployedBytecode: { readonly object: string } | undefined
}

/** What a file turned out to be. */
export type Parsed =
  | { readonly kind: 'compiled'; readonly compiled: Compiled }
  | { readonly kind: 'foreign'; readonly reason: string }

/** Parses the text of an artifact; `name` is the contract's name by the file, for artifacts that do not say it. */
export function parseCompiled(text: string, name: string): Parsed {
  const json = jsonIn(text)
  if (json === undefined) return foreign('it is not JSON, or was cut off')
  if (!isObject(json) || !Array.isArray(json.abi)) return foreign('it has no abi')
  const bytecode = codeIn(json.bytecode) ?? codeIn(isObject(json.evm) ? json.evm.bytecode : undefined)
  if (bytecode === undefined) return foreign('it has no bytecode')
  const linkReferences = bytecode.linkReferences ?? json.linkReferences
  return {
    kind: 'compiled',
    compiled: {
      contractName: typeof json.contractName === 'string' ? json.contractName : name,
      sourceName: sourceIn(json),
      abi: json.abi as Abi,
      bytecode: { object: bytecode.object, linkReferences: linkReferences as LinkReferences | undefined },
      deployedBytecode: codeIn(json.deployedBytecode),
    },
  }
}

type Json = Readonly<Record<string, unknown>>

function foreign(reason: string): Parsed {
  return { kind: 'foreign', reason }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Code as Hardhat has it (hex) or as Foundry and solc have it (`{ object, linkReferences }`). */
function codeIn(value: unknown): { object: string; linkReferences?: unknown } | undefined {
  if (typeof value === 'string') return { object: value }
  if (!isObject(value) || typeof value.object !== 'string') return undefined
  return { object: value.object, linkReferences: value.linkReferences }
}

/** Hardhat's `sourceName`; of Foundry's, the target that the compiler's metadata names, or the path of the syntax tree. */
function sourceIn({ sourceName, metadata, ast }: Json): string | undefined {
  if (typeof sourceName === 'string') return sourceName
  const settings = isObject(metadata) && isObject(metadata.settings) ? metadata.settings : {}
  const target = isObject(settings.compilationTarget) ? Object.keys(settings.compilationTarget)[0] : undefined
  if (target !== undefined) return target
  return isObject(ast) && typeof ast.absolutePath === 'string' ? ast.absolutePath : undefined
}

/** What is said of a run of which names and ABIs only can be used. */
export function namesOnlyProblem({ namesOnly, contracts }: Run): readonly string[] {
  if (namesOnly === undefined) return []
  const [first, ...others] = new Set(contracts.map(({ sourceName }) => sourceName))
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return [`only names and ABIs are known of ${first}${more}: ${namesOnly}`]
}

/** What was read of one place. */
export interface Reading {
  /** The newest first. */
  readonly contracts: readonly KnownContract[]
  /** What could not be read, or not whole: a sentence each, which begins with the path. */
  readonly problems: readonly string[]
}
