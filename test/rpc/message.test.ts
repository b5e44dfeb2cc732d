/** JSON-RPC 2.0 (jsonrpc.org/specification), with the codes of the contract: what is answered to which text. */
import { describe, expect, it } from 'vitest'
import { createRespond, type Envelope, type MessageOptions } from '../../src/rpc/message.ts'
import type { Answer, Dispatch, Request } from '../../src/rpc/request.ts'
import type { Subscriptions } from '../../src/rpc/subscriptions.ts'
import { Work } from '../../src/work/work.ts'

const OPTIONS: MessageOptions = { dialect: 'base', batchLimit: 3, isStrict: false }

/** Answers `echo` with its parameters, `late` so in a later turn, `fail` with an error. Notes what it was asked. */
function dispatcher() {
  const asked: Request[] = []
  const connections: (Subscriptions | undefined)[] = []
  const dispatch: Dispatch = (request, subscriptions) => {
    asked.push(request)
    connections.push(subscriptions)
    return ANSWERS[request.method]!(request)
  }
  return { asked, connections, dispatch }
}

const ERROR = { code: -32000, message: 'no', data: '0x' } as const
const ANSWERS: Record<string, (request: Request) => Answer | Promise<Answer>> = {
  echo: ({ params }) => ({ kind: 'result', result: params }),
  text: ({ params: [text] }) => ({ kind: 'result', result: text }),
  late: async ({ params }) => ({ kind: 'result', result: params }),
  fail: () => ({ kind: 'error', error: ERROR, cause: undefined }),
  busy: () => ({
    kind: 'error',
    error: ERROR,
    cause: undefined,
    http: { status: 429, retryAfterSeconds: 0 },
  }),
  page: () => ({
    kind: 'error',
    error: ERROR,
    cause: undefined,
    http: { status: 502, body: '<h1>bad</h1>' },
  }),
  words: () => ({ kind: 'error', error: ERROR, cause: undefined, http: { status: 503, body: 'down' } }),
}

async function answer(message: unknown, options: Partial<MessageOptions> = {}): Promise<unknown> {
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  const response = await createRespond(dispatcher().dispatch, { ...OPTIONS, ...options })(text)
  return response === undefined ? undefined : JSON.parse(response)
}

const call = (fields: object) => ({ jsonrpc: '2.0', id: 1, method: 'echo', params: [], ...fields })
const refusal = (code: number, id: unknown = 1) => ({ jsonrpc: '2.0', id, error: { code } })

describe('a request', () => {
  it('is answered with its id: a number, a text or null', async () => {
    for (const id of [1, 0, -1, 1.5, 'a', '', null]) {
      expect(await answer(call({ id, params: [7] }))).toEqual({ jsonrpc: '2.0', id, result: [7] })
    }
  })

  it('is answered with its id digit by digit, alone and in a batch', async () => {
    const respond = createRespond(dispatcher().dispatch, OPTIONS)
    const request = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"echo"}`
    const [one, other] = ['18446744073709551615', '18446744073709551614']
    expect(await respond(request(one))).toBe(`{"jsonrpc":"2.0","id":${one},"result":[]}`)
    expect(await respond(`[${request(one)},${request(other)}]`)).toBe(
      `[{"jsonrpc":"2.0","id":${one},"result":[]},{"jsonrpc":"2.0","id":${other},"result":[]}]`,
    )
  })

  it.each([true, {}, [], [1]])('is refused with null for an id of another type: %j', async (id) => {
    expect(await answer(call({ id }))).toMatchObject(refusal(-32600, null))
  })

  it('has no parameters where it names none', async () => {
    for (const params of [undefined, null, []]) {
      expect(await answer(call({ params }))).toMatchObject({ result: [] })
    }
  })

  it('is refused for parameters by name, or of no kind', async () => {
    for (const params of [{}, 'x', 1]) {
      const refused = (await answer(call({ params }))) as { error: { message: string } }
      expect(refused).toMatchObject(refusal(-32602))
      expect(refused.error.message).toMatch(/^invalid argument 0: params: expected an array/)
    }
  })

  it.each([
    ['no version', { jsonrpc: undefined }],
    ['another version', { jsonrpc: '1.0' }],
    ['no method', { method: undefined }],
    ['a method that is no text', { method: 5 }],
  ])('with %s is refused, with its id', async (_, fields) => {
    expect(await answer(call({ ...fields, id: 9 }))).toMatchObject(refusal(-32600, 9))
  })

  it.each(['5', '"x"', 'null', 'true'])('is an object: %s is none', async (text) => {
    expect(await answer(text)).toMatchObject(refusal(-32600, null))
  })

  it('that is no JSON is refused with null', async () => {
    for (const text of ['', '{', 'hello', '[{'])
      expect(await answer(text)).toMatchObject(refusal(-32700, null))
  })

  it('is answered with text that needs escaping as it is', async () => {
    for (const text of ['0x', '0xab', '"', 'a\\b', '\n']) {
      expect(await answer(call({ method: 'text', params: [text] }))).toMatchObject({ result: text })
    }
  })

  it('that fails is answered with code, message and data', async () => {
    expect(await answer(call({ method: 'fail' }))).toEqual({ jsonrpc: '2.0', id: 1, error: ERROR })
  })
})

describe('a notification', () => {
  it('is done and not answered, whatever comes of it', async () => {
    const { asked, dispatch } = dispatcher()
    const respond = createRespond(dispatch, OPTIONS)
    for (const method of ['echo', 'late', 'fail']) {
      expect(await respond(JSON.stringify({ jsonrpc: '2.0', method }))).toBeUndefined()
    }
    expect(asked.map(({ method }) => method)).toEqual(['echo', 'late', 'fail'])
  })

  it('is not answered even where its parameters are wrong', async () => {
    expect(await answer({ jsonrpc: '2.0', method: 'echo', params: {} })).toBeUndefined()
  })

  it('has no id: null is one', async () => {
    expect(await answer(call({ id: null }))).toEqual({ jsonrpc: '2.0', id: null, result: [] })
  })
})

describe('a batch', () => {
  it('is answered in its order, whatever is ready first, and its notifications not at all', async () => {
    const calls = [call({ id: 1, method: 'late' }), call({ id: 2 }), { jsonrpc: '2.0', method: 'echo' }]
    expect(await answer(calls)).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  it('of notifications alone is not answered', async () => {
    expect(await answer([{ jsonrpc: '2.0', method: 'echo' }])).toBeUndefined()
  })

  it('of nothing is refused', async () => {
    expect(await answer([])).toMatchObject(refusal(-32600, null))
  })

  it('has an error for each item that is no request', async () => {
    expect(await answer([1, call({ id: 2 }), []])).toMatchObject([
      refusal(-32600, null),
      { id: 2, result: [] },
      refusal(-32600, null),
    ])
  })

  it('has as many calls as the limit says, and no more', async () => {
    expect(await answer([1, 2, 3].map((id) => call({ id })))).toHaveLength(3)
    const four = [1, 2, 3, 4].map((id) => call({ id }))
    expect(await answer(four)).toMatchObject(refusal(-32010, null))
    expect(await answer(four, { dialect: 'geth' })).toMatchObject(refusal(-32600, null))
  })

  it('lets others have their turn after each call that may have taken long', async () => {
    const work = new Work()
    const asked: string[] = []
    work.pause = () => {
      asked.push('pause')
      return undefined
    }
    const dispatch: Dispatch = ({ method }, _, startWork) => {
      asked.push(method)
      if (method === 'long') startWork?.()
      return { kind: 'result', result: null }
    }
    const respond = createRespond(dispatch, { ...OPTIONS, batchLimit: 5, startWork: () => work })
    const methods = ['brief', 'long', 'long', 'brief', 'brief']
    await respond(JSON.stringify(methods.map((method) => call({ method }))))
    expect(asked).toEqual(['brief', 'long', 'pause', 'long', 'pause', 'brief', 'brief'])
  })

  it('asks for the connection that it came over', async () => {
    const { connections, dispatch } = dispatcher()
    const subscriptions = {} as Subscriptions
    await createRespond(dispatch, OPTIONS)(JSON.stringify([call({}), call({ id: 2 })]), subscriptions)
    expect(connections).toEqual([subscriptions, subscriptions])
  })
})

describe('a strict listener', () => {
  it('names the section that is broken, where no method was reached', async () => {
    const broken = { error: { data: expect.stringContaining('4.1') } }
    for (const message of ['{', [], call({ jsonrpc: '1.0' }), call({ params: {} })]) {
      expect(await answer(message, { isStrict: true })).toMatchObject(broken)
    }
    expect(await answer('{')).not.toHaveProperty('error.data')
  })
})

describe('what HTTP says of an answer', () => {
  function enveloped() {
    const headers: Record<string, string> = {}
    const envelope: Envelope = { statusCode: 200, setHeader: (name, value) => (headers[name] = value) }
    const respond = createRespond(dispatcher().dispatch, OPTIONS)
    const ask = (method: string) => respond(JSON.stringify(call({ method })), undefined, envelope)
    return { headers, envelope, ask }
  }

  it('is its status, and after how many seconds to ask again, be it none', async () => {
    const { headers, envelope, ask } = enveloped()
    expect(JSON.parse((await ask('busy'))!)).toMatchObject({ error: ERROR })
    expect(envelope.statusCode).toBe(429)
    // Fetch: a page of another origin is shown the headers that are named.
    expect(headers).toEqual({ 'retry-after': '0', 'access-control-expose-headers': 'retry-after' })
  })

  it('is a body in place of the answer, a page or words', async () => {
    const page = enveloped()
    expect(await page.ask('page')).toBe('<h1>bad</h1>')
    expect([page.envelope.statusCode, page.headers]).toEqual([502, { 'content-type': 'text/html' }])
    const words = enveloped()
    expect(await words.ask('words')).toBe('down')
    expect(words.headers).toEqual({ 'content-type': 'text/plain' })
  })

  it('is nothing where all is well, or where there is no HTTP', async () => {
    const { headers, envelope, ask } = enveloped()
    await ask('echo')
    expect([envelope.statusCode, headers]).toEqual([200, {}])
    expect(await answer(call({ method: 'page' }))).toEqual({ jsonrpc: '2.0', id: 1, error: ERROR })
    expect(await answer([call({ method: 'page' })])).toMatchObject([{ error: ERROR }])
  })
})
