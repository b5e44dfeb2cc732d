/** Writes the reports of a failed test, and a short text for the summary of a CI job. */
import { reportOfDevnet, withFailure } from '../reportDocument.ts'
import { MOST_CHAINS, type RecordedChain, type RecordedChains } from './recordedChains.ts'
import { type FailedTest, type FailureFrame, failureOf, type TestFailure } from './testFailure.ts'

const { appendFile } = process.getBuiltinModule('node:fs/promises')

/** A written report. The label includes the number of the chain if the test has several chains. */
export interface WrittenReport {
  readonly file: string
  readonly label: string
}

export interface Reported {
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
  const { leftOut } = chains
  const all = await chains.end()
  const written: WrittenReport[] = []
  const problems: string[] = []
  const failures: TestFailure[] = []
  const title = test.names.join(' > ')
  for (const [index, chain] of all.entries()) {
    const shared = chain.kind === 'elsewhere' ? ', on the shared port' : ''
    const place = all.length === 1 ? '' : ` (chain ${index + 1} of ${all.length}${shared})`
    try {
      const failure = await failureOf(test, chain)
      failures.push(failure)
      const document = withFailure(await documentOf(chain, `${title}${place}`), failure)
      const label = `preseal report${place}`
      written.push({ file: await write(document, index + 1, label), label })
    } catch (error) {
      problems.push(`no preseal report${place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (leftOut > 0) {
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
