/** Whether tests that fail have reports, and where: by an option or the environment. Without a disk it can be asked, too. */

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
