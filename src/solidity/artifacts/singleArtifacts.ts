/**
 * Compilations from artifacts of single contracts. In Foundry's, the ids of source files that source maps use stand in the build
 * info. Other artifacts have a contract's name, ABI and code.
 */

import type { Abi } from '../abi/contract.ts'
import { compiledCodeIn } from './compiledCode.ts'
import type { JsonSlice } from './jsonSlice.ts'
import { type CompilationData, type LazyCompilation, lazyCompilation } from './lazyCompilation.ts'
import { contractIn, type Disk, type Project } from './project.ts'
import type { AstNode, SolcBytecode, SolcContract } from './solcJson.ts'

interface SourceIds {
  readonly id: string
  readonly language: string | undefined
  /** Source names by id. */
  readonly names: Readonly<Record<string, string>>
}

/** Returns the compilations that wrote `artifacts`. */
export function compilationsOfArtifacts(
  disk: Disk,
  artifacts: readonly { readonly file: string; readonly root: JsonSlice }[],
  infos: readonly { readonly id: string; readonly root: JsonSlice }[],
  project: Project,
): readonly LazyCompilation[] {
  const known = infos.map(sourceIdsOf)
  const idOf = cachedBuildIds(disk, project.root)
  const groups = new Map<SourceIds | undefined, SingleArtifact[]>()
  for (const { file, root } of artifacts) {
    const artifact = singleArtifactIn(root, contractIn(file))
    const ids = sourceIdsFor(artifact, known, idOf.get(disk.path.resolve(file)))
    groups.set(ids, [...(groups.get(ids) ?? []), artifact])
  }
  return [...groups].map(([ids, found]) => compilationOfArtifacts(found, ids, project))
}

function sourceIdsOf({ id, root }: { readonly id: string; readonly root: JsonSlice }): SourceIds {
  const names = root.at('source_id_to_path')?.parse()
  const language = root.at('language')?.parse()
  return {
    id,
    language: typeof language === 'string' ? language : undefined,
    names: typeof names === 'object' && names !== null ? (names as SourceIds['names']) : {},
  }
}

/** Returns the source ids for an artifact; `undefined` if ambiguous: others would show wrong lines. */
function sourceIdsFor(
  { contract, sourceId }: SingleArtifact,
  known: readonly SourceIds[],
  buildId: string | undefined,
): SourceIds | undefined {
  const fitting = known.filter(({ names }) => names[String(sourceId)] === contract.sourceName)
  return fitting.find(({ id }) => id === buildId) ?? (fitting.length === 1 ? fitting[0] : undefined)
}

/** Returns build ids by artifact file, from forge's cache. */
function cachedBuildIds({ fs, path }: Disk, root: string): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  let cache: ForgeCache
  try {
    cache = JSON.parse(fs.readFileSync(path.join(root, 'cache/solidity-files-cache.json'), 'utf8'))
  } catch {
    return ids
  }
  for (const { artifacts = {} } of Object.values(cache?.files ?? {})) {
    for (const byVersion of Object.values(artifacts)) {
      for (const byProfile of Object.values(byVersion ?? {})) {
        for (const one of Object.values(byProfile ?? {})) {
          if (typeof one?.path !== 'string' || typeof one.build_id !== 'string') continue
          ids.set(path.resolve(root, cache.paths?.artifacts ?? 'out', one.path), one.build_id)
        }
      }
    }
  }
  return ids
}

/** `cache/solidity-files-cache.json`: by contract, version and profile. */
interface ForgeCache {
  readonly paths?: { readonly artifacts?: string }
  readonly files?: Readonly<
    Record<
      string,
      {
        readonly artifacts?: Readonly<
          Record<
            string,
            Readonly<Record<string, Readonly<Record<string, { path?: string; build_id?: string }>>>>
          >
        >
      }
    >
  >
}

function compilationOfArtifacts(
  artifacts: readonly SingleArtifact[],
  ids: SourceIds | undefined,
  project: Project,
): LazyCompilation {
  const numbers = new Map(Object.entries(ids?.names ?? {}).map(([id, name]) => [name, Number(id)]))
  const trees = new Map(
    artifacts.flatMap(({ root, contract }) => {
      const tree = root.at('ast')
      return tree === undefined ? [] : [[contract.sourceName, tree] as const]
    }),
  )
  const names = [...numbers.keys()]
  return lazyCompilation({
    language: ids?.language,
    solcVersion: undefined,
    sources: { names, get: () => undefined },
    settings: () => undefined,
    units: {
      names,
      get(name) {
        const ast = trees.get(name)?.parse() as AstNode | undefined
        return { id: numbers.get(name)!, ...(ast && { ast }) }
      },
    },
    contracts: artifacts.map(({ contract }) => contract),
    hasMaps: ids !== undefined,
    pathOf: (name) => project.pathOf(name),
    sourceOnDisk: (name, keccak256) => project.sourceOnDisk(name, keccak256),
  })
}

/** A contract with the data that tie it to a compilation. */
export interface SingleArtifact {
  readonly contract: CompilationData['contracts'][number]
  /** The id of its source file in the compilation, if the artifact has it. */
  readonly sourceId: number | undefined
  readonly root: JsonSlice
}

/** Returns the artifact in a file; `name` is used if the artifact has no contract name. */
function singleArtifactIn(root: JsonSlice, name: string): SingleArtifact {
  const text = (...path: readonly string[]) => {
    const value = root.at(...path)?.parse()
    return typeof value === 'string' ? value : undefined
  }
  const [target] = root.at('metadata', 'settings', 'compilationTarget')?.members.keys() ?? []
  const sourceName =
    text('inputSourceName') ?? text('sourceName') ?? target ?? text('ast', 'absolutePath') ?? ''
  const code = (member: string, references: string) => {
    // Hex (Hardhat), or an object (Foundry, solc).
    const found = root.at(member) ?? root.at('evm', member)
    const isObject = found?.at('object') !== undefined
    return compiledCodeIn(
      isObject ? found?.at('object') : found,
      (isObject ? found?.at('linkReferences') : undefined) ?? root.at(references),
      (isObject ? found?.at('immutableReferences') : undefined) ?? root.at('immutableReferences'),
    )
  }
  const id = root.at('id')?.parse()
  return {
    root,
    sourceId: typeof id === 'number' ? id : undefined,
    contract: {
      sourceName,
      name: text('contractName') ?? name,
      creation: code('bytecode', 'linkReferences'),
      runtime: code('deployedBytecode', 'deployedLinkReferences'),
      abi: () => root.at('abi')?.parse() as Abi | undefined,
      metadata: () => root.at('rawMetadata')?.parse(),
      output: () => solcContractOf(root.parse() as AnyArtifact | undefined),
    },
  }
}

interface AnyArtifact {
  readonly abi?: Abi
  readonly bytecode?: unknown
  readonly deployedBytecode?: unknown
  readonly evm?: SolcContract['evm']
  readonly linkReferences?: SolcBytecode['linkReferences']
  readonly deployedLinkReferences?: SolcBytecode['linkReferences']
  readonly immutableReferences?: SolcBytecode['immutableReferences']
  readonly methodIdentifiers?: NonNullable<SolcContract['evm']>['methodIdentifiers']
  readonly storageLayout?: SolcContract['storageLayout']
  readonly rawMetadata?: string
}

/** Returns an artifact in solc's format. */
function solcContractOf(artifact: AnyArtifact = {}): SolcContract {
  const { abi, evm, storageLayout, rawMetadata: metadata, methodIdentifiers } = artifact
  const code = (value: unknown, references: Partial<SolcBytecode>) =>
    typeof value === 'string'
      ? { ...references, object: value.replace(/^0x/, '') }
      : unprefixed(value as SolcBytecode | undefined)
  const bytecode = code(
    artifact.bytecode ?? evm?.bytecode,
    given({ linkReferences: artifact.linkReferences }),
  )
  const deployedBytecode = code(
    artifact.deployedBytecode ?? evm?.deployedBytecode,
    given({
      linkReferences: artifact.deployedLinkReferences,
      immutableReferences: artifact.immutableReferences,
    }),
  )
  return {
    ...given({ abi, storageLayout, metadata }),
    evm: given({
      ...evm,
      methodIdentifiers: methodIdentifiers ?? evm?.methodIdentifiers,
      bytecode,
      deployedBytecode,
    }),
  }
}

function unprefixed(code: SolcBytecode | undefined): SolcBytecode | undefined {
  return code && { ...code, object: String(code.object ?? '').replace(/^0x/, '') }
}

/** Drops members that are `undefined`. */
function given<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never
}
