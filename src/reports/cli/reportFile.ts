/** `preseal report`: writes a recording as an HTML file. */
import { stat, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { counted } from '../../model/api/text.ts'
import type { DevnetOptions } from '../../options/options.ts'
import { parseOptions } from '../../options/parseOptions.ts'
import { InvalidOption } from '../../options/values.ts'
import { reading } from '../../recording/cli/replay.ts'
import { InvalidRecording, type RecordedLine, readRecording } from '../../recording/readRecording.ts'
import { replay } from '../../recording/replay/replay.ts'
import { Abis } from '../../solidity/abi/abis.ts'
import { Artifacts } from '../../solidity/artifacts/artifacts.ts'
import { prepareArtifacts } from '../../terminal/artifacts.ts'
import type { CommandOutput } from '../../terminal/feature.ts'
import { FileFailed, replaceFile } from '../../terminal/files.ts'
import { openPage, type PageChoice } from '../../terminal/page.ts'
import { type Format, type Output, progressOfReading } from '../../terminal/progress.ts'
import { contractsOf, type ReportContracts } from '../reportContracts.ts'
import { ReportNotBuilt, reportDocument } from '../reportDocument.ts'

export interface ReportArguments extends Pick<PageChoice, 'isPageOpened'> {
  readonly file: string
  readonly output: string
  readonly isForced: boolean
  /** Whether the report shows names of contracts from artifacts. */
  readonly hasNames: boolean
  /** By default, the artifacts that the configuration file names, or those of the project in the working folder. */
  readonly artifacts: DevnetOptions['artifacts']
  readonly format: Format
  /** Whether the result is printed as JSON, even with `--silent`. */
  readonly isJson: boolean
}

/** Writes the report of a recording, and opens it in the browser if requested. Throws `FileFailed`. */
export async function writeReport(
  args: ReportArguments,
  { print, warn }: Pick<CommandOutput, 'print' | 'warn'>,
): Promise<void> {
  const { file, output, isForced, format, isJson } = args
  await requireNew(args)
  const read = await reading('report', file, () => readWhole(file, { format, print }))
  const { bytes: recording, hasAbis, cutAfterLine } = read
  // Checked after reading, because for a file that is not a recording, the error of reading is clearer.
  if (await isSame(output, file)) {
    throw new FileFailed(`--output ${output}: expected a file other than the recording`)
  }
  const contracts = args.hasNames
    ? await contractsOfSession(file, { artifacts: args.artifacts, hasAbis }, { format, print }, warn)
    : undefined
  const document = await reportDocument(recording, basename(file), { contracts }).catch((error) => {
    throw error instanceof ReportNotBuilt ? new FileFailed(`report ${file}: ${error.message}`) : error
  })
  await replaceFile(output, '--output', (target) =>
    writeFile(target, document, isForced ? {} : { flag: 'wx' }),
  )
  const bytes = Buffer.byteLength(document)
  const megabytes = (bytes / 1e6).toFixed(1)
  const { gzip: _, ...embedded } = contracts ?? { gzip: undefined, contracts: 0, sources: 0, leftOut: [] }
  const about = { file, output, bytes, cutAfterLine, ...embedded }
  if (isJson) print(JSON.stringify({ event: 'reported', ...about }))
  else if (format === 'text') {
    print(`wrote ${output} (${megabytes} MB), a page for any browser`)
    if (cutAfterLine !== undefined) {
      print(`  the recording was cut off after line ${cutAfterLine}: the report shows it up to this line`)
    }
    for (const line of embeddedLines(embedded)) print(`  ${line}`)
  }
  await openPage(pathToFileURL(resolve(output)).href, args, warn)
}

/** Yields notes on the artifacts in the report, because the user may not want to publish them. */
function* embeddedLines({ contracts, sources, leftOut }: Embedded): Iterable<string> {
  if (contracts > 0) {
    const what = `${counted(contracts, 'contract')} and ${counted(sources, 'source file')}`
    yield `it contains ${what} of artifacts; --no-artifacts leaves them out`
  }
  for (const what of leftOut) yield `${what} were omitted, because the contracts are too large together`
}

type Embedded = Pick<ReportContracts, 'contracts' | 'sources' | 'leftOut'>

async function requireNew({ file, output, isForced }: ReportArguments): Promise<void> {
  const found = await stat(output).catch(() => undefined)
  if (found === undefined || (await isSame(output, file))) return
  if (found.isDirectory()) throw new FileFailed(`--output ${output}: expected a file, got a folder`)
  if (found.isFile() && !isForced) {
    throw new FileFailed(`--output ${output}: expected a new file, got one that exists (--force replaces it)`)
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)))
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev
}

interface ReadRecording {
  readonly bytes: Uint8Array
  readonly hasAbis: boolean
  /** Number of the last complete line, if the recording is truncated. */
  readonly cutAfterLine: number | undefined
}

async function readWhole(file: string, lines: Output): Promise<ReadRecording> {
  const { size } = await stat(file)
  const { source, progress } = progressOfReading(`reading ${file}`, file, size, lines)
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
 * Plays the recording `file` to find the contracts on its chain. Resolves to contracts in `artifacts` (by default,
 * the artifacts of the project in the working folder) and, with `hasAbis`, to contracts whose ABIs were added to the
 * recorded devnet; to `undefined` if there are none. Calls `warn` with the reason if the recording cannot be played.
 * Throws `InvalidOption`.
 */
export async function contractsOfSession(
  file: string,
  { artifacts, hasAbis }: { readonly artifacts: DevnetOptions['artifacts']; readonly hasAbis: boolean },
  output: Output,
  warn: (text: string) => void,
): Promise<ReportContracts | undefined> {
  const configured = parseOptions({ artifacts }).artifacts
  const known = new Artifacts({ configured, abis: new Abis(), onProblem: warn })
  await prepareArtifacts({ artifacts: known }, output)
  if (!(await known.load()) && !hasAbis) return undefined
  const { size } = await stat(file)
  const { source, progress } = progressOfReading(`playing ${file}`, file, size, output)
  let contracts: ReportContracts | undefined
  try {
    // The engine `wasm` gives the same results as the recorded engine, which may be slower.
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
