/** The command line, as a process of its own. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { encodeFunctionData } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import { createDevnet } from '../../src/index.ts'
import { askAt } from '../support/clients/askAt.ts'
import { type Running, startCli } from '../support/processes/process.ts'

const running: Running[] = []

function start(...flags: string[]): Running {
  const process = startCli('--port', '0', ...flags)
  running.push(process)
  return process
}

afterEach(() => {
  for (const process of running.splice(0)) process.kill('SIGKILL')
})

async function fixtureFile(name: string, text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'preseal-')), name)
  await writeFile(file, text)
  return file
}

describe('preseal', () => {
  it('runs the market, prints accounts, keys, rhythm and three curl lines that answer when pasted', async () => {
    const devnet = start('--fixture', 'fixtures/market.ts')
    await devnet.printed(/^Listening on 127\.0\.0\.1:\d+$/m)
    expect(devnet.stdout).toContain('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(devnet.stdout).toContain('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
    expect(devnet.stdout).toContain('a slice every 200 ms, 1 per block')
    expect(devnet.stdout).toMatch(/^ {2}gold +0x[0-9a-fA-F]{40}$/m)
    expect(devnet.stdout).toContain(
      'mnemonic test test test test test test test test test test test junk, path m/',
    )
    const lines = devnet.stdout.match(/^ {2}curl .+$/gm) ?? []
    expect(lines).toHaveLength(3)
    expect(devnet.stdout.match(/^ {2}# .+\n {2}curl /gm)).toHaveLength(3)
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('bash', ['-c', line])
      const { result } = JSON.parse(stdout)
      expect(result.length).toBeGreaterThan(0)
    }
  })

  it('is listening when it says so, with the options that the flags set', async () => {
    const devnet = start(
      '--chain-id',
      '8453',
      '--accounts',
      '2',
      '--balance',
      '1.5',
      '--rhythm',
      'instant',
      '--json',
    )
    const [line] = await devnet.printed(/^\{"event":"listening".*\}$/m)
    const { url, accounts } = JSON.parse(line)
    expect(await askAt(url, 'eth_chainId')).toBe('0x2105')
    expect(await askAt(url, 'eth_accounts')).toHaveLength(2)
    expect(await askAt(url, 'eth_getBalance', accounts[0].address)).toBe(
      `0x${(15n * 10n ** 17n).toString(16)}`,
    )
  })

  it('says first what clients must be told where receipts come before the block is sealed, and else nothing', async () => {
    const early = /Receipts exist as soon as a transaction is pre-confirmed.*"pending"/
    const told = start('--receipts', 'preconfirmed')
    await told.printed(/^Listening/m)
    expect(told.stdout).toMatch(early)
    const json = start('--profile', 'op-flashblocks', '--json')
    const [line] = await json.printed(/^\{"event":"listening".*\}$/m)
    expect(JSON.parse(line).note).toMatch(early)
    const usual = start()
    await usual.printed(/^Listening/m)
    expect(usual.stdout).not.toMatch(early)
  })

  it('prints a line for each block with transactions, and under it why one failed', async () => {
    const fixture = await fixtureFile(
      'revert.mjs',
      `export default async (devnet) => {
        const [{ address: from }] = devnet.accounts
        // PUSH1 0 PUSH1 0 REVERT as init code: a creation that reverts without a reason
        await devnet.request({ method: 'eth_sendTransaction', params: [{ from, gas: '0x186a0', data: '0x60006000fd' }] })
      }`,
    )
    const devnet = start('--rhythm', 'manual', '--fixture', fixture)
    const [, address] = await devnet.printed(/^Listening on (.*)$/m)
    await askAt(`http://${address}`, 'evm_mine')
    await devnet.printed(/^block 1 {2}1 transaction {2}[\d,]+ gas {2}0x[0-9a-f]{64}$/m)
    await devnet.printed(
      /^ {2}failed 0x[0-9a-f]{64}: reverted: no reason given {2}0x[0-9a-fA-F]{40} → new 0x[0-9a-fA-F]{40} {2}\([\d,]+ gas\)$/m,
    )
  })

  it('runs several fixtures in their order, TypeScript and JavaScript', async () => {
    const first = await fixtureFile(
      'first.ts',
      'export default async (devnet: unknown): Promise<object> => ({ one: 1 })',
    )
    const second = await fixtureFile('second.js', 'export default () => ({ two: 2 })')
    const devnet = start('--fixture', first, '--fixture', second, '--json')
    const [line] = await devnet.printed(/^\{"event":"listening".*\}$/m)
    expect(JSON.parse(line).fixtures).toEqual([
      { file: first, values: { one: 1 } },
      { file: second, values: { two: 2 } },
    ])
  })

  it('says nothing under --silent, and still answers', async () => {
    const port = await freePort()
    const devnet = startCli('--port', String(port), '--silent')
    running.push(devnet)
    await expect
      .poll(() => askAt(`http://127.0.0.1:${port}`, 'eth_chainId').catch(() => undefined))
      .toBe('0x7a69')
    expect(devnet.stdout).toBe('')
  })

  it('prints the line `listening` and nothing else under --silent --json', async () => {
    const devnet = start('--silent', '--json', '--rhythm', 'instant')
    const [line] = await devnet.printed(/^.*\n/)
    const { event, url, accounts } = JSON.parse(line)
    expect(event).toBe('listening')
    const from = accounts[0].address
    await askAt(url, 'eth_sendTransaction', { from, to: from })
    await askAt(url, 'eth_nothing')
    devnet.kill('SIGTERM')
    expect(await devnet.ended).toEqual({ code: 0, stdout: line, stderr: '' })
  })

  it('prints the balance of the accounts as it was given, and a new mnemonic', async () => {
    const devnet = start('--balance', '1.5', '--mnemonic-random', '15')
    await devnet.printed(/^Listening/m)
    expect(devnet.stdout).toContain('1.5 ETH each')
    expect(devnet.stdout).toMatch(/^ {2}mnemonic (\w+ ){14}\w+, path m\/44'\/60'\/0'\/0$/m)
    expect(devnet.stdout).not.toContain('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
  })

  it.each([['0.0.0.0'], ['::']])(
    'warns where %s lets the network in, and prints lines to paste that work',
    async (host) => {
      const devnet = start('--host', host)
      await devnet.printed(/^Listening/m)
      const [, line] = await devnet.printed(/^ {2}(curl http:\/\/127\.0\.0\.1:\d+ .+)$/m)
      const { stdout } = await promisify(execFile)('bash', ['-c', line!])
      expect(JSON.parse(stdout).result).toMatch(/^0x/)
      expect(devnet.stderr).toContain(
        `preseal: warning: anyone on the network who can reach ${host} can send`,
      )
    },
  )

  it.each(['SIGINT', 'SIGTERM'] as const)('closes with code 0 on %s', async (signal) => {
    const devnet = start()
    await devnet.printed(/^Listening/m)
    devnet.kill(signal)
    expect((await devnet.ended).code).toBe(0)
  })

  it.each([
    [['--tick', 'soon'], '--tick: expected milliseconds (a whole number from 1 to 86400000), got "soon"'],
    [['--balance', '-1'], '--balance: expected ether, such as 10000 or 0.5, got "-1"'],
    [['--rhythm', 'fast'], '--rhythm: expected one of interval, manual, instant, got "fast"'],
    [['--history', '0'], '--history: expected blocks (a whole number from 1), got 0'],
    [['--mnemonic', 'abc'], '--mnemonic: expected words of the English BIP-39 list with a right checksum'],
    [['--port', '70000'], '--port: expected a port (a whole number from 0 to 65535), got "70000"'],
    [['--prot', '1'], "unknown option '--prot'\n(Did you mean --port?)"],
    [['--gas-limit', '1'], '--gas-limit: expected gas (a bigint or a whole number from 5000 to'],
    [
      ['--fork-retry-backoff=1'],
      "unknown option '--fork-retry-backoff'\n(In preseal: retries wait longer each time",
    ],
  ])('refuses %j with code 2 and says what would be right', async (flags, text) => {
    const { code, stderr } = await startCli(...flags).ended
    expect(stderr).toContain(text)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(code).toBe(2)
  })

  it('says that the port is in use, with code 1', async () => {
    const first = start()
    const [, port] = await first.printed(/^Listening on 127\.0\.0\.1:(\d+)$/m)
    const { code, stderr } = await startCli('--port', port!).ended
    expect(stderr).toContain(`port ${port} on 127.0.0.1 is in use`)
    expect(code).toBe(1)
  })

  it.each([
    ['missing.ts', undefined, 'there is no such file'],
    ['value.mjs', 'export default 5', 'expected `export default async (devnet) => values`, got number'],
    ['broken.mjs', 'export default (', 'cannot be loaded'],
    ['throws.mjs', 'export default () => { throw new Error("no money") }', 'failed: no money'],
  ])('says what is wrong with the fixture %s, with code 1', async (name, text, message) => {
    const file = text === undefined ? name : await fixtureFile(name, text)
    const { code, stderr } = await startCli('--fixture', file).ended
    expect(stderr).toContain(message)
    expect(code).toBe(1)
  })
})

describe('what contracts do', () => {
  /** A devnet whose fixture opens a shop with 3 things, where somebody wants 5 as soon as it listens. */
  async function shop(...flags: string[]): Promise<Running> {
    const fixture = await fixtureFile(
      'shop.ts',
      `import { encodeDeployData } from '${import.meta.resolve('viem')}'
      import { Shop } from '${new URL('../../fixtures/contracts/Shop.ts', import.meta.url)}'
      export default async (devnet) => {
        devnet.abis.add({ Shop })
        const from = devnet.accounts[0].address
        const data = encodeDeployData({ ...Shop, args: [3n] })
        await devnet.request({ method: 'eth_sendTransaction', params: [{ from, data }] })
      }`,
    )
    const devnet = start('--fixture', fixture, '--rhythm', 'instant', ...flags)
    const [, port] = await devnet.printed(/127\.0\.0\.1:(\d+)/)
    const data = encodeFunctionData({ abi: Shop.abi, functionName: 'buy', args: [5n, ''] })
    const [from, to] = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', SHOP]
    await askAt(`http://127.0.0.1:${port}`, 'eth_sendTransaction', { from, to, data, gas: '0x186a0' })
    return devnet
  }

  /** The first contract of the first account. */
  const SHOP = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
  const REASON = 'reverted: InsufficientStock(available: 3, wanted: 5)'

  it('is printed with --trace: what they say, whom they call, why they fail', async () => {
    const devnet = await shop('--trace')
    await devnet.printed(/← \[Revert\] InsufficientStock\(available: 3, wanted: 5\)$/m)
    const lines = devnet.stdout.split('\n').map((line) => line.replaceAll(/0x[0-9a-f]+/g, '0x…'))
    expect(lines).toContain('  Shop: opened with 3')
    expect(lines.slice(lines.indexOf('  Shop: 0x… wants 5'))).toEqual([
      '  Shop: 0x… wants 5',
      expect.stringMatching(/^block 2 /),
      expect.stringMatching(`^  failed 0x…: ${REASON.replaceAll(/[()]/g, '.')}`),
      expect.stringMatching(/^ {6}http:\/\/127\.0\.0\.1:\d+\/tx\/0x…$/),
      expect.stringMatching(/^ {4}\[[\d,]+\] Shop::buy\(amount: 5, note: ""\)$/),
      '      ├─ console.log "0x… wants 5"',
      '      └─ ← [Revert] InsufficientStock(available: 3, wanted: 5)',
      '',
    ])
  })

  it('is printed as fields with --json, without what they say under --no-console-logs', async () => {
    const devnet = await shop('--json', '--no-console-logs')
    const [line] = await devnet.printed(/^\{"event":"sealed","number":2,.*\}$/m)
    expect(JSON.parse(line).failed).toMatchObject([{ reason: REASON, error: { name: 'InsufficientStock' } }])
    expect(devnet.stdout).not.toContain('"event":"console"')
  })
})

describe('chains in files', () => {
  /** Three blocks, as files; and a way to name more files beside them. */
  async function chainFiles(): Promise<{ genesis: string; blocks: string; at(name: string): string }> {
    const devnet = await createDevnet({ rhythm: 'manual', chainId: 2 ** 40 })
    const [from, to] = devnet.accounts.map(({ address }) => address)
    for (let i = 0; i < 3; i++) {
      await devnet.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] })
      await devnet.mine()
    }
    const directory = await mkdtemp(join(tmpdir(), 'preseal-'))
    const at = (name: string) => join(directory, name)
    await writeFile(at('genesis.json'), JSON.stringify(devnet.genesis()))
    await writeFile(at('chain.rlp'), Buffer.concat([...devnet.export()]))
    return { genesis: at('genesis.json'), blocks: at('chain.rlp'), at }
  }

  /** They were sealed in one second. */
  const OWN = ['--import-rules', 'devnet']

  it('are where a devnet begins, and what it leaves when it ends', async () => {
    const { genesis, blocks, at } = await chainFiles()
    await writeFile(at('out.rlp'), 'what was there before')
    const paths = ['--export', at('out.rlp'), '--export-genesis', at('out.json')]
    const devnet = start(
      '--init',
      genesis,
      '--import',
      blocks,
      ...OWN,
      ...paths,
      '--rhythm',
      'manual',
      '--json',
    )
    const [line] = await devnet.printed(/^\{"event":"imported".*\}$/m)
    expect(JSON.parse(line)).toEqual({ event: 'imported', file: blocks, imported: 3, known: 0 })
    const [listening] = await devnet.printed(/^\{"event":"listening".*\}$/m)
    const { url } = JSON.parse(listening)
    expect(await askAt(url, 'eth_chainId')).toBe('0x10000000000')
    expect(await askAt(url, 'eth_blockNumber')).toBe('0x3')
    devnet.kill('SIGTERM')
    expect((await devnet.ended).code).toBe(0)
    expect(await readFile(at('out.rlp'))).toEqual(await readFile(blocks))
    expect(JSON.parse(await readFile(at('out.json'), 'utf8'))).toEqual(
      JSON.parse(await readFile(genesis, 'utf8')),
    )
  })

  it('that cannot be used are named with what is wrong with them', async () => {
    const { genesis, blocks, at } = await chainFiles()
    await writeFile(at('cut.rlp'), (await readFile(blocks)).subarray(0, -1))
    await writeFile(at('text.json'), 'genesis')
    const refusals: [string[], number, string][] = [
      [['--init', at('none.json')], 1, `--init ${at('none.json')}: there is no such file`],
      [['--init', at('text.json')], 1, `--init ${at('text.json')}: not JSON`],
      [
        ['--init', genesis, '--chain-id', '5'],
        2,
        '--chain-id: expected nothing, because the genesis decides it',
      ],
      [['--import', at('none.rlp')], 1, `--import ${at('none.rlp')}: there is no such file`],
      [['--init', genesis, '--import', at('cut.rlp'), ...OWN], 1, 'the input ends at byte'],
      [['--import', blocks], 1, 'parentHash: the header says 0x'],
      [['--init', genesis, '--import', blocks], 1, 'must be greater; only a devnet makes such blocks'],
      [
        ['--import', blocks, '--import-rules', 'geth'],
        2,
        '--import-rules: expected ethereum or devnet, got "geth"',
      ],
    ]
    const ended = await Promise.all(refusals.map(([flags]) => startCli(...flags, '--port', '0').ended))
    for (const [index, { code, stderr }] of ended.entries()) {
      expect(stderr).toContain(refusals[index]![2])
      expect(stderr).not.toMatch(/\n\s+at /)
      expect(code).toBe(refusals[index]![1])
    }
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
