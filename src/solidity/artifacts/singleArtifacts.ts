/** Makes compilations from artifacts of single contracts, with the source ids in Foundry's build info. */

import { isRecord } from '../../model/api/arguments.ts'
import { grouped } from '../../model/collections/grouped.ts'
import { contractIn, namesIn, textAt } from './contractJson.ts'
import type { Json } from './jsonSlice.ts'
import { type CompilationData, type LoadedArtifacts, lazyCompilation, lazyRecord } from './lazyCompilation.ts'
import { type Disk, contractNameIn as nameInPath, type Project } from './project.ts'
import type { AstNode } from './solcJson.ts'

interface SourceIds {
  readonly id: string
  readonly language: string | undefined
  readonly names: Readonly<Record<string, string>>
}

interface SingleArtifact {
  readonly file: string
  readonly contract: CompilationData['contracts'][number]
  /** The id of the contract's source file in the compilation, if the artifact has the id. */
  readonly sourceId: unknown
  readonly ast: Json | undefined
}

export function compilationsOfArtifacts(
  disk: Disk,
  artifacts: readonly { readonly file: string; readonly root: Json }[],
  infos: readonly { readonly id: string; readonly root: Json }[],
  project: Project,
): readonly LoadedArtifacts[] {
  const known = infos.map(sourceIdsOf)
  const idOf = cachedBuildIds(disk, project.root)
  const groups = grouped(artifacts.map(singleArtifact), (artifact) =>
    sourceIdsFor(artifact, known, idOf.get(disk.path.resolve(artifact.file))),
  )
  return [...groups].map(([ids, found]) => compilationOfArtifacts(found, ids, project))
}

function singleArtifact({ file, root }: { readonly file: string; readonly root: Json }): SingleArtifact {
  const { name = nameInPath(file), source = '' } = namesIn(root)
  const sourceName = textAt(root, 'inputSourceName') ?? source
  return {
    file,
    contract: { sourceName, name, ...contractIn(root) },
    sourceId: root.at('id')?.parse(),
    ast: root.at('ast'),
  }
}

function sourceIdsOf({ id, root }: { readonly id: string; readonly root: Json }): SourceIds {
  const names = root.at('source_id_to_path')?.parse()
  return {
    id,
    language: textAt(root, 'language'),
    names: isRecord(names) ? (names as SourceIds['names']) : {},
  }
}

/** Returns the source ids for an artifact; `undefined` if ambiguous, because wrong ids would lead to wrong lines. */
function sourceIdsFor(
  { contract, sourceId }: SingleArtifact,
  known: readonly SourceIds[],
  buildId: string | undefined,
): SourceIds | undefined {
  const fitting = known.filter(
    ({ names }) => typeof sourceId === 'number' && names[sourceId] === contract.sourceName,
  )
  return fitting.find(({ id }) => id === buildId) ?? (fitting.length === 1 ? fitting[0] : undefined)
}

function compilationOfArtifacts(
  artifacts: readonly SingleArtifact[],
  ids: SourceIds | undefined,
  project: Project,
): LoadedArtifacts {
  const numbers = new Map(Object.entries(ids?.names ?? {}).map(([id, name]) => [name, Number(id)]))
  const trees = new Map(
    artifacts.flatMap(({ ast, contract }) => (ast === undefined ? [] : [[contract.sourceName, ast]])),
  )
  return lazyCompilation({
    language: ids?.language,
    solcVersion: undefined,
    sources: lazyRecord(numbers.keys(), () => undefined),
    settings: () => undefined,
    units: lazyRecord(numbers.keys(), (name) => {
      const ast = trees.get(name)?.parse() as AstNode | undefined
      return { id: numbers.get(name)!, ...(ast && { ast }) }
    }),
    contracts: artifacts.map(({ contract }) => contract),
    hasMaps: ids !== undefined,
    ...project.names,
  })
}

/** Returns the build ids of artifact files from forge's cache. */
function cachedBuildIds({ fs, path }: Disk, root: string): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  let cache: { readonly paths?: { readonly artifacts?: string }; readonly files?: unknown }
  try {
    cache = JSON.parse(fs.readFileSync(path.join(root, 'cache/solidity-files-cache.json'), 'utf8'))
  } catch {
    return ids
  }
  // The cache nests artifacts by source file, contract, compiler version and profile.
  const collect = (value: unknown) => {
    if (!isRecord(value)) return
    if (typeof value.path === 'string' && typeof value.build_id === 'string') {
      ids.set(path.resolve(root, cache.paths?.artifacts ?? 'out', value.path), value.build_id)
    } else Object.values(value).forEach(collect)
  }
  collect(cache?.files)
  return ids
}
