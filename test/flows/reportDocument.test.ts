/** The document of a report: what is in it. What it shows is told in test/page/stories. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ReportNotBuilt, reportDocument } from '../../src/reports/reportDocument.ts'
import { minedSession } from '../support/chains/minedSession.ts'

let folder: string
let recording: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-report-'))
  recording = await minedSession()
  await mkdir(join(folder, 'page/report'), { recursive: true })
  await mkdir(join(folder, 'page/assets'))
  await writeFile(join(folder, 'page/assets/theme.js'), 'theme()')
  await writeFile(join(folder, 'page/report/report.js.gz'), gzipSync('show()'))
  await writeFile(join(folder, 'page/report/report.css.gz'), gzipSync('p {}'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the document', () => {
  const document = (name: string) =>
    reportDocument(Buffer.from(recording), name, { folder: join(folder, 'page') })
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
    const missing = reportDocument(Buffer.from(recording), 'x', { folder: join(folder, 'nowhere') })
    await expect(missing).rejects.toThrow(ReportNotBuilt)
    await expect(missing).rejects.toThrow('npm run build')
  })
})
