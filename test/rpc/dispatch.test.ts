import { describe, expect, it } from 'vitest'
import { METHOD_TABLE } from '../../src/methods/index.ts'
import type { RpcContext } from '../../src/rpc/context.ts'
import { createDispatch } from '../../src/rpc/dispatch.ts'
import { createRespond } from '../../src/rpc/message.ts'
import type { Request } from '../../src/rpc/request.ts'
import { DIALECTS } from '../../src/wire/dialect.ts'

describe('a defect of ours', () => {
  /** A context that has nothing of what methods need but the dialect. */
  const broken = (dialect: string) => ({ options: { dialect } }) as unknown as RpcContext

  it.each(DIALECTS)(
    'is -32603 without a word about its insides, and is told to who wants to know (%s)',
    async (dialect) => {
      const defects: [unknown, Request][] = []
      const dispatch = createDispatch(broken(dialect), METHOD_TABLE, (error, request) =>
        defects.push([error, request]),
      )
      const respond = createRespond(dispatch, { dialect, batchLimit: 10, isStrict: false })
      // One method answers at once, the other with a promise.
      for (const method of ['eth_chainId', 'eth_call']) {
        const params = method === 'eth_call' ? [{}] : []
        const response = await respond(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
        expect(JSON.parse(response ?? '')).toEqual({
          jsonrpc: '2.0',
          id: 1,
          error: { code: -32603, message: 'internal error: this is a defect of preseal; its log says more' },
        })
        const [error, request] = defects.pop() ?? []
        expect(error).toBeInstanceOf(TypeError)
        expect(request).toEqual({ method, params })
      }
    },
  )

  it('does not stop the other calls of a batch', async () => {
    const dispatch = createDispatch(broken('base'), METHOD_TABLE, () => {})
    const respond = createRespond(dispatch, { dialect: 'base', batchLimit: 10, isStrict: false })
    const call = (id: number, method: string) => ({ jsonrpc: '2.0', id, method, params: [{}] })
    const response = await respond(
      JSON.stringify([call(1, 'eth_call'), call(2, 'eth_banana'), call(3, 'eth_getLogs')]),
    )
    expect(JSON.parse(response ?? '').map(({ error }: { error: { code: number } }) => error.code)).toEqual([
      -32603, -32601, -32603,
    ])
  })
})

it('a part of the package that was deleted meanwhile is named in the answer, and is not told as a defect', async () => {
  const absent = `./${'absent'}.js`
  const method = Object.assign(() => import(absent), { isLong: false, parsers: [] })
  const methods = new Map([['eth_chainId', method]])
  const context = { options: { dialect: 'geth' } } as unknown as RpcContext
  const defects: unknown[] = []
  const dispatch = createDispatch(context, { methods, connectionMethods: new Map() }, (error) =>
    defects.push(error),
  )
  const answer = await dispatch({ method: 'eth_chainId', params: [] })
  expect(answer).toMatchObject({
    error: {
      code: -32603,
      message: expect.stringMatching(
        /^a part of preseal could not be loaded, restart it: Cannot find .*absent/,
      ),
    },
  })
  expect(defects).toEqual([])
})
