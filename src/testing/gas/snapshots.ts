/** The gas snapshots of a running test file: finds the name of each entry, and decides whether entries are written. */
import type { CallSite } from '../../model/api/callSite.ts'
import type { Changes, Entries } from './snapshotFile.ts'

/** Members of `this` of a matcher, in vitest, Jest, Playwright or `assertThat`. */
export interface RunnerState {
  readonly testPath?: string | undefined
  readonly currentTestName?: string | undefined
  readonly isNot?: boolean | undefined
  /** The runner's own snapshots. In vitest and Jest they have a member `_updateSnapshot`, which is an `Update`. */
  readonly snapshotState?: object | undefined
  /** The running vitest test, which is a `SnapshotTask`. */
  readonly task?: object | undefined
  /** The code that called `assertThat`. */
  readonly site?: CallSite | undefined
  /** Registers a function that the runner calls at the end of the test file. */
  readonly atFileEnd?: ((call: () => Promise<void>) => Promise<void>) | undefined
}

/** The entries to write: new and changed entries (`all`), only new entries (`new`), or none. */
export type Update = 'all' | 'new' | 'none'

export interface SnapshotTask {
  readonly type: string
  readonly name: string
  readonly file?: SnapshotTask
  readonly tasks?: readonly SnapshotTask[]
  readonly meta?: { [SNAPSHOTS_META]?: readonly SnapshotChange[] }
  readonly result?:
    | { readonly state?: string; readonly retryCount?: number; readonly repeatCount?: number }
    | undefined
}

export function taskOf(task: object | undefined): SnapshotTask | undefined {
  return task as SnapshotTask | undefined
}

/** Returns which entries to write, by `PRESEAL_GAS_SNAPSHOTS` or the runner. Default: new entries, except in CI. */
export function updateOf({ snapshotState }: RunnerState): Update {
  const { env, execArgv } = process
  const wanted = env.PRESEAL_GAS_SNAPSHOTS
  if (wanted !== undefined && wanted !== '') {
    if (wanted === 'update') return 'all'
    if (wanted === 'check') return 'none'
    throw new RangeError(`PRESEAL_GAS_SNAPSHOTS: expected update or check, got ${wanted}`)
  }
  const ofRunner = (snapshotState as { _updateSnapshot?: Update } | undefined)?._updateSnapshot
  if (ofRunner !== undefined) return ofRunner
  if (execArgv.includes('--test-update-snapshots')) return 'all'
  return env.CI === undefined || env.CI === '' || env.CI === 'false' ? 'new' : 'none'
}

export function howToUpdate({ snapshotState }: RunnerState): string {
  const flag = snapshotState === undefined ? '' : 'run the tests with -u, or '
  return `${flag}set PRESEAL_GAS_SNAPSHOTS=update`
}

export class FileSnapshots {
  readonly testFile: string
  readonly #used = new Set<string>()
  readonly #counts = new Map<string, number>()
  #entries: Entries | undefined
  #isPruning = false

  constructor(testFile: string) {
    this.testFile = testFile
  }

  /** Returns the name of an assertion's entry. Assertions with the same test and label are numbered. */
  nameOf({ currentTestName, task }: RunnerState, label: string | undefined): string {
    const test = currentTestName || undefined
    const { retryCount = 0, repeatCount = 0 } = taskOf(task)?.result ?? {}
    const parts = [test, label].filter((part) => part !== undefined)
    const base = parts.join(' > ')
    // The numbers of each retry begin at 1 again.
    const key = `${base} ${retryCount} ${repeatCount}`
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    const name = label !== undefined && count === 1 ? base : `${base} ${count}`
    this.#used.add(name)
    return name
  }

  /** Returns the gas of an entry, and the path of the file for messages. */
  async entry(name: string): Promise<{ file: string; gas: bigint | undefined }> {
    const { readSnapshots, shownPath, snapshotFileOf } = await diskOfSnapshots()
    const file = snapshotFileOf(this.testFile)
    this.#entries ??= readSnapshots(file)
    return { file: shownPath(file), gas: this.#entries.get(name) }
  }

  async set(
    state: RunnerState,
    entry: { name: string; before: bigint | undefined; gas: bigint },
  ): Promise<void> {
    const { name, before, gas } = entry
    this.#entries = new Map(this.#entries).set(name, gas)
    await this.#change(new Map([[name, gas]]))
    tell(state, [{ name, before: before?.toString(), now: gas.toString() }])
  }

  /** Removes unused entries at the end of the test file, except entries of tests that did not pass. */
  async prune(state: RunnerState): Promise<void> {
    const { task, atFileEnd } = state
    const file = taskOf(task)?.file
    if (this.#isPruning || file === undefined || atFileEnd === undefined) return
    this.#isPruning = true
    await atFileEnd(async () => {
      const kept = namesOfNotPassed(file)
      const obsolete = [...(this.#entries?.keys() ?? [])].filter(
        (name) => !this.#used.has(name) && !kept.some((test) => name.startsWith(`${test} `)),
      )
      if (obsolete.length === 0) return
      await this.#change(new Map(obsolete.map((name) => [name, undefined])))
      tell(
        state,
        obsolete.map((name) => ({ name, before: this.#entries?.get(name)?.toString() })),
      )
    })
  }

  async #change(changes: Changes): Promise<void> {
    const { changeSnapshots, snapshotFileOf } = await diskOfSnapshots()
    await changeSnapshots(snapshotFileOf(this.testFile), changes)
  }
}

function tell({ task }: RunnerState, changes: readonly SnapshotChange[]): void {
  const meta = taskOf(task)?.file?.meta
  if (meta !== undefined) meta[SNAPSHOTS_META] = [...(meta[SNAPSHOTS_META] ?? []), ...changes]
}

/** Loads the module on demand, because matchers also run in browsers, which have no file system. */
function diskOfSnapshots() {
  return import('./snapshotFile.ts')
}

/** Snapshots by vitest's object for a run of the test file. In other runners, `ofPaths` has the snapshots. */
const ofRuns = new WeakMap<object, FileSnapshots>()
const ofPaths = new Map<string, FileSnapshots>()

/** Returns the snapshots of the test file that called the matcher. Throws an `Error` if the file is unknown. */
export function snapshotsOf({ task, testPath, site }: RunnerState): FileSnapshots {
  const path = testPath ?? pathIn(site)
  if (path === undefined) {
    throw new Error(
      'toCostGas: the test file is unknown, and with it its snapshots; expected gas as a number, or { min, max }',
    )
  }
  const run = taskOf(task)?.file
  const known = run === undefined ? ofPaths.get(path) : ofRuns.get(run)
  if (known !== undefined) return known
  const snapshots = new FileSnapshots(path)
  if (run === undefined) ofPaths.set(path, snapshots)
  else ofRuns.set(run, snapshots)
  return snapshots
}

function pathIn(site: CallSite | undefined): string | undefined {
  const [, path] =
    /\n {4}at .*?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^():\n]+):\d+:\d+\)?/.exec(site?.stack ?? '') ?? []
  return path?.startsWith('file://') ? decodeURIComponent(new URL(path).pathname) : path
}

/** Returns the names of tests that did not pass. Such a test may have ended before some of its assertions. */
function namesOfNotPassed(task: SnapshotTask, parents: readonly string[] = []): string[] {
  return (task.tasks ?? []).flatMap((child) => {
    const names = [...parents, child.name]
    if (child.tasks !== undefined) return namesOfNotPassed(child, names)
    return child.result?.state === 'pass' ? [] : [names.join(' > ')]
  })
}

/** An entry that was added, changed or removed. Gas is decimal text, because JSON has no bigint. */
export interface SnapshotChange {
  readonly name: string
  /** The gas before the change; `undefined` for a new entry. */
  readonly before?: string | undefined
  /** The gas after the change; `undefined` for a removed entry. */
  readonly now?: string | undefined
}

/** Returns text about the changes, grouped by file path; an empty string without changes. */
export function changesText(
  files: Iterable<readonly [path: string, changes: readonly SnapshotChange[]]>,
): string {
  const lines = [...files].flatMap(([path, changes]) =>
    changes.length === 0 ? [] : [path, ...changes.map((change) => `  ${described(change)}`)],
  )
  return lines.length === 0 ? '' : ['Snapshots of gas', ...lines].join('\n')
}

function described({ name, before, now }: SnapshotChange): string {
  if (now === undefined) return `removed  ${name}`
  const gas = written(BigInt(now))
  if (before === undefined) return `written  ${name}: ${gas}`
  return `updated  ${name}: ${written(BigInt(before))} -> ${gas}, ${differenceBetween(BigInt(before), BigInt(now))}`
}

/** Returns a number with thousands separators: `1,234,567`. */
export function written(value: bigint): string {
  return value.toLocaleString('en')
}

/** Returns the difference as text, such as `+700 gas (+1.34 %)`. */
export function differenceBetween(before: bigint, after: bigint): string {
  const sign = after < before ? '' : '+'
  const percent =
    before === 0n ? '' : ` (${sign}${((100 * Number(after - before)) / Number(before)).toFixed(2)} %)`
  return `${sign}${written(after - before)} gas${percent}`
}

export const FIGURES_META = 'presealGas'
export const SNAPSHOTS_META = 'presealGasSnapshots'
