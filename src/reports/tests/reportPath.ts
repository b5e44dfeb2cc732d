/** The names of the files of reports. */
import { join, relative } from 'node:path'

/** The tests that have written files in this process, by the paths: names that differ may become the same path. */
const writers = new Map<string, string>()

/** A test: the path of its file, and its name below those of its suites. */
export interface TestPlace {
  /** What no other test has, and each try of this one. */
  readonly id: string
  readonly project?: string | undefined
  readonly file: string
  readonly names: readonly string[]
}

/** Returns the path of the report of a test's chain, such as `preseal-reports/test/token.test.ts/Token-is-paid.html`. */
export function reportPath(folder: string, test: TestPlace, chain: number): string {
  const { id, project, file, names } = test
  const above = relative(process.cwd(), file)
    .split(/[\\/]/)
    .filter((part) => part !== '..')
  const parents = [...(project ? [project] : []), ...above].map(safe)
  const name = safe(names.join(' ')) + (chain === 1 ? '' : `-chain-${chain}`)
  for (let count = 1; ; count++) {
    const path = join(folder, ...parents, `${name}${count === 1 ? '' : `-${count}`}.html`)
    const writer = writers.get(path.toLowerCase()) ?? id
    if (writer !== id) continue
    writers.set(path.toLowerCase(), id)
    return path
  }
}

/** File systems take 255 bytes; endings have their part of them. */
const MOST_BYTES = 200

/** Names that Windows does not have, whatever their ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** Returns `name` as a name of a file or folder on any system. */
function safe(name: string): string {
  const written = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '')
  const short = Buffer.from(written).subarray(0, MOST_BYTES).toString().replace(/�+$/, '')
  return short.replace(RESERVED, '$&-') || '-'
}

/** The folder of reports where none is named. CI artifacts leave out hidden folders, so it is not one. */
const FOLDER = 'preseal-reports'

/** What the variable may say besides a folder. */
const SAID: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
])

/**
 * Returns the folder of reports, or `undefined` if tests that fail have none. `wanted` is the option `reportOnFailure`; without it
 * the environment variable PRESEAL_REPORT_ON_FAILURE decides.
 */
export function reportFolder(wanted: boolean | string | undefined): string | undefined {
  const said = wanted ?? globalThis.process?.env?.PRESEAL_REPORT_ON_FAILURE ?? false
  const folder = typeof said === 'string' ? (SAID.get(said) ?? said) : said
  return folder === true ? FOLDER : folder || undefined
}
