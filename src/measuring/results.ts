/**
 * Results that processes write for a reporter in another process, in a folder that an environment variable names. Uses
 * `process.getBuiltinModule`, because bundlers for browsers would resolve imports.
 */

export interface Measurement<Result> {
  load(): Promise<void>
  result(): Result
  /** Ends the measurement: devnets that are created later are not measured. */
  end(): void
}

/** Environment variables that name the folders of results. */
export const GAS_FOLDER = 'PRESEAL_GAS_FOLDER'
export const COVERAGE_FOLDER = 'PRESEAL_COVERAGE_FOLDER'

/** The functions that write the results of running measurements, keyed by the variable that names their folder. */
const writers = new Map<string, () => Promise<void>>()

export async function writeResults(): Promise<void> {
  for (const write of writers.values()) await write()
}

/** Starts a measurement, unless one runs for `variable`. Writes its result to `folder` when the process exits. */
export function writeResultAtExit(
  variable: string,
  folder: string,
  measure: () => Measurement<unknown>,
): void {
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
  // In watch mode the result of a file that runs again replaces the earlier result.
  if (isMainThread && existsSync(folder)) {
    for (const old of readdirSync(folder)) if (old.startsWith(`${script}-`)) rmSync(join(folder, old))
  }
  const file = join(folder, `${script}-${process.pid}-${threadId}`)
  const write = () => {
    if (!existsSync(folder)) return
    writeFileSync(file, JSON.stringify(measurement.result()))
    renameSync(file, `${file}.json`)
  }
  // Loads files at `beforeExit`, because a listener for `exit` cannot wait for a promise.
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

/** Creates a folder that exists until this process exits. Sets `variable` to the path, for child processes. */
export function folderInEnvironment(variable: string): string {
  const { mkdtempSync, rmSync } = process.getBuiltinModule('node:fs')
  const { tmpdir } = process.getBuiltinModule('node:os')
  const folder = mkdtempSync(process.getBuiltinModule('node:path').join(tmpdir(), 'preseal-'))
  process.env[variable] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
