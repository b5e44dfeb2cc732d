/** Many chains on one port: what is asked at which path, and what it does. */
import { describe, expect, it } from 'vitest'
import { createDevnet, serveChains } from '../../../src/index.ts'
import { asking, names, refusal, rpcText, serving } from '../../support/chains/servedChains.ts'
import { STRANGER, started } from '../../support/clients/clients.ts'
import { SocketClient } from '../../support/clients/socket.ts'

describe('a chain', () => {
  it('is made when it is asked for the first time', async () => {
    const server = await serving()
    const { rpc } = asking(server)
    expect(names(server)).toEqual([])
    expect(await rpc('alice', 'eth_chainId')).toBe('0x7a69')
    expect(names(server)).toEqual(['alice'])
  })

  it('is made by PUT alone, if requests may not create it', async () => {
    const server = await serving({ createOnRequest: false })
    const { rpc, send } = asking(server)
    const absent =
      'invalid request: there is no chain alice here: it was not created, or its process has ended; PUT /c/alice creates one'
    await expect(rpc('alice', 'eth_chainId')).rejects.toThrow(absent)
    expect(refusal(await send('POST', '/c/alice/reset'))).toBe(absent)
    await expect(SocketClient.connect(`${server.webSocketUrl}/c/alice`)).rejects.toThrow('404')
    expect(names(server)).toEqual([])
    expect((await send('PUT', '/c/alice')).status).toBe(201)
    expect(await rpc('alice', 'eth_chainId')).toBe('0x7a69')
  })

  it('is made once, however many ask at once', async () => {
    const made: string[] = []
    const server = await serving({ onDevnet: ({ name }) => made.push(name) })
    const { rpc } = asking(server)
    await Promise.all(Array.from({ length: 20 }, () => rpc('alice', 'hardhat_mine')))
    expect(made).toEqual(['alice'])
    expect(await rpc('alice', 'eth_blockNumber')).toBe('0x14')
  })

  it('is not seen in any other, nor in the base', async () => {
    const base = await started({ rhythm: 'manual' })
    await using server = await serveChains(base)
    const { rpc } = asking(server)
    await rpc('alice', 'anvil_setBalance', STRANGER, '0x5')
    expect(await rpc('alice', 'eth_getBalance', STRANGER, 'latest')).toBe('0x5')
    expect(await rpc('bob', 'eth_getBalance', STRANGER, 'latest')).toBe('0x0')
    expect(await base.request({ method: 'eth_getBalance', params: [STRANGER, 'latest'] })).toBe('0x0')
  })

  it('begins where the base was when serving began, whatever becomes of the base', async () => {
    const base = await createDevnet({ rhythm: 'manual' })
    await base.mine()
    await using server = await serveChains(base)
    await base.mine()
    await base.close()
    expect(await asking(server).rpc('alice', 'eth_blockNumber')).toBe('0x1')
  })

  it('begins at the same block as all others, though time runs', async () => {
    const server = await serving({}, { rhythm: 'interval', tickMs: 1 })
    const { rpc } = asking(server)
    const first = await rpc('alice', 'eth_getBlockByNumber', '0x0', false)
    while ((await rpc('alice', 'eth_blockNumber')) === '0x0');
    expect(server.create('bob').describe().block).toBe(0)
    expect(await rpc('bob', 'eth_getBlockByNumber', '0x0', false)).toEqual(first)
  })

  it('takes batches, in the limits of the base', async () => {
    const server = await serving({}, { batchLimit: 2 })
    const { send } = asking(server)
    const calls = (count: number) => Array.from({ length: count }, () => JSON.parse(rpcText('eth_chainId')))
    expect(JSON.parse((await send('POST', '/c/alice', calls(2))).body)).toHaveLength(2)
    expect(JSON.parse((await send('POST', '/c/alice', calls(3))).body)).toHaveProperty('error')
  })

  it('takes no more bytes than the base, or than is said', async () => {
    const tooLong = rpcText('eth_chainId').padEnd(201)
    const limited = asking(await serving({}, { bodyLimit: 200, stateLimit: 200 }))
    expect((await limited.send('POST', '/c/alice', tooLong)).status).toBe(413)
    const own = asking(await serving({ bodyLimit: 200, stateLimit: 200 }))
    expect((await own.send('POST', '/c/alice', tooLong)).status).toBe(413)
    expect((await own.send('POST', '/c/alice', rpcText('eth_chainId').padEnd(200))).status).toBe(200)
  })
})

describe('PUT /c/<name>', () => {
  it('makes a chain, with 201, and tells of it', async () => {
    const { send } = asking(await serving())
    const { status, body } = await send('PUT', '/c/alice')
    expect(status).toBe(201)
    expect(JSON.parse(body)).toEqual({
      name: 'alice',
      path: '/c/alice',
      from: null,
      rhythm: 'manual',
      block: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      connections: 0,
      requests: 0,
    })
  })

  it('can begin it where another one is, which is left alone', async () => {
    const { send, rpc } = asking(await serving())
    await rpc('shared', 'hardhat_mine', '0x3')
    expect((await send('PUT', '/c/alice', { from: 'shared' })).status).toBe(201)
    await rpc('alice', 'hardhat_mine', '0x2')
    expect(await rpc('alice', 'eth_blockNumber')).toBe('0x5')
    expect(await rpc('shared', 'eth_blockNumber')).toBe('0x3')
    expect((await send('POST', '/c/alice/reset')).status).toBe(200)
    expect(await rpc('alice', 'eth_blockNumber')).toBe('0x3')
  })

  it('can give it another rhythm', async () => {
    const server = await serving()
    const { send, rpc } = asking(server)
    await send('PUT', '/c/alice', { rhythm: 'instant' })
    const [from] = await rpc<string[]>('alice', 'eth_accounts')
    await rpc('alice', 'eth_sendTransaction', { from, to: STRANGER, value: '0x1' })
    expect(await rpc('alice', 'eth_blockNumber')).toBe('0x1')
    await send('POST', '/c/alice/reset')
    expect(server.chain('alice').describe()).toMatchObject({ rhythm: 'instant', block: 0 })
  })

  it('does nothing, with 200, where there is such a chain', async () => {
    const { send, rpc } = asking(await serving())
    await rpc('shared', 'eth_chainId')
    await send('PUT', '/c/alice', { from: 'shared', rhythm: 'instant' })
    await rpc('alice', 'hardhat_mine')
    // The chain is as requested, whatever became of the other.
    await send('DELETE', '/c/shared')
    for (const wish of [{ rhythm: 'instant', from: 'shared' }, { from: 'shared' }]) {
      const { status, body } = await send('PUT', '/c/alice', wish)
      expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 200, block: 1 })
    }
  })

  it.each([{}, { rhythm: 'instant' }, { from: 'shared', rhythm: 'interval' }])(
    'refuses, with 409, to make another in its place: %j',
    async (wish) => {
      const { send, rpc } = asking(await serving())
      await rpc('shared', 'eth_chainId')
      await send('PUT', '/c/alice', { from: 'shared', rhythm: 'instant' })
      const response = await send('PUT', '/c/alice', wish)
      expect(response.status).toBe(409)
      expect(refusal(response)).toBe(
        'invalid request: the chain alice already exists (of shared, rhythm instant); delete it first, or choose another name',
      )
    },
  )

  it.each([
    ['{', 400, /^invalid request: the request could not be read: /],
    ['[]', 400, /request: expected an object \{from, rhythm\}, got an array$/],
    ['{"from":5}', 400, /from: expected the name of a chain, got 5$/],
    ['{"rhythm":"daily"}', 400, /rhythm: expected one of interval, manual, instant, got "daily"$/],
    ['{"form":"alice"}', 400, /form: expected nothing: a request has from and rhythm, got /],
    ['{"from":"nobody"}', 404, /from: there is no chain nobody to fork; leave it out to fork the base$/],
    [' '.repeat(20_000), 413, /the request could not be read/],
  ])('refuses the request %s with %i and makes nothing', async (wish, status, message) => {
    const server = await serving()
    const response = await asking(server).send('PUT', '/c/alice', wish)
    expect(response.status).toBe(status)
    expect(refusal(response)).toMatch(message)
    expect(names(server)).toEqual([])
  })

  it('reads the request whatever its content type says', async () => {
    const server = await serving()
    await fetch(`${server.url}/c/alice`, { method: 'PUT', body: '{"rhythm":"instant"}' })
    expect(server.chain('alice').rhythm).toBe('instant')
  })
})

describe('GET /c', () => {
  it('lists all chains in the order in which they were made', async () => {
    const { send, rpc } = asking(await serving())
    await rpc('bob', 'hardhat_mine', '0x2')
    await rpc('alice', 'eth_chainId')
    await rpc('bob', 'eth_chainId')
    const { status, body } = await send('GET', '/c')
    expect(status).toBe(200)
    expect(JSON.parse(body).chains).toMatchObject([
      { name: 'bob', block: 2, requests: 2 },
      { name: 'alice', block: 0, requests: 1 },
    ])
  })

  it('has a single one under its path, and makes none', async () => {
    const server = await serving()
    const { send, rpc } = asking(server)
    await rpc('alice', 'eth_chainId')
    expect(JSON.parse((await send('GET', '/c/alice')).body)).toMatchObject({ name: 'alice', requests: 1 })
    const response = await send('GET', '/c/bob')
    expect(response.status).toBe(404)
    expect(refusal(response)).toBe('invalid request: there is no chain bob; GET /c lists all chains')
    expect(names(server)).toEqual(['alice'])
  })
})

describe('POST /c/<name>/reset', () => {
  it('takes back blocks, cheats, accounts, faults, filters and snapshots', async () => {
    const { send, rpc } = asking(await serving())
    const accounts = await rpc('alice', 'eth_accounts')
    await rpc('alice', 'anvil_setBalance', STRANGER, '0x5')
    await rpc('alice', 'anvil_impersonateAccount', STRANGER)
    await rpc('alice', 'preseal_addFault', {
      kind: 'rpcError',
      method: 'eth_gasPrice',
      code: 1,
      message: 'no',
    })
    const filter = await rpc('alice', 'eth_newBlockFilter')
    const snapshot = await rpc('alice', 'evm_snapshot')
    await rpc('alice', 'hardhat_mine', '0x3')
    await rpc('alice', 'evm_setIntervalMining', 5)

    expect((await send('POST', '/c/alice/reset')).status).toBe(200)
    expect(await rpc('alice', 'eth_blockNumber')).toBe('0x0')
    expect(await rpc('alice', 'eth_getBalance', STRANGER, 'latest')).toBe('0x0')
    expect(await rpc('alice', 'eth_accounts')).toEqual(accounts)
    expect(await rpc('alice', 'eth_gasPrice')).toMatch(/^0x/)
    expect(await rpc('alice', 'evm_revert', snapshot)).toBe(false)
    await expect(rpc('alice', 'eth_getFilterChanges', filter)).rejects.toThrow('filter')
    expect(await rpc('alice', 'eth_blockNumber')).toBe('0x0')
  })

  it('makes a chain that is not there, so that a test need not know whether it is the first', async () => {
    const { send } = asking(await serving())
    const { status, body } = await send('POST', '/c/alice/reset')
    expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 200, name: 'alice', block: 0 })
  })

  it('lets a request that is under way end where it began, and the next one begin anew', async () => {
    const server = await serving()
    const { send, rpc } = asking(server)
    const long = rpc('alice', 'hardhat_mine', '0x1000')
    await rpc('alice', 'eth_chainId')
    const reset = send('POST', '/c/alice/reset')
    expect(await rpc('alice', 'eth_blockNumber')).toMatch(/^0x/)
    await long
    expect((await reset).status).toBe(200)
    expect(await rpc('alice', 'eth_blockNumber')).toBe('0x0')
  })

  it('leaves the other chains alone', async () => {
    const { send, rpc } = asking(await serving())
    await rpc('alice', 'hardhat_mine')
    await rpc('bob', 'hardhat_mine')
    await send('POST', '/c/alice/reset')
    expect(await rpc('bob', 'eth_blockNumber')).toBe('0x1')
  })
})

describe('DELETE /c/<name>', () => {
  it('ends a chain; its name can be used again', async () => {
    const server = await serving()
    const { send, rpc } = asking(server)
    await rpc('alice', 'hardhat_mine')
    expect(await send('DELETE', '/c/alice')).toMatchObject({ status: 204, body: '' })
    expect(names(server)).toEqual([])
    expect(await rpc('alice', 'eth_blockNumber')).toBe('0x0')
  })

  it('answers 404 where there is none', async () => {
    expect((await asking(await serving()).send('DELETE', '/c/alice')).status).toBe(404)
  })

  it('leaves forks of it, which can still be reset', async () => {
    const { send, rpc } = asking(await serving())
    await rpc('alice', 'hardhat_mine', '0x2')
    await send('PUT', '/c/bob', { from: 'alice' })
    await send('DELETE', '/c/alice')
    await rpc('bob', 'hardhat_mine')
    expect(await rpc('bob', 'eth_blockNumber')).toBe('0x3')
    await send('POST', '/c/bob/reset')
    expect(await rpc('bob', 'eth_blockNumber')).toBe('0x2')
  })
})

describe('a name', () => {
  it.each(['a', 'worker-1', 'A_b.c', '7', 'x'.repeat(64), 'reset', '__proto__', 'constructor'])(
    'can be %s',
    async (name) => {
      const server = await serving()
      const { rpc, send } = asking(server)
      expect(await rpc(name, 'eth_chainId')).toBe('0x7a69')
      expect((await send('PUT', `/c/${name}`)).status).toBe(200)
      expect(JSON.parse((await send('GET', `/c/${name}`)).body)).toMatchObject({ name })
      expect((await send('DELETE', `/c/${name}`)).status).toBe(204)
    },
  )

  it.each(['.', '..', '.hidden', 'a%20b', 'a+b', 'x'.repeat(65), '%00', '%', 'ä', 'a;b'])(
    'cannot be %s',
    async (name) => {
      const server = await serving()
      const { send } = asking(server)
      const path = `/c/${encodeURI(name).replaceAll('%25', '%')}`
      const response = await send('POST', path, rpcText('eth_chainId'))
      expect(response.status).toBe(400)
      expect(refusal(response)).toContain(
        '1 to 64 letters, digits, _, . or -, not beginning with a dot; got "',
      )
      for (const method of ['PUT', 'DELETE', 'GET']) {
        expect([400, 404]).toContain((await send(method, path)).status)
      }
      expect(names(server)).toEqual([])
    },
  )

  it('may be followed by a query, which means nothing', async () => {
    const server = await serving()
    const { status } = await asking(server).send('POST', '/c/alice?page=1', rpcText('eth_chainId'))
    expect({ status, names: names(server) }).toEqual({ status: 200, names: ['alice'] })
  })
})
