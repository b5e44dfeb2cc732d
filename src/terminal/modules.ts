/** Imports modules that the command line names: fixtures, explorations, configuration. */
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Imports a module through jiti, because Node 20 does not load TypeScript. */
export async function importModule(path: string): Promise<Record<string, unknown>> {
  const { createJiti } = await import('jiti')
  const load = createJiti(pathToFileURL(`${process.cwd()}/`).href, { alias: ownNames() })
  return load.import<Record<string, unknown>>(path)
}

/** Returns import aliases that resolve `preseal` to the running package, even if only `npx` installed it. */
function ownNames(): Record<string, string> {
  return Object.fromEntries(
    ['preseal', 'preseal/testing', 'preseal/vitest', 'preseal/playwright'].flatMap((name) => {
      try {
        return [[name, fileURLToPath(import.meta.resolve(name))]]
      } catch {
        // If preseal runs from its sources, the fixture's own folder resolves the name.
        return []
      }
    }),
  )
}
