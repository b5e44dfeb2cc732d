/**
 * Checks the output files of the command line before anything runs, so that errors do not appear only at the end.
 */
import { open, realpath, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ChainFileFailed, fail, partOf } from './chainFiles.ts'
import type { Invocation } from './invocation.ts'
import { fileAt } from './stateFiles.ts'

/** A file to write, and the flag that names it. */
interface Output {
  readonly flag: string
  readonly file: string
  /** `whole`: written beside the file and moved to its place. `growing`: written into the file itself from the start. */
  readonly manner: 'whole' | 'growing'
}

/**
 * Throws unless each output file of `invocation` can be written: its folder exists and accepts a new file, and no two
 * flags name the same file. Existing files are not changed. No folder is created: a missing one is usually a misspelt
 * path. Throws `ChainFileFailed`.
 */
export async function requireWritable(invocation: Invocation): Promise<void> {
  const flags = new Map<string, string>()
  for (const output of await outputsOf(invocation)) {
    const path = await realpath(output.file).catch(() => resolve(output.file))
    const other = flags.get(path)
    if (other !== undefined) {
      throw new ChainFileFailed(`${output.flag} ${output.file}: expected another file than that of ${other}`)
    }
    flags.set(path, output.flag)
    await probe(output)
  }
}

async function outputsOf(invocation: Invocation): Promise<readonly Output[]> {
  const { dump, exportTo, exportGenesisTo, recordTo } = invocation
  const rows: [flag: string, file: string | undefined, manner: Output['manner']][] = [
    [dump?.flag ?? '', dump && (await fileAt(dump.file)), 'whole'],
    ['--export', exportTo, 'whole'],
    ['--export-genesis', exportGenesisTo, 'whole'],
    ['--record', recordTo, 'growing'],
  ]
  return rows.flatMap(([flag, file, manner]) => (file === undefined ? [] : [{ flag, file, manner }]))
}

async function probe({ flag, file, manner }: Output): Promise<void> {
  const folder = dirname(resolve(file))
  const [found, parent] = await Promise.all([there(file), there(folder)])
  if (found?.isDirectory()) throw new ChainFileFailed(`${flag} ${file}: expected a file, got a folder`)
  if (parent === undefined) throw new ChainFileFailed(`${flag} ${file}: there is no folder ${folder}`)
  if (!parent.isDirectory()) throw new ChainFileFailed(`${flag} ${file}: ${folder} is not a folder`)
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

function there(path: string) {
  return stat(path).catch(() => undefined)
}
