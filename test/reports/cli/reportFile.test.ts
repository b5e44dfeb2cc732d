/** `preseal report`: its flags, and which files it takes and writes. The document is told in test/flows/reportDocument.test.ts. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandOf } from '../../../src/cli/command.ts'
import { subcommandOf } from '../../../src/cli/features.ts'
import { reportArguments } from '../../../src/reports/cli/feature.ts'
import { writeReport } from '../../../src/reports/cli/reportFile.ts'
import { minedSession } from '../../support/chains/minedSession.ts'

let folder: string
let recording: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-report-'))
  recording = await minedSession()
})
afterAll(() => rm(folder, { recursive: true }))

const args = (...words: string[]) =>
  reportArguments(commandOf(['node', 'preseal', 'report', ...words]), undefined)

describe('the flags of preseal report', () => {
  it.each([
    [['a/x.preseal'], { file: 'a/x.preseal', output: 'a/x.html', isForced: false, isPageOpened: false }],
    [['x'], { file: 'x', output: 'x.html', hasNames: true, artifacts: undefined }],
    [['x', '--artifacts', 'out'], { hasNames: true, artifacts: ['out'] }],
    [['x', '--no-artifacts'], { hasNames: false }],
    [['./.hidden/x', '-o', 'y.html', '--force'], { output: 'y.html', isForced: true }],
    [['x.preseal', '--output', 'y', '--open', '--json'], { output: 'y', isPageOpened: true, format: 'json' }],
  ])('%j are taken', (words, expected) => {
    expect(args(...words)).toMatchObject(expected)
  })

  it('are of no other command', () => {
    expect(subcommandOf(commandOf(['node', 'preseal', 'replay', 'x']))?.name).toBe('replay')
    expect(subcommandOf(commandOf(['node', 'preseal', 'report', 'x']))?.name).toBe('report')
  })
})

describe('preseal report', () => {
  const refusal = (file: string, ...words: string[]) =>
    writeReport(args(file, ...words), { print: () => {}, warn: () => {} }).catch((error) => error.message)

  it('refuses a file that is no recording as a replay does, and writes nothing', async () => {
    const file = join(folder, 'other.preseal')
    await writeFile(file, 'hello\n')
    expect(await refusal(file)).toContain(
      `report ${file}: line 1: expected a recording of preseal (--record, devnet.record), got "hello"`,
    )
    // The name of its report would be its own.
    const page = join(folder, 'page.html')
    await writeFile(page, '<!doctype html>')
    expect(await refusal(page)).toContain('line 1: expected a recording of preseal')
    const newer = join(folder, 'newer.preseal')
    await writeFile(newer, recording.replace('"version":1,"by":"0.1.0"', '"version":2,"by":"9.0.0"'))
    expect(await refusal(newer)).toMatch(
      /version: expected 1, the only one that preseal \S+ reads, and preseal 9.0.0 wrote it, got 2$/,
    )
    const begun = join(folder, 'begun.preseal')
    await writeFile(begun, recording.slice(0, 60))
    expect(await refusal(begun)).toContain(
      'line 1: expected a complete line, got a recording that is truncated in this line',
    )
    const missing = join(folder, 'missing.preseal')
    expect(await refusal(missing)).toContain(`report ${missing}: there is no such file`)
    expect((await readdir(folder)).filter((name) => name.includes('.html'))).toEqual(['page.html'])
  })

  it('replaces no file that exists, but with --force, and never the recording', async () => {
    const file = join(folder, 'session.preseal')
    const output = join(folder, 'session.html')
    await writeFile(file, recording)
    await writeFile(output, 'kept')
    expect(await refusal(file)).toContain(`--output ${output}: expected a new file`)
    expect(await refusal(file, '-o', file, '--force')).toContain('expected a file other than the recording')
    expect(await readFile(output, 'utf8')).toBe('kept')
    expect(await readFile(file, 'utf8')).toBe(recording)
  })
})
