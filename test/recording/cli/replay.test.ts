/** `--record` and `preseal replay`: a bug report in one file, whatever ended the process that wrote it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { commandOf } from '../../../src/cli/command.ts'
import { replayArguments } from '../../../src/recording/cli/replay.ts'
import { askAt } from '../../support/clients/askAt.ts'
import { STRANGER } from '../../support/clients/clients.ts'
import { type Ended, type Running, startCli, withoutProgress } from '../../support/processes/process.ts'

const running: Running[] = []
let folder: string
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preseal-replay-'))
})
afterEach(() => {
  for (const process of running.splice(0)) process.kill('SIGKILL')
})
afterAll(() => rm(folder, { recursive: true }))

function fresh(): string {
  return join(folder, `${files++}.jsonl`)
}

function start(...flags: string[]): Running {
  const process = startCli(...flags)
  running.push(process)
  return process
}

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>

/** Where a devnet listens, and how to ask it. */
async function listening(process: Running): Promise<{ url: string; ask: Ask }> {
  const [line] = await process.printed(/^\{"event":"listening".*\}$/m)
  const { url } = JSON.parse(line)
  return { url, ask: (method, ...params) => askAt(url, method, ...params) }
}

/** A session of clients, on a devnet that records it and is ended by `signal`. Answers the file. */
async function recorded(signal: NodeJS.Signals, ...flags: string[]): Promise<string> {
  const file = fresh()
  const process = start('--port', '0', '--json', '--tick', '20', '--record', file, ...flags)
  const { ask } = await listening(process)
  const [from] = (await ask('eth_accounts')) as string[]
  for (let i = 0; i < 5; i++) {
    await Promise.all([
      ask('eth_sendTransaction', { from, to: STRANGER, value: '0x1' }),
      ask('eth_getBalance', STRANGER, 'pending'),
      ask('eth_getBlockByNumber', 'pending', true),
    ])
  }
  await ask('evm_mine')
  await ask('eth_getBalance', STRANGER, 'latest')
  // What was written may be on its way for a turn of the event loop.
  while (!(await readFile(file, 'utf8')).includes('"latest"],"result"')) await sleep(1)
  process.kill(signal)
  await process.ended
  return file
}

/** What a replay prints, without the lines of progress that a slow machine adds. */
async function replayed(...flags: string[]): Promise<Ended> {
  return withoutProgress(await start('replay', ...flags).ended)
}

async function changed(file: string, change: (text: string) => string): Promise<string> {
  const other = fresh()
  await writeFile(other, change(await readFile(file, 'utf8')))
  return other
}

describe('a session that was recorded', () => {
  it('is played again without a difference', async () => {
    const file = await recorded('SIGTERM')
    const { code, stdout, stderr } = await replayed(file)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^\d+ requests and [\d,]+ ticks: no difference\n$/)
    expect(code).toBe(0)
  })

  it('is announced when it begins, with its file', async () => {
    const file = fresh()
    const process = start('--port', '0', '--record', file)
    await process.printed(/^Listening/m)
    process.kill('SIGTERM')
    const line = `recording to ${file} (\`preseal replay ${file}\` repeats it)\n`
    expect((await process.ended).stdout.startsWith(line)).toBe(true)
    const next = start('--port', '0', '--json', '--record', file)
    const [told] = await next.printed(/^\{"event":"recording".*\}$/m)
    expect(JSON.parse(told)).toEqual({ event: 'recording', file, earlier: `${file}.old` })
  })

  it('is kept under another name where the next one has the same', async () => {
    const file = await recorded('SIGTERM')
    const before = await readFile(file, 'utf8')
    const { code, stdout } = await start('--record', file, '--fixture', join(file, 'nowhere.ts')).ended
    expect(code).not.toBe(0)
    expect(stdout).toContain(`recording to ${file}; the earlier one is ${file}.old (`)
    expect(await readFile(`${file}.old`, 'utf8')).toBe(before)
  })

  it('is played as far as it is whole, where the process was killed', async () => {
    const file = await recorded('SIGKILL')
    const cut = await changed(file, (text) => text.slice(0, -3))
    for (const killed of [file, cut]) {
      const { code, stdout } = await replayed(killed)
      expect(stdout).toMatch(
        /^the recording was cut off after line \d+: .*\n\d+ requests and [\d,]+ ticks: no difference\n$/,
      )
      expect(code).toBe(3)
    }
  })

  it('is not played to a line that it does not have', async () => {
    const file = await recorded('SIGTERM')
    const lines = (await readFile(file, 'utf8')).split('\n').length - 1
    expect(await replayed(file, '--until', String(lines))).toMatchObject({ code: 0 })
    const cut = await changed(file, (text) => text.slice(0, -3))
    for (const [other, end] of [
      [file, `${lines}, its last`],
      [cut, `${lines - 1}, where it was cut off`],
    ] as const) {
      expect(await replayed(other, '--until', String(lines + 1))).toEqual({
        code: 2,
        stdout: '',
        stderr: `preseal: --until: expected a line of the recording, up to ${end}; got ${lines + 1}\n`,
      })
    }
  })

  it('shows the first difference, for people and for programs', async () => {
    const file = await recorded('SIGINT')
    const text = await readFile(file, 'utf8')
    const line = text.slice(0, text.indexOf('"latest"],"result"')).split('\n').length
    const other = await changed(file, () =>
      text.replace('"latest"],"result":"0x5"', '"latest"],"result":"0x7"'),
    )
    const { code, stdout } = await replayed(other)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      new RegExp(
        `ticks: a difference in line ${line}, request \\d+, after tick \\d+ \\(block \\d+, .*Z\\)\n` +
          `  eth_getBalance \\["${STRANGER}","latest"\\]\n  result\n    recorded "0x7"\n    answered "0x5"\n`,
      ),
    )
    const json = await replayed(other, '--json')
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({
      event: 'replayed',
      file: other,
      ending: 'stopped',
      difference: { line, method: 'eth_getBalance', path: 'result', recorded: '0x7', answered: '0x5' },
    })
    expect(await replayed(other, '--silent')).toEqual({ code: 1, stdout: '', stderr: '' })
  })

  it('differs where an option is another', async () => {
    const file = await recorded('SIGTERM')
    const { code, stdout } = await replayed(file, '--ticks-per-block', '7')
    expect(stdout).toContain('a difference in line')
    expect(code).toBe(1)
    expect(await replayed(file, '--chain-id', '5')).toMatchObject({ code: 2 })
  })

  it('is kept before a line, to look around', async () => {
    const file = await recorded('SIGTERM')
    const text = await readFile(file, 'utf8')
    const line = text.slice(0, text.indexOf('"method":"evm_mine"')).split('\n').length
    const process = start('replay', file, '--until', String(line), '--keep', '--port', '0', '--json')
    const { ask } = await listening(process)
    expect(await ask('eth_getBalance', STRANGER, 'pending')).toMatch(/^0x[1-5]$/)
    const number = await ask('eth_blockNumber')
    await sleep(100)
    expect(await ask('eth_blockNumber')).toBe(number)
    process.kill('SIGTERM')
    expect(await process.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"ending":"stopped"'),
    })
  })

  it('is asked of another node', async () => {
    const file = await recorded('SIGTERM')
    const { url } = await listening(start('--port', '0', '--rhythm', 'manual', '--json', '--chain-id', '5'))
    const { code, stdout } = await replayed(file, '--url', url)
    expect(stdout).toMatch(/^sent to http.*, without the ticks, the time and the calls in process\n/)
    expect(stdout).toContain('a difference in line')
    expect(code).toBe(1)
    expect(await replayed(file, '--url', 'http://127.0.0.1:1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('preseal: --url http://127.0.0.1:1: no JSON in the response: '),
    })
  })
})

it('a recording that cannot be written, or read, ends at once', async () => {
  const nowhere = join(folder, 'no', 'such.jsonl')
  expect(await start('--port', '0', '--record', nowhere).ended).toMatchObject({
    code: 1,
    stderr: `preseal: --record ${nowhere}: there is no folder ${join(folder, 'no')}\n`,
  })
  expect(await replayed(nowhere)).toMatchObject({
    code: 1,
    stderr: `preseal: replay ${nowhere}: there is no such file or directory\n`,
  })
  expect(await replayed(folder)).toMatchObject({
    code: 1,
    stderr: `preseal: replay ${folder}: expected a file, got a folder\n`,
  })
  const file = fresh()
  await writeFile(file, 'hello\n')
  expect(await replayed(file)).toMatchObject({
    code: 1,
    stderr: `preseal: replay ${file}: line 1: expected a recording of preseal (--record, devnet.record), got "hello"\n`,
  })
})

it.each([
  ['--init', '--init', 1],
  ['--import', '--import', 1],
  ['--faults', '--faults', 1],
  ['--fixture', 'fixture', 1],
  ['--config', 'config', 2],
])('a folder in place of the file of %s is named as one', async (flag, name, code) => {
  expect(await start('--port', '0', flag, folder).ended).toEqual({
    code,
    stdout: '',
    stderr: `preseal: ${name} ${folder}: expected a file, got a folder\n`,
  })
})

it('flags that cannot be are refused', () => {
  const parse = (...flags: string[]) =>
    replayArguments(commandOf(['node', 'preseal', 'replay', 'x.jsonl', ...flags]), undefined)
  expect(parse('--until', '12', '--keep', '--dialect', 'geth')).toMatchObject({
    file: 'x.jsonl',
    url: undefined,
    until: 12,
    isKept: true,
    options: { dialect: 'geth' },
  })
  expect(() => parse('--until', 'x')).toThrow(
    '--until: expected a line (a whole number of at least 1), got "x"',
  )
  expect(() => parse('--url', 'x')).toThrow('--url: expected a URL, got "x"')
  expect(() => parse('--url', 'http://x', '--keep')).toThrow('--keep: cannot be combined with --url')
})
