/** Reports of the chains of a vitest test that failed: written to files, named with the failure, attached to the test. */
import { dirname } from 'node:path'
import type { RecordedChains } from './recordedChains.ts'
import { reportPath, type TestPlace } from './reportPath.ts'
import { type WrittenReport, writeReports } from './writeReports.ts'

const { mkdir, writeFile } = process.getBuiltinModule('node:fs/promises')

/** The members of a vitest test that are used here. */
export interface ReportedTest extends SuiteOrTest {
  readonly id: string
  readonly file: { readonly filepath: string; readonly projectName?: string | undefined }
  /** Whether the test is expected to fail. */
  readonly fails?: boolean | undefined
  readonly result?:
    | { state: string; readonly errors?: readonly { message: string }[] | undefined }
    | undefined
  /** `annotate`: since vitest 3.2. */
  readonly context: { readonly annotate?: (message: string, attachment: object) => Promise<unknown> }
}

interface SuiteOrTest {
  readonly name: string
  readonly suite?: SuiteOrTest | undefined
}

/** Ends the recordings of `chains`, and writes reports of them to `folder` if the test has failed. */
export async function reportIfFailed(
  test: ReportedTest,
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

/** Adds a chain that is deleted before reports are written, if the test has failed. `ask` resolves to its report. */
export async function takeIfFailed(
  test: ReportedTest,
  chains: RecordedChains,
  ask: (title: string) => Promise<string>,
): Promise<void> {
  if (!hasFailed(test)) return
  const asked = ask(`${namesOf(test).join(' > ')} (chain of the shared port)`)
  chains.addElsewhere(() => asked)
  await asked.catch(() => {})
}

function hasFailed({ result, fails = false }: ReportedTest): boolean {
  return result?.state === (fails ? 'pass' : 'fail')
}

function namesOf({ name, suite }: SuiteOrTest): string[] {
  return suite === undefined ? [name] : [...namesOf(suite), name]
}

/** Adds lines to the message of the failure, which all reporters print. */
function tell({ result }: ReportedTest, lines: readonly string[]): void {
  const error = result?.errors?.at(-1)
  const text = lines.join('\n')
  if (error === undefined) console.error(text)
  else error.message += `\n\n${text}`
}

/** Attaches a report to the test, for reporters that show attachments. */
async function attach({ context, result }: ReportedTest, { file, label }: WrittenReport): Promise<void> {
  if (context.annotate === undefined || result === undefined) return
  // vitest accepts annotations only while a test runs, and checks the state at once. Fixtures are part of the run.
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
  // The message has the path.
  await attached.catch(() => {})
}
