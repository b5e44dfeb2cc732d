/** Coverage of a source file in the form of istanbul (`istanbul-lib-coverage`), which its reporters and others read. */

import type { SourceRange } from '../source/instructions.ts'
import type { LineIndex } from '../source/lineIndex.ts'
import type { Measure } from './measure.ts'

/** A place in a text: lines from 1, columns from 0. */
export interface CoveragePlace {
  readonly line: number
  readonly column: number
}

/** A range of a text. */
export interface CoverageRange {
  readonly start: CoveragePlace
  readonly end: CoveragePlace
}

/** The coverage of one file: maps of what there is, and by the same keys how often it ran. */
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

/** Returns the coverage of the file at `path`, whose items were measured. */
export function fileCoverage(path: string, lines: LineIndex, measure: Measure): FileCoverage {
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
