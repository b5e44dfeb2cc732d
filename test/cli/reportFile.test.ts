/** `preseal report`: a recording as a document that a browser shows by itself. What it shows is told in test/page/stories. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportOf } from '../../src/cli/flags.ts'
import { ReportNotBuilt, reportDocument } from '../../src/cli/reportDocument.ts'
import { writeReport } from '../../src/cli/reportFile.ts'
import { createDevnet } from '../../src/index.ts'

let folder: string
let recording: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-report-'))
  const devnet = await createDevnet({ rhythm: 'manual' })
  const recorded = await devnet.record()
  await devnet.mine()
  await devnet.close()
  recording = recorded.text
  await mkdir(join(folder, 'page/report'), { recursive: true })
  await mkdir(join(folder, 'page/assets'))
  await writeFile(join(folder, 'page/assets/theme.js'), 'theme()')
  await writeFile(join(folder, 'page/report/report.js.gz'), gzipSync('show()'))
  await writeFile(join(folder, 'page/report/report.css.gz'), gzipSync('p {}'))
})
afterAll(() => rm(folder, { recursive: true }))

const args = (...words: string[]) => reportOf(['node', 'preseal', 'report', ...words])

describe('the flags of preseal report', () => {
  it.each([
    [['a/x.preseal'], { file: 'a/x.preseal', output: 'a/x.html', isForced: false, isPageOpened: false }],
    [['x'], { file: 'x', output: 'x.html' }],
    [['./.hidden/x', '-o', 'y.html', '--force'], { output: 'y.html', isForced: true }],
    [['x.preseal', '--output', 'y', '--open', '--json'], { output: 'y', isPageOpened: true, report: 'json' }],
  ])('%j are taken', (words, expected) => {
    expect(args(...words)).toMatchObject(expected)
  })

  it('are of no other command', () => {
    expect(reportOf(['node', 'preseal', 'replay', 'x'])).toBeUndefined()
  })
})

describe('the document', () => {
  const document = (name: string) => reportDocument(Buffer.from(recording), name, join(folder, 'page'))
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

  it('allows its own scripts and style by their hashes, and no request', async () => {
    const text = await document('x')
    const [, policy] = /http-equiv="content-security-policy" content="([^"]*)"/.exec(text)!
    const rules = policy!.split('; ')
    expect(rules).toContain("default-src 'none'")
    expect(rules).toContain(`script-src ${hash('show()')} ${hash('theme()')} 'wasm-unsafe-eval'`)
    expect(rules).toContain(`style-src ${hash('p {}')}`)
    expect(policy).not.toMatch(/unsafe-inline|connect-src|https?:/)
  })

  it('contains the recording, whole', async () => {
    const [, bytes, session] = /data-bytes="(\d+)">([A-Za-z0-9+/=]+)<\/script>/.exec(await document('x'))!
    expect(Number(bytes)).toBe(recording.length)
    expect(gunzipSync(Buffer.from(session!, 'base64')).toString()).toBe(recording)
  })

  it('has a hostile name of the file as text', async () => {
    const text = await document('"><script>alert(1)</script>&.preseal')
    expect(text).not.toContain('alert(1)</script>')
    expect(text).toContain('<title>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;.preseal')
  })

  it('is refused in words where the page was not built', async () => {
    const missing = reportDocument(Buffer.from(recording), 'x', join(folder, 'nowhere'))
    await expect(missing).rejects.toThrow(ReportNotBuilt)
    await expect(missing).rejects.toThrow('npm run build')
  })
})

describe('preseal report', () => {
  const refusal = (file: string, ...words: string[]) =>
    writeReport(
      args(file, ...words)!,
      () => {},
      () => {},
    ).catch((error) => error.message)

  it('refuses a file that is no recording as a replay does, and writes nothing', async () => {
    const file = join(folder, 'other.preseal')
    await writeFile(file, 'hello\n')
    expect(await refusal(file)).toContain(
      `report ${file}: line 1: expected a recording of preseal (--record, devnet.record), got "hello"`,
    )
    const missing = join(folder, 'missing.preseal')
    expect(await refusal(missing)).toContain(`report ${missing}: there is no such file`)
    expect((await readdir(folder)).filter((name) => name.includes('.html'))).toEqual([])
  })

  it('replaces no file that exists, but with --force, and never the recording', async () => {
    const file = join(folder, 'session.preseal')
    const output = join(folder, 'session.html')
    await writeFile(file, recording)
    await writeFile(output, 'kept')
    expect(await refusal(file)).toContain(`--output ${output}: expected a new file`)
    expect(await refusal(file, '-o', file, '--force')).toContain('expected another file than the recording')
    expect(await readFile(output, 'utf8')).toBe('kept')
    expect(await readFile(file, 'utf8')).toBe(recording)
  })
})
