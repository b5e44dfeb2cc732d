/** `--dump-state` and `--load-state` of a chain on a network: the file needs no network, and goes on on one. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createDevnet } from '../../../src/index.ts'
import { ask } from '../../support/clients/clients.ts'
import { failure } from '../../support/nodes/networkOf.ts'
import { temporaryFolder } from '../../support/processes/files.ts'
import { startCli } from '../../support/processes/process.ts'

const RICH = '0x00000000000000000000000000000000000f1c41'
const OTHER = '0x00000000000000000000000000000000000f1c42'

/** Runs the command line, asks its devnet, and ends it. */
async function session<T>(flags: readonly string[], asking: (url: string) => Promise<T>): Promise<T> {
  const cli = startCli('--port', '0', '--rhythm', 'manual', '--json', ...flags)
  const [line] = await cli.printed(/^\{"event":"listening".*\}$/m)
  try {
    return await asking((JSON.parse(line) as { url: string }).url)
  } finally {
    cli.kill('SIGINT')
    expect((await cli.ended).code).toBe(0)
  }
}

async function over(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}

it('a file of a fork is loaded without a network, and on it again, from any newer block', async () => {
  const inFolder = await temporaryFolder()
  const file = inFolder('fork.state')
  const network = await createDevnet({ rhythm: 'manual', chainId: 4242 })
  await ask(network, 'anvil_setBalance', RICH, '0x77')
  await network.mine(3)
  const listener = await network.listen({ port: 0 })
  const fork = `${listener.url}/?key=very-secret`

  await session(['--fork-url', fork, '--dump-state', file], async (url) => {
    expect(await over(url, 'eth_getBalance', RICH, 'latest')).toBe('0x77')
    await over(url, 'evm_mine')
  })
  expect(await readFile(file, 'utf8')).not.toContain('very-secret')

  await network.mine(2)
  await session(['--fork-url', fork, '--load-state', file], async (url) => {
    expect(await over(url, 'eth_blockNumber')).toBe('0x4')
    expect(await over(url, 'eth_getBalance', OTHER, 'latest')).toBe('0x0')
  })

  await network.close()
  await session(['--load-state', file], async (url) => {
    expect(await over(url, 'eth_chainId')).toBe('0x1092')
    expect(await over(url, 'eth_getBalance', RICH, 'latest')).toBe('0x77')
    expect(await over(url, 'eth_blockNumber')).toBe('0x4')
    expect(await failure(over(url, 'eth_getBalance', OTHER, 'latest'))).toContain(`eth_getBalance(${OTHER}`)
    await over(url, 'evm_mine')
  })
})

it('a recording of a fork is replayed without its network', async () => {
  const inFolder = await temporaryFolder()
  const file = inFolder('session.preseal')
  const network = await createDevnet({ rhythm: 'manual', chainId: 4242 })
  await network.mine(3)
  const { url: node } = await network.listen({ port: 0 })
  await session(['--fork-url', `${node}/?key=very-secret`, '--record', file], async (url) => {
    await over(url, 'eth_getBalance', OTHER, 'latest')
    await over(url, 'evm_mine')
    await over(url, 'eth_getBlockByNumber', '0x2', false)
  })
  await network.close()
  expect(await readFile(file, 'utf8')).not.toContain('very-secret')
  const { code, stdout, stderr } = await startCli('replay', file).ended
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('3 requests')
})
