/**
 * What reporters of vitest have in common that measure in the workers: a setup file, which measures and hands over what it found as
 * `meta` of the test file. That works in all pools, and vitest replaces it if the file runs again.
 */
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

/** The members of vitest (3 and later) that are used here. */
export interface Vitest {
  readonly config: { readonly root: string; readonly coverage?: { readonly enabled?: boolean } }
  readonly projects: readonly {
    readonly config: { readonly setupFiles: string[]; readonly globalSetup?: readonly string[] | string }
  }[]
  readonly state: { getFiles(): readonly { readonly filepath: string; readonly meta: object }[] }
  readonly logger: { log(text: string): void; error(text: string): void }
}

/**
 * Adds the file `vitestSetup` beside the module at `url`, as source and as published, to the setup files. vitest evaluates it for
 * each test file, also where files share their modules; but a module of a package only if its name ends like this one's.
 */
export function addSetupBeside(url: string, { projects }: Vitest): void {
  const setup = `${fileURLToPath(url.replace(/vitestReporter\.(\w+)(\?.*)?$/, 'vitestSetup.$1'))}?init`
  for (const { config } of projects) {
    if (!config.setupFiles.includes(setup)) config.setupFiles.unshift(setup)
  }
}

/** Returns whether functions of `globalSetup` run in this process, which may make devnets. */
export function hasGlobalSetup({ projects }: Vitest): boolean {
  return projects.some(({ config }) => (config.globalSetup?.length ?? 0) > 0)
}

/** Returns what the test files handed over as `key`; in watch mode also those that did not run again. */
export function handedOver<T>(vitest: Vitest, key: string): T[] {
  return vitest.state.getFiles().flatMap(({ meta }) => {
    const own = (meta as Record<string, T | undefined>)[key]
    return own === undefined ? [] : [own]
  })
}

/** Hands over what `make` returns as `key`, when all tests and hooks of the test file have ended. */
export function handOverAtEnd(key: string, make: () => object | Promise<object>): void {
  /** vitest calls a hook with the test file as its last argument, to which `meta` belongs. */
  async function handOver(...args: readonly unknown[]): Promise<void> {
    Object.assign((args.at(-1) as { meta: object }).meta, { [key]: await make() })
  }
  // It is the first hook, so vitest calls it last. Bound, because vitest 4.1 reads parameters in the text of a hook.
  afterAll(handOver.bind(undefined) as () => Promise<void>)
}
