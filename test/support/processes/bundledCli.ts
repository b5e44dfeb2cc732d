/**
 * The command line that tests start: the sources, bundled once for all of them as `npm run build` does it. Started from the
 * sources themselves each process would take more than a second.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleInto } from '../../../scripts/build/dist.ts'
import { copyBuilt } from '../../../scripts/build/install.ts'
import { IS_BUILT } from '../../../scripts/package/folders.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundle. */
    readonly bundle: string
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  // Within the project, where its packages are found.
  const root = join(import.meta.dirname, '../../..')
  const parent = join(root, 'node_modules/.preseal')
  mkdirSync(parent, { recursive: true })
  const home = mkdtempSync(join(parent, 'cli-'))
  copyFileSync(join(root, 'package.json'), join(home, 'package.json'))
  const bundle = join(home, 'dist')
  await (IS_BUILT ? copyBuilt(bundle, 'code') : bundleInto(bundle))
  // Each run has a folder of its own, whose compiled code nobody would use again.
  process.env.NODE_DISABLE_COMPILE_CACHE = '1'
  project.provide('bundle', bundle)
  return () => rmSync(home, { recursive: true, force: true })
}
