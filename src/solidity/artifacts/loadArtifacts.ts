/** Loads artifacts from folders, files and values. Reads each file once per process, and again after a change. */

import { joined, readFile, readFolder } from './artifactFiles.ts'
import { ArtifactIndex } from './artifactIndex.ts'
import { type Json, JsonValue, type Shape, sliceJson } from './jsonSlice.ts'
import { compilationIn, INPUT_SHAPE, type LoadedArtifacts, OUTPUT_SHAPE } from './lazyCompilation.ts'
import { configurationsIn, type Disk, diskHere, Project } from './project.ts'
import type { ArtifactSource, SolcRun } from './solcJson.ts'

let latest = new ArtifactIndex([])

const reportedProblems = new Set<string>()

/**
 * Loads `sources` (if `undefined`, the projects in the working folder) and `added`. `unrecognized` are the members of
 * `sources` and `added` that contain no contract. Never rejects.
 */
export async function loadArtifacts(
  sources: readonly ArtifactSource[] | undefined,
  added: readonly ArtifactSource[],
  onProblem: (problem: string) => void,
): Promise<{ readonly index: ArtifactIndex; readonly unrecognized: readonly ArtifactSource[] }> {
  const disk = diskHere()
  const found = sources === undefined ? foundHere(disk).filter(({ isThere }) => isThere) : []
  const given = [...added, ...(sources ?? [])]
  const tellOnce = (problem: string) => {
    if (reportedProblems.has(problem)) return
    reportedProblems.add(problem)
    onProblem(`artifacts: ${problem}`)
  }
  const all = [...given, ...found.map(({ folder }) => folder)]
  const readings = await Promise.all(all.map((source) => reading(source, disk, tellOnce)))
  for (const { problems } of readings) problems.forEach(tellOnce)
  const isEmpty = (i: number) => readings[i]!.contracts.length === 0
  const unrecognized = given.filter((_, i) => isEmpty(i))
  for (const [i, source] of given.entries())
    if (isEmpty(i) && readings[i]!.problems.length === 0) tellOnce(emptyText(source))
  if (!latest.isOf(readings)) latest = new ArtifactIndex(readings)
  return { index: latest, unrecognized }
}

function emptyText(source: ArtifactSource): string {
  return typeof source === 'string'
    ? `${source}: no contract was found; expected build info or artifacts of Foundry or Hardhat, or solc's standard JSON`
    : "{ input, output }: no contract was found; expected solc's standard JSON output, with `contracts`"
}

/** Returns configuration files in the working folder, such as `foundry.toml`, with their absolute artifact folders. */
export function foundHere(disk = diskHere()) {
  if (disk === undefined) return []
  return configurationsIn(disk, process.cwd()).map(({ file, artifacts }) => ({
    file,
    folder: artifacts,
    isThere: disk.fs.existsSync(artifacts),
  }))
}

interface Kept {
  readonly stamp: string
  readonly reading: Promise<LoadedArtifacts>
}

const byPath = new Map<string, Kept>()

const byRun = new WeakMap<object, Promise<LoadedArtifacts>>()

function reading(
  source: ArtifactSource,
  disk: Disk | undefined,
  tell: (problem: string) => void,
): Promise<LoadedArtifacts> {
  if (typeof source !== 'string') return ofRun(source, disk, tell)
  if (disk === undefined) {
    return Promise.resolve(
      nothing(`${source} was skipped: this environment has no disk; pass { input, output }`),
    )
  }
  const place = disk.path.resolve(process.cwd(), source)
  const stamp = stampOf(disk, place)
  const before = byPath.get(place)
  if (before?.stamp === stamp) return before.reading
  const kept = { stamp, reading: readPlace(disk, place, tell).catch((error) => failed(place, error)) }
  byPath.set(place, kept)
  return kept.reading
}

/** Loads a run of solc. Cached by the output object, because each test of a file may add the same object. */
function ofRun(
  run: SolcRun,
  disk: Disk | undefined,
  tell: (problem: string) => void,
): Promise<LoadedArtifacts> {
  const key = typeof run.output === 'string' ? run : run.output
  const before = byRun.get(key)
  if (before !== undefined) return before
  const reading = readRun(run, disk, tell).catch((error) => failed('{ input, output }', error))
  byRun.set(key, reading)
  return reading
}

function nothing(problem: string): LoadedArtifacts {
  return { contracts: [], problems: [problem] }
}

function failed(place: string, error: unknown): LoadedArtifacts {
  return nothing(`${place} was skipped: it cannot be read (${error})`)
}

async function readPlace(
  disk: Disk,
  place: string,
  tell: (problem: string) => void,
): Promise<LoadedArtifacts> {
  const stat = await disk.fs.promises.stat(place).catch(() => undefined)
  if (stat === undefined) return nothing(`there is no folder or file ${place}`)
  if (!stat.isDirectory()) return readFile(disk, place, Project.around(disk, place, tell))
  const configured = configurationsIn(disk, place)
  if (configured.length === 0) return readFolder(disk, place, Project.around(disk, place, tell))
  const project = new Project(disk, place, tell)
  return joined(await Promise.all(configured.map(({ artifacts }) => readFolder(disk, artifacts, project))))
}

/** Returns a text that changes with each compilation: times and sizes of files that every compilation writes. */
function stampOf(disk: Disk, place: string): string {
  const { fs, path } = disk
  const ofFile = (file: string) => {
    const stat = fs.statSync(file, { throwIfNoEntry: false })
    return stat === undefined ? '-' : `${stat.mtimeMs}:${stat.size}`
  }
  const ofFolder = (folder: string): readonly string[] => {
    const infos = path.join(folder, 'build-info')
    const caches = ['solidity-files-cache.json', 'compile-cache.json'].map((name) =>
      path.join(path.dirname(folder), 'cache', name),
    )
    const isThere = fs.existsSync(infos)
    const names = fs.readdirSync(isThere ? infos : folder, { recursive: !isThere, encoding: 'utf8' })
    const files = names
      .filter((name) => name.endsWith('.json'))
      .map((name) => path.join(isThere ? infos : folder, name))
    return [...caches, ...files].map((file) => `${file} ${ofFile(file)}`)
  }
  try {
    if (!fs.statSync(place).isDirectory()) return ofFile(place)
    const configured = configurationsIn(disk, place).map(({ artifacts }) => artifacts)
    return (configured.length === 0 ? [place] : configured).flatMap(ofFolder).join('\n')
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}

async function readRun(
  { input, output, solcVersion, paths = {} }: SolcRun,
  disk: Disk | undefined,
  tell: (problem: string) => void,
): Promise<LoadedArtifacts> {
  const file = [output, input].find((one) => typeof one === 'string')
  const project = disk && file !== undefined ? Project.around(disk, disk.path.resolve(file), tell) : undefined
  const parts = await Promise.all([jsonIn(input, INPUT_SHAPE, disk), jsonIn(output, OUTPUT_SHAPE, disk)])
  const [inputJson, outputJson] = parts
  if (typeof inputJson === 'string' || typeof outputJson === 'string') {
    return { contracts: [], problems: parts.filter((part) => typeof part === 'string') }
  }
  return compilationIn(inputJson, outputJson, {
    solcVersion,
    pathOf: (name) => project?.pathOf(name) ?? (Object.hasOwn(paths, name) ? paths[name]! : name),
    sourceOnDisk: (name, keccak256) => project?.sourceOnDisk(name, keccak256),
    tell,
  })
}

/** Resolves to `given`, or to the JSON in the file `given`; to a message if the file cannot be read. */
async function jsonIn(given: object | string, shape: Shape, disk: Disk | undefined): Promise<Json | string> {
  if (typeof given !== 'string') return new JsonValue(given)
  if (disk === undefined)
    return `${given} was skipped: this environment has no disk; pass the content of the file`
  const bytes = await disk.fs.promises.readFile(given).catch((error: NodeJS.ErrnoException) => error.code)
  if (typeof bytes !== 'object') return `${given} was skipped: it cannot be read (${bytes})`
  return sliceJson(bytes, shape) ?? `${given} was skipped: it is not JSON, or was cut off`
}
