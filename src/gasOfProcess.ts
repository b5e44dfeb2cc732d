/**
 * Measures the gas of this process for a reporter in another one, such as the parent that node:test runs each test file
 * from. The figures are left as a file in the folder that `PRESEAL_GAS_FOLDER` names. The disk is reached by
 * `process.getBuiltinModule`, so bundlers for browsers find nothing to resolve.
 */
import { measureGas } from './gasOfDevnets.ts'

let isMeasuring = false
let load = async () => {}
let write = () => {}

/** Begins to measure, at the first call; the figures are written to `folder` when the process ends. */
export function measureProcess(folder: string): void {
  if (isMeasuring) return
  isMeasuring = true
  const { figures, loadArtifacts } = measureGas()
  const { existsSync, readdirSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  const { createHash } = process.getBuiltinModule('node:crypto')
  const { isMainThread, threadId } = process.getBuiltinModule('node:worker_threads')
  const script = createHash('sha256')
    .update(process.argv[1] ?? '')
    .digest('hex')
    .slice(0, 16)
  // In watch mode the file that runs again takes the place of what it measured before.
  if (isMainThread && existsSync(folder)) {
    for (const old of readdirSync(folder)) if (old.startsWith(`${script}-`)) rmSync(join(folder, old))
  }
  const file = join(folder, `${script}-${process.pid}-${threadId}`)
  load = loadArtifacts
  write = () => {
    if (!existsSync(folder)) return
    writeFileSync(file, JSON.stringify(figures()))
    renameSync(file, `${file}.json`)
  }
  // Files can be read as long as the process lives, and not when it has been told to exit.
  process.once('beforeExit', load)
  process.once('exit', write)
}

/** Writes what this process has measured so far, if it measures. */
export async function writeMeasured(): Promise<void> {
  await load()
  write()
}
