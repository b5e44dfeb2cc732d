/** Files of a test: a folder of its own, which is gone afterwards. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Makes a folder, and returns a function that gives the path of a name in it. */
export async function temporaryFolder(): Promise<(...names: string[]) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return (...names) => join(folder, ...names)
}
