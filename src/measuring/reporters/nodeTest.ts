/**
 * What reporters of node:test have in common that measure in the processes of the test files. node:test loads reporters before it
 * starts these processes, so that they find in the environment where to leave what they measured (`measuring/leftByProcess.ts`).
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An event of node:test. */
export interface TestEvent {
  readonly type: string
}

/** Returns what processes have left in `folder`. */
export function leftIn<T>(folder: string): T[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

/** Yields what `report` returns, at the end of the run; in watch mode after each run. */
export async function* atEndOfRun(
  events: AsyncIterable<TestEvent>,
  report: () => Promise<string>,
): AsyncGenerator<string, void> {
  let isReported = false
  for await (const { type } of events) {
    isReported = type === 'test:watch:drained'
    if (isReported) yield await report()
  }
  if (!isReported) yield await report()
}

/** Makes a folder for as long as this process lives, and names it in the environment of its children as `variable`. */
export function folderInEnvironment(variable: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'preseal-'))
  process.env[variable] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
