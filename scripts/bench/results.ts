/** What was measured last of each topic, kept beside the page that is made of it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { machine, versions } from './machine.ts'
import { page } from './page.ts'
import type { Row } from './row.ts'
import { TOPICS, type Topic } from './topics.ts'

/** The rows of a topic, and when, where and with which versions they were measured. */
export interface Result {
  /** As in `2026-11-23`. */
  readonly date: string
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
}

export type Results = Readonly<Partial<Record<Topic, Result>>>

const FIGURES = new URL('results.json', import.meta.url)
const PAGE = new URL('RESULTS.md', import.meta.url)

/** Keeps what was measured just now in place of what was known of `topic`, and makes the page of all topics. */
export function writeResult(topic: Topic, rows: readonly Row[]): void {
  const known = existsSync(FIGURES) ? (JSON.parse(readFileSync(FIGURES, 'utf8')) as Results) : {}
  const own: Result = {
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    versions: versions(),
    rows,
  }
  const all: Results = { ...known, [topic]: own }
  const results = Object.fromEntries(
    (Object.keys(TOPICS) as Topic[])
      .filter((each) => all[each] !== undefined)
      .map((each) => [each, all[each]]),
  ) as Results
  writeFileSync(FIGURES, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(PAGE, page(results))
}
