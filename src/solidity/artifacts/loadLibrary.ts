/** Loads what is known of compiled contracts from where it is: read once for each process as long as it stays the same. */
import type { ArtifactSource, SolcRun } from './artifactSource.ts'
import type { Reading } from './compiled.ts'
import { namesOnlyProblem } from './compiled.ts'
import { type Disk, diskHere } from './disk.ts'
import { type JsonPart, jsonParts, type Shape } from './jsonPart.ts'
import { Library } from './library.ts'
import { configurationsIn, Project } from './project.ts'
import { readFile, readFolder } from './readFolder.ts'
import type { SolcInput, SolcOutput } from './solcJson.ts'
import { INPUT_SHAPE, OUTPUT_SHAPE, type RunContext, runOfParts, runOfValues } from './solcRun.ts'

let latest = new Library([])
/** What was said already: each sentence once for each process. */
const told = new Set<string>()

/**
 * Resolves to the library of `sources`, `undefined`: of the projects in the working folder, and of what was added. `tell` is called for
 * each thing that cannot be read. Never rejects.
 */
export async function loadLibrary(
  sources: readonly ArtifactSource[] | undefined,
  added: readonly ArtifactSource[],
  tell: (problem: string) => void,
): Promise<Library> {
  const disk = diskHere()
  const found = sources === undefined ? foundHere(disk).filter(({ isThere }) => isThere) : []
  const given = [...added, ...(sources ?? []), ...found.map(({ folder }) => folder)]
  const tellOnce = (problem: string) => {
    if (told.has(problem)) return
    told.add(problem)
    tell(`artifacts: ${problem}`)
  }
  const readings = await Promise.all(given.map((source) => reading(source, disk, tellOnce)))
  for (const { problems } of readings) problems.forEach(tellOnce)
  if (!latest.isOf(readings)) latest = new Library(readings)
  return latest
}

/** Returns the folders of artifacts of the projects in the working folder. */
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
  readonly reading: Promise<Reading>
}

const byPath = new Map<string, Kept>()
const byRun = new WeakMap<object, Promise<Reading>>()

function reading(
  source: ArtifactSource,
  disk: Disk | undefined,
  tell: (problem: string) => void,
): Promise<Reading> {
  if (typeof source !== 'string') return ofRun(source, disk, tell)
  if (disk === undefined) {
    return Promise.resolve(nothing(`${source} was skipped: there is no disk here; give { input, output }`))
  }
  const place = disk.path.resolve(process.cwd(), source)
  const stamp = stampOf(disk, place)
  const before = byPath.get(place)
  if (before?.stamp === stamp) return before.reading
  const kept = { stamp, reading: readPlace(disk, place, tell).catch((error) => failed(place, error)) }
  byPath.set(place, kept)
  return kept.reading
}

/** The same output given again, as by each test of a file, is read once. */
function ofRun(run: SolcRun, disk: Disk | undefined, tell: (problem: string) => void): Promise<Reading> {
  const key = typeof run.output === 'string' ? run : run.output
  const before = byRun.get(key)
  if (before !== undefined) return before
  const reading = readRun(run, disk, tell).catch((error) => failed('{ input, output }', error))
  byRun.set(key, reading)
  return reading
}

function nothing(problem: string): Reading {
  return { contracts: [], problems: [problem] }
}

/** What no reader expects: JSON whose members have other types than those of any compiler. */
function failed(place: string, error: unknown): Reading {
  return nothing(`${place} was skipped: it cannot be read (${error})`)
}

async function readPlace(disk: Disk, place: string, tell: (problem: string) => void): Promise<Reading> {
  const stat = await disk.fs.promises.stat(place).catch(() => undefined)
  if (stat === undefined) return nothing(`there is no folder or file ${place}`)
  if (!stat.isDirectory()) return readFile(disk, place, Project.around(disk, place, tell))
  const configured = configurationsIn(disk, place)
  if (configured.length === 0) return readFolder(disk, place, Project.around(disk, place, tell))
  const project = new Project(disk, place, tell)
  const all = await Promise.all(configured.map(({ artifacts }) => readFolder(disk, artifacts, project)))
  return {
    contracts: all.flatMap(({ contracts }) => contracts),
    problems: all.flatMap(({ problems }) => problems),
  }
}

/**
 * Returns what changes when a compiler has written again. Compilers add a file of build info for each run, and write a cache at their
 * end; of folders without build info every artifact is looked at.
 */
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

/** Resolves to the contracts of the run. What cannot be read is said in `problems`. */
async function readRun(
  { input, output, solcVersion, paths = {} }: SolcRun,
  disk: Disk | undefined,
  tell: (problem: string) => void,
): Promise<Reading> {
  const file = [output, input].find((one) => typeof one === 'string')
  const project = disk && file !== undefined ? Project.around(disk, disk.path.resolve(file), tell) : undefined
  const context: RunContext = {
    solcVersion,
    pathOf: (name) => project?.pathOf(name) ?? (Object.hasOwn(paths, name) ? paths[name]! : name),
    sourceOnDisk: (name, keccak256) => project?.sourceOnDisk(name, keccak256),
  }
  if (typeof input !== 'string' && typeof output !== 'string') {
    return readingOf(runOfValues(input as SolcInput, output as SolcOutput, context))
  }
  const [inputPart, outputPart] = await Promise.all([
    partOf(input, INPUT_SHAPE, disk),
    partOf(output, OUTPUT_SHAPE, disk),
  ])
  const problems = [inputPart, outputPart].filter((part) => typeof part === 'string')
  if (typeof inputPart === 'string' || typeof outputPart === 'string') return { contracts: [], problems }
  return readingOf(runOfParts(inputPart, outputPart, context))
}

/** Resolves to the parts of a value, or of a file; to a sentence where it cannot be read. */
async function partOf(
  given: object | string,
  shape: Shape,
  disk: Disk | undefined,
): Promise<JsonPart | string> {
  if (typeof given !== 'string') return jsonParts(new TextEncoder().encode(JSON.stringify(given)), shape)!
  if (disk === undefined) return `${given} was skipped: there is no disk here; give what is in it`
  const bytes = await disk.fs.promises.readFile(given).catch((error: NodeJS.ErrnoException) => error.code)
  if (typeof bytes !== 'object') return `${given} was skipped: it cannot be read (${bytes})`
  return jsonParts(bytes, shape) ?? `${given} was skipped: it is not JSON, or was cut off`
}

function readingOf(run: ReturnType<typeof runOfParts>): Reading {
  return { contracts: run.contracts, problems: namesOnlyProblem(run) }
}
