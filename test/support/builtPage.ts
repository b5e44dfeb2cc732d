/** Builds the page and that of reports, before anything that shows them is run. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { makeReport } from '../../scripts/build/report.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export default async function setup(): Promise<void> {
  await build({
    configFile: join(ROOT, 'src/page/vite.config.ts'),
    logLevel: 'warn',
  })
  // Vite has emptied its folder.
  await makeReport(ROOT, join(ROOT, 'dist/page/report'))
}
