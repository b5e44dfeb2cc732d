/** Clients of many chains on one port: viem over HTTP and WebSocket, eight workers at once, and what a reset does to them. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { http, type Transport, webSocket } from 'viem'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Store } from '../../../fixtures/contracts/Store.ts'
import { createDevnet, type Devnet, serveChains } from '../../../src/index.ts'
import { asking, serving } from '../../support/chains/servedChains.ts'
import { type Client, clientOf, deploy, STRANGER, started } from '../../support/clients/clients.ts'
import { SocketClient } from '../../support/clients/socket.ts'
import { SOON } from '../../support/clients/until.ts'

const sockets: SocketClient[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
})

async function socketTo(url: string): Promise<SocketClient> {
  const socket = await SocketClient.connect(url)
  sockets.push(socket)
  return socket
}

describe('eight workers of viem', () => {
  /** A base on which a contract is, and how each worker reaches its chain. */
  async function market() {
    const base = await started({ rhythm: 'instant' })
    const store = await deploy(clientOf(base), Store)
    const server = await serveChains(base)
    onTestFinished(() => server.close())
    return { base, store, server }
  }

  const ways: [string, (server: { url: string; webSocketUrl: string }, name: string) => Transport][] = [
    ['HTTP', ({ url }, name) => http(`${url}/c/${name}`, { retryCount: 0 })],
    [
      'WebSocket',
      ({ webSocketUrl }, name) => webSocket(`${webSocketUrl}/c/${name}`, { retryCount: 0, reconnect: false }),
    ],
  ]

  it.each(ways)('each see what they did themselves and nothing else, over %s', async (_way, connect) => {
    const { base, store, server } = await market()
    const slot = (client: Client) =>
      client.readContract({ address: store, abi: Store.abi, functionName: 'get', args: [0n] })
    const worker = async (name: string, index: number): Promise<bigint> => {
      const client = clientOf(base, index % 2, connect(server, name))
      expect(await slot(client)).toBe(0n)
      for (let round = 1; round <= 5; round++) {
        const value = BigInt(index * 100 + round)
        const hash = await client.writeContract({
          address: store,
          abi: Store.abi,
          functionName: 'set',
          args: [0n, value],
        })
        await client.waitForTransactionReceipt({ hash })
        expect(await slot(client)).toBe(value)
      }
      return client.getBlockNumber()
    }
    const names = Array.from({ length: 8 }, (_, i) => `worker-${i}`)
    const blocks = await Promise.all(names.map(worker))
    // Nobody sees the blocks of another: that with the contract, and five of its own.
    expect(blocks).toEqual(names.map(() => 6n))
    expect(await slot(clientOf(base))).toBe(0n)
  })

  it('begin each test anew by a reset, though time makes the blocks', async () => {
    const server = await serving({}, { rhythm: 'interval', tickMs: 5 })
    const base = server.chain('accounts').devnet
    const worker = async (_: unknown, index: number) => {
      const url = `${server.url}/c/worker-${index}`
      const client = clientOf(base, index, http(url))
      for (let test = 0; test < 5; test++) {
        await fetch(`${url}/reset`, { method: 'POST' })
        expect(await client.getBalance({ address: STRANGER, blockTag: 'pending' })).toBe(0n)
        const hash = await client.sendTransaction({ to: STRANGER, value: 7n, nonce: 0 })
        await client.waitForTransactionReceipt({ hash })
        expect(await client.getBalance({ address: STRANGER })).toBe(7n)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
  })
})

describe('a WebSocket', () => {
  it('makes its chain, is counted, and is told of that chain alone', async () => {
    const server = await serving()
    const alice = await socketTo(`${server.webSocketUrl}/c/alice`)
    const id = await alice.subscribe('newHeads')
    const { rpc } = asking(server)
    await rpc('bob', 'hardhat_mine')
    await rpc('alice', 'hardhat_mine')
    expect(await alice.notification()).toMatchObject({ subscription: id, result: { number: '0x1' } })
    expect(server.chains().map((chain) => chain.describe())).toMatchObject([
      { name: 'alice', connections: 1 },
      { name: 'bob', connections: 0 },
    ])
    alice.close()
    await vi.waitUntil(() => server.chain('alice').describe().connections === 0, SOON)
  })

  it.each(['/', '/c', '/c/alice/logs'])('is refused at %s with 404', async (path) => {
    const { webSocketUrl } = await serving()
    await expect(SocketClient.connect(webSocketUrl + path)).rejects.toThrow('404')
  })

  it('is refused under a bad name, where no chain has room, and where another host is meant', async () => {
    const { webSocketUrl } = await serving({ maxChains: 1 })
    await expect(SocketClient.connect(`${webSocketUrl}/c/.x`)).rejects.toThrow('400')
    const headers = { host: 'evil.example' }
    await expect(SocketClient.connect(`${webSocketUrl}/c/alice`, { headers })).rejects.toThrow('403')
    await socketTo(`${webSocketUrl}/c/alice`)
    await expect(SocketClient.connect(`${webSocketUrl}/c/bob`)).rejects.toThrow('503')
  })

  it('that only asks notices nothing of a reset but the new chain', async () => {
    const server = await serving()
    const socket = await socketTo(`${server.webSocketUrl}/c/alice`)
    await socket.ask('hardhat_mine', '0x5')
    await server.reset('alice')
    expect((await socket.ask('eth_blockNumber')).result).toBe('0x0')
    await socket.subscribe('newHeads')
    await socket.ask('hardhat_mine').catch(() => {})
    await server.delete('alice')
  })

  it('that was subscribed is closed by a reset with 1012, and told what to do', async () => {
    const server = await serving()
    const socket = await socketTo(`${server.webSocketUrl}/c/alice`)
    const other = await socketTo(`${server.webSocketUrl}/c/bob`)
    await socket.subscribe('newHeads')
    await other.subscribe('newHeads')
    await server.reset('alice')
    expect(await socket.closed).toEqual({
      code: 1012,
      reason: 'the chain was reset: connect and subscribe again',
    })
    expect(other.isOpen).toBe(true)
  })

  it('that ended its subscriptions before stays, too', async () => {
    const server = await serving()
    const socket = await socketTo(`${server.webSocketUrl}/c/alice`)
    await socket.ask('eth_unsubscribe', await socket.subscribe('newHeads'))
    await server.reset('alice')
    const id = await socket.subscribe('newHeads')
    await asking(server).rpc('alice', 'hardhat_mine')
    expect(await socket.notification()).toMatchObject({ subscription: id, result: { number: '0x1' } })
  })

  it('is closed politely when its chain is deleted, and no other', async () => {
    const server = await serving()
    const alice = await socketTo(`${server.webSocketUrl}/c/alice`)
    const bob = await socketTo(`${server.webSocketUrl}/c/bob`)
    await server.delete('alice')
    expect(await alice.closed).toEqual({ code: 1001, reason: 'the chain alice was deleted' })
    expect((await bob.ask('eth_chainId')).result).toBe('0x7a69')
  })

  it('is cut by a fault of its own chain, also after a reset', async () => {
    const server = await serving()
    const alice = await socketTo(`${server.webSocketUrl}/c/alice`)
    const bob = await socketTo(`${server.webSocketUrl}/c/bob`)
    await server.reset('alice')
    expect(server.chain('alice').devnet.faults.cutWebSockets({ code: 1013 })).toBe(1)
    expect((await alice.closed).code).toBe(1013)
    expect(bob.isOpen).toBe(true)
  })

  it('keeps its chain from resting', async () => {
    let sealed = 0
    const server = await serving(
      { restAfterMs: 20, onDevnet: (_chain, devnet) => devnet.on('sealed', () => sealed++) },
      { rhythm: 'interval', tickMs: 5 },
    )
    const socket = await socketTo(`${server.webSocketUrl}/c/alice`)
    await vi.waitUntil(() => sealed > 50, SOON)
    expect(socket.isOpen).toBe(true)
  })
})

describe('a deleted chain', () => {
  it('refuses a message that was on its way to it', async () => {
    const server = await serving()
    const { port } = server
    const { request } = await import('node:http')
    const answered = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path: '/c/alice', headers })
      outgoing.on('response', (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
      outgoing.on('error', reject)
      outgoing.write('{"jsonrpc":"2.0","id":1,')
      void vi
        .waitUntil(() => server.find('alice') !== undefined, SOON)
        .then(() => server.delete('alice'))
        .then(() => outgoing.end('"method":"eth_chainId"}'), reject)
    })
    const { status, text } = await answered
    expect(status).toBe(404)
    expect(JSON.parse(text).error.message).toBe('invalid request: the chain alice was deleted')
  })

  it('is let go of, as is what a reset replaced', async () => {
    const devnets: WeakRef<Devnet>[] = []
    const base = await createDevnet({ rhythm: 'interval', tickMs: 5 })
    await using server = await serveChains(base, {
      maxChains: 1,
      onDevnet: (_chain, devnet) => devnets.push(new WeakRef(devnet)),
    })
    await base.close()
    const { rpc, send } = asking(server)
    for (let cycle = 0; cycle < 30; cycle++) {
      const name = `chain-${cycle}`
      await rpc(name, 'eth_newBlockFilter')
      const socket = await socketTo(`${server.webSocketUrl}/c/${name}`)
      await socket.subscribe('newHeads')
      await send('POST', `/c/${name}/reset`)
      await socket.closed
      await rpc(name, 'hardhat_mine')
      await send('DELETE', `/c/${name}`)
    }
    sockets.length = 0
    expect(devnets).toHaveLength(60)
    await vi.waitUntil(() => {
      collectGarbage()
      // The last ones may still be in the hands of a response that waits to be collected.
      return devnets.filter((devnet) => devnet.deref() !== undefined).length <= 2
    }, SOON)
  })
})

/** Node has no other way to ask for it while it runs. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
