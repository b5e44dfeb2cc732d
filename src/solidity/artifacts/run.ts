/** One run of a compiler as a compilation and its contracts, read as far as somebody asks. */
import type { Compilation } from './compilation.ts'
import { type ContractParts, KnownContract } from './knownContract.ts'
import type { AstNode, SolcContract, SolcInput, SolcOutput } from './solcJson.ts'

/** A compilation, and its contracts in the order of the output. */
export interface Run {
  readonly compilation: Compilation
  readonly contracts: readonly KnownContract[]
  /** Why its contracts have names and ABIs only; `undefined` where they have sources and maps. */
  readonly namesOnly: string | undefined
}

/** What a run consists of, wherever that was found. */
export interface RunParts {
  /** Such as `Solidity`; `undefined` where nothing says it. */
  readonly language: string | undefined
  /** Such as `0.8.28+commit.7893614a`; `undefined` where only the contracts say it. */
  readonly solcVersion: string | undefined
  /** By source name. */
  readonly sources: Lazy<{ readonly content?: string } | undefined>
  settings(): SolcInput['settings'] | undefined
  /** What the output says of each source file. */
  readonly units: Lazy<{ readonly id: number; readonly ast?: AstNode }>
  readonly contracts: readonly (ContractParts & { readonly sourceName: string; readonly name: string })[]
  /** `false`: the numbers of source files in source maps are not known. */
  readonly hasMaps?: boolean
  /** Returns the path by which people know a source file. */
  pathOf(sourceName: string): string
  /**
   * Returns the text of a source file that the input lacks, if the disk has it as it was compiled: `keccak256` is its hash by the
   * metadata.
   */
  sourceOnDisk?(sourceName: string, keccak256: string | undefined): string | undefined
}

/** Values by name, each of which is made when it is asked for. */
export interface Lazy<T> {
  readonly names: Iterable<string>
  get(name: string): T
}

/** Returns the run that has these parts. */
export function runOf(parts: RunParts): Run {
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

/** The version without commit and platform; empty where nothing says it. */
function versionOf({ solcVersion, contracts }: RunParts): string {
  const stated = /^\D*(\d+\.\d+\.\d+)/.exec(solcVersion ?? '')?.[1]
  if (stated !== undefined) return stated
  for (const { runtime } of contracts) {
    const version = runtime && versionIn(runtime.digits())
    if (version !== undefined) return version
  }
  return ''
}

/** The version that solc (since 0.5.9) writes behind the code: `solc`, and three bytes. */
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
  // Its syntax trees and source maps have another form.
  return /^0\.[0-4]\./.test(version) ? `expected solc 0.5.0 or newer, got ${version}` : undefined
}

/** What the compiler says of a contract, without what other forms of source maps would be mistaken for. */
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

/** What the metadata of a contract says that is of use here. */
interface Metadata {
  readonly sources?: Readonly<Record<string, { readonly keccak256?: string }>>
  readonly settings?: NonNullable<SolcInput['settings']>
}

function metadataOf(contract: ContractParts): Metadata | undefined {
  const metadata = contract.metadata()
  try {
    return typeof metadata === 'string' && metadata !== '' ? JSON.parse(metadata) : undefined
  } catch {
    return undefined
  }
}

/** The hash of a source file by the metadata of a contract in it, or else of one that imports it. */
function hashOf(contracts: RunParts['contracts'], source: string): string | undefined {
  const own = contracts.filter(({ sourceName }) => sourceName === source)
  for (const contract of [...own, ...contracts]) {
    const hash = metadataOf(contract)?.sources?.[source]?.keccak256
    if (hash !== undefined) return hash
  }
  return undefined
}

function settingsOf(contracts: readonly ContractParts[]): NonNullable<SolcInput['settings']> {
  for (const contract of contracts) {
    const settings = metadataOf(contract)?.settings
    if (settings !== undefined) return settings
  }
  return {}
}

/** Returns an object whose members are made when they are first read; `make` gets the name. */
function lazyRecord<T>(names: Iterable<string>, make: (name: string) => T): Readonly<Record<string, T>> {
  const record = {}
  for (const name of names) lazyMember(record, name, () => make(name))
  return record
}

/** Adds a member to `object` whose value is made when it is first read. */
function lazyMember<T>(object: object, name: string, make: () => T): void {
  const settle = (value: T) => {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true })
    return value
  }
  Object.defineProperty(object, name, { get: () => settle(make()), enumerable: true, configurable: true })
}
