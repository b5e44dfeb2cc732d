/** Writes reports of a failed vitest test to files, adds their paths to the failure, and attaches them to the test. */
import { dirname } from 'node:path'
import type { ReportedChain, SuiteOrTest, VitestTest } from '../../testing/failureReports.ts'
import type { RecordedChains } from './recordedChains.ts'
import { reportPath, type TestPlace } from './reportPath.ts'
import { type WrittenReport, writeReports } from './writeReports.ts'

const { mkdir, writeFile } = process.getBuiltinModule('node:fs/promises')

/** Ends the recordings of `chains`. Writes their reports to `folder` if the test has failed. */
export async function reportIfFailed(
  test: VitestTest,
  chains: RecordedChains,
  folder: string,
): Promise<void> {
  if (!hasFailed(test)) {
    await chains.end()
    return
  }
  const names = namesOf(test)
  const { id, file } = test
  const place: TestPlace = { id, project: file.projectName, file: file.filepath, names }
  const { written, problems } = await writeReports(chains, names.join(' > '), async (document, number) => {
    const path = reportPath(folder, place, number)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, document)
    return path
  })
  tell(test, [...written.map(({ label, file }) => `${label}: ${file}`), ...problems])
  for (const report of written) await attach(test, report)
}

/** If the test failed, requests the report at once: the shared port's chain is deleted before reports are written. */
export async function takeIfFailed(
  test: VitestTest,
  chains: RecordedChains,
  chain: ReportedChain,
): Promise<void> {
  if (!hasFailed(test)) return
  const asked = reportOfChain(chain, `${namesOf(test).join(' > ')} (chain of the shared port)`)
  chains.addElsewhere(() => asked)
  await asked.catch(() => {})
}

/** Maximum number of characters of the title in a report's URL. */
const MOST_TITLE = 1_000

const NOT_RECORDED =
  'its chains are not recorded: write `export default setup(…, { reports: true })` in the file of globalSetup, or set PRESEAL_REPORT_ON_FAILURE=1 for the whole run'

/** Resolves to the report of a chain, headed `title`. Rejects with an `Error` that states why there is no report. */
async function reportOfChain({ url, isRecorded }: ReportedChain, title: string): Promise<string> {
  if (!isRecorded) throw new Error(NOT_RECORDED)
  const response = await fetch(`${url}/report.html?title=${encodeURIComponent(title.slice(0, MOST_TITLE))}`)
  const text = await response.text()
  if (response.ok) return text
  throw new Error(JSON.parse(text).error.message)
}

function hasFailed({ result, fails = false }: VitestTest): boolean {
  return result?.state === (fails ? 'pass' : 'fail')
}

function namesOf({ name, suite }: SuiteOrTest): string[] {
  return suite === undefined ? [name] : [...namesOf(suite), name]
}

/** Adds lines to the failure's message, which all reporters print. */
function tell({ result }: VitestTest, lines: readonly string[]): void {
  const error = result?.errors?.at(-1)
  const text = lines.join('\n')
  if (error === undefined) console.error(text)
  else error.message += `\n\n${text}`
}

/** Attaches a report to the test, for reporters that show attachments. */
async function attach({ context, result }: VitestTest, { file, label }: WrittenReport): Promise<void> {
  if (context.annotate === undefined || result === undefined) return
  // vitest accepts annotations only while a test and its fixtures run, and checks the test's state at once.
  const { state } = result
  result.state = 'run'
  let attached: Promise<unknown>
  try {
    attached = context.annotate(label, { path: file, contentType: 'text/html' })
  } catch {
    return
  } finally {
    result.state = state
  }
  // Errors are ignored, because the failure message also names the file.
  await attached.catch(() => {})
}
