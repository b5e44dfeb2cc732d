/** prool, which keeps a devnet per test worker behind one port: what its users of anvil change is the definition. */
import { Pool, Server } from 'prool'
import { createPublicClient, createTestClient, http, publicActions, webSocket } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { preseal } from '../examples/prool.ts'
import { devnetChain, STRANGER } from '../support/clients/clients.ts'
import { PRESEAL } from '../support/processes/process.ts'

// prool is written for Node 22, and this is all that Node 20 lacks of it.
const isLacking = !('withResolvers' in Promise)
beforeAll(() => {
  if (isLacking) Object.assign(Promise, { withResolvers })
})
afterAll(() => {
  if (isLacking) Reflect.deleteProperty(Promise, 'withResolvers')
})

function withResolvers<T>() {
  let settle: { resolve(value: T): void; reject(reason: unknown): void }
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle! }
}

/** The definition of the examples, for the sources instead of the installed command. */
function definition(...flags: string[]) {
  return preseal({ command: [...PRESEAL], flags })
}

/** prool's server, where each number in the path is a devnet of its own. */
async function served(...flags: string[]) {
  const server = Server.create({ instance: definition(...flags), host: '127.0.0.1', port: 0 })
  await server.start()
  onTestFinished(() => server.stop())
  return `127.0.0.1:${server.address()!.port}`
}

async function answerOf<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T
}

/** A client that steers and asks. It asks once: where nobody listens, that is the answer. */
function clientAt(url: string) {
  const transport = http(url, { retryCount: 0 })
  return createTestClient({ mode: 'anvil', chain: devnetChain, transport }).extend(publicActions)
}

const mark = (url: string, value: bigint) => clientAt(url).setBalance({ address: STRANGER, value })
const marked = (url: string) => clientAt(url).getBalance({ address: STRANGER })

// Each start of the sources takes a second, and several where other tests run beside it.
describe('prool', () => {
  it('keeps a devnet for each key, and starts, restarts and stops it alone', async () => {
    const server = await served()
    const [one, two] = [`http://${server}/1`, `http://${server}/2`]
    const started = await answerOf<{ url: string }>(`${one}/start`)
    await mark(started.url, 1n)
    await mark(two, 2n) // who asks need not start it before
    expect([await marked(one), await marked(two)]).toEqual([1n, 2n])

    const restarted = await answerOf<{ url: string }>(`${one}/restart`)
    expect(restarted.url).toBe(started.url)
    expect([await marked(one), await marked(two)]).toEqual([0n, 2n])

    await fetch(`${one}/stop`)
    await expect(marked(started.url)).rejects.toThrow('fetch failed')
    expect(await marked(two)).toBe(2n)
  })

  it('passes WebSocket on, and what the devnet prints', async () => {
    const server = await served('--chain-id', '8453')
    const transport = webSocket(`ws://${server}/1`, { retryCount: 0, reconnect: false })
    const client = createPublicClient({ transport })
    onTestFinished(async () => (await client.transport.getRpcClient()).close())
    expect(await client.getChainId()).toBe(8453)
    const heads = new Promise((resolve) => client.watchBlockNumber({ onBlockNumber: resolve }))
    expect(await heads).toBeGreaterThan(0n)
    expect(await answerOf<string[]>(`http://${server}/1/messages`)).toContainEqual(
      expect.stringMatching(/^Listening on 127\.0\.0\.1:\d+$/),
    )
  })

  it('leases a devnet to one after the other, reset in between', async () => {
    const pool = Pool.create({
      instance: definition(),
      limit: 1,
      reset: ({ url }) => clientAt(url).reset(),
    })
    onTestFinished(() => pool.close())
    const first = await pool.acquire()
    await mark(first.instance.url, 1n)
    await first.release()
    const second = await pool.acquire()
    expect(second.instance).toBe(first.instance)
    expect(await marked(second.instance.url)).toBe(0n)
  })

  it('says why a devnet did not start', async () => {
    const instance = definition('--tick', 'x')
    await expect(instance.start()).rejects.toThrow(
      'preseal: --tick: expected milliseconds (a whole number from 1 to 86400000), got "x"',
    )
    expect(instance.status).toBe('idle')
  })
})
