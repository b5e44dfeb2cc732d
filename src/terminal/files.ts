/** Files that commands read and write: complete or not at all, with errors that name the flag and the file. */
import { createWriteStream } from 'node:fs'
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errorText, fileErrorText } from '../model/api/text.ts'
import { countedBytes, type Output, Progress } from './progress.ts'

/** A file that could not be read, imported or written; the message names the flag, the file and the reason. */
export class FileFailed extends Error {}

/** Throws `FileFailed` with the error of `file`, which `flag` names. */
export function fail(flag: string, file: string, error: unknown): never {
  throw new FileFailed(`${flag} ${file}: ${fileErrorText(error)}`, { cause: error })
}

/** Returns the JSON value in `file`, and its text. Throws `FileFailed`. */
export async function readJson(flag: string, file: string): Promise<{ value: unknown; text: string }> {
  const text = await readFile(file, 'utf8').catch((error) => fail(flag, file, error))
  try {
    return { value: JSON.parse(text), text }
  } catch (error) {
    throw new FileFailed(`${flag} ${file}: not JSON: ${errorText(error)}`, { cause: error })
  }
}

/** Writes `pieces` to `file`, which `flag` names, and shows the number of bytes written. Throws `FileFailed`. */
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
    progress.look()
  })
  try {
    await replacing(file, flag, (target) => pipeline(counted, createWriteStream(target)))
  } finally {
    progress.end()
  }
}

/**
 * Calls `write` with a file beside `file`, and moves it to its place when it is complete and flushed to the disk, so
 * that a crash of this process or of the machine leaves the old file. A device or a pipe is written directly. Throws
 * `FileFailed`.
 */
export async function replacing(
  file: string,
  flag: string,
  write: (target: string) => Promise<void>,
): Promise<void> {
  const found = await statOf(file)
  if (found !== undefined && !found.isFile()) return write(file).catch((error) => fail(flag, file, error))
  const target = partOf(file)
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

export function partOf(file: string): string {
  return `${file}.${process.pid}.part`
}

export interface OutputFile {
  readonly flag: string
  readonly file: string
  /** `whole`: written beside the file and moved to its place. `growing`: written into the file itself from the start. */
  readonly manner: 'whole' | 'growing'
}

/**
 * Throws unless each of `outputs` can be written: its folder exists and accepts a new file, and no two flags name the same file.
 * Existing files are not changed. No folder is created: a missing one is usually a misspelt path. Throws `FileFailed`.
 */
export async function requireWritable(outputs: readonly OutputFile[]): Promise<void> {
  const flags = new Map<string, string>()
  for (const output of outputs) {
    const path = await realpath(output.file).catch(() => resolve(output.file))
    const other = flags.get(path)
    if (other !== undefined) {
      throw new FileFailed(`${output.flag} ${output.file}: expected another file than that of ${other}`)
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
  // Devices and pipes are not opened for a check, since the reader of a pipe would notice.
  if (found !== undefined && !found.isFile()) return
  const isAppended = manner === 'growing' && found !== undefined
  const target = isAppended ? file : partOf(file)
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
