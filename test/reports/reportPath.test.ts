/** The names of the files of reports, which any file system takes, and the option and variable that ask for them. */
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { reportFolder, reportPath } from '../../src/reports/tests/reportPath.ts'

let id = 0
const pathOf = (file: string, names: readonly string[], chain = 1, of = { id: String(++id) }) =>
  reportPath('reports', { ...of, file: join(process.cwd(), file), names }, chain).replaceAll('\\', '/')

describe('the path of a report', () => {
  it.each([
    [['Token', 'is paid'], 'Token-is-paid'],
    [['a/b\\c', '<d>: "e"? *|'], 'a-b-c-d-e'],
    [['..', '.hidden.'], 'hidden'],
    [['Über 3 €: 数'], 'Über-3-数'],
    [['con'], 'con-'],
    [['???'], '-'],
  ])('has the names %j as %s', (names, expected) => {
    expect(pathOf('test/names.test.ts', names)).toBe(`reports/test/names.test.ts/${expected}.html`)
  })

  it('has a name that is too long cut, at a character', () => {
    const [name] = pathOf('test/long.test.ts', ['数'.repeat(100)])
      .split('/')
      .slice(-1)
    expect(name).toBe(`${'数'.repeat(66)}.html`)
  })

  it('is another for each test and chain, and the same for each try of a test', () => {
    const of = { id: 'of one' }
    const file = 'test/same.test.ts'
    const first = pathOf(file, ['a b'], 1, of)
    expect(pathOf(file, ['A (b)'])).toBe('reports/test/same.test.ts/A-b-2.html')
    expect(pathOf(file, ['a b'], 2, of)).toBe('reports/test/same.test.ts/a-b-chain-2.html')
    expect(pathOf(file, ['a b'], 1, of)).toBe(first)
  })

  it('is within the folder, wherever the test is, and has the project', () => {
    expect(pathOf('../other/x.test.ts', ['a'])).toBe('reports/other/x.test.ts/a.html')
    const test = { id: 'p', project: 'web (chromium)', file: join(process.cwd(), 'x.test.ts'), names: ['a'] }
    expect(reportPath('reports', test, 1)).toBe(join('reports', 'web-chromium', 'x.test.ts', 'a.html'))
  })
})

describe('reports are written', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it.each([
    [undefined, undefined, undefined],
    [true, undefined, 'preseal-reports'],
    ['out', undefined, 'out'],
    [undefined, '1', 'preseal-reports'],
    [undefined, 'true', 'preseal-reports'],
    [undefined, 'out', 'out'],
    [undefined, '', undefined],
    [undefined, '0', undefined],
    [undefined, 'false', undefined],
    [false, '1', undefined],
    ['out', 'other', 'out'],
  ])('with the option %s and the variable %s in %s', (option, variable, expected) => {
    vi.stubEnv('PRESEAL_REPORT_ON_FAILURE', variable)
    expect(reportFolder(option)).toBe(expected)
  })
})
