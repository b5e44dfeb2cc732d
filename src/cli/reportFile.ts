/** `preseal report`: writes a recording as a document that a browser shows. */
import { stat, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type RecordedLine, readRecording } from '../recording/readRecording.ts'
import type { ReportContracts } from '../reports/reportContracts.ts'
import { ReportNotBuilt, reportDocument } from '../reports/reportDocument.ts'
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
  const read = await reading('report', file, () => readWhole(file, args, print))
  const { bytes: recording, hasAbis, cutAfterLine } = read
  // Now that it is known to be one.
  if (await isSame(output, file)) {
    throw new ChainFileFailed(`--output ${output}: expected another file than the recording`)
  }
  const contracts = args.hasNames
    ? await contractsOfSession(file, { artifacts: args.artifacts, hasAbis }, { report, print }, warn)
    : undefined
  const document = await reportDocument(recording, basename(file), { contracts }).catch((error) => {
    throw error instanceof ReportNotBuilt ? new ChainFileFailed(`report ${file}: ${error.message}`) : error
  })
  await replacing(output, '--output', (target) => writeFile(target, document, isForced ? {} : { flag: 'wx' }))
  const bytes = Buffer.byteLength(document)
  const megabytes = (bytes / 1e6).toFixed(1)
  const about = { file, output, bytes, cutAfterLine, ...embeddedIn(contracts) }
  if (isJson) print(JSON.stringify({ event: 'reported', ...about }))
  else if (report === 'text') {
    print(`wrote ${output} (${megabytes} MB), which a browser shows without preseal`)
    if (cutAfterLine !== undefined) {
      print(
        `  the recording was cut off after line ${cutAfterLine}: the report shows all that is whole of it`,
      )
    }
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
  if (found === undefined || (await isSame(output, file))) return
  if (found.isDirectory()) throw new ChainFileFailed(`--output ${output}: expected a file, got a folder`)
  if (found.isFile() && !isForced) {
    throw new ChainFileFailed(
      `--output ${output}: expected a new file, got one that exists (--force replaces it)`,
    )
  }
}

/** Returns whether two paths lead to the same file. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)))
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev
}

interface ReadRecording {
  readonly bytes: Uint8Array
  /** Whether there are ABIs among its lines. */
  readonly hasAbis: boolean
  /** The number of its last whole line if it was cut off. */
  readonly cutAfterLine: number | undefined
}

/** Returns the recording `file`, all lines of which have been parsed. */
async function readWhole(
  file: string,
  { report }: ReportArguments,
  print: (line: string) => void,
): Promise<ReadRecording> {
  const { size } = await stat(file)
  const { source, progress } = progressOfReading(`reading ${file}`, file, size, { report, print })
  const chunks: Uint8Array[] = []
  try {
    const { events, lastOfState } = await readRecording(kept(source, chunks))
    let hasAbis = false
    let last: RecordedLine | undefined
    for await (const line of events) {
      if (line.event.kind === 'abi') hasAbis = true
      last = line
    }
    const cutAfterLine = last?.event.kind === 'end' ? undefined : (last?.line ?? lastOfState)
    return { bytes: Buffer.concat(chunks), hasAbis, cutAfterLine }
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
