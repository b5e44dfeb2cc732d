/** How the command line ends: what was asked for is written, or it is said what is not; and before it begins, that it can be. */
import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { askAt } from '../support/clients/askAt.ts'
import { temporaryFolder } from '../support/processes/files.ts'
import { PRESEAL, Running, startCli } from '../support/processes/process.ts'

const running: Running[] = []

afterEach(() => {
  for (const process of running.splice(0)) process.kill('SIGKILL')
})

function start(...flags: string[]): Running {
  const process = startCli('--port', '0', '--rhythm', 'manual', ...flags)
  running.push(process)
  return process
}

/** The URL of a devnet that was started with `--json` or without. */
async function urlOf(process: Running): Promise<string> {
  const [, port] = await process.printed(/(?:Listening on 127\.0\.0\.1:|"port":)(\d+)/)
  return `http://127.0.0.1:${port}`
}

describe('files that cannot be written', () => {
  it.each(['--state', '--dump-state', '--export', '--export-genesis', '--record'])(
    'are refused before anything runs: %s',
    async (flag) => {
      const at = await temporaryFolder()
      await writeFile(at('fixture.mjs'), 'export default () => console.log("it runs")')
      await writeFile(at('file'), 'x')
      await mkdir(at('folder', 'state.json'), { recursive: true })
      const isState = flag === '--state' || flag === '--dump-state'
      const refusals: [path: string, why: string][] = [
        [at('none', 'x'), `${flag} ${at('none', 'x')}: there is no folder ${at('none')}`],
        [at('file', 'x'), `${flag} ${at('file', 'x')}: ${at('file')} is not a folder`],
        // Of a folder its state.json is meant, as anvil has it.
        [
          at('folder'),
          `${flag} ${isState ? at('folder', 'state.json') : at('folder')}: expected a file, got a folder`,
        ],
        ['/proc/x', `${flag} /proc/x: `],
      ]
      for (const [path, why] of refusals) {
        const { code, stdout, stderr } = await start('--fixture', at('fixture.mjs'), flag, path).ended
        expect(stderr).toContain(`preseal: ${why}`)
        expect(stderr).not.toMatch(/\n\s+at /)
        expect([code, stdout]).toEqual([1, ''])
      }
    },
  )

  it('are refused where two flags name the same one', async () => {
    const at = await temporaryFolder()
    await writeFile(at('x'), 'before')
    await symlink(at('x'), at('link'))
    for (const [one, other] of [
      [at('x'), at('x')],
      [at('x'), at('link')],
    ] as const) {
      const { code, stderr } = await start('--export', one, '--export-genesis', other).ended
      expect(stderr).toContain(
        `preseal: --export-genesis ${other}: expected a different file from that of --export`,
      )
      expect(code).toBe(1)
    }
  })

  it('a file that is there stays as it is until there is something to write, and nothing is left beside it', async () => {
    const at = await temporaryFolder()
    for (const name of ['state', 'blocks', 'genesis']) await writeFile(at(name), 'before')
    const flags = ['--dump-state', at('state'), '--export', at('blocks'), '--export-genesis', at('genesis')]
    const devnet = start(...flags)
    await urlOf(devnet)
    expect(await readFile(at('state'), 'utf8')).toBe('before')
    expect(await readFile(at('blocks'), 'utf8')).toBe('before')
    expect((await readdir(at())).sort()).toEqual(['blocks', 'genesis', 'state'])
    devnet.kill('SIGKILL')
  })

  it('a device is written as it is', async () => {
    const devnet = start('--export', '/dev/null', '--export-genesis', '/dev/null/')
    expect((await devnet.ended).stderr).toContain('/dev/null')
    const other = start('--export', '/dev/null')
    await askAt(await urlOf(other), 'evm_mine')
    other.kill('SIGTERM')
    expect((await other.ended).code).toBe(0)
    expect((await import('node:fs')).statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  it('that are lost while it ran keep the others from nothing, and the code is 1', async () => {
    const at = await temporaryFolder()
    await mkdir(at('gone'))
    await mkdir(at('kept'))
    for (const [lost, kept] of [
      ['--state', '--export'],
      ['--export', '--state'],
    ] as const) {
      await mkdir(at('gone'), { recursive: true })
      await rm(at('kept', 'x'), { force: true })
      const devnet = start(lost, at('gone', 'x'), kept, at('kept', 'x'), '--export-genesis', at('gone', 'g'))
      await askAt(await urlOf(devnet), 'evm_mine')
      await rm(at('gone'), { recursive: true })
      devnet.kill('SIGTERM')
      const { code, stderr } = await devnet.ended
      expect(stderr).toContain(
        `preseal: ${lost} ${at('gone', 'x')}: there is no such file or directory\npreseal: `,
      )
      expect(stderr).toContain(
        `preseal: --export-genesis ${at('gone', 'g')}: there is no such file or directory\n`,
      )
      expect(code).toBe(1)
      expect((await readFile(at('kept', 'x'))).length).toBeGreaterThan(100)
    }
  })
})

describe('signals', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)('%s writes the state', async (signal) => {
    const at = await temporaryFolder()
    const devnet = start('--state', at('state.json'))
    await askAt(await urlOf(devnet), 'anvil_mine', '0x7')
    // npm passes on what its terminal has sent to all of them: one Ctrl-C comes as two signals, here at the same time.
    devnet.kill('SIGSTOP')
    devnet.kill(signal)
    devnet.kill(signal === 'SIGINT' ? 'SIGTERM' : 'SIGINT')
    devnet.kill('SIGCONT')
    expect((await devnet.ended).code).toBe(0)
    const again = start('--state', at('state.json'))
    expect(await askAt(await urlOf(again), 'eth_blockNumber')).toBe('0x7')
  })

  it('are heard while a million blocks are mined, and the state is written', async () => {
    const at = await temporaryFolder()
    const devnet = start('--state', at('state.json'), '--history', '10')
    const url = await urlOf(devnet)
    const mining = askAt(url, 'anvil_mine', '0xf4240').catch(() => 'cut')
    await expect.poll(async () => Number(await askAt(url, 'eth_blockNumber'))).toBeGreaterThan(0)
    devnet.kill('SIGTERM')
    expect((await devnet.ended).code).toBe(0)
    await mining
    const again = start('--state', at('state.json'), '--history', '10')
    const mined = Number(await askAt(await urlOf(again), 'eth_blockNumber'))
    expect(mined).toBeGreaterThan(0)
    expect(mined).toBeLessThan(1_000_000)
  })

  it('a second one ends at once, and says that something is lost', async () => {
    const at = await temporaryFolder()
    await writeFile(
      at('slow.mjs'),
      // What is never done keeps what comes after it waiting.
      `export default (devnet) => { devnet.close = () => new Promise(() => setInterval(() => {}, 1000)) }`,
    )
    const devnet = start('--fixture', at('slow.mjs'), '--state', at('state.json'))
    await urlOf(devnet)
    devnet.kill('SIGTERM')
    await expect
      .poll(() => devnet.stderr)
      .toContain('preseal: stopping after the current work; press Ctrl-C again to stop immediately\n')
    devnet.kill('SIGINT')
    const { code, stderr } = await devnet.ended
    expect(stderr).toContain('preseal: stopped immediately by a second signal: unwritten data is lost\n')
    expect(code).toBe(130)
  })
})

describe('a console that nobody reads', () => {
  /** Starts it with its output in a pipe that is not read; `close` closes the pipe. */
  function unread(...flags: string[]) {
    const child = spawn(PRESEAL[0], [PRESEAL[1], '--port', '0', '--rhythm', 'instant', '--json', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const process = new Running(child)
    running.push(process)
    return { process, pause: () => child.stdout.pause(), close: () => child.stdout.destroy(), child }
  }

  it('that is closed does not end the chain, nor what is written at its end', async () => {
    const at = await temporaryFolder()
    const { process, close } = unread('--state', at('state.json'))
    const url = await urlOf(process)
    close()
    const [from] = (await askAt(url, 'eth_accounts')) as string[]
    for (let i = 0; i < 5; i++) await askAt(url, 'eth_sendTransaction', { from, to: from })
    expect(await askAt(url, 'eth_blockNumber')).toBe('0x5')
    process.kill('SIGTERM')
    await expect.poll(() => readFile(at('state.json')).catch(() => undefined)).toBeDefined()
  })

  it('that is full does not slow the chain down', async () => {
    const { process, pause } = unread()
    const url = await urlOf(process)
    pause()
    const [from] = (await askAt(url, 'eth_accounts')) as string[]
    // More than a pipe holds.
    const data = `0x${'00'.repeat(2_000)}`
    for (let i = 0; i < 500; i++) await askAt(url, 'eth_sendTransaction', { from, to: from, data })
    expect(await askAt(url, 'eth_blockNumber')).toBe('0x1f4')
  })
})
