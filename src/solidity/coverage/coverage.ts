/** Computes Solidity coverage: the executed functions, statements and branches of compiled sources. */
import { oncePer } from '../../model/collections/oncePer.ts'
import { bytecodeOf, type Compilation, type FindCode } from '../artifacts/compilation.ts'
import { instructionsOf, type SourceRange } from '../source/instructions.ts'
import type { LineIndex } from '../source/sourceMap.ts'
import { type SourceFile, sourceModelOf } from '../source/sourceModel.ts'
import type { CodeHits } from './codeHits.ts'
import { itemsOf } from './items.ts'
import { Measure } from './measure.ts'
import { measuredFiles } from './measuredCode.ts'

export interface CoverageSources {
  /** The compilations to measure, including contracts that were never deployed. */
  readonly compilations: Iterable<Compilation>
  readonly find: FindCode
  counts(path: string): boolean
}

export function coverageOf(
  codes: Iterable<CodeHits>,
  { compilations, find, counts }: CoverageSources,
): Record<string, FileCoverage> {
  // Keyed by path and text, because ids of files and AST nodes differ between compilations. Keeps the first AST.
  const counted = new Map<string, { readonly file: SourceFile; readonly measure: Measure }>()
  const measureOf = (file: SourceFile): Measure | undefined => {
    if (file.text === undefined || !counts(file.path)) return undefined
    const key = `${file.path}\n${file.text}`
    const known = counted.get(key)
    if (known !== undefined) return known.measure
    const items = itemsOf(file)
    if (items.length === 0) return undefined
    const measure = new Measure(items)
    counted.set(key, { file, measure })
    return measure
  }
  const measuresOf = oncePer(
    (compilation: Compilation) =>
      new Map([...sourceModelOf(compilation).files].map((file) => [file.id, measureOf(file)])),
  )
  for (const compilation of compilations) measuresOf(compilation)
  for (const { code, isCreation, hits } of codes) {
    const match = find(code, isCreation)
    // Several contracts have the same code if they inherit all their code.
    const contracts =
      match === undefined ? [] : match.kind === 'contract' ? [match.contract] : match.contracts
    for (const contract of contracts) {
      const bytecode = bytecodeOf(contract, isCreation)
      if (bytecode?.sourceMap === undefined) continue
      const measures = measuresOf(contract.compilation)
      for (const [id, ran] of measuredFiles(instructionsOf(bytecode), hits)) measures.get(id)?.add(ran)
    }
  }
  const all: Record<string, FileCoverage> = {}
  for (const { file, measure } of counted.values()) {
    measure.settle()
    const made = fileCoverage(file.path, file.lines!, measure)
    // Compilations may have different texts for a path, of which only one is current: most likely one whose code ran.
    if (all[file.path] === undefined || ran(made)) all[file.path] = made
  }
  return all
}

function ran({ f }: FileCoverage): boolean {
  return Object.values(f).some((hits) => hits > 0)
}

/** Lines count from 1, columns from 0. */
interface CoveragePlace {
  readonly line: number
  readonly column: number
}

interface CoverageRange {
  readonly start: CoveragePlace
  readonly end: CoveragePlace
}

/** One file's coverage in Istanbul's format: maps of items, and hits by the same keys. */
export interface FileCoverage {
  readonly path: string
  readonly statementMap: Record<string, CoverageRange>
  readonly fnMap: Record<
    string,
    {
      readonly name: string
      readonly decl: CoverageRange
      readonly loc: CoverageRange
      readonly line: number
    }
  >
  readonly branchMap: Record<
    string,
    {
      readonly type: string
      readonly loc: CoverageRange
      readonly locations: readonly CoverageRange[]
      readonly line: number
    }
  >
  readonly s: Record<string, number>
  readonly f: Record<string, number>
  readonly b: Record<string, number[]>
}

function fileCoverage(path: string, lines: LineIndex, measure: Measure): FileCoverage {
  const at = (range: SourceRange): CoverageRange => ({
    start: placeOf(lines, range.start),
    end: placeOf(lines, range.start + range.length),
  })
  const coverage: FileCoverage = { path, statementMap: {}, fnMap: {}, branchMap: {}, s: {}, f: {}, b: {} }
  for (const [{ range }, hits] of measure.statements) {
    const key = Object.keys(coverage.s).length
    coverage.statementMap[key] = at(range)
    coverage.s[key] = hits ?? 0
  }
  for (const [{ name, head, range }, hits] of measure.functions) {
    const key = Object.keys(coverage.f).length
    coverage.fnMap[key] = { name, decl: at(head), loc: at(range), line: at(range).start.line }
    coverage.f[key] = hits ?? 0
  }
  for (const [branch, hits] of measure.branches) {
    const key = Object.keys(coverage.b).length
    const loc = at(branch.range)
    const locations = branch.paths.map((path) => (path === undefined ? loc : at(path)))
    coverage.branchMap[key] = { type: branch.kind, loc, locations, line: loc.start.line }
    coverage.b[key] = hits.map((count) => count ?? 0)
  }
  return coverage
}

function placeOf(lines: LineIndex, offset: number): CoveragePlace {
  const { line, column } = lines.at(offset)
  return { line, column: column - 1 }
}
