/** Skips stories that make no sense as a suite is run. */
import { beforeEach } from 'vitest'
import type { NotOnForks } from './notOnForks.ts'

/** Skips the stories of `rows` in each file, with the reason. */
export function skipStories(rows: readonly NotOnForks[]): void {
  beforeEach(({ task, skip }) => {
    const name = task.fullTestName ?? task.name
    const row = rows.find(
      ({ file, stories }) =>
        task.file.name.endsWith(`/${file}.test.ts`) && stories?.some((part) => name.includes(part)),
    )
    if (row !== undefined) skip(row.why)
  })
}
