/** A run of solc that was given as values, or as the paths of its standard JSON. */
import type { SolcRun } from './artifactSource.ts'
import type { Disk } from './disk.ts'
import { type JsonPart, jsonParts, type Shape } from './jsonPart.ts'
import { Project } from './project.ts'
import { namesOnlyProblem, type Reading } from './reading.ts'
import type { SolcInput, SolcOutput } from './solcJson.ts'
import { INPUT_SHAPE, OUTPUT_SHAPE, type RunContext, runOfParts, runOfValues } from './solcRun.ts'

/** Resolves to the contracts of the run. What cannot be read is said in `problems`. */
export async function readRun(
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
