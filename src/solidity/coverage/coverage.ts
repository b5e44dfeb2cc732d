/** Coverage of Solidity: the executed functions, statements and branches of compiled sources. */
import {
  bytecodeOf,
  type Compilation,
  type CompiledContract,
  type FindCode,
} from '../artifacts/compilation.ts'
import { instructionsOf, type SourceRange } from '../source/instructions.ts'
import type { LineIndex } from '../source/sourceMap.ts'
import { type SourceFile, sourceModelOf } from '../source/sourceModel.ts'
import type { CodeHits } from './codeHits.ts'
import { itemsOf } from './items.ts'
import { Measure } from './measure.ts'
import { measuredFiles } from './measuredCode.ts'

export interface CoverageSources {
  /** Their sources count, deployed or not. */
  readonly compilations: Iterable<Compilation>
  readonly find: FindCode
  counts(path: string): boolean
}

export function coverageOf(
  codes: Iterable<CodeHits>,
  { compilations, find, counts }: CoverageSources,
): Record<string, FileCoverage> {
  const files = new CountedFiles(counts)
  for (const compilation of compilations) files.add(compilation)
  for (const code of codes) {
    const match = find(code.code, code.isCreation)
    // Contracts with the same code share each line, by inheritance.
    const contracts =
      match === undefined ? [] : match.kind === 'contract' ? [match.contract] : match.contracts
    for (const contract of contracts) files.measure(contract, code)
  }
  return files.coverage()
}

interface Counted {
  readonly path: string
  readonly file: SourceFile
  readonly measure: Measure
}

class CountedFiles {
  readonly #counts: (path: string) => boolean
  /** By path and text. */
  readonly #byText = new Map<string, Counted>()
  readonly #byFile = new Map<SourceFile, Counted>()
  readonly #known = new Set<Compilation>()

  constructor(counts: (path: string) => boolean) {
    this.#counts = counts
  }

  add(compilation: Compilation): void {
    if (this.#known.has(compilation)) return
    this.#known.add(compilation)
    for (const file of sourceModelOf(compilation).files) this.#addFile(file)
  }

  /** Ids of files and AST nodes differ between compilations: items are the first one's. */
  #addFile(file: SourceFile): void {
    const { path, text } = file
    if (text === undefined || !this.#counts(path)) return
    const key = `${path}\n${text}`
    let counted = this.#byText.get(key)
    if (counted === undefined) {
      const items = itemsOf(file)
      if (items.length === 0) return
      counted = { path, file, measure: new Measure(items) }
      this.#byText.set(key, counted)
    }
    this.#byFile.set(file, counted)
  }

  measure(contract: CompiledContract, { hits, isCreation }: CodeHits): void {
    const { compilation } = contract
    const bytecode = bytecodeOf(contract, isCreation)
    if (bytecode?.sourceMap === undefined) return
    this.add(compilation)
    const model = sourceModelOf(compilation)
    for (const [id, ran] of measuredFiles(instructionsOf(bytecode), hits)) {
      const file = model.file(id)
      if (file !== undefined) this.#byFile.get(file)?.measure.add(ran)
    }
  }

  coverage(): Record<string, FileCoverage> {
    const all: Record<string, FileCoverage> = {}
    for (const { path, file, measure } of this.#byText.values()) {
      measure.settle()
      const made = fileCoverage(path, file.lines!, measure)
      // The same path with another text: an outdated compilation.
      if (all[path] === undefined || ran(made)) all[path] = made
    }
    return all
  }
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
