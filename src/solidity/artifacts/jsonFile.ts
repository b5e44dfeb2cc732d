/** A JSON file that a compiler or a tool around it wrote: which of their formats it has. */
import { type JsonPart, jsonParts, type Shape } from './jsonPart.ts'
import { CODE_SHAPE, INPUT_SHAPE, OUTPUT_SHAPE } from './solcRun.ts'

/** What a file is. */
export type JsonFile =
  /** Build info of Hardhat 2, Foundry and tools like them, or an object `{ input, output }`. */
  | { readonly kind: 'run'; readonly input: JsonPart; readonly output: JsonPart; readonly root: JsonPart }
  /** Build info of Hardhat 3, whose output is a file of its own with the same id. */
  | { readonly kind: 'input'; readonly id: string; readonly root: JsonPart }
  | { readonly kind: 'output'; readonly id: string; readonly root: JsonPart }
  /** Foundry's build info without input and output. */
  | { readonly kind: 'sourceIds'; readonly id: string; readonly root: JsonPart }
  /** Standard JSON output of solc by itself, or its input. */
  | { readonly kind: 'solcOutput'; readonly root: JsonPart }
  | { readonly kind: 'solcInput'; readonly root: JsonPart }
  /** An artifact of one contract. */
  | { readonly kind: 'artifact'; readonly root: JsonPart }
  | { readonly kind: 'foreign'; readonly reason: string }

/** A file, what it turned out to be, and when it was written. */
export type ReadFile = JsonFile & { readonly file: string; readonly writtenMs: number }
export type OfKind<Kind extends JsonFile['kind']> = Extract<ReadFile, { kind: Kind }>

const SHAPE: Shape = {
  id: true,
  _format: true,
  solcVersion: true,
  solcLongVersion: true,
  // Of the standard JSON, in both of its directions.
  language: true,
  sources: { '*': true },
  contracts: (OUTPUT_SHAPE as { contracts: Shape }).contracts,
  settings: true,
  input: INPUT_SHAPE,
  output: OUTPUT_SHAPE,
  userSourceNameMap: true,
  source_id_to_path: true,
  // Of artifacts.
  abi: true,
  contractName: true,
  sourceName: true,
  bytecode: CODE_SHAPE,
  deployedBytecode: CODE_SHAPE,
  evm: { bytecode: CODE_SHAPE, deployedBytecode: CODE_SHAPE },
  linkReferences: true,
  deployedLinkReferences: true,
  immutableReferences: true,
  inputSourceName: true,
  rawMetadata: true,
  metadata: { settings: { compilationTarget: { '*': true } } },
  ast: { absolutePath: true },
}

/** Returns what the JSON text in `bytes` is. */
export function jsonFileOf(bytes: Uint8Array): JsonFile {
  const root = jsonParts(bytes, SHAPE)
  if (root === undefined) return { kind: 'foreign', reason: 'it is not JSON, or was cut off' }
  const has = (...path: readonly string[]) => root.at(...path) !== undefined
  const id = () => String(root.at('id')?.parse() ?? '')
  const input = root.at('input')
  const output = root.at('output')
  if (input !== undefined && output !== undefined) return { kind: 'run', input, output, root }
  if (input !== undefined && has('input', 'sources')) return { kind: 'input', id: id(), root }
  if (output !== undefined) return { kind: 'output', id: id(), root }
  if (has('source_id_to_path')) return { kind: 'sourceIds', id: id(), root }
  if (has('abi')) return { kind: 'artifact', root }
  if (has('contracts')) return { kind: 'solcOutput', root }
  if (has('sources') && has('language')) return { kind: 'solcInput', root }
  return { kind: 'foreign', reason: 'it is neither build info nor an artifact nor JSON of solc' }
}
