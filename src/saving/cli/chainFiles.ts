/** Reads and writes genesis.json and files of RLP blocks for the command line. */
import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import type { Devnet } from '../../devnet/devnet.ts'
import { counted } from '../../model/api/text.ts'
import type { ImportRules } from '../../sequencer/import/flawInHeader.ts'
import type { ImportProgress } from '../../sequencer/import/importBlocks.ts'
import { FileFailed, fail, readJson, replaceFile } from '../../terminal/files.ts'
import { type Output, Progress } from '../../terminal/progress.ts'
import { ImportFailed } from '../api/importFailed.ts'

/** Returns the parsed genesis.json in `file`. Throws `FileFailed`. */
export async function readGenesis(file: string): Promise<object> {
  const { value, text } = await readJson('--init', file)
  if (typeof value !== 'object' || value === null) {
    throw new FileFailed(`--init ${file}: expected a genesis.json, an object, got ${text.slice(0, 40)}`)
  }
  return value
}

export type FileProgress = ImportProgress & { readonly totalBytes: number }

export interface BlockFile {
  readonly file: string
  readonly totalBytes: number
}

export async function findBlockFile(file: string): Promise<BlockFile> {
  const { size: totalBytes } = await stat(file).catch((error) => fail('--import', file, error))
  return { file, totalBytes }
}

/** Imports the blocks of a file. Throws `FileFailed`; valid blocks before a bad one stay imported. */
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
    if (error instanceof ImportFailed) throw new FileFailed(`--import ${file}: ${error.message}`)
    return fail('--import', file, error)
  }
}

export async function exportGenesisFile(devnet: Devnet, file: string): Promise<void> {
  const text = `${JSON.stringify(devnet.genesis(), null, 2)}\n`
  await replaceFile(file, '--export-genesis', (target) => writeFile(target, text))
}

/** Imports the blocks of a file, and prints progress and result. Throws `FileFailed`. */
export async function importShown(
  devnet: Devnet,
  blocks: BlockFile,
  rules: ImportRules,
  output: Output,
): Promise<void> {
  const { file } = blocks
  const start = performance.now()
  let last: FileProgress | undefined
  const progress = new Progress(`importing ${file}`, output, () => {
    const { blocks = 0, bytes = 0, totalBytes = 1 } = last ?? {}
    const percent = totalBytes === 0 ? 100 : Math.floor((bytes * 100) / totalBytes)
    return { text: `${counted(blocks, 'block')}, ${percent} %`, fields: { blocks, percent } }
  })
  const onProgress = (now: FileProgress) => {
    last = now
    // During an import, timers of the event loop fire too seldom to show the progress.
    progress.update()
  }
  const { imported, known } = await importFile(devnet, blocks, rules, onProgress).finally(() =>
    progress.end(),
  )
  if (output.format === 'json') output.print(JSON.stringify({ event: 'imported', file, imported, known }))
  if (output.format !== 'text') return
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const skipped = known === 0 ? '' : `, ${known.toLocaleString('en')} were known`
  output.print(`imported ${imported.toLocaleString('en')} blocks from ${file} in ${seconds} s${skipped}`)
}
