/**
 * The command line that tests start: the sources, bundled once for all of them as `npm run build` does it. Started from the
 * sources themselves each process would take more than a second.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleInto } from '../../scripts/build/dist.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundle. */
    readonly bundle: string
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  // Within the project, where its packages are found.
  const parent = join(import.meta.dirname, '../../node_modules/.preseal')
  mkdirSync(parent, { recursive: true })
  const bundle = mkdtempSync(join(parent, 'cli-'))
  await bundleInto(bundle)
  project.provide('bundle', bundle)
  return () => rmSync(bundle, { recursive: true, force: true })
}
