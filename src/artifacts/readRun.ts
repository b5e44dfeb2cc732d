/** A run of solc that was given as values, or as the paths of its standard JSON. */
import type { SolcRun } from './artifactSource.ts'
import type { Disk } from './disk.ts'
import { type JsonPart, jsonParts, type Shape } from './jsonPart.ts'
import { Project } from './project.ts'
import type { Reading } from './reading.ts'
import type { Run } from './run.ts'
import type { SolcInput, SolcOutput } from './solcJson.ts'
import { INPUT_SHAPE, OUTPUT_SHAPE, type RunContext, runOfParts, runOfValues } from './solcRun.ts'

/** Resolves to the contracts of the run. What cannot be read is said in `problems`. */
export async function readRun(run: SolcRun, disk: Disk | undefined): Promise<Reading> {
  const { solcVersion } = run
  const file = [run.output, run.input].find((one) => typeof one === 'string')
  const project = disk && file !== undefined ? Project.around(disk, disk.path.resolve(file)) : undefined
  const context: RunContext = {
    solcVersion,
    pathOf: (name) => project?.pathOf(name) ?? name,
    sourceOnDisk: (name, keccak256) => project?.sourceOnDisk(name, keccak256),
  }
  try {
    const [input, output] = await Promise.all([
      partOf(run.input, INPUT_SHAPE, disk),
      partOf(run.output, OUTPUT_SHAPE, disk),
    ])
    return readingOf(runIn(run, input, output, context))
  } catch (error) {
    return { contracts: [], problems: [`artifacts: ${(error as Error).message}`] }
  }
}

function runIn(
  { input, output }: SolcRun,
  ...[inputPart, outputPart, context]: [JsonPart | undefined, JsonPart | undefined, RunContext]
): Run {
  if (typeof output !== 'string') {
    const value = typeof input === 'string' ? inputPart!.parse() : input
    return runOfValues(value as SolcInput, output as SolcOutput, context)
  }
  const given = inputPart ?? jsonParts(new TextEncoder().encode(JSON.stringify(input)), INPUT_SHAPE)
  return runOfParts(given, outputPart!, context)
}

/** Resolves to the parts of the file that is given, if it is one. */
async function partOf(
  given: object | string,
  shape: Shape,
  disk: Disk | undefined,
): Promise<JsonPart | undefined> {
  if (typeof given !== 'string') return undefined
  if (disk === undefined) throw new Error(`${given} is a path, and there is no disk here; give the value`)
  const part = jsonParts(await disk.fs.promises.readFile(given), shape)
  if (part === undefined) throw new Error(`${given} is not JSON, or was cut off`)
  return part
}

function readingOf({ contracts, namesOnly }: Run): Reading {
  return { contracts, problems: namesOnly === undefined ? [] : [`artifacts: ${namesOnly}`] }
}
