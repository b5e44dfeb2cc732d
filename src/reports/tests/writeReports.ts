import type { PlaywrightTest } from '../../testing/failureReports.ts'
import { reportOfDevnet } from '../reportDocument.ts'
import { MOST_CHAINS, type RecordedChain, type RecordedChains } from './recordedChains.ts'

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

/** Ends the recordings. Calls `write` for each report, numbered from 1. Collects errors as problems. */
export async function writeReports(
  chains: RecordedChains,
  test: string,
  write: (document: string, number: number) => Promise<string>,
): Promise<Reported> {
  const { leftOut } = chains
  const all = await chains.end()
  const written: WrittenReport[] = []
  const problems: string[] = []
  for (const [index, chain] of all.entries()) {
    const shared = chain.kind === 'elsewhere' ? ', on the shared port' : ''
    const place = all.length === 1 ? '' : ` (chain ${index + 1} of ${all.length}${shared})`
    try {
      const document = await documentOf(chain, `${test}${place}`)
      written.push({ file: await write(document, index + 1), label: `preseal report${place}` })
    } catch (error) {
      problems.push(`no preseal report${place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (leftOut > 0) {
    problems.push(
      `no preseal report of ${leftOut} more chains: only the first ${MOST_CHAINS} chains of a test are reported`,
    )
  }
  return { written, problems }
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

/** Attaches a report of each chain to a Playwright test. Playwright copies the files to the folder of its results. */
export async function attachReports(test: PlaywrightTest, chains: RecordedChains): Promise<void> {
  const { rm, mkdir, writeFile } = process.getBuiltinModule('node:fs/promises')
  const { dirname } = process.getBuiltinModule('node:path')
  const title = test.titlePath.join(' > ')
  const { written, problems } = await writeReports(chains, title, async (document, number) => {
    const file = test.outputPath(`preseal-report-${number}.html`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, document)
    return file
  })
  for (const { file, label } of written) {
    await test.attach(label, { path: file, contentType: 'text/html' })
    await rm(file)
  }
  for (const problem of problems) console.error(problem)
}
