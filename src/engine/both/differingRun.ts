/** The file of a run in which two engines differ (option `engine: 'both'`). */
import type { Reproduction } from './reproduction.ts'

/**
 * Writes `run` into the working folder, as preseal-difference-1.json or with the next free number. Returns the name of
 * the file; `undefined` where there are no files (a browser) or the folder is not writable.
 */
export function keepRun(run: Reproduction): string | undefined {
  // Not imported: a bundle for browsers has no such module.
  const files = globalThis.process?.getBuiltinModule?.('node:fs')
  if (files === undefined) return undefined
  for (let number = 1; number <= MOST; number++) {
    const name = `preseal-difference-${number}.json`
    try {
      files.writeFileSync(name, `${JSON.stringify(run, undefined, 2)}\n`, { flag: 'wx' })
      return name
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return undefined
    }
  }
  return undefined
}

/** A suite that runs into the same difference in each test must not fill the disk. */
const MOST = 20
