/** Loads artifacts in a process that has never done so, and tells how long that took. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDevnet } from '../../../src/index.ts'

/** What the process tells. */
export interface Ready {
  readonly contracts: number
  readonly bytes: number
  /** Until runtime code and creation code of a contract were looked for. */
  readonly readyMicroseconds: number
  /** What `JSON.parse` of the same file takes. */
  readonly parsedMicroseconds: number
}

const folder = process.argv[2]!
const devnet = await createDevnet({ rhythm: 'manual', artifacts: folder })
// Code that begins as most does: it is compared with all that begins so.
const code = Uint8Array.from(Buffer.from(`6080604052348015600e575f5ffd5b50${'00'.repeat(2_000)}`, 'hex'))
const before = performance.now()
await devnet.artifacts.load()
devnet.artifacts.find(code, false)
devnet.artifacts.find(code, true)
const readyMicroseconds = (performance.now() - before) * 1000
const contracts = (await devnet.artifacts.contracts()).length

const [file] = readdirSync(join(folder, 'build-info'))
const bytes = readFileSync(join(folder, 'build-info', file!))
const parsing = performance.now()
JSON.parse(bytes.toString('utf8'))
const parsedMicroseconds = (performance.now() - parsing) * 1000
process.send?.({ contracts, bytes: bytes.length, readyMicroseconds, parsedMicroseconds } satisfies Ready)
