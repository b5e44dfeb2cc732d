/** `preseal serve`, as a process of its own. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, http } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { parseFlags } from '../../src/cli/invocation.ts'
import { askAt } from '../support/clients/askAt.ts'
import { STRANGER } from '../support/clients/clients.ts'
import { SocketClient } from '../support/clients/socket.ts'
import { type Running, startCli, withoutProgress } from '../support/processes/process.ts'

const running: Running[] = []

function start(...flags: string[]): Running {
  const process = startCli('serve', '--port', '0', ...flags)
  running.push(process)
  return process
}

afterEach(() => {
  for (const process of running.splice(0)) process.kill('SIGKILL')
})

async function listening(process: Running) {
  const [line] = await process.printed(/^\{"event":"listening".*\}$/m)
  return JSON.parse(line)
}

const balanceOf = (url: string) => askAt(url, 'eth_getBalance', STRANGER, 'pending')

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'preseal-')), name)
  await writeFile(file, text)
  return file
}

describe('preseal serve', () => {
  it('says who has money, what the fixture made, and where chains are', async () => {
    const process = start('--fixture', 'fixtures/market.ts')
    const [, port] = await process.printed(/^Listening on 127\.0\.0\.1:(\d+)$/m)
    const url = `http://127.0.0.1:${port}`
    expect(process.stdout).toContain(`Chains at ${url}/c/<name>`)
    expect(process.stdout).toContain('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(process.stdout).toMatch(/^ {2}gold +0x[0-9a-fA-F]{40}$/m)
    expect(process.stdout).toContain(`curl ${url}/c/try `)
  })

  it('gives each chain the fixture and the profile, and what it did itself', async () => {
    const process = start('--fixture', 'fixtures/market.ts', '--profile', 'base-flashblocks', '--json')
    const { url, chains, fixtures } = await listening(process)
    expect(chains).toBe(`${url}/c/<name>`)
    const [{ values }] = fixtures
    const [alice, bob] = [`${url}/c/alice`, `${url}/c/bob`]
    for (const chain of [alice, bob]) {
      const client = createPublicClient({ transport: http(chain) })
      expect((await client.getCode({ address: values.gold }))?.length).toBeGreaterThan(2)
      // Of profile base-flashblocks alone: each block begins with a deposit.
      expect(
        (await askAt<{ transactions: string[] }>(chain, 'eth_getBlockByNumber', '0x1', false))
          .transactions[0],
      ).toMatch(/^0x/)
    }
    await askAt(alice, 'anvil_setBalance', STRANGER, '0x5')
    expect([await balanceOf(alice), await balanceOf(bob)]).toEqual(['0x5', '0x0'])
    await fetch(`${alice}/reset`, { method: 'POST' })
    expect(await balanceOf(alice)).toBe('0x0')
  })

  it('prints what happens with the name of its chain', async () => {
    const process = start('--rhythm', 'instant', '--json')
    const { url, accounts } = await listening(process)
    const send = (chain: string) =>
      askAt<string>(`${url}/c/${chain}`, 'eth_sendTransaction', { from: accounts[0].address, to: STRANGER })
    const hash = await send('alice')
    const [line] = await process.printed(/^\{"chain":"alice","event":"sealed".*\}$/m)
    expect(JSON.parse(line)).toMatchObject({ number: 1, transactions: [hash] })
    await fetch(`${url}/c/alice/reset`, { method: 'POST' })
    await send('bob')
    await process.printed(/^\{"chain":"bob","event":"sealed"/m)
    await send('alice')
    await process.printed(/(?:^\{"chain":"alice","event":"sealed".*\n(?:.*\n)*?){2}/m)
  })

  it('prints it for people, too', async () => {
    const process = start('--rhythm', 'instant')
    const [, port] = await process.printed(/^Listening on 127\.0\.0\.1:(\d+)$/m)
    const url = `http://127.0.0.1:${port}/c/alice`
    const [from] = await askAt<string[]>(url, 'eth_accounts')
    await askAt(url, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1' })
    await process.printed(/^alice {2}block 1 {2}1 transaction {2}21,000 gas/m)
  })

  it('plans the faults of a file on each chain, also after a reset', async () => {
    const faults = await fileOf(
      'faults.json',
      JSON.stringify([{ kind: 'rpcError', method: 'eth_gasPrice', code: -32001, message: 'on purpose' }]),
    )
    const { url } = await listening(start('--rhythm', 'manual', '--faults', faults, '--json'))
    for (const name of ['alice', 'bob']) {
      expect(await askAt(`${url}/c/${name}`, 'eth_gasPrice')).toBeUndefined()
      expect(await askAt(`${url}/c/${name}`, 'eth_gasPrice')).toMatch(/^0x/)
      await fetch(`${url}/c/${name}/reset`, { method: 'POST' })
      expect(await askAt(`${url}/c/${name}`, 'eth_gasPrice')).toBeUndefined()
    }
  })

  it('has room for so many chains as it is told', async () => {
    const { url } = await listening(start('--max-chains', '1', '--json'))
    expect((await fetch(`${url}/c/alice`, { method: 'PUT' })).status).toBe(201)
    expect((await fetch(`${url}/c/bob`, { method: 'PUT' })).status).toBe(503)
  })

  it('creates chains by PUT alone, if it is told so', async () => {
    const { url } = await listening(start('--no-create-on-request', '--json'))
    expect(await askAt(`${url}/c/alice`, 'eth_chainId')).toBeUndefined()
    await fetch(`${url}/c/alice`, { method: 'PUT' })
    expect(await askAt(`${url}/c/alice`, 'eth_chainId')).toBe('0x7a69')
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly with %s, whoever is connected', async (signal) => {
    const process = start('--json')
    const { url } = await listening(process)
    expect(await askAt(`${url}/c/alice`, 'eth_chainId')).toBe('0x7a69')
    const socket = await SocketClient.connect(`${url.replace('http', 'ws')}/c/alice`)
    process.kill(signal)
    expect(withoutProgress(await process.ended)).toMatchObject({ code: 0, stderr: '' })
    expect((await socket.closed).code).toBe(1001)
  })

  it('says which port is in use', async () => {
    const { port } = await listening(start('--json'))
    const second = startCli('serve', '--port', String(port))
    running.push(second)
    expect(await second.ended).toMatchObject({
      code: 1,
      stderr: `preseal: port ${port} on 127.0.0.1 is in use; choose another with --port, or 0 for a free one\n`,
    })
  })

  it('is told of by the help of preseal, and has one of its own', async () => {
    const [all, own] = await Promise.all([startCli('--help').ended, startCli('serve', '--help').ended])
    expect(all).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ {2}serve \[options\] +Many chains/m),
    })
    expect(own.code).toBe(0)
    for (const flag of ['--port', '--fixture', '--profile', '--load-state', '--max-chains']) {
      expect(own.stdout).toContain(`  ${flag} `)
    }
    // What is done when the one devnet ends cannot be asked of many.
    for (const flag of ['--dump-state', '--export', '--state ']) expect(own.stdout).not.toContain(`  ${flag}`)
  })

  it.each([
    [['serve', '--dump-state', 'x'], "error: unknown option '--dump-state'"],
    [['serve', 'alice'], 'error: too many arguments'],
    [
      ['serve', '--max-chains', '0'],
      'preseal: --max-chains: expected chains (a whole number from 1 to 1000000), got "0"',
    ],
    [['serve', '--tick', 'x'], 'preseal: --tick: expected milliseconds'],
    [['--rhythm', 'manual', 'serve'], 'preseal: --rhythm: must follow serve, not precede it'],
    [
      ['sevre'],
      'preseal: expected flags, or one of the commands serve, replay, report, explore, got "sevre"; did you mean serve?',
    ],
    [
      ['node'],
      'preseal: expected flags, or one of the commands serve, replay, report, explore, got "node"\n',
    ],
    [['serve', '--fork-retry-backoff', 'x'], '(In preseal: retries wait longer each time'],
  ])('refuses %j with code 2', async (flags, message) => {
    const { code, stderr } = await startCli(...flags).ended
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('the flags', () => {
  const parse = (...flags: string[]) => parseFlags(['node', 'preseal', ...flags])

  it('mean the same after serve as without it', () => {
    const flags = [
      '--port',
      '1',
      '--host',
      '::1',
      '--rhythm',
      'manual',
      '--fixture',
      'a',
      '--fixture',
      'b',
      '--json',
    ]
    const { serve, ...shared } = parse('serve', ...flags)
    expect({ ...shared, serve: undefined }).toEqual(parse(...flags))
    expect(serve).toBeDefined()
  })

  it('without serve are those of one devnet', () => {
    expect(parse().serve).toBeUndefined()
    expect(parse('--fixture', 'serve').serve).toBeUndefined()
  })
})
