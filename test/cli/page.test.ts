/** The page of the command line: where it says that it is, how it is left out, and the browser that it opens. */
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Invocation } from '../../src/cli/invocation.ts'
import { parseFlags } from '../../src/cli/invocation.ts'
import { reachableUrl } from '../../src/server/origins.ts'
import { SOON } from '../support/clients/until.ts'
import { PRESEAL, type Running, startNode } from '../support/processes/process.ts'

const parse = (...flags: string[]): Invocation => parseFlags(['node', 'preseal', ...flags])

describe('the flags of the page', () => {
  it.each([
    [[], { page: undefined, isPageOpened: false }],
    [['--no-page'], { page: false, isPageOpened: false }],
    [['--read-only-page'], { page: 'read-only', isPageOpened: false }],
    [['--open'], { page: undefined, isPageOpened: true }],
    [['serve', '--open', '--read-only-page'], { page: 'read-only', isPageOpened: true }],
    [['replay', 'x.preseal', '--keep', '--no-page'], { page: false, isPageOpened: false }],
    [['--strict', '--read-only-page', '--open'], { page: 'read-only', isPageOpened: true }],
  ])('%j are taken', (flags, expected) => {
    expect(parse(...flags)).toMatchObject(expected)
  })

  it.each([
    [['--no-page', '--open'], '--open: cannot be combined with --no-page'],
    [['--no-page', '--read-only-page'], '--read-only-page: cannot be combined with --no-page'],
    [['--strict', '--open'], '--open: cannot be combined with --strict, which serves no page'],
  ])('%j are refused', (flags, message) => {
    expect(() => parse(...flags)).toThrow(message)
  })

  it('may stand in a configuration file, and are overridden by the command line', () => {
    const config = { file: 'preseal.config.ts', options: {}, flags: { page: false } }
    expect(parseFlags(['node', 'preseal'], config).page).toBe(false)
    const readOnly = { ...config, flags: { readOnlyPage: true, open: true } }
    expect(parseFlags(['node', 'preseal'], readOnly)).toMatchObject({ page: 'read-only', isPageOpened: true })
  })
})

describe('reachableUrl', () => {
  it.each([
    ['0.0.0.0', 'http://0.0.0.0:8545', 'http://127.0.0.1:8545'],
    ['::', 'http://[::]:8545', 'http://127.0.0.1:8545'],
    ['::1', 'http://[::1]:8545', 'http://[::1]:8545'],
    ['devnet.test', 'http://devnet.test:80', 'http://devnet.test:80'],
  ])('of a listener on %s leads to this machine', (host, url, expected) => {
    expect(reachableUrl({ host, url })).toBe(expected)
  })
})

/** Starts `preseal` where `xdg-open` is a script of these lines, or is not there. */
async function start(flags: readonly string[], launcher?: string): Promise<{ cli: Running; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'preseal-'))
  if (launcher !== undefined) {
    await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\n${launcher}\n`)
    await chmod(join(folder, 'xdg-open'), 0o755)
  }
  const path = launcher === undefined ? folder : [folder, process.env.PATH].join(delimiter)
  const [, script] = PRESEAL
  const cli = startNode([script, ...flags, '--port', '0'], {
    ...process.env,
    PATH: path,
    NO_COLOR: '1',
    FOLDER: folder,
  })
  onTestFinished(() => cli.kill('SIGKILL'))
  return { cli, folder }
}

describe('preseal', () => {
  it('says where its page is', async () => {
    const { cli } = await start([])
    const [, page, port] = await cli.printed(/^Page at (http:\/\/127\.0\.0\.1:(\d+)\/)\nListening on/m)
    const answer = await fetch(page!, { headers: { accept: 'text/html' } })
    // The bundle of these tests has no page.
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining('the page is not built'),
    ])
    expect(page).toBe(`http://127.0.0.1:${port}/`)
  })

  it('says it in JSON, too, but where there is none', async () => {
    const listening = async (...flags: string[]) => {
      const { cli } = await start(['--json', ...flags])
      return JSON.parse((await cli.printed(/^\{"event":"listening".*\}$/m))[0])
    }
    const { url, page } = await listening()
    expect(page).toBe(`${url}/`)
    for (const flag of ['--no-page', '--strict']) {
      const without = await listening(flag)
      expect(without).not.toHaveProperty('page')
      expect((await fetch(without.url, { headers: { accept: 'text/html' } })).status).toBe(405)
    }
  })

  it('serves the page of all chains', async () => {
    const { cli } = await start(['serve'])
    await cli.printed(/^Page at http:\/\/127\.0\.0\.1:\d+\/, and at the URL of each chain\nListening on/m)
  })
})

describe.runIf(process.platform === 'linux')('--open', () => {
  it('opens the page in the default browser', async () => {
    const { cli, folder } = await start(['--open'], 'printf %s "$1" > "$FOLDER/opened"')
    const [, page] = await cli.printed(/^Page at (\S+)$/m)
    const opened = () => readFile(join(folder, 'opened'), 'utf8').catch(() => '')
    await vi.waitUntil(async () => (await opened()) === page, SOON)
    expect(cli.stderr).toBe('')
  })

  it.each([
    ['is not there', undefined],
    ['finds no browser', 'exit 3'],
  ])('says where the page is if what opens it %s, and goes on', async (_name, launcher) => {
    const { cli } = await start(['--open'], launcher)
    const [, page] = await cli.printed(/^Page at (\S+)$/m)
    await vi.waitUntil(() => cli.stderr.endsWith('\n'), SOON)
    expect(cli.stderr).toBe(`preseal: --open: no browser could be opened; the page is at ${page}\n`)
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
    const answer = await fetch(page!, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(await answer.json()).toMatchObject({ result: '0x7a69' })
  })
})
