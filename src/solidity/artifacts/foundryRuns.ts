/**
 * Runs of the compiler from artifacts of single contracts. Foundry's carry what solc says of a contract; which number a source file
 * has in their source maps stands in the build info of the run. Others tell a contract's name, ABI and code.
 */
import { contractIn, type Disk } from './disk.ts'
import type { OfKind } from './jsonFile.ts'
import type { JsonPart } from './jsonPart.ts'
import { type LooseArtifact, looseArtifactOf } from './looseArtifact.ts'
import type { Project } from './project.ts'
import { type Run, runOf } from './run.ts'
import type { AstNode } from './solcJson.ts'

interface SourceIds {
  readonly id: string
  readonly language: string | undefined
  /** Source names by their numbers. */
  readonly names: Readonly<Record<string, string>>
}

/** Returns the runs that made `artifacts`. */
export function foundryRuns(
  disk: Disk,
  artifacts: readonly OfKind<'artifact'>[],
  infos: readonly OfKind<'sourceIds'>[],
  project: Project,
): readonly Run[] {
  const known = infos.map(sourceIdsOf)
  const idOf = cachedBuildIds(disk, project.root)
  const groups = new Map<SourceIds | undefined, LooseArtifact[]>()
  for (const { file, root } of artifacts) {
    const artifact = looseArtifactOf(root, contractIn(file))
    const ids = sourceIdsFor(artifact, known, idOf.get(disk.path.resolve(file)))
    groups.set(ids, [...(groups.get(ids) ?? []), artifact])
  }
  return [...groups].map(([ids, found]) => runOfArtifacts(found, ids, project))
}

function sourceIdsOf({ id, root }: { readonly id: string; readonly root: JsonPart }): SourceIds {
  const names = root.at('source_id_to_path')?.parse()
  const language = root.at('language')?.parse()
  return {
    id,
    language: typeof language === 'string' ? language : undefined,
    names: typeof names === 'object' && names !== null ? (names as SourceIds['names']) : {},
  }
}

/**
 * Returns the numbers of source files in the run of an artifact; `undefined` where several runs may have made it: a source map that is
 * read with another run's numbers would show wrong lines.
 */
function sourceIdsFor(
  { contract, sourceId }: LooseArtifact,
  known: readonly SourceIds[],
  buildId: string | undefined,
): SourceIds | undefined {
  const fitting = known.filter(({ names }) => names[String(sourceId)] === contract.sourceName)
  return fitting.find(({ id }) => id === buildId) ?? (fitting.length === 1 ? fitting[0] : undefined)
}

/** Returns the ids of the runs by the files of artifacts that they made, from forge's own cache. */
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

/** What is read of `cache/solidity-files-cache.json`: by contract, version and profile. */
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

function runOfArtifacts(
  artifacts: readonly LooseArtifact[],
  ids: SourceIds | undefined,
  project: Project,
): Run {
  const numbers = new Map(Object.entries(ids?.names ?? {}).map(([id, name]) => [name, Number(id)]))
  const trees = new Map(
    artifacts.flatMap(({ root, contract }) => {
      const tree = root.at('ast')
      return tree === undefined ? [] : [[contract.sourceName, tree] as const]
    }),
  )
  const names = [...numbers.keys()]
  return runOf({
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
