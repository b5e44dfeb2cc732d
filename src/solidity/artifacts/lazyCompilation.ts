/** The contracts of a compilation, parsed on demand. */

import { jsonIn } from '../../model/api/text.ts'
import { type Compilation, type CompiledContract, type ContractData, KnownContract } from './compilation.ts'
import { AST_SHAPE, CONTRACT_SHAPE, contractIn, given, textAt } from './contractJson.ts'
import type { Json, Shape } from './jsonSlice.ts'
import type { AstNode, SolcContract, SolcInput, SolcOutput } from './solcJson.ts'

export interface LoadedArtifacts {
  /** The contracts of all compilations, newest first. */
  readonly contracts: readonly KnownContract[]
  /** Messages about files that could not be fully read. Each begins with the file's path. */
  readonly problems: readonly string[]
}

export interface CompilationData extends CompilationContext {
  /** The source language, such as `Solidity`, if known. */
  readonly language: string | undefined
  readonly sources: Readonly<Record<string, { readonly content?: string } | undefined>>
  settings(): SolcInput['settings'] | undefined
  readonly units: Readonly<Record<string, SourceUnit>>
  readonly contracts: readonly (ContractData & { readonly sourceName: string; readonly name: string })[]
  /** `false` if the source ids that source maps use are unknown. */
  readonly hasMaps: boolean
}

/** A source file in solc's output. */
interface SourceUnit {
  readonly id: number
  /** Parsed on first read. */
  readonly ast?: AstNode
  /** The AST id of the file. */
  readonly unitId: number | undefined
}

/** Data that solc's standard JSON lacks. */
export interface CompilationContext {
  /** The version, such as `0.8.28+commit.7893614a`; if `undefined`, it is read from the metadata in the code. */
  readonly solcVersion: string | undefined
  pathOf(sourceName: string): string
  /** Returns a source file's text if the file has this hash. Used for sources without text in the input. */
  sourceOnDisk(sourceName: string, keccak256: string | undefined): string | undefined
  /** Reports a problem once. */
  tell(problem: string): void
}

export const INPUT_SHAPE = { language: true, sources: { '*': true }, settings: true } satisfies Shape

export const OUTPUT_SHAPE = {
  contracts: { '*': { '*': CONTRACT_SHAPE } },
  sources: { '*': { id: true, ast: AST_SHAPE } },
} satisfies Shape

export function compilationIn(
  input: Json | undefined,
  output: Json,
  context: CompilationContext,
): LoadedArtifacts {
  const found = output.at('sources')?.members ?? new Map<string, Json>()
  const units = lazyRecord(found.keys(), (name) => {
    const unit = found.get(name)!
    return sourceUnit(unit.at('id')?.parse() as number, unit.at('ast'))
  })
  return lazyCompilation({
    ...context,
    language: input && textAt(input, 'language'),
    sources:
      input === undefined ? lazyRecord(Object.keys(units), () => undefined) : recordIn(input.at('sources')),
    settings: () => input?.at('settings')?.parse() as SolcInput['settings'],
    units,
    contracts: [...(output.at('contracts')?.members ?? [])].flatMap(([sourceName, named]) =>
      [...named.members].map(([name, json]) => ({ sourceName, name, ...contractIn(json) })),
    ),
    hasMaps: true,
  })
}

export function sourceUnit(id: number, ast: Json | undefined): SourceUnit {
  const unit = { id, unitId: ast?.at('id')?.parse() as number | undefined }
  if (ast !== undefined) lazyMember(unit, 'ast', () => ast.parse())
  return unit
}

export function lazyCompilation(parts: CompilationData): LoadedArtifacts {
  const solcVersion = versionOf(parts)
  const namesOnly = whyNamesOnly(parts.language, solcVersion)
  const input = {
    language: parts.language ?? 'Solidity',
    sources: lazyRecord(Object.keys(parts.sources), (name) => {
      const content = parts.sources[name]?.content ?? parts.sourceOnDisk(name, hashOf(parts.contracts, name))
      return content === undefined ? {} : { content }
    }),
  }
  lazyMember(input, 'settings', () => parts.settings() ?? settingsOf(parts.contracts))
  const output = { sources: namesOnly === undefined ? parts.units : {} }
  let isReported = namesOnly !== undefined
  const reportMissing = (contract: CompiledContract) => {
    if (!isReported) for (const text of missingFor(contract)) parts.tell(text)
    isReported = true
  }
  const unitId = (name: string) => parts.units[name]?.unitId
  const compilation: Compilation = { solcVersion, input, output, pathOf: parts.pathOf, unitId, reportMissing }
  const hasMaps = parts.hasMaps && namesOnly === undefined
  const contracts = parts.contracts.map(({ sourceName, name, ...one }) => {
    const read = hasMaps ? one.output : () => withoutMaps(one.output())
    return new KnownContract(compilation, sourceName, name, { ...one, output: read })
  })
  lazyMember(output, 'contracts', () => bySource(contracts))
  if (namesOnly !== undefined) {
    const files = new Set(contracts.map(({ sourceName }) => sourceName))
    return { contracts, problems: [`only names and ABIs of ${listOf([...files])} are known: ${namesOnly}`] }
  }
  const unknown = contracts.filter(({ creation, runtime }) => creation !== undefined && runtime === undefined)
  if (unknown.length === 0 || parts.language === 'Yul') return { contracts, problems: [] }
  const names = listOf(unknown.map(({ qualifiedName }) => qualifiedName))
  const reason = "the runtime code is missing; add evm.deployedBytecode to solc's outputSelection"
  return { contracts, problems: [`deployed code of ${names} is not recognized: ${reason}`] }
}

function listOf([first, ...others]: readonly string[]): string {
  return `${first}${others.length === 0 ? '' : ` and ${others.length} more`}`
}

/** Describes what stack traces of `contract` lack: source maps, or syntax trees. */
function* missingFor({ compilation, sourceName, name, output }: CompiledContract): Generator<string> {
  const { bytecode, deployedBytecode } = output.evm ?? {}
  const whole = `${compilation.pathOf(sourceName)}:${name}`
  if (!bytecode?.sourceMap && !deployedBytecode?.sourceMap)
    yield `stack traces show no lines of ${whole}: its source map is missing; add evm.bytecode and evm.deployedBytecode to solc's outputSelection, or compile with forge build --build-info`
  else if (compilation.output.sources?.[sourceName]?.ast === undefined)
    yield `stack traces show no function names of ${whole}: its syntax tree is missing; add "": ["ast"] to solc's outputSelection, or compile with forge build --build-info`
}

function bySource(contracts: readonly KnownContract[]): SolcOutput['contracts'] {
  const records: Record<string, Record<string, SolcContract>> = {}
  for (const { sourceName } of contracts) records[sourceName] ??= {}
  for (const contract of contracts) {
    lazyMember(records[contract.sourceName]!, contract.name, () => contract.output)
  }
  return records
}

/** Returns the version without commit and platform; empty if unknown. */
function versionOf({ solcVersion, contracts }: CompilationData): string {
  const stated = /^\D*(\d+\.\d+\.\d+)/.exec(solcVersion ?? '')?.[1]
  if (stated !== undefined) return stated
  for (const { runtime } of contracts) {
    const version = runtime && versionIn(runtime.digits())
    if (version !== undefined) return version
  }
  return ''
}

/** Returns the version in the metadata at the end of code (since solc 0.5.9): the key `solc`, then three bytes. */
function versionIn(digits: string): string | undefined {
  const [, bytes] = /64736f6c6343([0-9a-f]{6})[0-9a-f]*$/.exec(digits.slice(-160)) ?? []
  return bytes
    ?.match(/../g)
    ?.map((byte) => Number.parseInt(byte, 16))
    .join('.')
}

function whyNamesOnly(language: string | undefined, version: string): string | undefined {
  if (language !== undefined && language !== 'Solidity' && language !== 'Yul') {
    return `expected Solidity, got ${language}`
  }
  // ASTs and source maps before solc 0.5 have another format.
  return /^0\.[0-4]\./.test(version) ? `expected solc 0.5.0 or newer, got ${version}` : undefined
}

function withoutMaps({ evm = {}, ...contract }: SolcContract): SolcContract {
  const without = <T extends object>(code: T | undefined) => code && given({ ...code, sourceMap: undefined })
  const { bytecode, deployedBytecode } = evm
  return {
    ...contract,
    evm: { ...evm, ...given({ bytecode: without(bytecode), deployedBytecode: without(deployedBytecode) }) },
  }
}

interface Metadata {
  readonly sources?: Readonly<Record<string, { readonly keccak256?: string }>>
  readonly settings?: NonNullable<SolcInput['settings']>
}

function metadataOf(contract: ContractData): Metadata | undefined {
  const metadata = contract.metadata()
  return typeof metadata === 'string' ? (jsonIn(metadata) as Metadata | undefined) : undefined
}

/** Returns a source file's hash from the metadata of its contracts, or of contracts that import it. */
function hashOf(contracts: CompilationData['contracts'], source: string): string | undefined {
  const own = contracts.filter(({ sourceName }) => sourceName === source)
  for (const contract of [...own, ...contracts]) {
    const hash = metadataOf(contract)?.sources?.[source]?.keccak256
    if (hash !== undefined) return hash
  }
  return undefined
}

function settingsOf(contracts: readonly ContractData[]): NonNullable<SolcInput['settings']> {
  for (const contract of contracts) {
    const settings = metadataOf(contract)?.settings
    if (settings !== undefined) return settings
  }
  return {}
}

function recordIn<T>(json: Json | undefined): Readonly<Record<string, T>> {
  const members = json?.members ?? new Map<string, Json>()
  return lazyRecord(members.keys(), (name) => members.get(name)?.parse() as T)
}

/** Returns an object whose members are computed on first read. */
export function lazyRecord<T>(
  names: Iterable<string>,
  make: (name: string) => T,
): Readonly<Record<string, T>> {
  const record = {}
  for (const name of names) lazyMember(record, name, () => make(name))
  return record
}

function lazyMember<T>(object: object, name: string, make: () => T): void {
  // The getter stays: V8 copies all members of an object when a getter is replaced by its value.
  let made: { readonly value: T } | undefined
  const get = () => {
    made ??= { value: make() }
    return made.value
  }
  Object.defineProperty(object, name, { get, enumerable: true, configurable: true })
}
