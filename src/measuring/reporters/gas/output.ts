/** What a gas reporter does at the end of a run: the tables, and files for programs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type GasFigures, merged } from '../../../solidity/gas/figures.ts'
import { gasJson, gasMarkdown, gasText } from '../../../solidity/gas/report.ts'

/** Options of the gas reporters. */
export interface GasReportOptions {
  /** Files that are written too: Markdown if the name ends with `.md`, otherwise JSON. Paths begin at the working folder. */
  readonly outputFile?: string | readonly string[] | undefined
}

/**
 * Returns the tables for the terminal, and writes the files that the options and the environment variable
 * `PRESEAL_GAS_REPORT` name. `all` are the figures of each test file.
 */
export function reportGas(all: Iterable<GasFigures>, { outputFile = [] }: GasReportOptions): string {
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
  return gasText(figures) || NOTHING
}

const NOTHING = 'Gas: no transaction called or deployed a contract.'
