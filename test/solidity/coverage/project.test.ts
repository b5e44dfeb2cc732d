/** Coverage of a project, compared with comments at the ends of its lines. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { FileCoverage } from '../../../src/solidity/coverage/coverage.ts'
import { projectCoverage, projectSources } from '../../support/compilers/coverageProject.ts'

/** Hits of a line: of each statement that begins there, and after `|` of each branch path. */
type Line = string

const EXPECTED = /\/\/ ([+-]+)(?: \|((?: [+-])+))?$/

/** Returns the expected hits by line, from the comments. */
function expectedIn(text: string): Record<number, Line> {
  const lines = text.split('\n').entries()
  return Object.fromEntries(
    [...lines].flatMap(([i, line]) => {
      const [all, statements, paths = ''] = EXPECTED.exec(line) ?? []
      return all === undefined ? [] : [[i + 1, `${statements}|${paths}`]]
    }),
  )
}

const sign = (hits: number) => (hits > 0 ? '+' : '-')

function linesOf({ statementMap, s, branchMap, b }: FileCoverage): Record<number, Line> {
  const statements = new Map<number, string>()
  const paths = new Map<number, string>()
  const add = (to: Map<number, string>, line: number, text: string) =>
    to.set(line, `${to.get(line) ?? ''}${text}`)
  const inOrder = Object.entries(statementMap).sort(([, one], [, other]) => {
    return one.start.line - other.start.line || one.start.column - other.start.column
  })
  for (const [key, { start }] of inOrder) add(statements, start.line, sign(s[key]!))
  for (const [key, { line }] of Object.entries(branchMap)) {
    add(paths, line, b[key]!.map((hits) => ` ${sign(hits)}`).join(''))
  }
  return Object.fromEntries([...statements].map(([line, text]) => [line, `${text}|${paths.get(line) ?? ''}`]))
}

const uncalled = ({ fnMap, f }: FileCoverage) =>
  Object.keys(fnMap)
    .filter((key) => f[key] === 0)
    .map((key) => fnMap[key]!.name)

const sources = projectSources()

describe.each([
  ['without optimizer', {}, ['Ownable', 'Token', 'Branches', 'Yul']],
  ['with the optimizer', { optimizer: true }, ['Ownable', 'Token', 'Branches', 'Yul']],
  // Via IR, assembly is covered as a whole.
  ['by way of Yul', { viaIR: true }, ['Ownable', 'Token', 'Branches']],
] as const)('coverage of code compiled %s', (_, options, exact) => {
  let coverage: Record<string, FileCoverage>

  beforeAll(async () => {
    coverage = await projectCoverage(options)
  })

  it.each(exact)('is what %s.sol says line by line', (name) => {
    const path = `src/${name}.sol`
    expect(linesOf(coverage[path]!)).toEqual(expectedIn(sources[path]!))
  })

  it('has the sources of all contracts, also of those that nobody deployed', () => {
    const paths = Object.keys(sources).filter((path) => path.startsWith('src/'))
    expect(Object.keys(coverage).sort()).toEqual(paths)
    expect(linesOf(coverage['src/Never.sol']!)).toEqual({ 9: '-| - -', 10: '-|' })
  })

  it('names functions that were not called, in their own files, whoever inherits them', () => {
    expect(uncalled(coverage['src/Ownable.sol']!)).toEqual(['Ownable.renounce', 'Ownable.unused'])
    expect(uncalled(coverage['src/Token.sol']!)).toEqual(['Token.burn'])
    expect(uncalled(coverage['src/Loops.sol']!)).toEqual(['Loops.drain'])
    expect(uncalled(coverage['src/Shapes.sol']!)).toEqual([])
    expect(uncalled(coverage['src/MathLib.sol']!)).toEqual(['double'])
    expect(uncalled(coverage['src/Vault.sol']!)).toEqual(['Vault.fallback'])
  })
})
