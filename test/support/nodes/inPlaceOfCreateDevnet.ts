/** Runs tests with another `createDevnet`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const ENTRY = fileURLToPath(new URL('../../../src/index.ts', import.meta.url))
const MODULE = /\/createDevnet\.ts$/

/**
 * Returns a plugin that puts `createDevnet` of a file of this folder in the place of that of the package. Throws if the package's entry
 * does not import it from a file of that name: tests would run without the replacement.
 */
export function inPlaceOfCreateDevnet(file: string): Plugin {
  if (!/\/createDevnet\.ts'/.test(readFileSync(ENTRY, 'utf8')))
    throw new Error(`${ENTRY}: no createDevnet.ts is imported`)
  return {
    name: `create-devnet-of-${file}`,
    enforce: 'pre',
    resolveId(source, importer) {
      const isOfPackage = MODULE.test(source) && importer === ENTRY
      return isOfPackage ? fileURLToPath(new URL(file, import.meta.url)) : undefined
    },
  }
}
