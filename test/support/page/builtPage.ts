/** Builds the page and that of reports, unless they are built, before anything that shows them is run. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makePage } from '../../../scripts/build/page.ts'
import { makeReport } from '../../../scripts/build/report.ts'
import { IS_BUILT } from '../../../scripts/package/folders.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export default async function setup(): Promise<void> {
  if (IS_BUILT) return
  const page = join(ROOT, 'dist/page')
  await makePage(ROOT, page)
  // Vite has emptied its folder.
  await makeReport(ROOT, join(page, 'report'))
}
