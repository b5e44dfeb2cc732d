/**
 * The common parts of reporters. In vitest, a setup file measures in each worker and passes the result in `meta` of
 * the test file. This works in all pools, and vitest replaces the result if the file runs again. In node:test, a
 * reporter is loaded before the processes of test files start, and passes them a folder for results in an environment
 * variable (`measuring/results.ts`).
 */
import { fileURLToPath } from 'node:url'
import { type Measurement, resultsIn, writeResults } from '../results.ts'

export interface Vitest {
  readonly config: { readonly root: string; readonly coverage?: { readonly enabled?: boolean } }
  readonly projects: readonly {
    readonly config: { readonly setupFiles: string[]; readonly globalSetup?: readonly string[] | string }
  }[]
  readonly state: { getFiles(): readonly { readonly filepath: string; readonly meta: object }[] }
  readonly logger: { log(text: string): void; error(text: string): void }
}

export abstract class VitestReporter<Result extends object> {
  readonly #url: string
  readonly #key: string
  /** `undefined` if the reporter is not enabled. */
  #vitest: Vitest | undefined
  /** Measures devnets of `globalSetup`, such as the chains of `preseal/vitest/setup`, which are in this process. */
  #ofSetup: Measurement<Result> | undefined

  /** `url` is the reporter's module, whose folder has the setup file. `key` is the member of `meta` for the result. */
  protected constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  protected abstract prepare(vitest: Vitest): boolean

  protected abstract measure(): Measurement<Result>

  protected abstract report(results: readonly Result[], vitest: Vitest): void | Promise<void>

  onInit(vitest: Vitest): void {
    if (!this.prepare(vitest)) return
    this.#vitest = vitest
    addSetupBeside(this.#url, vitest)
  }

  /** vitest calls this at the beginning of each run, before the functions of `globalSetup`. */
  onTestRunStart(): void {
    this.#ofSetup?.end()
    this.#ofSetup = undefined
    const hasGlobalSetup = this.#vitest?.projects.some(({ config }) => (config.globalSetup?.length ?? 0) > 0)
    if (hasGlobalSetup === true) this.#ofSetup = this.measure()
  }

  /** vitest calls this at the end of each run. In watch mode the results include files that did not run again. */
  async onTestRunEnd(): Promise<void> {
    const vitest = this.#vitest
    if (vitest === undefined) return
    const results = vitest.state.getFiles().flatMap(({ meta }) => {
      const own = (meta as Record<string, Result | undefined>)[this.#key]
      return own === undefined ? [] : [own]
    })
    await this.#ofSetup?.load()
    if (this.#ofSetup !== undefined) results.push(this.#ofSetup.result())
    await this.report(results, vitest)
  }
}

/**
 * Adds `vitestSetup` (`.ts` or `.js`) in the folder of the module `url` to the setup files. vitest evaluates this file
 * again for each test file, because its name in a package ends with `?init`.
 */
function addSetupBeside(url: string, { projects }: Vitest): void {
  const setup = `${fileURLToPath(url.replace(/vitestReporter\.(\w+)(\?.*)?$/, 'vitestSetup.$1'))}?init`
  for (const { config } of projects) {
    if (!config.setupFiles.includes(setup)) config.setupFiles.unshift(setup)
  }
}

/** Passes the result as `meta[key]` after all tests and hooks of the test file. `afterAll` is vitest's function. */
export function passResultAtEnd(
  afterAll: (hook: () => Promise<void>) => void,
  key: string,
  measurement: Measurement<object>,
): void {
  /** The last argument of a vitest hook is the test file, which has `meta`. */
  async function handOver(...args: readonly unknown[]): Promise<void> {
    await measurement.load()
    Object.assign((args.at(-1) as { meta: object }).meta, { [key]: measurement.result() })
    measurement.end()
  }
  // By default, vitest runs `afterAll` hooks in reverse order of registration. vitest 4.1 looks for parameters in a
  // hook's source text, which `bind` hides.
  afterAll(handOver.bind(undefined) as () => Promise<void>)
}

/** A reporter of node:test, which prints the yielded strings. */
export type NodeTestReporter = (
  events: AsyncIterable<{ readonly type: string }>,
) => AsyncGenerator<string, void>

/** Returns a node:test reporter that prints, after each run, the text of `report` for the results in `folder`. */
export function nodeTestReporter<Result>(
  folder: string,
  report: (results: readonly Result[]) => string | Promise<string>,
): NodeTestReporter {
  const text = async () => {
    // With `--test-isolation=none` the tests run in this process.
    await writeResults()
    return report(resultsIn<Result>(folder))
  }
  return async function* (events) {
    let isReported = false
    for await (const { type } of events) {
      isReported = type === 'test:watch:drained'
      if (isReported) yield await text()
    }
    if (!isReported) yield await text()
  }
}
