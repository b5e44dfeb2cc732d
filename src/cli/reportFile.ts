/** `preseal report`: writes a recording as a document that a browser shows. */
import { stat, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readRecording } from '../recording/readRecording.ts'
import { ChainFileFailed, replacing } from './chainFiles.ts'
import type { ReportArguments } from './flags.ts'
import { openPage } from './page.ts'
import { progressOfReading } from './progress.ts'
import { reading } from './replay.ts'
import { ReportNotBuilt, reportDocument } from './reportDocument.ts'

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
  const recording = await reading('report', file, () => readWhole(file, args, print))
  const document = await reportDocument(recording, basename(file)).catch((error) => {
    throw error instanceof ReportNotBuilt ? new ChainFileFailed(`report ${file}: ${error.message}`) : error
  })
  await replacing(output, '--output', (target) => writeFile(target, document, isForced ? {} : { flag: 'wx' }))
  const bytes = Buffer.byteLength(document)
  const megabytes = (bytes / 1e6).toFixed(1)
  if (isJson) print(JSON.stringify({ event: 'reported', file, output, bytes }))
  else if (report === 'text')
    print(`wrote ${output} (${megabytes} MB), which a browser shows without preseal`)
  await openPage(pathToFileURL(resolve(output)).href, args, warn)
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

/** Returns the bytes of the recording `file`, all lines of which have been parsed. */
async function readWhole(
  file: string,
  { report }: ReportArguments,
  print: (line: string) => void,
): Promise<Uint8Array> {
  const { size } = await stat(file)
  const { source, progress } = progressOfReading(`reading ${file}`, file, size, { report, print })
  const chunks: Uint8Array[] = []
  try {
    const { events } = await readRecording(kept(source, chunks))
    for await (const _ of events) {
    }
    return Buffer.concat(chunks)
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
