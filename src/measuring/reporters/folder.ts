/** A folder that a reporter and the processes which it measures both know. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a folder for as long as this process lives, and names it in the environment of its children as `variable`. */
export function folderInEnvironment(variable: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'preseal-'))
  process.env[variable] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
