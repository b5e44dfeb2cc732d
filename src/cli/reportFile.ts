/** `preseal report`: writes a recording as a document that a browser shows. */
import { stat, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readRecording } from '../recording/readRecording.ts'
import type { ReportContracts } from '../reportContracts.ts'
import { ReportNotBuilt, reportDocument } from '../reportDocument.ts'
import { ChainFileFailed, replacing } from './chainFiles.ts'
import { openPage } from './page.ts'
import { counted, progressOfReading } from './progress.ts'
import { reading } from './replay.ts'
import type { ReportArguments } from './reportFlags.ts'
import { contractsOfSession } from './sessionContracts.ts'

/**
 * Writes the report of a recording, and opens it if requested. Throws `ChainFileFailed` if the file is not a recording, or the
 * output exists and is not to be replaced.
 */
export async function writeReport(
  args: ReportArguments,
  print: (line: string) => void,
  warn: (text: string) => void,
): Promise<void> {
  const { file, output, isForced, report, isJson } = args
  await requireNew(args)
  const { bytes: recording, hasAbis } = await reading('report', file, () => readWhole(file, args, print))
  const contracts = args.hasNames
    ? await contractsOfSession(file, { artifacts: args.artifacts, hasAbis }, { report, print }, warn)
    : undefined
  const document = await reportDocument(recording, basename(file), { contracts }).catch((error) => {
    throw error instanceof ReportNotBuilt ? new ChainFileFailed(`report ${file}: ${error.message}`) : error
  })
  await replacing(output, '--output', (target) => writeFile(target, document, isForced ? {} : { flag: 'wx' }))
  const bytes = Buffer.byteLength(document)
  const megabytes = (bytes / 1e6).toFixed(1)
  if (isJson) print(JSON.stringify({ event: 'reported', file, output, bytes, ...embeddedIn(contracts) }))
  else if (report === 'text') {
    print(`wrote ${output} (${megabytes} MB), which a browser shows without preseal`)
    for (const line of embeddedLines(contracts)) print(`  ${line}`)
  }
  await openPage(pathToFileURL(resolve(output)).href, args, warn)
}

/** What the report has of artifacts, which may be more than its writer wants to give away. */
function embeddedIn({ contracts, sources, leftOut }: Embedded = NOTHING): Embedded {
  return { contracts, sources, leftOut }
}

type Embedded = Pick<ReportContracts, 'contracts' | 'sources' | 'leftOut'>

const NOTHING: Embedded = { contracts: 0, sources: 0, leftOut: [] }

function* embeddedLines(embedded: Embedded | undefined): Iterable<string> {
  const { contracts, sources, leftOut } = embeddedIn(embedded)
  if (contracts > 0) {
    const what = `${counted(contracts, 'contract')} and ${counted(sources, 'source file')}`
    yield `it contains ${what} of artifacts; --no-artifacts leaves them out`
  }
  for (const what of leftOut) yield `${what} were left out: together they are too large`
}

async function requireNew({ file, output, isForced }: ReportArguments): Promise<void> {
  const found = await stat(output).catch(() => undefined)
  if (found === undefined) return
  const source = await stat(file).catch(() => undefined)
  if (found.ino === source?.ino && found.dev === source.dev) {
    throw new ChainFileFailed(`--output ${output}: expected another file than the recording`)
  }
  if (found.isDirectory()) throw new ChainFileFailed(`--output ${output}: expected a file, got a folder`)
  if (found.isFile() && !isForced) {
    throw new ChainFileFailed(
      `--output ${output}: expected a new file, got one that exists (--force replaces it)`,
    )
  }
}

/** Returns the bytes of the recording `file`, all lines of which have been parsed, and whether there are ABIs among them. */
async function readWhole(
  file: string,
  { report }: ReportArguments,
  print: (line: string) => void,
): Promise<{ readonly bytes: Uint8Array; readonly hasAbis: boolean }> {
  const { size } = await stat(file)
  const { source, progress } = progressOfReading(`reading ${file}`, file, size, { report, print })
  const chunks: Uint8Array[] = []
  try {
    const { events } = await readRecording(kept(source, chunks))
    let hasAbis = false
    for await (const { event } of events) if (event.kind === 'abi') hasAbis = true
    return { bytes: Buffer.concat(chunks), hasAbis }
  } finally {
    progress.end()
  }
}

async function* kept(source: AsyncIterable<Uint8Array>, chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    chunks.push(chunk)
    yield chunk
  }
}
