import { describe, expect, it } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { isAllowedHost } from '../../src/server/origins.ts'
import { HttpClient, JSON_BODY } from '../support/clients/exchange.ts'

describe('isAllowedHost', () => {
  it.each([
    'localhost',
    'localhost:8545',
    'LOCALHOST:8545',
    'app.localhost',
    'a.b.localhost:3000',
    '127.0.0.1',
    '127.0.0.1:8545',
    '127.1.2.3:8545',
    '192.168.0.7:8545',
    '0.0.0.0:8545',
    '[::1]',
    '[::1]:8545',
    '[::]:8545',
    '[fe80::1]:8545',
    '[::ffff:127.0.0.1]:8545',
  ])('takes %s: a name of this machine, or an address, which cannot be rebound', (host) => {
    expect(isAllowedHost(host, [])).toBe(true)
  })

  it.each([
    'evil.example',
    'evil.example:8545',
    'localhost.evil.example',
    'evil-localhost',
    'notlocalhost:8545',
    '127.0.0.1.evil.example',
    '127.0.0.1.evil.example:8545',
    // Addresses in forms that a resolver might take and isIP does not.
    '2130706433',
    '0x7f.1',
    '127.1',
    '0177.0.0.1',
    // No host header that a browser sends.
    '',
    ':8545',
    '::1',
    '[::1',
    '[::1]evil.example',
    '[::1].evil.example:8545',
    '[evil.example]',
    'evil.example/localhost',
    'localhost@evil.example',
  ])('refuses %j', (host) => {
    expect(isAllowedHost(host, [])).toBe(false)
  })

  it('refuses a request without a host', () => {
    expect(isAllowedHost(undefined, [])).toBe(false)
    expect(isAllowedHost(undefined, ['devnet.example'])).toBe(false)
  })

  it('takes the names that were allowed, in any case and with any port', () => {
    const allowed = ['Devnet.example', 'other.example']
    expect(isAllowedHost('devnet.example', allowed)).toBe(true)
    expect(isAllowedHost('DEVNET.EXAMPLE:8545', allowed)).toBe(true)
    expect(isAllowedHost('other.example', allowed)).toBe(true)
    expect(isAllowedHost('localhost', allowed)).toBe(true)
    expect(isAllowedHost('sub.devnet.example', allowed)).toBe(false)
    expect(isAllowedHost('devnet.example.evil.example', allowed)).toBe(false)
  })

  it('takes everything, even no host, under *', () => {
    expect(isAllowedHost('evil.example', ['*'])).toBe(true)
    expect(isAllowedHost(undefined, ['*'])).toBe(true)
  })
})

describe('a listener', () => {
  /** The status of a request whose `Host` is `host`, on a listener that allows `allowedHosts`. */
  async function statusFor(
    host: string,
    { allowedHosts, ...request }: { allowedHosts?: string[]; method?: string; path?: string } = {},
  ): Promise<number> {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const { port } = await devnet.listen({ ...(allowedHosts && { allowedHosts }) })
    const client = new HttpClient(port)
    const headers = { ...JSON_BODY, host }
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_accounts"}'
    const { status } = await client.send({ headers, body, ...request })
    client.close()
    return status
  }

  it('refuses what a page reaches by DNS rebinding, whatever it asks', async () => {
    expect(await statusFor('evil.example')).toBe(403)
    expect(await statusFor('evil.example:8545')).toBe(403)
    expect(await statusFor('evil.example', { method: 'OPTIONS' })).toBe(403)
    expect(await statusFor('evil.example', { method: 'GET', path: '/health' })).toBe(403)
  })

  it('looks at the host of each request, whatever came before', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const client = new HttpClient((await devnet.listen()).port, 1)
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_accounts"}'
    const statuses: number[] = []
    for (const host of ['localhost', 'localhost', 'evil.example', 'evil.example', 'localhost', '127.0.0.1']) {
      statuses.push((await client.send({ headers: { ...JSON_BODY, host }, body })).status)
    }
    client.close()
    expect(statuses).toEqual([200, 200, 403, 403, 200, 200])
  })

  it('says in JSON why it refuses, and to no page', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const { port } = await devnet.listen()
    const client = new HttpClient(port)
    const { status, headers, body } = await client.send({
      headers: { ...JSON_BODY, host: 'evil.example' },
      body: '{}',
    })
    client.close()
    expect(status).toBe(403)
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.stringContaining('the host evil.example is not allowed') },
    })
  })

  it('answers for this machine and for the names that were allowed', async () => {
    expect(await statusFor('localhost')).toBe(200)
    expect(await statusFor('[::1]:8545')).toBe(200)
    expect(await statusFor('devnet.example')).toBe(403)
    expect(await statusFor('devnet.example', { allowedHosts: ['devnet.example'] })).toBe(200)
    expect(await statusFor('devnet.example', { allowedHosts: ['*'] })).toBe(200)
  })
})
