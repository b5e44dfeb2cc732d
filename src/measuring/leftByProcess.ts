/**
 * What a process leaves for a reporter in another one, such as the parent that node:test runs each test file from: a file in a folder
 * that both know. The disk is reached by `process.getBuiltinModule`, so bundlers for browsers find nothing to resolve.
 */

/** What a process measures. */
export interface Measurement {
  /** Reads the files that it needs. */
  load?(): Promise<void>
  /** Returns what was measured so far, as JSON. */
  json(): string
}

/** Leaves `measurement` in `folder` when the process ends. Returns a function that does so at once. */
export function leaveAtExit(folder: string, measurement: Measurement): () => Promise<void> {
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
  const load = async () => measurement.load?.()
  const write = () => {
    if (!existsSync(folder)) return
    writeFileSync(file, measurement.json())
    renameSync(file, `${file}.json`)
  }
  // Files can be read as long as the process lives, and not when it has been told to exit.
  process.once('beforeExit', load)
  process.once('exit', write)
  return async () => {
    await load()
    write()
  }
}
