/** Chain files: genesis.json, and blocks as RLP. */

import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Devnet } from '../devnet/devnet.ts'
import { counted } from '../model/text.ts'
import { ImportFailed } from '../saving/rlp/importFailed.ts'
import type { ImportRules } from '../sequencer/import/flawInHeader.ts'
import type { ImportProgress } from '../sequencer/import/importBlocks.ts'
import { reasonOf } from './fileError.ts'
import { countedBytes, Progress, type ProgressManner } from './progress.ts'

/** A file that could not be read, imported or written; the message names the file and the reason. */
export class ChainFileFailed extends Error {}

/** Returns the parsed genesis.json in `file`. Throws `ChainFileFailed`. */
export async function readGenesis(file: string): Promise<object> {
  const text = await readFile(file, 'utf8').catch((error) => fail('--init', file, error))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ChainFileFailed(`--init ${file}: not JSON: ${textOf(error)}`)
  }
  if (typeof value !== 'object' || value === null) {
    throw new ChainFileFailed(`--init ${file}: expected a genesis.json, an object, got ${text.slice(0, 40)}`)
  }
  return value
}

/** The progress of an import: that of `devnet.import`, and the size of the file. */
export type FileProgress = ImportProgress & { readonly totalBytes: number }

/** An existing file of blocks. */
export interface BlockFile {
  readonly file: string
  readonly totalBytes: number
}

/** Returns `file` with its size. Throws `ChainFileFailed`. */
export async function findBlockFile(file: string): Promise<BlockFile> {
  const { size: totalBytes } = await stat(file).catch((error) => fail('--import', file, error))
  return { file, totalBytes }
}

/**
 * Imports the blocks of a file, before any command that is called after this. Throws `ChainFileFailed`; the valid
 * blocks before a bad one stay.
 */
export async function importFile(
  devnet: Devnet,
  { file, totalBytes }: BlockFile,
  rules: ImportRules,
  onProgress: (progress: FileProgress) => void,
): Promise<{ imported: number; known: number }> {
  try {
    return await devnet.import(createReadStream(file), {
      rules,
      onProgress: (progress) => onProgress({ ...progress, totalBytes }),
    })
  } catch (error) {
    if (error instanceof ImportFailed) throw new ChainFileFailed(`--import ${file}: ${error.message}`)
    return fail('--import', file, error)
  }
}

/** Writes the sealed blocks to `file`. Throws `ChainFileFailed`. */
export async function exportFile(devnet: Devnet, file: string, manner: ProgressManner): Promise<void> {
  await writeCounted(file, '--export', devnet.export(), manner)
}

/**
 * Writes `pieces` to `file`, which `flag` names, and shows the number of bytes written. Throws `ChainFileFailed`.
 */
export async function writeCounted(
  file: string,
  flag: string,
  pieces: Iterable<Uint8Array>,
  manner: ProgressManner,
): Promise<void> {
  let bytes = 0
  const progress = new Progress(`writing ${file}`, manner, () => ({
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

/** Writes the genesis.json of the exported blocks to `file`. Throws `ChainFileFailed`. */
export async function exportGenesisFile(devnet: Devnet, file: string): Promise<void> {
  const text = `${JSON.stringify(devnet.genesis(), null, 2)}\n`
  await replacing(file, '--export-genesis', (target) => writeFile(target, text))
}

/**
 * Calls `write` with a file beside `file`, and moves it to its place when it is complete and flushed to the disk, so
 * that a crash of this process or of the machine leaves the old file. A device or a pipe is written directly. Throws
 * `ChainFileFailed`.
 */
export async function replacing(
  file: string,
  flag: string,
  write: (target: string) => Promise<void>,
): Promise<void> {
  const found = await stat(file).catch(() => undefined)
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

/** Returns the path of the file until it is complete. */
export function partOf(file: string): string {
  return `${file}.${process.pid}.part`
}

/** Throws `ChainFileFailed` with the error of `file`, which `flag` names. */
export function fail(flag: string, file: string, error: unknown): never {
  throw new ChainFileFailed(`${flag} ${file}: ${reasonOf(error)}`, { cause: error })
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Shows the progress and the result of an import. */
interface ImportReport {
  onProgress(progress: FileProgress): void
  /** Ends the progress; `result` is `undefined` after a failure. */
  end(result: { imported: number; known: number } | undefined): void
}

/** Returns a report for the import of `file`, in the given manner. */
export function reportImport(file: string, manner: ProgressManner): ImportReport {
  const start = performance.now()
  let last: FileProgress | undefined
  const progress = new Progress(`importing ${file}`, manner, () => {
    const { blocks = 0, bytes = 0, totalBytes = 1 } = last ?? {}
    const percent = totalBytes === 0 ? 100 : Math.floor((bytes * 100) / totalBytes)
    return { text: `${counted(blocks, 'block')}, ${percent} %`, fields: { blocks, percent } }
  })
  return {
    onProgress(now) {
      last = now
      // An import leaves little time for the timers of the event loop.
      progress.look()
    },
    end(result) {
      progress.end()
      if (result === undefined || manner.report === 'silent') return
      const seconds = (performance.now() - start) / 1000
      manner.print(
        manner.report === 'json'
          ? JSON.stringify({ event: 'imported', file, ...result })
          : endText(file, result, seconds),
      )
    },
  }
}

function endText(
  file: string,
  { imported, known }: { imported: number; known: number },
  seconds: number,
): string {
  const passed = known === 0 ? '' : `, ${known.toLocaleString('en')} were known`
  return `imported ${imported.toLocaleString('en')} blocks from ${file} in ${seconds.toFixed(1)} s${passed}`
}
