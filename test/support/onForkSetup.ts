/** Skips stories that make no sense on a fork. */
import { beforeEach } from 'vitest'
import { NOT_ON_FORKS } from './notOnForks.ts'

beforeEach(({ task, skip }) => {
  const name = task.fullTestName ?? task.name
  const row = NOT_ON_FORKS.find(
    ({ file, stories }) =>
      task.file.name.endsWith(`/${file}.test.ts`) && stories?.some((part) => name.includes(part)),
  )
  if (row !== undefined) skip(row.why)
})
