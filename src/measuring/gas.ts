/** Measures the gas of all transactions of this process from its devnets' events, and writes the tables of a run. */
import type { SliceMoment } from '../chain/moment.ts'
import { observeDevnets } from '../devnet/events.ts'
import { type GasFigures, merged } from '../solidity/gas/figures.ts'
import { gasJson, gasMarkdown, gasText } from '../solidity/gas/gasFormats.ts'
import { GasMeter } from '../solidity/gas/gasMeter.ts'
import type { Measurement } from './results.ts'

/** Measures devnets created from now on, including pre-confirmed transactions and those that `restore` removes. */
export function measureGas(): Measurement<GasFigures> {
  const meter = new GasMeter()
  const openBlocks = new Set<() => void>()
  const end = observeDevnets((devnet) => {
    const own = meter.of(devnet)
    let open: SliceMoment | undefined
    const measureOpen = () => {
      if (open !== undefined) own.measure(open)
      open = undefined
    }
    openBlocks.add(measureOpen)
    const offs = [
      devnet.on('preconfirmed', (moment) => {
        open = moment
      }),
      devnet.on('sealed', (moment) => {
        own.measure(moment)
        open = undefined
      }),
    ]
    return () => {
      measureOpen()
      openBlocks.delete(measureOpen)
      for (const off of offs) off()
    }
  })
  const measureAllOpen = () => {
    for (const measureOpen of openBlocks) measureOpen()
  }
  return {
    // Loads artifacts, because they contain the names of contracts whose ABIs were not added.
    load() {
      measureAllOpen()
      return meter.loadArtifacts()
    },
    result() {
      measureAllOpen()
      return meter.figures()
    },
    end,
  }
}

/** Options of the gas reporters. */
export interface GasReportOptions {
  /** Files for the tables, relative to the working folder: Markdown if the name ends with `.md`, otherwise JSON. */
  readonly outputFile?: string | readonly string[] | undefined
}

/** Returns tables of all figures. Also writes them to the files in the options and in `PRESEAL_GAS_REPORT`. */
export function gasTables(all: Iterable<GasFigures>, { outputFile = [] }: GasReportOptions): string {
  const { mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const { dirname, resolve } = process.getBuiltinModule('node:path')
  const figures = merged(all)
  const named = process.env.PRESEAL_GAS_REPORT
  const files = [outputFile, named === undefined || named === '' ? [] : named].flat() as string[]
  for (const file of files) {
    const text = file.endsWith('.md')
      ? gasMarkdown(figures)
      : `${JSON.stringify(gasJson(figures), undefined, 2)}\n`
    const path = resolve(file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return gasText(figures) || 'Gas: no transaction called or deployed a contract.'
}
