/**
 * A reporter of vitest that divides the test files: `npm test` runs as many of the fastest as fit into its budget, and
 * `test/long.json` lists the others, which `npm run test:long` runs. `npm run test:measure` writes the list.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { TestModule } from 'vitest/node'
import { ROOT } from './docs/pages.ts'

/** Milliseconds that the tests of `npm test` may take one after the other. Two processors need about 90 s for them. */
const BUDGET_MS = 100_000

export default class LongTests {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({
      file: relative(ROOT, module.moduleId),
      ms: module.diagnostic().duration,
    }))
    let total = 0
    const long = files
      .toSorted((a, b) => a.ms - b.ms)
      .filter(({ ms }) => {
        total += ms
        return total > BUDGET_MS
      })
      .map(({ file }) => file)
    writeFileSync(new URL('../long.json', import.meta.url), `${JSON.stringify(long.sort(), null, 2)}\n`)
    for (const { file, ms } of files.toSorted((a, b) => b.ms - a.ms).slice(0, long.length))
      console.log(`${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}`)
  }
}
