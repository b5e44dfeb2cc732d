/** Measures which code the devnets of this process run, for Solidity coverage. */
import { observeDevnets } from '../devnet/events.ts'
import { collectHits, hitCollector, reportHits } from '../engine/hits.ts'
import type { Artifacts } from '../solidity/artifacts/artifacts.ts'
import type { ArtifactSource } from '../solidity/artifacts/solcJson.ts'
import { CollectedCode, type WrittenHits, writtenHits } from '../solidity/coverage/codeHits.ts'
import type { Measurement } from './results.ts'

/** The member of a test file's `meta` in which a worker passes hits to vitest's reporter. */
export const HITS_META = 'presealCoverage'

/** The environment variable that names the folder in which vitest's workers store executed code. */
export const HITS_FOLDER = 'PRESEAL_COVERAGE_CODES'

/** The hits of a process. The executed code is in files that processes share, one per bytecode, named by its key. */
export interface ProcessHits {
  readonly hits: WrittenHits
  /** The artifacts that the devnets were given. Values of solc's `{ input, output }` are stored in files. */
  readonly artifacts: readonly ArtifactSource[]
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
      for (const { key, code } of codes) writeOnce(folder, key, () => code)
      const given = new Set([...known].flatMap(({ given }) => given))
      return { hits: writtenHits(codes), artifacts: [...given].map((source) => stored(source, folder)) }
    },
    end() {
      endObserving()
      if (hitCollector() === collected) collectHits(undefined)
    },
  }
}

/** Writes a file unless it exists. Returns its path. */
function writeOnce(folder: string, name: string, content: () => Uint8Array | string): string {
  const { existsSync, mkdirSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const { join } = process.getBuiltinModule('node:path')
  const { randomUUID } = process.getBuiltinModule('node:crypto')
  const file = join(folder, CODES, name)
  if (existsSync(file)) return file
  mkdirSync(join(folder, CODES), { recursive: true })
  // The file is renamed when it is complete, because other processes and threads may write the same file.
  const part = `${file}.${randomUUID()}`
  writeFileSync(part, content())
  renameSync(part, file)
  return file
}

/** Returns an artifact source whose JSON values are replaced by the paths of files, which other processes can read. */
function stored(source: ArtifactSource, folder: string): ArtifactSource {
  if (typeof source === 'string') return source
  const { createHash } = process.getBuiltinModule('node:crypto')
  const fileOf = (json: object | string) => {
    if (typeof json === 'string') return json
    const text = JSON.stringify(json)
    return writeOnce(folder, `${createHash('sha256').update(text).digest('hex')}.json`, () => text)
  }
  return { ...source, input: fileOf(source.input), output: fileOf(source.output) }
}

export function codeIn(folder: string, key: string): Uint8Array | undefined {
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs')
  const file = process.getBuiltinModule('node:path').join(folder, CODES, key)
  return existsSync(file) ? readFileSync(file) : undefined
}

const CODES = 'codes'
