/** Runs tests with another `createDevnet`. */
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const ENTRY = fileURLToPath(new URL('../../../src/index.ts', import.meta.url))

/** Returns a plugin that puts `createDevnet` of a file of this folder in the place of that of the package. */
export function inPlaceOfCreateDevnet(file: string): Plugin {
  return {
    name: `create-devnet-of-${file}`,
    enforce: 'pre',
    resolveId(source, importer) {
      const isOfPackage = source === './createDevnet.ts' && importer === ENTRY
      return isOfPackage ? fileURLToPath(new URL(file, import.meta.url)) : undefined
    },
  }
}
