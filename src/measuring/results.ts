/**
 * Results of processes for a reporter in another process, such as the parent from which node:test runs each test file. An environment
 * variable names their folder. Files are accessed by `process.getBuiltinModule`, so that bundlers for browsers resolve nothing.
 */

/** A measurement of the devnets of this process. */
export interface Measurement<Result> {
  /** Reads the files that the result needs. */
  load(): Promise<void>
  /** Returns the result so far, which has a JSON form. */
  result(): Result
  /** Stops measuring: devnets that are created later are not measured. */
  end(): void
}

/** Environment variables that name the folders of results. */
export const GAS_FOLDER = 'PRESEAL_GAS_FOLDER'
export const COVERAGE_FOLDER = 'PRESEAL_COVERAGE_FOLDER'

/** The running measurements, each with the function that writes its result. */
const writers = new Map<string, () => Promise<void>>()

/** Writes the results of this process so far. */
export async function writeResults(): Promise<void> {
  for (const write of writers.values()) await write()
}

/** Starts `measure`, unless the measurement runs already, and writes its result to `folder` when the process ends. */
export function leaveAtExit(variable: string, folder: string, measure: () => Measurement<unknown>): void {
  if (writers.has(variable)) return
  const measurement = measure()
  const { existsSync, readdirSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  const { createHash } = process.getBuiltinModule('node:crypto')
  const { isMainThread, threadId } = process.getBuiltinModule('node:worker_threads')
  const script = createHash('sha256')
    .update(process.argv[1] ?? '')
    .digest('hex')
    .slice(0, 16)
  // In watch mode the file that runs again replaces its earlier result.
  if (isMainThread && existsSync(folder)) {
    for (const old of readdirSync(folder)) if (old.startsWith(`${script}-`)) rmSync(join(folder, old))
  }
  const file = join(folder, `${script}-${process.pid}-${threadId}`)
  const write = () => {
    if (!existsSync(folder)) return
    writeFileSync(file, JSON.stringify(measurement.result()))
    renameSync(file, `${file}.json`)
  }
  // Files can be read as long as the process lives, but not once it is exiting.
  process.once('beforeExit', () => measurement.load())
  process.once('exit', write)
  writers.set(variable, async () => {
    await measurement.load()
    write()
  })
}

export function resultsIn<Result>(folder: string): Result[] {
  const { readdirSync, readFileSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

/** Creates a folder that is deleted when this process ends. Child processes find its path in the environment variable `variable`. */
export function folderInEnvironment(variable: string): string {
  const { mkdtempSync, rmSync } = process.getBuiltinModule('node:fs')
  const { tmpdir } = process.getBuiltinModule('node:os')
  const folder = mkdtempSync(process.getBuiltinModule('node:path').join(tmpdir(), 'preseal-'))
  process.env[variable] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
