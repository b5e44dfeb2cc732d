/** Reports a failed test as its runner requires: writes files, names them in the failure, attaches and summarizes them. */
import { dirname, relative } from 'node:path'
import type {
  NodeTest,
  PlaywrightTest,
  ReportedChain,
  SuiteOrTest,
  VitestTest,
} from '../../testing/failureReports.ts'
import { reportOfDevnet, withFailure } from '../reportDocument.ts'
import { MOST_CHAINS, type RecordedChain, type RecordedChains } from './recordedChains.ts'
import { reportPath, type TestPlace } from './reportPath.ts'
import { type FailedTest, type FailureFrame, failureOf, type TestFailure, tells } from './testFailure.ts'

const { mkdir, rm, writeFile } = process.getBuiltinModule('node:fs/promises')

/** The number of errors of a test's earlier attempts. vitest keeps these errors. */
const earlierErrors = new WeakMap<VitestTest, number>()

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
  const { id, file, location, result, retry = 0 } = test
  const place: TestPlace = { id, project: file.projectName, file: file.filepath, names }
  const errors = result?.errors ?? []
  const retries = typeof retry === 'number' ? retry : (retry.count ?? 0)
  const failed = {
    names,
    file: file.filepath,
    line: location?.line,
    errors: errors.slice(earlierErrors.get(test) ?? 0),
    isRetried: (result?.retryCount ?? 0) < retries,
  }
  earlierErrors.set(test, errors.length)
  const reported = await writeReports(chains, failed, toFolder(folder, place))
  tell(test, linesOf(reported))
  for (const report of reported.written) await attach(test, report)
}

function toFolder(folder: string, place: TestPlace): (document: string, number: number) => Promise<string> {
  return (document, number) => written(reportPath(folder, place, number), document)
}

async function written(path: string, document: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, document)
  return path
}

/** Reports a failed test of node:test. */
export async function reportNodeTest(test: NodeTest, chains: RecordedChains, folder: string): Promise<void> {
  const { name, fullName = name, filePath = process.argv[1] ?? '', error } = test
  const names = fullName.split(' > ')
  const place = { id: fullName, file: filePath, names }
  const failed = { names, file: filePath, errors: [error] }
  const reported = await writeReports(chains, failed, toFolder(folder, place))
  for (const line of linesOf(reported)) test.diagnostic(line)
}

function linesOf({ written, problems }: Reported): readonly string[] {
  return [...written.map(({ label, file }) => `${label}: ${file}`), ...problems]
}

/** Attaches a report of each chain to a Playwright test. Playwright copies the files to the folder of its results. */
export async function attachReports(test: PlaywrightTest, chains: RecordedChains): Promise<void> {
  const { titlePath: names, file, line, errors, retry, project } = test
  const failed = { names, file, line, errors, isRetried: retry < project.retries }
  const { problems } = await writeReports(chains, failed, async (document, number, label) => {
    const path = await written(test.outputPath(`preseal-report-${number}.html`), document)
    await test.attach(label, { path, contentType: 'text/html' })
    await rm(path)
    return relative(process.cwd(), test.attachments.at(-1)?.path ?? path)
  })
  for (const problem of problems) console.error(problem)
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
  // vitest accepts annotations only in the state `run`, and checks the state during the call of `annotate`.
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

const { appendFile } = process.getBuiltinModule('node:fs/promises')

/** A written report. The label includes the number of the chain if the test has several chains. */
interface WrittenReport {
  readonly file: string
  readonly label: string
}

interface Reported {
  readonly written: readonly WrittenReport[]
  /** A message for each chain without a report, with the reason. */
  readonly problems: readonly string[]
}

/**
 * Ends the recordings. Calls `write` for each report, numbered from 1. Collects errors as problems. On GitHub, adds the
 * failure to the summary of the job.
 */
export async function writeReports(
  chains: RecordedChains,
  test: FailedTest,
  write: (document: string, number: number, label: string) => Promise<string>,
): Promise<Reported> {
  const { leftOut, story } = chains
  const made = await chains.end()
  const told = story && test.errors.some((error) => tells(error, story.found)) ? story : undefined
  // The other chains of an exploration are those of stories that did not fail.
  const all = told === undefined ? made : [told.chain]
  const written: WrittenReport[] = []
  const problems: string[] = []
  const failures: TestFailure[] = []
  const title = test.names.join(' > ')
  for (const [index, chain] of all.entries()) {
    const shared = chain.kind === 'elsewhere' ? ', on the shared port' : ''
    const place = all.length === 1 ? '' : ` (chain ${index + 1} of ${all.length}${shared})`
    try {
      const failure = await failureOf({ ...test, story: told?.found }, chain)
      failures.push(failure)
      const document = withFailure(await documentOf(chain, `${title}${place}`), failure)
      const label = `preseal report${place}`
      written.push({ file: await write(document, index + 1, label), label })
    } catch (error) {
      problems.push(`no preseal report${place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (leftOut > 0 && told === undefined) {
    problems.push(
      `no preseal report of ${leftOut} more chains: only the first ${MOST_CHAINS} chains of a test are reported`,
    )
  }
  const summary = process.env.GITHUB_STEP_SUMMARY
  const failure = failures.find(({ reverted }) => reverted?.isCause) ?? failures[0]
  if (summary && failure && !test.isRetried) {
    const text = summaryOf(failure, written)
    // An error of the summary, such as a missing folder, is reported as a problem, like errors of reports.
    await appendFile(summary, text).catch(({ message }) => problems.push(`GITHUB_STEP_SUMMARY: ${message}`))
  }
  return { written, problems }
}

/** Maximum number of lines of a message in a summary. */
const MOST_LINES = 12
/** Maximum number of characters of a line in a summary. */
const MOST_LETTERS = 300

/** Returns Markdown that names the test, the message, the lines in the test and in Solidity, and the reports. */
function summaryOf({ test, file, errors, reverted }: TestFailure, written: readonly WrittenReport[]): string {
  const inTest = errors.flatMap((error) => error.test)
  const inSolidity = [
    ...errors.flatMap(({ solidity }) => solidity),
    ...(reverted?.isCause ? reverted.solidity : []),
  ]
  const lines = errors.flatMap(({ name, message, diff = '' }) =>
    [...`${name}: ${message}`.split('\n'), ...diff.split('\n')].filter((line) => line !== ''),
  )
  const places = [
    ['test', placeOf(inTest.find((frame) => frame.file === file) ?? inTest[0])],
    ['Solidity', placeOf(inSolidity[0])],
    ...written.map((report) => [report.label, report.file]),
  ]
  return [
    `### ${test.replace(/[\\`*_[\]<&]/g, '\\$&')} failed\n`,
    ...lines.slice(0, MOST_LINES).map((line) => `    ${line.slice(0, MOST_LETTERS)}`),
    ...(lines.length > MOST_LINES ? ['    …'] : []),
    '',
    ...places.flatMap(([what, place]) => (place === undefined ? [] : [`- ${what}: \`${place}\``])),
    '\n',
  ].join('\n')
}

function placeOf(frame: FailureFrame | undefined): string | undefined {
  return frame && [frame.file, frame.line, frame.column].filter((part) => part !== undefined).join(':')
}

async function documentOf(chain: RecordedChain, name: string): Promise<string> {
  switch (chain.kind) {
    case 'here':
      return reportOfDevnet(chain.devnet, chain.recording, name)
    case 'elsewhere':
      return chain.report(name)
    case 'none':
      throw new Error(chain.problem)
  }
}
