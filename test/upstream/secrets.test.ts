/** URLs of providers contain API keys: failures show only the host. */
import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { connectUpstream, type UpstreamSettings } from '../../src/upstream/connection.ts'
import { publicNameOf, withoutUrls } from '../../src/upstream/secrets.ts'
import { changed, type Reacting, upstreamNode } from '../support/nodes/upstreamNode.ts'
import { eagerTime, NEVER_MS } from '../support/nodes/upstreamTime.ts'

const KEYS = ['k3yInPath0123', 'k3yInQuery456', 'us3rname', 'passw0rd', 't0kenInHeader', 'h4shPart99']
const [PATH, QUERY, USER, PASSWORD, HEADER, HASH] = KEYS
const ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

function withKeys(url: string): string {
  const parsed = new URL(url)
  parsed.username = USER!
  parsed.password = PASSWORD!
  parsed.pathname = `/v2/${PATH}`
  parsed.search = `?apikey=${QUERY}`
  parsed.hash = HASH!
  return parsed.href
}

/** The whole text of a failure: message, members, causes, stack. */
const shown = (error: unknown) => inspect(error, { depth: 20, showHidden: true })

const FAULTS: Record<string, Reacting> = {
  'an address that is wrong': () => ({
    kind: 'text',
    status: 404,
    text: `no such path /v2/${PATH}?apikey=${QUERY}`,
  }),
  'a key that is refused': () => ({
    kind: 'text',
    status: 401,
    text: `bad token ${HEADER} of ${USER}:${PASSWORD}`,
  }),
  'a page': (_, index) => ({ kind: 'text', text: `<html>${index} https://x/v2/${PATH}#${HASH}</html>` }),
  'an error': (payload) =>
    changed(
      payload,
      (all) => all[0],
      () => ({ error: { code: -32005, message: `limit of ${PATH} at /v2/${PATH}` } }),
    ),
  'a reset': () => ({ kind: 'reset' }),
  'half an answer': () => ({ kind: 'cut' }),
}

describe('a failure shows no key', () => {
  it.each(Object.keys(FAULTS))('after %s', async (fault) => {
    const node = await upstreamNode(FAULTS[fault])
    ended.push(node.close)
    for (const url of [withKeys(node.url), withKeys(node.webSocketUrl)]) {
      const settings: UpstreamSettings = {
        headers: { authorization2: `Bearer ${HEADER}` },
        retries: 1,
        timeoutMs: NEVER_MS,
      }
      const upstream = connectUpstream({ url, time: eagerTime(), ...settings })
      ended.push(() => upstream.close())
      const request = { method: 'eth_call', params: [`text with ${PATH}`] }
      const error = await upstream.send([request]).catch((reason: unknown) => reason)
      const text = shown(error)
      expect(text).toContain(new URL(node.url).host)
      for (const key of KEYS) expect(text).not.toContain(key)
    }
  })

  it('in an error that is an answer', async () => {
    const error = {
      code: -32000,
      message: `refused for ${PATH}`,
      data: { url: `https://a/v2/${PATH}`, key: QUERY },
    }
    const node = await upstreamNode((payload) =>
      changed(
        payload,
        (all) => all[0],
        () => ({ error }),
      ),
    )
    const upstream = connectUpstream({ url: withKeys(node.url), time: eagerTime(), timeoutMs: NEVER_MS })
    ended.push(() => upstream.close(), node.close)
    const text = shown(await upstream.send([{ method: 'eth_call', params: [] }]))
    for (const key of KEYS) expect(text).not.toContain(key)
    expect(text).toContain('refused for …')
  })

  it('if nothing listens', async () => {
    const node = await upstreamNode()
    await node.close()
    for (const url of [withKeys(node.url), withKeys(node.webSocketUrl)]) {
      const upstream = connectUpstream({ url, time: eagerTime(), timeoutMs: NEVER_MS })
      const text = shown(
        await upstream.send([{ method: 'eth_call', params: [] }]).catch((reason: unknown) => reason),
      )
      expect(text).toContain('connection')
      for (const key of KEYS) expect(text).not.toContain(key)
    }
  })

  it.each([`rpc.example/v2/${PATH}`, `ftp://${USER}:${PASSWORD}@rpc.example/${PATH}`, `https://[${PATH}`])(
    'if the URL is none: %s',
    (url) => {
      let text = ''
      try {
        connectUpstream({ url })
      } catch (error) {
        text = shown(error)
      }
      expect(text).toContain('expected http://, https://, ws:// or wss://')
      for (const key of KEYS) expect(text).not.toContain(key)
    },
  )
})

it('leaves short parts of a path, which other texts have', () => {
  const { host, scrub } = publicNameOf(`https://rpc.example:8443/v2/${PATH}`)
  expect(host).toBe('rpc.example:8443')
  expect(scrub(`v2: ${PATH}`)).toBe('v2: …')
})

it('leaves the hosts of URLs in the texts of clients', () => {
  expect(
    withoutUrls(`a https://${USER}:${PASSWORD}@rpc.example:80/v2/${PATH}?${QUERY} b wss://x.y/${PATH}`),
  ).toBe('a rpc.example:80 b x.y')
})
