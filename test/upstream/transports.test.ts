/** Requests over WebSocket and through an EIP-1193 provider. */
import { describe, expect, it } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { connectUpstream } from '../../src/upstream/connection.ts'
import type { Upstream } from '../../src/upstream/upstream.ts'
import { changed, type Reacting, type UpstreamNode, upstreamNode } from '../support/nodes/upstreamNode.ts'
import { endWith, failureOf, requests, right } from '../support/nodes/upstreams.ts'
import { eagerTime, NEVER_MS, steppedTime } from '../support/nodes/upstreamTime.ts'

async function connected(react?: Reacting): Promise<{ node: UpstreamNode; upstream: Upstream }> {
  const node = await upstreamNode(react)
  const upstream = connectUpstream({ url: node.webSocketUrl, timeoutMs: NEVER_MS, time: eagerTime() })
  endWith(() => upstream.close(), node.close)
  return { node, upstream }
}

describe('over WebSocket', () => {
  it('batches and single requests go over one connection, and are matched by their ids', async () => {
    const { node, upstream } = await connected((payload) =>
      changed(payload, (all) => (Array.isArray(payload) ? all.reverse() : all[0])),
    )
    const sent = [requests(150), requests(1), requests(20)]
    expect(await Promise.all(sent.map((one) => upstream.send(one)))).toEqual(sent.map(right))
    expect(node.exchanges).toHaveLength(4)
  })

  it.each<[string, Reacting]>([
    ['a connection that ends', () => ({ kind: 'reset' })],
    ['half an answer', () => ({ kind: 'cut' })],
    [
      'an answer without id',
      () => ({ kind: 'text', text: '{"id":null,"error":{"code":-32005,"message":"limit"}}' }),
    ],
    [
      'an answer with another id',
      (payload) => changed(payload, (all) => ({ ...(all[0] as object), id: null })),
    ],
  ])('%s is asked again, on a new connection if need be', async (_, react) => {
    for (const count of [1, 5]) {
      const { upstream } = await connected((payload, index) =>
        index === 0 ? react(payload, index) : undefined,
      )
      expect(await upstream.send(requests(count))).toEqual(right(requests(count)))
    }
  })

  it('a node that refuses batches is asked single requests', async () => {
    const { node, upstream } = await connected((payload) =>
      Array.isArray(payload)
        ? { kind: 'text', text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}' }
        : undefined,
    )
    expect(await upstream.send(requests(6))).toEqual(right(requests(6)))
    await upstream.send(requests(2))
    expect(node.exchanges.map((exchange) => [exchange].flat().length)).toEqual([6, 1, 1, 1, 1, 1, 1, 1, 1])
  })

  it('notifications are no answers', async () => {
    const notification = '{"jsonrpc":"2.0","method":"eth_subscription","params":{}}'
    const node = await upstreamNode((_, index) =>
      index === 0 ? { kind: 'text', text: notification } : undefined,
    )
    const time = steppedTime()
    const upstream = connectUpstream({ url: node.webSocketUrl, time, timeoutMs: 500, retries: 0 })
    endWith(() => upstream.close(), node.close)
    const failing = failureOf(upstream.send(requests(1)))
    while (node.exchanges.length === 0) await new Promise(setImmediate)
    time.fire()
    expect((await failing).kind).toBe('timeout')
  })

  it('a node that does not listen is reported, without its path', async () => {
    const node = await upstreamNode()
    await node.close()
    const url = `${node.webSocketUrl}v3/secret-key`
    const upstream = connectUpstream({ url, timeoutMs: NEVER_MS, time: eagerTime() })
    const failure = await failureOf(upstream.send(requests(1)))
    expect(failure.kind).toBe('unreachable')
    expect(failure.message).not.toContain('secret')
  })

  it('headers, and a user with a password, open the connection', async () => {
    const node = await upstreamNode()
    const url = node.webSocketUrl.replace('127', 'me:pass%20word@127')
    const upstream = connectUpstream({
      url,
      headers: { 'x-key': 'value' },
      timeoutMs: NEVER_MS,
      time: eagerTime(),
    })
    endWith(() => upstream.close(), node.close)
    await upstream.send(requests(1))
    expect(node.headers[0]).toMatchObject({
      'x-key': 'value',
      authorization: `Basic ${btoa('me:pass word')}`,
    })
  })
})

describe('by an EIP-1193 provider', () => {
  it('each request of another devnet is answered, and its errors are answers', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const upstream = connectUpstream({ provider: devnet })
    const answers = await upstream.send([
      { method: 'eth_chainId', params: [] },
      { method: 'eth_getBlockByNumber', params: ['0x0', false] },
      { method: 'eth_nothing', params: [] },
    ])
    expect(answers[0]).toEqual({ result: await devnet.request({ method: 'eth_chainId' }) })
    expect(answers[1]).toMatchObject({ result: { number: '0x0' } })
    expect(answers[2]).toMatchObject({ error: { code: -32601 } })
  })

  it('an error of a client counts by its innermost code, without URLs', async () => {
    const error = Object.assign(new Error('HTTP request failed. URL: https://rpc.example/v2/secret-key'), {
      code: -32603,
      cause: Object.assign(new Error('RPC Request failed. URL: https://rpc.example/v2/secret-key'), {
        code: 3,
        details: 'execution reverted at https://rpc.example/v2/secret-key',
        data: '0x08c379a0',
      }),
    })
    const upstream = connectUpstream({ provider: { request: () => Promise.reject(error) } })
    expect(await upstream.send(requests(1))).toEqual([
      { error: { code: 3, message: 'execution reverted at rpc.example', data: '0x08c379a0' } },
    ])
  })

  it.each<[string, object, string, number]>([
    ['HTTP 429', { status: 429 }, 'rateLimited', 3],
    ['HTTP 401', { status: 401 }, 'httpStatus', 1],
    ['no code', new Error('https://rpc.example/v2/secret-key'), 'unreachable', 3],
    ['no connection', { code: 4900, message: 'disconnected' }, 'unreachable', 3],
  ])('an error with %s is a failure', async (_, error, kind, attempts) => {
    let asked = 0
    const request = () => {
      asked++
      throw error
    }
    const upstream = connectUpstream({
      provider: { request },
      retries: 2,
      timeoutMs: NEVER_MS,
      time: eagerTime(),
    })
    const failure = await failureOf(upstream.send(requests(1)))
    expect([failure.kind, asked]).toEqual([kind, attempts])
    expect(failure.message).not.toContain('secret')
  })

  it('a provider that never answers is given up', async () => {
    const time = steppedTime()
    const provider = { request: () => new Promise<never>(() => {}) }
    const upstream = connectUpstream({ provider, time, timeoutMs: 700, retries: 0 })
    const failing = failureOf(upstream.send(requests(1)))
    while (time.pending.length === 0) await new Promise(setImmediate)
    time.fire()
    expect((await failing).kind).toBe('timeout')
  })
})

it('over HTTP, a user with a password is sent as a header, and other headers too', async () => {
  const node = await upstreamNode()
  const url = `${node.url.replace('127', 'me:pass@127')}path?key=1`
  const upstream = connectUpstream({
    url,
    headers: { 'x-key': 'value' },
    timeoutMs: NEVER_MS,
    time: eagerTime(),
  })
  endWith(() => upstream.close(), node.close)
  await upstream.send(requests(1))
  expect(node.headers[0]).toMatchObject({ 'x-key': 'value', authorization: `Basic ${btoa('me:pass')}` })
  expect(node.paths).toEqual(['/path?key=1'])
})
