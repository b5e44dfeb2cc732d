/** `preseal report`: writes a recording as a document that a browser shows. */

import { stat, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { counted } from '../model/text.ts'
import type { DevnetOptions } from '../options/options.ts'
import { parseOptions } from '../options/parseOptions.ts'
import { InvalidOption } from '../options/values.ts'
import { InvalidRecording, type RecordedLine, readRecording } from '../recording/readRecording.ts'
import { replay } from '../recording/replay/replay.ts'
import type { ReportContracts } from '../reports/reportContracts.ts'
import { artifactsOf, contractsOf } from '../reports/reportContracts.ts'
import { ReportNotBuilt, reportDocument } from '../reports/reportDocument.ts'
import { reportArtifacts } from './artifacts.ts'
import { ChainFileFailed, replacing } from './chainFiles.ts'
import type { ReportArguments } from './flags.ts'
import { openPage } from './page.ts'
import { type ProgressManner, progressOfReading } from './progress.ts'
import { reading } from './replay.ts'

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

/**
 * Resolves to the contracts of the recording `file` that `artifacts` have, by default those of the project in the working folder, or that
 * were added to the recorded devnet, if it `hasAbis`; to `undefined` where there are none. Of a recording that cannot be played it resolves to
 * `undefined` too, and `warn` is told why. Throws `InvalidOption`.
 */
export async function contractsOfSession(
  file: string,
  { artifacts, hasAbis }: { readonly artifacts: DevnetOptions['artifacts']; readonly hasAbis: boolean },
  manner: ProgressManner,
  warn: (text: string) => void,
): Promise<ReportContracts | undefined> {
  const known = artifactsOf(parseOptions({ artifacts }).artifacts, warn)
  await reportArtifacts({ artifacts: known }, manner)
  if (!(await known.load()) && !hasAbis) return undefined
  const { size } = await stat(file)
  const { source, progress } = progressOfReading(`playing ${file}`, file, size, manner)
  let contracts: ReportContracts | undefined
  try {
    // Another engine has the same results, and takes longer.
    await replay(source, {
      options: { engine: 'wasm', artifacts },
      look: async (devnet) => {
        contracts = await contractsOf(devnet, { library: known.known })
      },
    })
  } catch (error) {
    if (!(error instanceof InvalidRecording || error instanceof InvalidOption)) throw error
    warn(`contracts have no names in the report: the recording cannot be played: ${error.message}`)
  } finally {
    progress.end()
  }
  return contracts
}
