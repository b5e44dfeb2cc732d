import { join, relative } from 'node:path'

/** Test ids by report path. A second test with the same path gets another path. */
const writers = new Map<string, string>()

/** The place of a test: its file, and the names of its suites and of the test. */
export interface TestPlace {
  /** Identifies the test. All retries have the same id. */
  readonly id: string
  readonly project?: string | undefined
  readonly file: string
  readonly names: readonly string[]
}

/** Returns the path of a report, such as `preseal-reports/test/token.test.ts/Token-is-paid.html`. */
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

/** Maximum length of names in bytes. File systems allow 255 bytes, including the extension. */
const MOST_BYTES = 200

/** Names that Windows reserves, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** Returns `name` as a file or folder name that is valid on any system. */
function safe(name: string): string {
  const written = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '')
  const short = Buffer.from(written).subarray(0, MOST_BYTES).toString().replace(/�+$/, '')
  return short.replace(RESERVED, '$&-') || '-'
}

/** The default folder of reports. The name has no leading dot, because CI artifacts omit hidden folders. */
const FOLDER = 'preseal-reports'

/** Values of `PRESEAL_REPORT_ON_FAILURE` that switch reports on or off and do not name a folder. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
])

/** Returns the folder named by `wanted` or `PRESEAL_REPORT_ON_FAILURE`; `undefined` if no reports are requested. */
export function reportFolder(wanted: boolean | string | undefined): string | undefined {
  const value = wanted ?? globalThis.process?.env?.PRESEAL_REPORT_ON_FAILURE ?? false
  const folder = typeof value === 'string' ? (SWITCHES.get(value) ?? value) : value
  return folder === true ? FOLDER : folder || undefined
}
