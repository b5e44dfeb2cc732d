/** The flags `--init`, `--import`, `--export`, `--load-state`, `--dump-state` and `--state`. */

import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import type { Devnet } from '../../devnet/devnet.ts'
import { counted } from '../../model/api/text.ts'
import { INIT, InvalidFlag } from '../../options/flags.ts'
import type { DevnetOptions } from '../../options/options.ts'
import { IMPORT_RULES, type ImportRules } from '../../sequencer/import/flawInHeader.ts'
import type { ImportProgress } from '../../sequencer/import/importBlocks.ts'
import type { CommandOutput, Feature, RunPart } from '../../terminal/feature.ts'
import {
  FileFailed,
  fail,
  type OutputFile,
  readJson,
  replaceFile,
  writeCounted,
} from '../../terminal/files.ts'
import { type FlagInput, grouped } from '../../terminal/flags.ts'
import { type Output, Progress } from '../../terminal/progress.ts'
import { ImportFailed } from '../api/importFailed.ts'
import {
  type ChainFileFlags,
  fileAt,
  findStateFile,
  loadFile,
  optionsFor,
  StateDump,
  type StateFile,
} from './stateFiles.ts'

export const saving: Feature = {
  addFlags(command, of) {
    for (const option of inputFlags()) command.addOption(option)
    if (of === 'preseal') for (const option of outputFlags()) command.addOption(option)
  },
  open: (given, options) => new ChainFiles(chainFilesIn(given, options)),
}

function inputFlags() {
  return [
    grouped('files', INIT, 'genesis.json of geth for the new chain'),
    grouped('files', '--import <file>', 'file of RLP blocks to run and verify first'),
    grouped(
      'files',
      '--import-rules <name>',
      `rules that imported blocks must keep: ${IMPORT_RULES.join(', ')}; devnet accepts blocks made by a devnet`,
      'ethereum',
    ),
    grouped('files', '--load-state <file>', 'state file of preseal or anvil to load'),
  ]
}

function outputFlags() {
  return [
    grouped('files', '--export <file>', 'file to write the sealed blocks to when the devnet ends'),
    grouped('files', '--export-genesis <file>', 'file to write the genesis.json of these blocks to'),
    grouped('files', '--dump-state <file>', 'state file to write when the devnet ends'),
    grouped(
      'files',
      '--state <file>',
      'both --load-state and --dump-state: the file is loaded if it exists, and written at the end',
    ),
    grouped('files', '--state-interval <seconds>', 'interval at which the state file is also written'),
  ]
}

/** Returns the files named by flags. Throws `InvalidFlag` for flags that exclude each other. */
export function chainFilesIn(given: FlagInput, { history }: DevnetOptions): ChainFileFlags {
  const texts = given as Readonly<Record<string, string | undefined>>
  if (history !== undefined && given.export !== undefined) {
    throw new InvalidFlag(
      '--export: cannot be combined with --history: a chain is exported from its beginning',
    )
  }
  return {
    init: texts.init,
    importFrom: texts.import,
    importRules: importRulesOf(texts.importRules),
    exportTo: texts.export,
    exportGenesisTo: texts.exportGenesis,
    ...stateFilesIn(texts),
  }
}

function importRulesOf(name = 'ethereum'): ImportRules {
  const rules = IMPORT_RULES.find((one) => one === name)
  if (rules !== undefined) return rules
  throw new InvalidFlag(`--import-rules: expected ${IMPORT_RULES.join(' or ')}, got "${name}"`)
}

function stateFilesIn({
  state,
  loadState,
  dumpState,
  stateInterval,
}: Readonly<Record<string, string | undefined>>): Pick<ChainFileFlags, 'load' | 'dump'> {
  const other = loadState === undefined ? dumpState && '--dump-state' : '--load-state'
  if (state !== undefined && other !== undefined) {
    throw new InvalidFlag(`${other}: cannot be combined with --state, which loads and dumps`)
  }
  if (stateInterval !== undefined && state === undefined && dumpState === undefined) {
    throw new InvalidFlag('--state-interval: requires --state or --dump-state')
  }
  const everyMs = intervalOf(stateInterval)
  if (state !== undefined) {
    const both = { file: state, flag: '--state' }
    return { load: { ...both, mayBeMissing: true }, dump: { ...both, everyMs } }
  }
  return {
    load:
      loadState === undefined ? undefined : { file: loadState, flag: '--load-state', mayBeMissing: false },
    dump: dumpState === undefined ? undefined : { file: dumpState, flag: '--dump-state', everyMs },
  }
}

const MAX_INTERVAL_SECONDS = 86_400

function intervalOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && seconds > 0 && seconds <= MAX_INTERVAL_SECONDS) return seconds * 1_000
  throw new InvalidFlag(
    `--state-interval: expected seconds (above 0, at most ${MAX_INTERVAL_SECONDS}), got "${text}"`,
  )
}

class ChainFiles implements RunPart {
  readonly #flags: ChainFileFlags
  #blocks: BlockFile | undefined
  #state: StateFile | undefined
  #dump: StateDump | undefined

  constructor(flags: ChainFileFlags) {
    this.#flags = flags
  }

  async outputs(): Promise<readonly OutputFile[]> {
    const { dump, exportTo, exportGenesisTo } = this.#flags
    const rows: [flag: string, file: string | undefined][] = [
      [dump?.flag ?? '', dump && (await fileAt(dump.file))],
      ['--export', exportTo],
      ['--export-genesis', exportGenesisTo],
    ]
    return rows.flatMap(([flag, file]) => (file === undefined ? [] : [{ flag, file, manner: 'whole' }]))
  }

  async prepare(options: DevnetOptions): Promise<DevnetOptions> {
    const { init, importFrom } = this.#flags
    if (importFrom !== undefined) this.#blocks = await findBlockFile(importFrom)
    const genesis = init === undefined ? {} : { genesis: await readGenesis(init) }
    this.#state = await findStateFile(this.#flags.load)
    const rules = this.#state === undefined ? options : await optionsFor(this.#state, options, this.#flags)
    return { ...rules, ...genesis }
  }

  async load(devnet: Devnet, output: CommandOutput): Promise<void> {
    const { format, print } = output
    if (this.#state !== undefined) {
      const { file } = this.#state
      const { number, hash } = await loadFile(devnet, this.#state, output)
      if (format === 'text') print(`loaded ${file}: block ${number} (${hash})`)
      else if (format === 'json')
        print(JSON.stringify({ event: 'loaded', file, number: Number(number), hash }))
    }
    // The devnet has not ticked yet, because only loading a state file was awaited since the devnet was created.
    if (this.#blocks !== undefined) await importShown(devnet, this.#blocks, this.#flags.importRules, output)
  }

  /** Starts the dumps after the fixtures, so that the state after a failed fixture does not replace the file. */
  onBuilt(devnet: Devnet, output: CommandOutput): void {
    const { dump } = this.#flags
    if (dump === undefined) return
    this.#dump = new StateDump(devnet, dump, output, output.warn)
    this.#dump.begin()
  }

  async write(devnet: Devnet, output: CommandOutput): Promise<void> {
    const { exportTo, exportGenesisTo } = this.#flags
    const tell = (file: string | undefined) => {
      if (file !== undefined) printWritten(file, devnet, output)
    }
    await this.#dump?.end().then(tell, output.warnOfLoss)
    if (exportTo !== undefined) {
      const written = writeCounted(exportTo, '--export', devnet.export(), output)
      await written.then(() => tell(exportTo), output.warnOfLoss)
    }
    if (exportGenesisTo !== undefined) {
      await exportGenesisFile(devnet, exportGenesisTo).then(() => tell(exportGenesisTo), output.warnOfLoss)
    }
  }
}

function printWritten(file: string, { latest }: Devnet, { format, print }: CommandOutput): void {
  const { hash, header } = latest
  if (format === 'text') print(`wrote ${file}: block ${header.number} (${hash})`)
  else if (format === 'json')
    print(JSON.stringify({ event: 'written', file, number: Number(header.number), hash }))
}

/** Returns the parsed genesis.json in `file`. Throws `FileFailed`. */
export async function readGenesis(file: string): Promise<object> {
  const { value, text } = await readJson('--init', file)
  if (typeof value !== 'object' || value === null) {
    throw new FileFailed(`--init ${file}: expected a genesis.json, an object, got ${text.slice(0, 40)}`)
  }
  return value
}

type FileProgress = ImportProgress & { readonly totalBytes: number }

interface BlockFile {
  readonly file: string
  readonly totalBytes: number
}

async function findBlockFile(file: string): Promise<BlockFile> {
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

async function exportGenesisFile(devnet: Devnet, file: string): Promise<void> {
  const text = `${JSON.stringify(devnet.genesis(), null, 2)}\n`
  await replaceFile(file, '--export-genesis', (target) => writeFile(target, text))
}

/** Imports the blocks of a file, and prints progress and result. Throws `FileFailed`. */
async function importShown(
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
