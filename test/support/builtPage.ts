/** Builds the page, before anything that shows it is run. */
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

export default async function setup(): Promise<void> {
  await build({
    configFile: fileURLToPath(new URL('../../src/page/vite.config.ts', import.meta.url)),
    logLevel: 'warn',
  })
}
