/**
 * Measures which files of src requests and a transaction enter, and prints them as JSON (`Entered`). It is a program of its
 * own, since V8's coverage counts all that runs in the process. Started by `entered`.
 */
import { execFile } from 'node:child_process'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { toHex } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../../src/index.ts'
import { sign } from '../chains/signing.ts'
import { SocketClient } from '../clients/socket.ts'
import { type UpstreamNode, upstreamNode } from '../nodes/upstreamNode.ts'

/** Files of src, sorted. */
export interface Entered {
  /** By `eth_getBalance` over HTTP. */
  readonly selector: readonly string[]
  /** By a raw transaction, from HTTP to the pool. */
  readonly sending: readonly string[]
  /** By the same, from the tick to the notification of its log. */
  readonly preconfirming: readonly string[]
  /** By `eth_getStorageAt` over HTTP, of a slot of a forked network that was not fetched before. */
  readonly forkedSlot: readonly string[]
}

const FILE = fileURLToPath(import.meta.url)
const SOURCE = join(import.meta.dirname, '../../../src/')

/** Runs this file as a program. */
export async function entered(): Promise<Entered> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', FILE])
  return JSON.parse(stdout)
}

if (process.argv[1] === FILE) console.log(JSON.stringify(await measure()))

async function measure(): Promise<Entered> {
  return { selector: await selector(), ...(await transaction()), forkedSlot: await forkedSlot() }
}

async function selector(): Promise<readonly string[]> {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  await devnet.tick()
  const { url } = await devnet.listen({ port: 0 })
  const ask = () => send(url, 'eth_getBalance', devnet.accounts[0]!.address, 'pending')
  // What is loaded and made with the first request is not on the way of the others.
  await ask()
  const count = await startCounting()
  await ask()
  return count()
}

async function forkedSlot(): Promise<readonly string[]> {
  const node = await networkNode()
  await using _ = { [Symbol.asyncDispose]: node.close }
  await using devnet = await createDevnet({ rhythm: 'manual', fork: { url: node.url } })
  const { url } = await devnet.listen({ port: 0 })
  const contract = `0x${'c0'.repeat(20)}`
  // The first read fetches the account as well.
  await send(url, 'eth_getStorageAt', contract, '0x1', 'pending')
  const count = await startCounting()
  await send(url, 'eth_getStorageAt', contract, '0x2', 'pending')
  return count()
}

/** Starts a node with one block, which is not final, and one contract. It runs no code of src. */
async function networkNode(): Promise<UpstreamNode> {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const block = await devnet.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  const results: Record<string, unknown> = {
    eth_chainId: '0x123456',
    eth_getBalance: '0x1',
    eth_getTransactionCount: '0x1',
    eth_getCode: '0x',
    eth_getStorageAt: `0x${'00'.repeat(31)}2a`,
  }
  return upstreamNode(undefined, ({ method, params }) => {
    if (method === 'eth_getBlockByNumber') return { result: params[0] === 'finalized' ? null : block }
    const result = results[method]
    return result === undefined ? { error: { code: -32601, message: 'method not found' } } : { result }
  })
}

async function transaction(): Promise<Pick<Entered, 'sending' | 'preconfirming'>> {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 10 })
  // LOG0 of nothing.
  const to = '0x00000000000000000000000000000000000010a0'
  await devnet.request({ method: 'anvil_setCode', params: [to, '0x5f5fa000'] })
  const { url } = await devnet.listen({ port: 0 })
  const socket = await SocketClient.connect(url.replace('http', 'ws'))
  await socket.subscribe('pendingLogs', {})
  const pay = (nonce: bigint) =>
    send(
      url,
      'eth_sendRawTransaction',
      toHex(sign(devnet.accounts[0]!, { nonce, to, gasLimit: 100_000n }).raw),
    )
  // What is loaded and made with the first transaction, and the opening of the block, are not on the way of the others.
  await pay(0n)
  await preconfirm(devnet, socket)
  const count = await startCounting()
  await pay(1n)
  const sending = await count()
  await preconfirm(devnet, socket)
  const preconfirming = await count()
  socket.close()
  return { sending, preconfirming }
}

async function preconfirm(devnet: Devnet, socket: SocketClient): Promise<void> {
  await devnet.tick()
  await socket.notification()
}

async function send(url: string, method: string, ...params: readonly unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const text = await response.text()
  if (!text.includes('"result"')) throw new Error(`${method}: ${text}`)
}

/** Starts to count. Returns a function that returns the files of src entered since the call before, sorted. */
async function startCounting(): Promise<() => Promise<string[]>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
      .map(({ url }) => url.replace('file://', ''))
      .filter((file) => file.startsWith(SOURCE))
      .map((file) => file.slice(SOURCE.length))
      .sort()
  }
}
