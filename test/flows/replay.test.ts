/** What was recorded is played again, and comes to the same: under every rhythm, over every transport, in any order. */
import { describe, expect, it } from 'vitest'
import { type Devnet, type DevnetOptions, type Recording, replay } from '../../src/index.ts'
import { AnyOrder } from '../support/chains/anyOrder.ts'
import { type Asking, Session } from '../support/chains/session.ts'
import { started } from '../support/clients/clients.ts'
import { HttpClient } from '../support/clients/exchange.ts'
import { SocketClient } from '../support/clients/socket.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const REQUESTS = 1_000

/** Asks in process. */
function inProcess(devnet: Devnet): Asking {
  return (method, ...params) => devnet.request({ method, params }).catch(() => undefined)
}

function overHttp(client: HttpClient): Asking {
  return async (method, ...params) => {
    const { body } = await client.send({ body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
    return JSON.parse(body).result
  }
}

function optionsOf(random: Random): DevnetOptions {
  return {
    ticksPerBlock: random.below(4),
    pendingNonce: random.pick(['pool', 'preconfirmed']),
    pendingHash: random.pick(['zero', 'real']),
    dialect: random.pick(['base', 'geth']),
  }
}

describe('a session of a thousand requests', () => {
  it(
    'under the manual clock is played again without a difference',
    withRandom(async (random) => {
      const devnet = await started({ rhythm: 'manual', ...optionsOf(random) })
      const recording = await devnet.record()
      const session = new Session(random, devnet, 0, inProcess(devnet))
      while (session.requests < REQUESTS) {
        if (random.chance(0.2)) await session.takeAtOnce(random.between(2, 6))
        else await session.take(random.between(1, 4))
        if (random.chance(0.1)) await devnet.advance({ ms: random.below(1_000) })
        else if (random.chance(0.5)) await devnet.tick()
      }
      recording.end()
      const replayed = await replay(recording.text)
      expect(replayed.difference).toBeUndefined()
      expect(replayed).toMatchObject({ requests: session.requests, ending: 'end' })
    }),
  )

  it(
    'under the real clock, by clients in parallel, is played again without a difference',
    withRandom(async (random) => {
      const devnet = await started({ rhythm: 'interval', tickMs: 10, ...optionsOf(random) })
      const recording = await devnet.record()
      const { port, webSocketUrl } = await devnet.listen()
      const client = new HttpClient(port, 8)
      const sessions = Array.from(
        { length: 8 },
        (_, index) => new Session(random, devnet, index, overHttp(client)),
      )
      const socket = await SocketClient.connect(webSocketUrl)
      await socket.subscribe('newHeads')
      await Promise.all([
        ...sessions.map((session) => session.take(REQUESTS / 8)),
        devnet.advance({ ms: 500 }),
        inProcess(devnet)('eth_getBalance', devnet.accounts[0]!.address, 'pending'),
      ])
      socket.close()
      client.close()
      recording.end()
      const replayed = await replay(recording.text)
      expect(replayed.difference).toBeUndefined()
      expect(replayed.requests).toBeGreaterThanOrEqual(REQUESTS)
      expect(replayed).toMatchObject({ ending: 'end', subscriptions: 1 })
    }),
  )

  it(
    'is played again under the rhythm instant',
    withRandom(async (random) => {
      const devnet = await started({ rhythm: 'instant', ...optionsOf(random) })
      const recording = await devnet.record()
      const sessions = [0, 1, 2].map((index) => new Session(random, devnet, index, inProcess(devnet)))
      await Promise.all(sessions.map((session) => session.take(100)))
      recording.end()
      expect((await replay(recording.text)).difference).toBeUndefined()
    }),
  )
})

it(
  'commands in any order, with faults, reorgs, restores and forks, are played again without a difference',
  withRandom(async (random) => {
    const recordings: Recording[] = []
    const commands = { hasCheats: true, hasReturns: true, hasNewOrders: true }
    const order = await AnyOrder.start(random, optionsOf(random), commands, async (devnet) => {
      recordings.push(await devnet.record())
    })
    await order.take(400)
    const [recording] = recordings
    recording!.end()
    expect((await replay(recording!.text)).difference).toBeUndefined()
  }),
)
