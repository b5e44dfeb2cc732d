/** Requests to a node over HTTP: batches, faults of nodes, retries, rate limits. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { connectUpstream, type UpstreamSettings } from '../../src/upstream/connection.ts'
import type { Upstream, UpstreamRequest } from '../../src/upstream/upstream.ts'
import { changed, type Reacting, type UpstreamNode, upstreamNode } from '../support/nodes/upstreamNode.ts'
import { endWith, failureOf, requests, right } from '../support/nodes/upstreams.ts'
import { type EagerTime, eagerTime, NEVER_MS, steppedTime } from '../support/nodes/upstreamTime.ts'

interface Connected {
  readonly node: UpstreamNode
  readonly upstream: Upstream
  readonly time: EagerTime
}

async function connected(react?: Reacting, settings: UpstreamSettings = {}): Promise<Connected> {
  const node = await upstreamNode(react)
  const time = eagerTime()
  const upstream = connectUpstream({ url: node.url, timeoutMs: NEVER_MS, time, ...settings })
  endWith(() => upstream.close(), node.close)
  return { node, upstream, time }
}

/** The number of requests in each exchange. */
const sizes = ({ exchanges }: UpstreamNode) => exchanges.map((exchange) => [exchange].flat().length)

describe('requests to another node', () => {
  it('go as batches of at most 100, one alone as it is, and are answered in their order', async () => {
    const { node, upstream } = await connected((payload) =>
      changed(payload, (all) => (Array.isArray(payload) ? all.reverse() : all[0])),
    )
    const many = requests(250)
    expect(await upstream.send(many)).toEqual(right(many))
    expect(sizes(node).sort((a, b) => a - b)).toEqual([50, 100, 100])
    expect(await upstream.send(requests(1))).toEqual(right(requests(1)))
    expect(Array.isArray(node.exchanges.at(-1))).toBe(false)
    expect(await upstream.send([])).toEqual([])
  })

  it('are named by the host and the port of the node', async () => {
    const { node, upstream } = await connected()
    expect(upstream.name).toBe(new URL(node.url).host)
  })

  it('return errors of the node as answers', async () => {
    const error = { code: 3, message: 'execution reverted: rate limit', data: '0x08c379a0' }
    const node = await upstreamNode(undefined, ({ params }) =>
      params[0] === '0x1' ? { error } : { result: null },
    )
    const upstream = connectUpstream({ url: node.url, time: eagerTime(), timeoutMs: NEVER_MS })
    endWith(() => upstream.close(), node.close)
    expect(await upstream.send(requests(2))).toEqual([{ result: null }, { error }])
    expect(node.exchanges).toHaveLength(1)
  })
})

const BATCH_REFUSALS: Record<string, Reacting> = {
  'an error object': (payload) =>
    Array.isArray(payload)
      ? { kind: 'text', text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request"}}' }
      : undefined,
  'an error object without id': (payload) =>
    Array.isArray(payload)
      ? { kind: 'text', text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid"}}' }
      : undefined,
  'an array of one error without id': (payload) =>
    Array.isArray(payload)
      ? { kind: 'text', text: '[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}]' }
      : undefined,
  'HTTP 400': (payload) =>
    Array.isArray(payload) ? { kind: 'text', text: 'bad request', status: 400 } : undefined,
  'an error for each request': (payload) =>
    Array.isArray(payload)
      ? changed(
          payload,
          (all) => all,
          () => ({ error: { code: -32000, message: 'batch requests are not supported' } }),
        )
      : undefined,
}

describe('a node that refuses batches', () => {
  it.each(Object.keys(BATCH_REFUSALS))('by %s is asked single requests from then on', async (how) => {
    const { node, upstream, time } = await connected(BATCH_REFUSALS[how])
    expect(await upstream.send(requests(20))).toEqual(right(requests(20)))
    expect(sizes(node)).toEqual([20, ...Array(20).fill(1)])
    await upstream.send(requests(3))
    expect(sizes(node)).toEqual([20, ...Array(23).fill(1)])
    // A rejected batch is no failure that needs a backoff.
    expect(time.waits).toEqual([])
  })

  it('because they are too large is asked smaller ones', async () => {
    const { node, upstream } = await connected((payload) =>
      [payload].flat().length > 10 ? { kind: 'text', text: 'too large', status: 413 } : undefined,
    )
    expect(await upstream.send(requests(40))).toEqual(right(requests(40)))
    expect(sizes(node)).toEqual([40, 20, 20, 10, 10, 10, 10])
  })

  it('with a limit of the size of all answers, as geth has one, is asked for the rest', async () => {
    const { node, upstream } = await connected((payload) =>
      changed(payload, (all) =>
        Array.isArray(payload)
          ? all.map((one, index) =>
              index < 4
                ? one
                : {
                    ...(one as object),
                    result: undefined,
                    error: { code: -32003, message: 'response too large' },
                  },
            )
          : all[0],
      ),
    )
    expect(await upstream.send(requests(16))).toEqual(right(requests(16)))
    expect(node.exchanges.length).toBeLessThan(14)
  })

  it('is asked at most 16 single requests at the same time', async () => {
    let running = 0
    let most = 0
    const held = createServer((request, response) => {
      request.resume().on('end', () => {
        running++
        most = Math.max(most, running)
        setImmediate(() => {
          running--
          response.end('{"jsonrpc":"2.0","id":0}')
        })
      })
    })
    await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(held.address() as AddressInfo).port}`
    const upstream = connectUpstream({
      url,
      batchSize: 1,
      retries: 0,
      time: eagerTime(),
      timeoutMs: NEVER_MS,
    })
    endWith(
      () => upstream.close(),
      () => held.closeAllConnections(),
      () => held.close(),
    )
    await failureOf(upstream.send(requests(60)))
    expect(most).toBeLessThanOrEqual(16)
    expect(most).toBeGreaterThan(1)
  })
})

const PASSING: Record<string, Reacting> = {
  'HTTP 429': () => ({ kind: 'text', text: 'slow down', status: 429 }),
  'HTTP 503': () => ({ kind: 'text', text: '', status: 503 }),
  'HTTP 502 with a page': () => ({ kind: 'text', text: '<html>Bad Gateway</html>', status: 502 }),
  'a reset connection': () => ({ kind: 'reset' }),
  'half an answer': () => ({ kind: 'cut' }),
  'truncated JSON': (payload) => ({ kind: 'text', text: JSON.stringify(payload).slice(0, -9) }),
  'HTML in place of JSON': () => ({ kind: 'text', text: '<!doctype html><title>Wait</title>' }),
  nothing: () => ({ kind: 'text', text: '' }),
  'an object for an array': () => ({ kind: 'text', text: '{"jsonrpc":"2.0"}' }),
  'wrong ids': (payload) => changed(payload, (all) => all.map((one) => ({ ...(one as object), id: 'x' }))),
  'duplicate ids': (payload) =>
    changed(payload, (all) => [...all, { ...(all[0] as object), result: 'another' }]),
  'missing answers': (payload) => changed(payload, (all) => all.slice(1)),
  'answers with neither result nor error': (payload) =>
    changed(payload, (all) => all.map((one) => ({ id: (one as { id: number }).id }))),
  'the error of a limited rate': (payload) =>
    changed(
      payload,
      (all) => all,
      () => ({ error: { code: -32005, message: 'limit exceeded' } }),
    ),
  'a limited rate without id': () => ({
    kind: 'text',
    text: '{"jsonrpc":"2.0","id":null,"error":{"code":429,"message":"rate limit"}}',
  }),
  'an internal error': (payload) =>
    changed(
      payload,
      (all) => all,
      () => ({ error: { code: -32603, message: 'Internal error' } }),
    ),
}

describe('what passes', () => {
  it.each(Object.keys(PASSING))('%s is asked again, in batches and single', async (fault) => {
    for (const count of [3, 1]) {
      const { upstream, node } = await connected((payload, index) =>
        index < 2 ? PASSING[fault]!(payload, index) : undefined,
      )
      expect(await upstream.send(requests(count))).toEqual(right(requests(count)))
      expect(node.exchanges.length).toBeGreaterThan(1)
    }
  })

  it('is asked again after waits that double, with chance in them', async () => {
    const { time, upstream } = await connected(() => ({ kind: 'text', text: '', status: 500 }), {
      retryBackoffMs: 100,
    })
    const failure = await failureOf(upstream.send(requests(1)))
    expect(time.waits).toEqual([50, 100, 200, 400, 800])
    expect(failure.kind).toBe('httpStatus')
    expect(failure.message).toBe(
      `${upstream.name}: no answer to eth_call(0x0): HTTP 500 (6 attempts); the URL and the headers must be those of a JSON-RPC endpoint that this key may use`,
    )
  })

  it('is not asked again more often than retries says', async () => {
    const { node, upstream } = await connected(() => ({ kind: 'reset' }), { retries: 1 })
    expect((await failureOf(upstream.send(requests(4)))).kind).toBe('unreachable')
    expect(node.exchanges).toHaveLength(2)
  })
})

describe('a node that limits the rate', () => {
  const limited =
    (headers: Record<string, string>): Reacting =>
    (_, index) =>
      index === 0 ? { kind: 'text', text: '', status: 429, headers } : undefined

  it('is left alone for the seconds of Retry-After', async () => {
    const { upstream, time } = await connected(limited({ 'retry-after': '7' }))
    await upstream.send(requests(2))
    expect(Math.max(...time.waits)).toBe(7_000)
  })

  it('is left alone until the date of Retry-After', async () => {
    const date = new Date(1_700_000_000_000 + 9_000).toUTCString()
    const { upstream, time } = await connected(limited({ 'retry-after': date }))
    await upstream.send(requests(2))
    expect(Math.max(...time.waits)).toBe(9_000)
  })

  it.each([
    [{ rate: { backoff_seconds: 4 } }, 4_000],
    [{ try_again_in: '143.2ms' }, 250],
    [{ try_again_in: '3s' }, 3_000],
  ])('is left alone as long as the error says: %j', async (data, expected) => {
    const { upstream, time } = await connected(
      (payload, index) =>
        index > 0
          ? undefined
          : changed(
              payload,
              (all) => all,
              () => ({ error: { code: -32005, message: 'limit', data } }),
            ),
      { retryBackoffMs: 500 },
    )
    await upstream.send(requests(2))
    expect(Math.max(...time.waits)).toBe(expected)
  })

  it('for a day is not asked again', async () => {
    const { upstream, node } = await connected(() => ({
      kind: 'text',
      text: '',
      status: 429,
      headers: { 'retry-after': '86400' },
    }))
    const failure = await failureOf(upstream.send(requests(2)))
    expect(failure.kind).toBe('rateLimited')
    expect(failure.message).toContain('to wait 86400 seconds')
    expect(node.exchanges).toHaveLength(1)
  })

  it('is not asked more than requestsPerSecond, each member of a batch counted', async () => {
    const { upstream, node, time } = await connected(undefined, { requestsPerSecond: 10 })
    const begin = time.now()
    await upstream.send(requests(35))
    // A burst of ten, then ten per second.
    expect(time.now() - begin).toBe(2_500)
    expect(Math.max(...sizes(node))).toBeLessThanOrEqual(10)
  })

  it('of logs in one answer is not asked again: it is the answer', async () => {
    const error = { code: -32005, message: 'query returned more than 10000 results' }
    const { upstream, node } = await connected((payload) =>
      changed(
        payload,
        (all) => all[0],
        () => ({ error }),
      ),
    )
    expect(await upstream.send(requests(1))).toEqual([{ error }])
    expect(node.exchanges).toHaveLength(1)
  })
})

describe('a node that does not answer', () => {
  it('is given up after the timeout, and asked again', async () => {
    const node = await upstreamNode((_, index) => (index === 0 ? { kind: 'silence' } : undefined))
    const time = steppedTime()
    const upstream = connectUpstream({ url: node.url, timeoutMs: 45_000, time })
    endWith(() => upstream.close(), node.close)
    const sent = upstream.send(requests(1))
    expect(await nextTimer(time)).toBe(45_000)
    await until(() => node.exchanges.length === 1)
    time.fire()
    expect(await nextTimer(time)).toBe(125)
    time.fire()
    expect(await sent).toEqual(right(requests(1)))
  })

  it('is reported with the timeout', async () => {
    const node = await upstreamNode(() => ({ kind: 'silence' }))
    const time = steppedTime()
    const upstream = connectUpstream({ url: node.url, timeoutMs: 1_000, retries: 0, time })
    endWith(() => upstream.close(), node.close)
    const failing = failureOf(upstream.send(requests(1)))
    await nextTimer(time)
    time.fire()
    const failure = await failing
    expect(failure.kind).toBe('timeout')
    expect(failure.message).toContain('no answer within 1000 ms')
  })

  it('because nothing listens is reported as unreachable', async () => {
    const node = await upstreamNode()
    await node.close()
    const upstream = connectUpstream({ url: node.url, time: eagerTime(), timeoutMs: NEVER_MS })
    const failure = await failureOf(upstream.send(requests(1)))
    expect(failure.kind).toBe('unreachable')
    expect(failure.message).toContain('the connection was refused (6 attempts)')
  })

  it('because it was closed ends all requests at once', async () => {
    const { upstream } = await connected(() => ({ kind: 'silence' }))
    const sent = failureOf(upstream.send(requests(1)))
    await new Promise(setImmediate)
    upstream.close()
    expect((await sent).kind).toBe('closed')
    expect((await failureOf(upstream.send(requests(1)))).kind).toBe('closed')
  })
})

describe('a node that moved back', () => {
  const known: UpstreamRequest = { method: 'eth_getBalance', params: ['0x1', '0x5'], isImmutable: true }
  const missing = { error: { code: -32000, message: 'header not found' } }

  it('is asked again about a block that the chain has', async () => {
    const { upstream } = await connected((payload, index) =>
      index < 3
        ? changed(
            payload,
            (all) => all[0],
            () => missing,
          )
        : undefined,
    )
    expect(await upstream.send([known])).toEqual(right([known]))
  })

  it('says so in the end, and at once about a block that it may not have', async () => {
    const { upstream, node } = await connected((payload) =>
      changed(
        payload,
        (all) => all[0],
        () => missing,
      ),
    )
    expect(await upstream.send([known])).toEqual([missing])
    expect(node.exchanges).toHaveLength(6)
    expect(await upstream.send([{ ...known, isImmutable: false }])).toEqual([missing])
    expect(node.exchanges).toHaveLength(7)
  })
})

describe('a request that the others can do without', () => {
  it('is answered with an error, and nothing is repeated for it', async () => {
    const { upstream, node } = await connected((payload) =>
      changed(payload, (all) =>
        all.map((one, index) =>
          index === 1 ? { id: (one as { id: number }).id, error: { code: -32005, message: 'limit' } } : one,
        ),
      ),
    )
    const [first, second] = requests(2) as [UpstreamRequest, UpstreamRequest]
    const answers = await upstream.send([first, { ...second, isOptional: true }])
    expect(answers[0]).toEqual(right([first])[0])
    expect(answers[1]).toMatchObject({ error: { code: -32603 } })
    expect(node.exchanges).toHaveLength(1)
  })
})

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate)
}

/** Returns the milliseconds until the first timer, once there is one. */
async function nextTimer(time: { readonly pending: readonly number[] }): Promise<number> {
  await until(() => time.pending.length > 0)
  return Math.min(...time.pending)
}
