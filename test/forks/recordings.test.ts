/** A recording of a chain that was forked from a network has what the network's node answered: its replay asks nobody. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import market, { type Market } from '../../fixtures/market.ts'
import { createDevnet, type Devnet, type DevnetOptions, replay } from '../../src/index.ts'
import { type Asking, Session } from '../support/chains/session.ts'
import { ask } from '../support/clients/clients.ts'
import { type Asked, askedOf, failure } from '../support/nodes/networkOf.ts'
import { createDevnet as createOnFork } from '../support/nodes/onFork.ts'
import { Random } from '../support/random/random.ts'

const SECRET = 'very-secret-key'
const OTHER = '0x00000000000000000000000000000000000f1c42'

let network: Devnet
let where: Market

const transfer = (value: number) =>
  `0xa9059cbb${where.trader.slice(2).toLowerCase().padStart(64, '0')}${value.toString(16).padStart(64, '0')}`

/** Returns the lines of a recording with this member. */
const linesWith = (text: string, member: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => member in line)

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual', chainId: 4242 })
  where = await market(network)
})

afterAll(() => network.close())

/** Records `session` on a fork of the network, closes all, and returns the text. */
async function recordingOf(
  session: (devnet: Devnet) => Promise<unknown>,
  {
    fork = { provider: network },
    ...options
  }: DevnetOptions & { fork?: NonNullable<DevnetOptions['fork']> } = {},
): Promise<string> {
  await using devnet = await createDevnet({
    rhythm: 'manual',
    ...options,
    fork: { cache: false, retries: 0, ...fork },
  })
  const recording = await devnet.record()
  await session(devnet)
  recording.end()
  return recording.text
}

/** Many kinds of requests and commands, of which most ask the node. */
async function session(devnet: Devnet): Promise<void> {
  await ask(devnet, 'eth_call', { from: where.owner, to: where.gold, data: transfer(1) }, 'latest')
  await ask(devnet, 'eth_sendTransaction', { from: where.owner, to: where.gold, data: transfer(2) })
  await devnet.mine()
  await ask(devnet, 'eth_getBlockByNumber', '0x2', true)
  await ask(devnet, 'eth_getBlockByNumber', '0x2', true)
  await ask(devnet, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })
  await ask(devnet, 'eth_feeHistory', '0x3', 'latest', [50])
  await ask(devnet, 'eth_getBalance', OTHER, 'latest')
  await ask(devnet, 'eth_getBalance', where.owner, '0x1')
  await ask(devnet, 'eth_getTransactionReceipt', `0x${'12'.repeat(32)}`)
  await failure(ask(devnet, 'eth_call', { to: where.reverter, data: '0x12345678' }, '0x4'))
  const id = await ask(devnet, 'evm_snapshot')
  await ask(devnet, 'anvil_setBalance', OTHER, '0x5')
  await devnet.send({ to: where.rival, value: 1n })
  await ask(devnet, 'evm_revert', id)
  await devnet.advance({ ms: 600 })
  await devnet.faults.reorg({ depth: 1, transactions: 'keep' })
  await ask(devnet, 'anvil_nodeInfo')
}

describe('a recording of a fork', () => {
  it('is replayed without a network, with the same answers', async () => {
    const text = await recordingOf(session)
    const played = await replay(text)
    expect(played).toMatchObject({ difference: undefined, ending: 'end' })
    expect(played.requests).toBeGreaterThan(12)
  })

  it('has each answer that never changes once, and the others each time', async () => {
    const text = await recordingOf(async (devnet) => {
      for (let i = 0; i < 2; i++) {
        await ask(devnet, 'eth_getBlockByNumber', '0x2', false)
        await ask(devnet, 'eth_getTransactionReceipt', `0x${'12'.repeat(32)}`)
      }
    })
    const methods = linesWith(text, 'network').flatMap((line) =>
      (line.network as Asked[]).map(({ method }) => method),
    )
    expect(methods).toEqual(['eth_getBlockByNumber', 'eth_getTransactionByHash', 'eth_getTransactionByHash'])
  })

  it.each([10, 0])(
    'with proofs is replayed with the same roots and proofs: %s accounts',
    async (accounts) => {
      const text = await recordingOf(
        async (devnet) => {
          await ask(devnet, 'eth_getBalance', OTHER, 'latest')
          const transaction = { from: where.owner, to: where.trader, value: '0x5', gas: '0x5208' }
          await ask(devnet, 'eth_sendTransaction', transaction)
          await devnet.mine()
          await ask(devnet, 'eth_getBlockByNumber', 'latest', true)
          await ask(devnet, 'eth_getProof', where.owner, [], 'latest')
        },
        { accounts, autoImpersonate: true, fork: { provider: network, proofs: true } },
      )
      expect(await replay(text)).toMatchObject({ difference: undefined, ending: 'end' })
    },
  )

  it('has what came while commands ran and requests waited, at its place', async () => {
    // The node answers when the test says so.
    const gates = new Map<string, () => void>()
    const { provider } = askedOf(network, ({ method, params }) => {
      const name = `${method} ${String(params[0]).toLowerCase()}`
      if (!gated.has(name)) return
      return new Promise((resolve) => {
        gates.set(name, resolve)
        arrived()
      })
    })
    const gated = new Set<string>()
    let arrived = () => {}
    const answerTo = async (name: string) => {
      while (!gates.has(name)) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
      gates.get(name)!()
    }
    const text = await recordingOf(
      async (devnet) => {
        const [gold, silver, store] = [where.gold, where.silver, where.store].map((at) => at.toLowerCase())
        await ask(devnet, 'eth_getCode', store, 'latest')
        for (const name of [`eth_getCode ${gold}`, `eth_getCode ${silver}`, `eth_getStorageAt ${store}`]) {
          gated.add(name)
        }
        // A read waits while blocks are made: its answer is that of the latest block when it is given.
        const call = {
          to: where.gold,
          from: where.owner,
          data: `0x70a08231${where.trader.slice(2).padStart(64, '0')}`,
        }
        const late = ask(devnet, 'eth_getStorageAt', store, '0x77', 'latest')
        const five = `0x${'5'.padStart(64, '0')}`
        await ask(devnet, 'anvil_setStorageAt', store, '0x77', five)
        const called = ask(devnet, 'eth_call', call, 'latest')
        await ask(devnet, 'anvil_setBalance', where.rival, '0x7777')
        await devnet.mine()
        await devnet.mine()
        await answerTo(`eth_getCode ${gold}`)
        await called
        await ask(devnet, 'eth_blockNumber')
        await answerTo(`eth_getStorageAt ${store}`)
        expect(await late).toBe(five)
        // A transaction waits for the node within a tick, and requests come meanwhile.
        const hash = ask(devnet, 'eth_sendTransaction', {
          from: where.owner,
          to: where.silver,
          data: transfer(3),
          gas: '0x30000',
        })
        await hash
        const ticked = devnet.tick()
        await ask(devnet, 'eth_getBlockByNumber', 'pending', false)
        await answerTo(`eth_getCode ${silver}`)
        await ticked
        await devnet.seal()
        await ask(devnet, 'eth_getTransactionReceipt', await hash)
        await ask(devnet, 'eth_getBlockByNumber', 'latest', true)
      },
      { fork: { provider } },
    )
    expect(await replay(text)).toMatchObject({ difference: undefined, ending: 'end' })
  })

  it('has the failures of the node, which the replay repeats', async () => {
    let isDown = false
    const { provider } = askedOf(network, () => {
      if (isDown) throw Object.assign(new Error('no'), { code: 4900 })
    })
    const text = await recordingOf(
      async (devnet) => {
        isDown = true
        expect(await failure(ask(devnet, 'eth_getBalance', OTHER, 'latest'))).toContain('provider')
        isDown = false
        await ask(devnet, 'eth_getBalance', OTHER, 'latest')
        await devnet.mine()
      },
      { fork: { provider } },
    )
    expect(linesWith(text, 'failed')).toHaveLength(1)
    expect(await replay(text)).toMatchObject({ difference: undefined, ending: 'end' })
  })

  it('is played up to any line, also where a command waits for the node', async () => {
    const text = await recordingOf(async (devnet) => {
      await ask(devnet, 'eth_sendTransaction', { from: where.owner, to: where.gold, data: transfer(2) })
      await devnet.mine()
    })
    const lines = text.trimEnd().split('\n')
    const first = lines.findIndex((line) => line.includes('"method":"eth_sendTransaction"')) + 1
    for (let until = first; until < lines.length; until++) {
      expect(await replay(text, { until }), `line ${until}`).toMatchObject({ ending: 'stopped' })
    }
  })

  it('names what it lacks where the replay asks for more', async () => {
    const text = await recordingOf((devnet) => ask(devnet, 'eth_blockNumber'))
    let lacking = ''
    await replay(text, {
      async look(devnet) {
        lacking = await failure(ask(devnet, 'eth_getBalance', OTHER, 'latest'))
      },
    })
    expect(lacking).toContain(`not recorded: eth_getBalance(${OTHER}`)
  })

  it('has what a local fork of the devnet and a sibling have fetched, too', async () => {
    const { provider } = askedOf(network)
    const text = await recordingOf(
      async (devnet) => {
        await using local = devnet.fork()
        await ask(local, 'eth_getBalance', OTHER, 'latest')
        await ask(devnet, 'eth_getBalance', OTHER, 'latest')
        await using sibling = await createDevnet({ rhythm: 'manual', fork: { provider } })
        await ask(sibling, 'eth_getCode', where.gold, 'latest')
        await ask(devnet, 'eth_getCode', where.gold, 'latest')
        await devnet.load(Buffer.concat([...sibling.dump()]))
        await ask(devnet, 'eth_getCode', where.silver, 'latest')
        await devnet.restore(local.snapshot())
        await ask(devnet, 'eth_getCode', where.pool, 'latest')
      },
      // Not `cache: false`: siblings share what they fetch.
      { fork: { provider, cache: undefined } as never },
    )
    expect(await replay(text)).toMatchObject({ difference: undefined, ending: 'end' })
  })

  it.each([36, 2_648_740_740])(
    'has requests in their order, also where one is estimated again after the network answered: seed %i',
    async (seed) => {
      const random = new Random(seed)
      await using devnet = await createOnFork({
        rhythm: 'instant',
        ticksPerBlock: random.below(4),
        pendingNonce: random.pick(['pool', 'preconfirmed']),
        pendingHash: random.pick(['zero', 'real']),
        dialect: random.pick(['base', 'geth']),
      })
      const recording = await devnet.record()
      const asking: Asking = (method, ...params) => devnet.request({ method, params }).catch(() => undefined)
      const sessions = [0, 1, 2].map((index) => new Session(random, devnet, index, asking))
      await Promise.all(sessions.map((session) => session.take(20)))
      recording.end()
      expect(await replay(recording.text)).toMatchObject({ difference: undefined, ending: 'end' })
    },
  )

  it('has no URL and no key, also where a request brings one', async () => {
    const listener = await network.listen({ port: 0 })
    const url = `${listener.url}/?key=${SECRET}`
    const text = await recordingOf(
      async (devnet) => {
        await ask(devnet, 'eth_getBalance', OTHER, 'latest')
        for (const [method, param] of [
          ['anvil_setRpcUrl', url],
          ['hardhat_reset', { forking: { jsonRpcUrl: url, blockNumber: 1 } }],
        ] as const) {
          expect(await failure(ask(devnet, method, param))).toContain(
            'no network can be named while a recording is made',
          )
        }
      },
      { fork: { url, headers: { authorization: SECRET } } },
    )
    expect(text).not.toContain(SECRET)
    await listener.close()
    expect(await replay(text)).toMatchObject({ difference: undefined, ending: 'end' })
  })
})
