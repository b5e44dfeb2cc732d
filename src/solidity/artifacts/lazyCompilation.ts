/** A compilation from standard JSON, as values or slices of a text, parsed on demand. */

import type { Abi } from '../abi/contract.ts'
import { type Compilation, type ContractData, KnownContract } from './compilation.ts'
import { compiledCodeIn, compiledCodeOf } from './compiledCode.ts'
import type { JsonSlice, Shape } from './jsonSlice.ts'
import type { AstNode, SolcContract, SolcInput, SolcOutput } from './solcJson.ts'

/** A compilation, with its contracts in the order of the output. */
export interface LazyCompilation {
  readonly compilation: Compilation
  readonly contracts: readonly KnownContract[]
  /** Why contracts have names and ABIs only; `undefined` if sources and source maps are usable. */
  readonly namesOnly: string | undefined
}

/** The data of a compilation from any format. */
export interface CompilationData {
  /** Such as `Solidity`, if known. */
  readonly language: string | undefined
  /** Such as `0.8.28+commit.7893614a`; `undefined`: take it from the contracts' code. */
  readonly solcVersion: string | undefined
  /** By source name. */
  readonly sources: Lazy<{ readonly content?: string } | undefined>
  settings(): SolcInput['settings'] | undefined
  /** Ids and ASTs by source name. */
  readonly units: Lazy<{ readonly id: number; readonly ast?: AstNode }>
  readonly contracts: readonly (ContractData & { readonly sourceName: string; readonly name: string })[]
  /** `false` if the source ids of source maps are unknown. */
  readonly hasMaps?: boolean
  /** See `Compilation.pathOf`. */
  pathOf(sourceName: string): string
  /** Returns a source text that the input lacks, if the file on disk has this hash. */
  sourceOnDisk?(sourceName: string, keccak256: string | undefined): string | undefined
}

/** Values by name, made on demand. */
export interface Lazy<T> {
  readonly names: Iterable<string>
  get(name: string): T
}

export function lazyCompilation(parts: CompilationData): LazyCompilation {
  const version = versionOf(parts)
  const namesOnly = whyNamesOnly(parts.language, version)
  const input = {
    language: parts.language ?? 'Solidity',
    sources: lazyRecord(parts.sources.names, (name) => {
      const content =
        parts.sources.get(name)?.content ?? parts.sourceOnDisk?.(name, hashOf(parts.contracts, name))
      return content === undefined ? {} : { content }
    }),
  }
  lazyMember(input, 'settings', () => parts.settings() ?? settingsOf(parts.contracts))
  const output = { sources: namesOnly === undefined ? lazyRecord(parts.units.names, parts.units.get) : {} }
  const compilation: Compilation = { solcVersion: version, input, output, pathOf: parts.pathOf }
  const contracts = parts.contracts.map(({ sourceName, name, ...one }) => {
    const hasMaps = namesOnly === undefined && parts.hasMaps !== false
    const read = hasMaps ? one.output : () => withoutMaps(one.output())
    return new KnownContract(compilation, sourceName, name, { ...one, output: read })
  })
  lazyMember(output, 'contracts', () => bySource(contracts))
  return { compilation, contracts, namesOnly }
}

function bySource(contracts: readonly KnownContract[]): SolcOutput['contracts'] {
  const records: Record<string, Record<string, SolcContract>> = {}
  for (const { sourceName } of contracts) records[sourceName] ??= {}
  for (const contract of contracts) {
    lazyMember(records[contract.sourceName]!, contract.name, () => contract.output)
  }
  return records
}

/** Without commit and platform; empty if unknown. */
function versionOf({ solcVersion, contracts }: CompilationData): string {
  const stated = /^\D*(\d+\.\d+\.\d+)/.exec(solcVersion ?? '')?.[1]
  if (stated !== undefined) return stated
  for (const { runtime } of contracts) {
    const version = runtime && versionIn(runtime.digits())
    if (version !== undefined) return version
  }
  return ''
}

/** The version in the metadata that solc (since 0.5.9) appends to code: `solc`, and three bytes. */
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
  // ASTs and source maps of older versions have another format.
  return /^0\.[0-4]\./.test(version) ? `expected solc 0.5.0 or newer, got ${version}` : undefined
}

/** Drops source maps of other formats. */
function withoutMaps({ evm, ...contract }: SolcContract): SolcContract {
  const without = <T extends { readonly sourceMap?: string }>(code: T | undefined) => {
    const { sourceMap: _, ...rest } = code ?? ({} as T)
    return rest
  }
  const { bytecode, deployedBytecode, ...rest } = evm ?? {}
  return {
    ...contract,
    evm: {
      ...rest,
      ...(bytecode && { bytecode: without(bytecode) as typeof bytecode }),
      ...(deployedBytecode && { deployedBytecode: without(deployedBytecode) as typeof deployedBytecode }),
    },
  }
}

/** The members of the metadata that are read here. */
interface Metadata {
  readonly sources?: Readonly<Record<string, { readonly keccak256?: string }>>
  readonly settings?: NonNullable<SolcInput['settings']>
}

function metadataOf(contract: ContractData): Metadata | undefined {
  const metadata = contract.metadata()
  try {
    return typeof metadata === 'string' && metadata !== '' ? JSON.parse(metadata) : undefined
  } catch {
    return undefined
  }
}

/** The hash of a source file, by the metadata of its contracts, or else of contracts that import it. */
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

/** Returns an object whose members are made on first read. */
function lazyRecord<T>(names: Iterable<string>, make: (name: string) => T): Readonly<Record<string, T>> {
  const record = {}
  for (const name of names) lazyMember(record, name, () => make(name))
  return record
}

/** Adds a member that is made on first read. */
function lazyMember<T>(object: object, name: string, make: () => T): void {
  const settle = (value: T) => {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true })
    return value
  }
  Object.defineProperty(object, name, { get: () => settle(make()), enumerable: true, configurable: true })
}

/** Returns the problem of a compilation that has names and ABIs only. */
export function namesOnlyProblem({ namesOnly, contracts }: LazyCompilation): readonly string[] {
  if (namesOnly === undefined) return []
  const [first, ...others] = new Set(contracts.map(({ sourceName }) => sourceName))
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return [`only names and ABIs are known of ${first}${more}: ${namesOnly}`]
}

/** The data of a compilation that standard JSON does not have. */
export type CompilationContext = Pick<CompilationData, 'solcVersion' | 'pathOf' | 'sourceOnDisk'>

export const CODE_SHAPE: Shape = { object: true, linkReferences: true, immutableReferences: true }

/** The members that `compilationOfSlices` reads. */
export const INPUT_SHAPE: Shape = { language: true, sources: { '*': true }, settings: true }

export const OUTPUT_SHAPE: Shape = {
  contracts: {
    '*': { '*': { abi: true, metadata: true, evm: { bytecode: CODE_SHAPE, deployedBytecode: CODE_SHAPE } } },
  },
  sources: { '*': true },
}

export function compilationOfValues(
  input: SolcInput | undefined,
  output: SolcOutput,
  context: CompilationContext,
): LazyCompilation {
  const contracts = Object.entries(output.contracts ?? {}).flatMap(([sourceName, named]) =>
    Object.entries(named ?? {}).map(([name, contract]) => ({
      sourceName,
      name,
      creation: compiledCodeOf(contract?.evm?.bytecode),
      runtime: compiledCodeOf(contract?.evm?.deployedBytecode),
      abi: () => contract?.abi,
      metadata: () => (contract as { metadata?: unknown } | null)?.metadata,
      output: () => contract ?? {},
    })),
  )
  const units = output.sources ?? {}
  const sources = input?.sources ?? {}
  return lazyCompilation({
    ...context,
    language: input?.language,
    sources: {
      names: Object.keys(input === undefined ? units : sources),
      get: (name) => sources[name],
    },
    settings: () => input?.settings,
    units: { names: Object.keys(units), get: (name) => units[name]! },
    contracts,
  })
}

/** Returns the compilation in slices that were noted by `INPUT_SHAPE` and `OUTPUT_SHAPE`. */
export function compilationOfSlices(
  input: JsonSlice | undefined,
  output: JsonSlice,
  context: CompilationContext,
): LazyCompilation {
  const contracts = [...(output.at('contracts')?.members ?? [])].flatMap(([sourceName, named]) =>
    [...named.members].map(([name, part]) => ({ sourceName, name, ...contractDataIn(part, part.at('evm')) })),
  )
  const language = input?.at('language')?.parse()
  const units = lazySlices<{ id: number; ast?: AstNode }>(output.at('sources'))
  return lazyCompilation({
    ...context,
    language: typeof language === 'string' ? language : undefined,
    sources: input === undefined ? { ...units, get: () => undefined } : lazySlices(input.at('sources')),
    settings: () => input?.at('settings')?.parse() as SolcInput['settings'],
    units,
    contracts,
  })
}

/** `code` has the members `bytecode` and `deployedBytecode`: at `evm` for solc, at the top for Foundry. */
function contractDataIn(part: JsonSlice, code: JsonSlice | undefined) {
  const codeCalled = (name: string) => {
    const found = code?.at(name)
    return compiledCodeIn(found?.at('object'), found?.at('linkReferences'), found?.at('immutableReferences'))
  }
  return {
    creation: codeCalled('bytecode'),
    runtime: codeCalled('deployedBytecode'),
    abi: () => part.at('abi')?.parse() as Abi | undefined,
    metadata: () => part.at('metadata')?.parse(),
    output: () => (part.parse() ?? {}) as SolcContract,
  }
}

function lazySlices<T>(parts: JsonSlice | undefined): Lazy<T> {
  const { members = new Map<string, JsonSlice>() } = parts ?? {}
  return { names: [...members.keys()], get: (name) => members.get(name)?.parse() as T }
}
