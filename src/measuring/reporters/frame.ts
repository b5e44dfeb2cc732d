/**
 * Shared parts of reporters. vitest: a setup file measures in each worker and passes the result in `meta` of the test file, which works
 * in all pools; vitest replaces the result if the file runs again. node:test: reporters are loaded before the processes of the test
 * files start, and pass a folder for results to these in the environment (`measuring/results.ts`).
 */
import { fileURLToPath } from 'node:url'
import { type Measurement, resultsIn, writeResults } from '../results.ts'

/** The members of vitest (3 and later) that are used here. */
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
  /** Measures the devnets of `globalSetup`, such as the chains of `preseal/vitest/setup`: they are in this process. */
  #ofSetup: Measurement<Result> | undefined

  /** `url` is the URL of the reporter's module; its setup file is beside it. `key` is the member of `meta` with the result. */
  protected constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  protected abstract prepare(vitest: Vitest): boolean

  protected abstract measure(): Measurement<Result>

  protected abstract report(results: readonly Result[], vitest: Vitest): void | Promise<void>

  /** Called by vitest when it begins. */
  onInit(vitest: Vitest): void {
    if (!this.prepare(vitest)) return
    this.#vitest = vitest
    addSetupBeside(this.#url, vitest)
  }

  /** Called by vitest at the beginning of each run, before it calls the functions of `globalSetup`. */
  onTestRunStart(): void {
    this.#ofSetup?.end()
    this.#ofSetup = undefined
    const hasGlobalSetup = this.#vitest?.projects.some(({ config }) => (config.globalSetup?.length ?? 0) > 0)
    if (hasGlobalSetup === true) this.#ofSetup = this.measure()
  }

  /** Called by vitest at the end of each run; in watch mode with the files that did not run again, too. */
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
 * Adds the file `vitestSetup` beside the module at `url` (`.ts` or `.js`) to the setup files. vitest evaluates the file again for each
 * test file, even where test files share modules, because its name in a package ends with `?init`.
 */
function addSetupBeside(url: string, { projects }: Vitest): void {
  const setup = `${fileURLToPath(url.replace(/vitestReporter\.(\w+)(\?.*)?$/, 'vitestSetup.$1'))}?init`
  for (const { config } of projects) {
    if (!config.setupFiles.includes(setup)) config.setupFiles.unshift(setup)
  }
}

/** Hands over the result as `key`, when all tests and hooks of the test file have ended. `afterAll` is that of vitest. */
export function handOverAtEnd(
  afterAll: (hook: () => Promise<void>) => void,
  key: string,
  measurement: Measurement<object>,
): void {
  /** vitest calls a hook with the test file as its last argument, to which `meta` belongs. */
  async function handOver(...args: readonly unknown[]): Promise<void> {
    await measurement.load()
    Object.assign((args.at(-1) as { meta: object }).meta, { [key]: measurement.result() })
    measurement.end()
  }
  // Registered as the first hook, so that vitest calls it last. Bound, because vitest 4.1 reads parameters in the text of a hook.
  afterAll(handOver.bind(undefined) as () => Promise<void>)
}

export interface TestEvent {
  readonly type: string
}

/** A reporter of node:test, which prints the strings that the function yields. */
export type NodeTestReporter = (events: AsyncIterable<TestEvent>) => AsyncGenerator<string, void>

/** Returns a reporter of node:test. After each run it passes the results in `folder` to `report`, and prints the returned text. */
export function nodeTestReporter<Result>(
  folder: string,
  report: (results: readonly Result[]) => string | Promise<string>,
): NodeTestReporter {
  const text = async () => {
    // With `--test-isolation=none` the tests ran in this process.
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
