/** Collects which code this process runs for a reporter in another one: `PRESEAL_COVERAGE_FOLDER` names where it is left. */

import { type WrittenHits, writtenHits } from '../solidity/coverage/codeHits.ts'
import { type CollectedRun, collectRun } from './coverageOfDevnets.ts'
import { leaveAtExit } from './leftByProcess.ts'

/** What a process leaves. The codes themselves are files beside it, by their keys: other processes run the same. */
export interface LeftRun {
  readonly hits: WrittenHits
  readonly artifacts: readonly string[]
}

let leave: (() => Promise<void>) | undefined

/** Begins to collect, at the first call; what ran is written to `folder` when the process ends. */
export function collectProcess(folder: string): void {
  if (leave !== undefined) return
  const { ran } = collectRun()
  leave = leaveAtExit(folder, { json: () => JSON.stringify(leftRun(folder, ran())) })
}

/** Writes what this process has run so far, if it collects. */
export async function writeCollected(): Promise<void> {
  await leave?.()
}

/** Returns what a process leaves of a run, and writes the codes that are not in `folder` yet. */
export function leftRun(folder: string, { codes, artifacts }: CollectedRun): LeftRun {
  const { existsSync, mkdirSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  const { randomUUID } = process.getBuiltinModule('node:crypto')
  const place = join(folder, CODES)
  mkdirSync(place, { recursive: true })
  for (const { key, code } of codes) {
    const file = join(place, key)
    if (existsSync(file)) continue
    // Renamed when it is whole: other processes, and other threads of this one, may be writing it too.
    const part = `${file}.${randomUUID()}`
    writeFileSync(part, code)
    renameSync(part, file)
  }
  return { hits: writtenHits(codes), artifacts }
}

/** Returns the code that was left in `folder` by its key. */
export function leftCode(folder: string, key: string): Uint8Array | undefined {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const file = process.getBuiltinModule('node:path').join(folder, CODES, key)
  return existsSync(file) ? readFileSync(file) : undefined
}

const CODES = 'codes'
