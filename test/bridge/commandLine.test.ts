/** The flags `--l1`, `--l1-port` and `--l1-fork-url`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { startCli } from '../support/processes/process.ts'

function started(...flags: string[]) {
  const process = startCli('--profile', 'op-flashblocks', '--rhythm', 'manual', '--port', '0', ...flags)
  onTestFinished(async () => {
    process.kill('SIGTERM')
    await process.ended
  })
  return process
}

async function chainIdAt(url: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  return ((await response.json()) as { result: unknown }).result
}

describe('preseal --l1', () => {
  it('serves the L1 on a port of its own', async () => {
    const [, url] = await started('--l1', '--l1-port', '0').printed(/^L1 \(chain 900\) at (http:\S+)$/m)
    expect(await chainIdAt(url!)).toBe('0x384')
  })

  it('names the L1 of each chain with preseal serve', async () => {
    const process = startCli(...['serve', '--profile', 'op-flashblocks', '--port', '0', '--l1', '1'])
    onTestFinished(async () => {
      process.kill('SIGTERM')
      await process.ended
    })
    const [, url] = await process.printed(/^The L1 of each chain at (\S+)$/m)
    expect(await chainIdAt(url!.replace('<name>', 'alice'))).toBe('0x1')
  })

  it('gives the L1 a chain id', async () => {
    const [, url] = await started('--l1', '1', '--l1-port', '0').printed(/^L1 \(chain 1\) at (http:\S+)$/m)
    expect(await chainIdAt(url!)).toBe('0x1')
    const { stderr } = await started('--l1', 'one').ended
    expect(stderr).toContain(
      'preseal: --l1: expected true, or options of the L1 such as { chainId: 1 }, got "one"',
    )
  })

  it('prints the port for programs with --json', async () => {
    const [line] = await started('--l1', '--l1-port', '0', '--json').printed(/^\{"event":"l1".*\}$/m)
    expect(await chainIdAt(JSON.parse(line).url)).toBe('0x384')
  })

  it('shows a deposit that works as it stands, and prints the transactions of both chains', async () => {
    const process = started('--l1', '--l1-port', '0')
    const [, url, body] = await process.printed(/^ {2}curl (\S+) .*-d '(.*eth_sendTransaction.*)'$/m)
    const headers = { 'content-type': 'application/json' }
    const sent = await fetch(url!, { method: 'POST', body: body!, headers })
    const { result: hash } = (await sent.json()) as { result: string }
    const mine = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine' })
    await fetch(url!, { method: 'POST', body: mine, headers })
    await process.printed(new RegExp(`^l1 {2}.*${hash}.*ETH`, 'm'))
    const [, l2] = await process.printed(/^Page at (\S+)$/m)
    await fetch(l2!, { method: 'POST', body: mine, headers })
    await process.printed(/^block 1 .*1 transaction/m)
  })

  it('gives the port of the L1 the flags of the other', async () => {
    const flags = ['--l1', '--l1-port', '0', '--allowed-origins', 'http://app.example']
    const [, url] = await started(...flags).printed(/^L1 \(chain 900\) at (http:\S+)$/m)
    const { status } = await fetch(url!, { method: 'POST', headers: { origin: 'http://other.example' } })
    expect(status).toBe(403)
  })

  it('names the flag if the port is in use, or --record is given', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const { stderr } = await started('--l1', '--l1-port', String(port)).ended
    expect(stderr).toContain(`preseal: --l1-port: expected a free port, got ${port}`)
    const recorded = await started('--l1', '--record', 'never-written.jsonl').ended
    expect(recorded.stderr).toContain('preseal: --record: cannot be combined with --l1')
  })

  it('writes and loads a state file with both chains', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'pair-')), 'pair.state')
    onTestFinished(() => rm(dirname(file), { recursive: true }))
    const first = started('--l1', '7', '--l1-port', '0', '--state', file)
    await first.printed(/^L1 \(chain 7\) at (http:\S+)$/m)
    first.kill('SIGINT')
    await first.ended
    const [, url] = await started('--l1', '--l1-port', '0', '--state', file).printed(
      /^L1 \(chain 7\) at (http:\S+)$/m,
    )
    expect(await chainIdAt(url!)).toBe('0x7')
    const { stderr } = await started('--load-state', file).ended
    expect(stderr).toContain(`preseal: --l1: expected the flag, because ${file} has an L1`)
  })

  it('is refused beside a chain that is no L2', async () => {
    const { code, stderr } = await startCli('--port', '0', '--l1').ended
    expect(stderr).toContain('preseal: --l1: expected nothing, unless the devnet is an L2')
    expect(code).toBe(2)
  })
})

describe('preseal --l1-fork-url', () => {
  async function network(): Promise<readonly [url: string, urlOfL1: string]> {
    const l2 = await createDevnet({
      profile: 'op-flashblocks',
      rhythm: 'manual',
      chainId: 10,
      l1: { chainId: 5 },
    })
    onTestFinished(() => l2.close())
    const ports = await Promise.all([l2.listen({ port: 0 }), l2.l1.listen({ port: 0 })])
    return [ports[0].url, ports[1].url]
  }

  it('forks the L1 beside the L2 of --fork-url, with the chain id of its network or that of --l1', async () => {
    const [url, urlOfL1] = await network()
    const flags = ['--fork-url', url, '--l1-fork-url', urlOfL1, '--l1-port', '0']
    await started(...flags).printed(/^L1 \(chain 5\) at (http:\S+)$/m)
    await started(...flags, '--l1', '7').printed(/^L1 \(chain 7\) at (http:\S+)$/m)
  })

  it('is named in errors', async () => {
    const [url] = await network()
    const without = await started('--fork-url', url, '--l1').ended
    expect(without.stderr).toContain(
      'preseal: --l1-fork-url: expected a network as well, because fork has one',
    )
    const alone = await started('--l1-fork-url', url).ended
    expect(alone.stderr).toContain('preseal: --fork-url: expected a network as well')
    const wrong = await started('--fork-url', url, '--l1-fork-url', 'sepolia').ended
    expect(wrong.stderr).toContain('preseal: --l1-fork-url: expected a URL')
  })
})
