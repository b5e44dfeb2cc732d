/** Reads and writes the files of commands. Errors name the flag and the file. */
import { createWriteStream } from 'node:fs'
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errorText, fileErrorText } from '../model/api/text.ts'
import { countedBytes, type Output, Progress } from './progress.ts'

/** Thrown when a file cannot be read, imported or written. The message names the flag, the file and the reason. */
export class FileFailed extends Error {}

/** Throws `FileFailed` for `error`. The message names `flag` and `file`. */
export function fail(flag: string, file: string, error: unknown): never {
  throw new FileFailed(`${flag} ${file}: ${fileErrorText(error)}`, { cause: error })
}

/** Returns the parsed JSON of `file`, and its text. Throws `FileFailed`. */
export async function readJson(flag: string, file: string): Promise<{ value: unknown; text: string }> {
  const text = await readFile(file, 'utf8').catch((error) => fail(flag, file, error))
  try {
    return { value: JSON.parse(text), text }
  } catch (error) {
    throw new FileFailed(`${flag} ${file}: not JSON: ${errorText(error)}`, { cause: error })
  }
}

/** Writes `pieces` to `file` and shows the number of bytes written. `flag` is named in errors. Throws `FileFailed`. */
export async function writeCounted(
  file: string,
  flag: string,
  pieces: Iterable<Uint8Array>,
  output: Output,
): Promise<void> {
  let bytes = 0
  const progress = new Progress(`writing ${file}`, output, () => ({
    text: `${(bytes / 1e6).toFixed(1)} MB`,
    fields: { bytes },
  }))
  const counted = countedBytes(pieces, (length) => {
    bytes += length
    progress.update()
  })
  try {
    await replaceFile(file, flag, (target) => pipeline(counted, createWriteStream(target)))
  } finally {
    progress.end()
  }
}

/**
 * Calls `write` with the path of a temporary file, flushes that file to disk and renames it to `file`, so that the old
 * file remains after a crash. A device or a pipe is written directly. Throws `FileFailed`.
 */
export async function replaceFile(
  file: string,
  flag: string,
  write: (target: string) => Promise<void>,
): Promise<void> {
  const found = await statOf(file)
  if (found !== undefined && !found.isFile()) return write(file).catch((error) => fail(flag, file, error))
  const target = temporaryPathOf(file)
  try {
    await write(target)
    const handle = await open(target, 'r+')
    await handle.sync().finally(() => handle.close())
    await rename(target, file)
  } catch (error) {
    await rm(target, { force: true })
    fail(flag, file, error)
  }
}

export function temporaryPathOf(file: string): string {
  return `${file}.${process.pid}.part`
}

export interface OutputFile {
  readonly flag: string
  readonly file: string
  /** A `whole` file is first written to a temporary file, then renamed. A `growing` file is written directly. */
  readonly manner: 'whole' | 'growing'
}

/**
 * Checks that each of `outputs` can be written and that no two flags name the same file. Changes no existing file.
 * Creates no folder, because a missing folder is usually a misspelt path. Throws `FileFailed`.
 */
export async function requireWritable(outputs: readonly OutputFile[]): Promise<void> {
  const flags = new Map<string, string>()
  for (const output of outputs) {
    const path = await realpath(output.file).catch(() => resolve(output.file))
    const other = flags.get(path)
    if (other !== undefined) {
      throw new FileFailed(`${output.flag} ${output.file}: expected a different file from that of ${other}`)
    }
    flags.set(path, output.flag)
    await requireOneWritable(output)
  }
}

async function requireOneWritable({ flag, file, manner }: OutputFile): Promise<void> {
  const folder = dirname(resolve(file))
  const [found, parent] = await Promise.all([statOf(file), statOf(folder)])
  if (found?.isDirectory()) throw new FileFailed(`${flag} ${file}: expected a file, got a folder`)
  if (parent === undefined) throw new FileFailed(`${flag} ${file}: there is no folder ${folder}`)
  if (!parent.isDirectory()) throw new FileFailed(`${flag} ${file}: ${folder} is not a folder`)
  // A device or a pipe is not opened for this check, because the reader of a pipe would notice.
  if (found !== undefined && !found.isFile()) return
  const isAppended = manner === 'growing' && found !== undefined
  const target = isAppended ? file : temporaryPathOf(file)
  try {
    await (await open(target, isAppended ? 'a' : 'w')).close()
    if (!isAppended) await rm(target)
  } catch (error) {
    fail(flag, file, error)
  }
}

export function statOf(path: string) {
  return stat(path).catch(() => undefined)
}
