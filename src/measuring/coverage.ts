/** Measures which code the devnets of this process run, for Solidity coverage. */
import { observeDevnets } from '../devnet/events.ts'
import { collectHits, hitCollector, reportHits } from '../engine/hits.ts'
import type { Artifacts } from '../solidity/artifacts/artifacts.ts'
import { type CodeHits, CollectedCode, type WrittenHits, writtenHits } from '../solidity/coverage/codeHits.ts'
import type { Measurement } from './results.ts'

/** The member of a test file's `meta` in which a worker passes hits to vitest's reporter. */
export const HITS_META = 'presealCoverage'

/** The environment variable that names the folder in which vitest's workers store executed code. */
export const HITS_FOLDER = 'PRESEAL_COVERAGE_CODES'

/** The hits of a process. The executed code is in files that processes share, one per bytecode, named by its key. */
export interface ProcessHits {
  readonly hits: WrittenHits
  /** The paths that the devnets were given in the option `artifacts`. */
  readonly artifacts: readonly string[]
}

/** Starts to measure, and ends an earlier measurement. Stores code in `folder`; if `undefined`, the result is empty. */
export function measureCoverage(folder: string | undefined): Measurement<ProcessHits> {
  const collected = new CollectedCode()
  const known = new Set<Artifacts>()
  collectHits(collected)
  const endObserving = observeDevnets(({ artifacts }) => {
    known.add(artifacts)
    return () => {}
  })
  return {
    load: async () => {},
    result() {
      if (folder === undefined) return { hits: {}, artifacts: [] }
      reportHits()
      const codes = collected.hits()
      writeCodes(folder, codes)
      const paths = [...known].flatMap(({ folders = [] }) => folders)
      return { hits: writtenHits(codes), artifacts: [...new Set(paths)] }
    },
    end() {
      endObserving()
      if (hitCollector() === collected) collectHits(undefined)
    },
  }
}

function writeCodes(folder: string, codes: readonly CodeHits[]): void {
  const { existsSync, mkdirSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  const { randomUUID } = process.getBuiltinModule('node:crypto')
  mkdirSync(join(folder, CODES), { recursive: true })
  for (const { key, code } of codes) {
    const file = join(folder, CODES, key)
    if (existsSync(file)) continue
    // The file is renamed when it is complete, because other processes and threads may write the same file.
    const part = `${file}.${randomUUID()}`
    writeFileSync(part, code)
    renameSync(part, file)
  }
}

export function codeIn(folder: string, key: string): Uint8Array | undefined {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const file = process.getBuiltinModule('node:path').join(folder, CODES, key)
  return existsSync(file) ? readFileSync(file) : undefined
}

const CODES = 'codes'
