/** The fork point and the hardforks of a forked chain. */
import { describe, expect, it } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import type { Header } from '../../src/model/block/header.ts'
import { networkOf } from '../../src/model/hardfork/networks.ts'
import { connectUpstream } from '../../src/upstream/connection.ts'
import { forkPoint, guardBlock } from '../../src/upstream/forkPoint.ts'
import { scheduleOf } from '../../src/upstream/schedule.ts'
import type { Upstream, UpstreamAnswer } from '../../src/upstream/upstream.ts'
import { endWith, failureOf } from '../support/nodes/upstreams.ts'

type DevnetOptions = Parameters<typeof createDevnet>[0]

async function chain(options: DevnetOptions = {}): Promise<{ devnet: Devnet; upstream: Upstream }> {
  const devnet = await createDevnet({ rhythm: 'manual', ...options })
  endWith(() => devnet.close())
  return { devnet, upstream: connectUpstream({ provider: devnet }) }
}

/** Mines a block with `count` transactions. Returns their hashes. */
async function mineWith(devnet: Devnet, count: number): Promise<`0x${string}`[]> {
  const [from, to] = (await devnet.request({ method: 'eth_accounts' })) as [string, string]
  const hashes: `0x${string}`[] = []
  for (let i = 0; i < count; i++) {
    const accessList = [{ address: to, storageKeys: [`0x${'00'.repeat(31)}0${i}`] }]
    const kinds = [
      { gasPrice: '0x77359400' },
      { gasPrice: '0x77359400', accessList },
      { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1', accessList },
    ]
    const transaction = { from, to, value: '0x1', gas: '0x10000', ...kinds[i % kinds.length] }
    hashes.push(
      (await devnet.request({ method: 'eth_sendTransaction', params: [transaction] })) as `0x${string}`,
    )
  }
  await devnet.request({ method: 'anvil_mine', params: ['0x1'] })
  return hashes
}

describe('the block to fork from', () => {
  it('is the newest by default, and by number, hash and tag', async () => {
    const { devnet, upstream } = await chain()
    await mineWith(devnet, 1)
    await mineWith(devnet, 1)
    const newest = await forkPoint(upstream)
    expect([newest.header.number, newest.isVerified, newest.replay]).toEqual([2n, true, undefined])
    expect(newest.chainId).toBe(BigInt((await devnet.request({ method: 'eth_chainId' })) as string))
    expect((await forkPoint(upstream, newest.hash)).header).toEqual(newest.header)
    expect((await forkPoint(upstream, 2n)).hash).toBe(newest.hash)
    expect((await forkPoint(upstream, 1n)).hash).toBe(newest.header.parentHash)
    expect(await forkPoint(upstream, 'earliest')).toMatchObject({ header: { number: 0n }, isFinal: true })
  })

  it('is the one before a transaction, with the transactions before it', async () => {
    const { devnet, upstream } = await chain()
    await mineWith(devnet, 1)
    const hashes = await mineWith(devnet, 4)
    const point = await forkPoint(upstream, hashes[3])
    expect(point.header.number).toBe(1n)
    expect(point.replay!.header.number).toBe(2n)
    expect(point.replay!.transactions.map(({ hash }) => hash)).toEqual(hashes.slice(0, 3))
    expect(point.replay!.transactions.map(({ type }) => type)).toEqual([0, 1, 2])
    expect((await forkPoint(upstream, hashes[0])).replay!.transactions).toEqual([])
  })

  it('of an L2 has deposits among the transactions to run again', async () => {
    const { devnet, upstream } = await chain({ l2: 'base' })
    const [hash] = await mineWith(devnet, 1)
    const { replay } = await forkPoint(upstream, hash)
    expect(replay!.transactions.map(({ type }) => type)).toEqual([0x7e])
  })

  it('must exist', async () => {
    const { upstream } = await chain()
    for (const block of [7n, `0x${'12'.repeat(32)}`] as const) {
      const failure = await failureOf(forkPoint(upstream, block))
      expect(failure.kind).toBe('behind')
      expect(failure.message).toContain('the newest block is 0; fork from that or an older one')
    }
  })

  it('says that the node answers something else', async () => {
    const upstream = connectUpstream({
      provider: { request: async ({ method }) => (method === 'eth_chainId' ? '0x1' : { number: '0x1' }) },
    })
    const failure = await failureOf(forkPoint(upstream))
    expect(failure.message).toContain(
      'a wrong answer to eth_getBlockByNumber(latest, false): result.parentHash',
    )
  })

  it('is not another block than the one that was asked for', async () => {
    const { devnet, upstream } = await chain()
    await mineWith(devnet, 1)
    const first = await forkPoint(upstream, 1n)
    const other: Upstream = {
      ...upstream,
      name: upstream.name,
      send: (requests) =>
        upstream.send(
          requests.map((request) =>
            request.method.startsWith('eth_getBlockBy')
              ? { ...request, method: 'eth_getBlockByNumber', params: ['0x0', false] }
              : request,
          ),
        ),
      close: () => upstream.close(),
    }
    for (const block of [1n, first.hash]) {
      const failure = await failureOf(forkPoint(other, block))
      expect(failure.kind).toBe('wrongAnswer')
      expect(failure.message).toContain(`expected the requested block (${block})`)
    }
  })
})

describe('a block that is watched', () => {
  it('is found to be reorganised away, before another one is taken for it', async () => {
    const { devnet, upstream } = await chain()
    await mineWith(devnet, 1)
    const { header, hash } = await forkPoint(upstream)
    const request = { method: 'eth_getBalance', params: [header.coinbase, '0x1'], isImmutable: true }
    const guarded = guardBlock(upstream, { number: header.number, hash })
    expect(await guarded.send([request])).toEqual(await upstream.send([request]))
    const other = guardBlock(upstream, { number: header.number, hash: header.parentHash })
    const failure = await failureOf(other.send([request]))
    expect(failure.kind).toBe('reorganised')
    expect(failure.message).toContain('a reorg removed the fork block')
    // Requests that are not about the block are not checked.
    expect(await other.send([{ ...request, isImmutable: false }])).toEqual(await upstream.send([request]))
  })
})

describe('the hardforks of a chain', () => {
  it.each(['paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const)(
    'of an unknown chain are those of eth_config or of the header: %s',
    async (hardfork) => {
      const { upstream } = await chain({ hardfork, chainId: 4_242 })
      const point = await forkPoint(upstream)
      const schedule = await scheduleOf(upstream, point)
      expect(schedule.chainId).toBe(4_242n)
      expect(schedule.at(point.header).hardfork).toBe(hardfork)
      // A node without eth_config: the header proves all but Osaka, which added nothing to it.
      const silent = without(upstream, 'eth_config')
      const proven = (await scheduleOf(silent, point)).at(point.header).hardfork
      expect(proven).toBe(hardfork === 'osaka' ? 'prague' : hardfork)
    },
  )

  it('of an L2 that is not known are those of the OP Stack', async () => {
    const { upstream } = await chain({ l2: 'base', chainId: 4_243 })
    const point = await forkPoint(upstream)
    const { config } = await scheduleOf(upstream, point)
    expect(config.l2).toBe('op')
    const base = await chain({ l2: 'base', chainId: 8_453 })
    const basePoint = await forkPoint(base.upstream)
    expect((await scheduleOf(base.upstream, basePoint)).config.l2).toBe('base')
  })

  it('of a development node with the chain id of a network are not those of the network', async () => {
    for (const chainId of [1, 8_453]) {
      const { upstream } = await chain({ hardfork: 'shanghai', chainId })
      const point = await forkPoint(upstream)
      const schedule = await scheduleOf(upstream, point)
      expect(schedule).not.toBe(networkOf(BigInt(chainId))!.schedule)
      expect(schedule.at(point.header).hardfork).toBe('shanghai')
      expect(schedule.config.l2).toBeUndefined()
    }
  })

  it('of a public network ask the node nothing', async () => {
    const header = {
      number: 24_200_000n,
      timestamp: 1_767_747_671n,
      difficulty: 0n,
      baseFeePerGas: 1n,
      withdrawalsRoot: '0x',
      parentBeaconBlockRoot: '0x',
      requestsHash: '0x',
    } as unknown as Header
    const upstream: Upstream = { name: 'none', send: () => Promise.reject(new Error('asked')), close() {} }
    const schedule = await scheduleOf(upstream, { chainId: 1n, header })
    expect(schedule.at(header)).toMatchObject({ hardfork: 'bpo2', blobs: { max: 21 } })
  })

  it('that come later are those of eth_config, with their blobs', async () => {
    const rules = (activationTime: number, max: number, precompile: string) => ({
      activationTime,
      chainId: '0x1092',
      blobSchedule: { target: 1, max, baseFeeUpdateFraction: 100 },
      precompiles: {
        KZG_POINT_EVALUATION: `0x${'0a'.padStart(40, '0')}`,
        LAST: `0x${precompile.padStart(40, '0')}`,
      },
      systemContracts: { DEPOSIT_CONTRACT_ADDRESS: `0x${'42'.repeat(20)}` },
    })
    const config = { current: rules(100, 2, 'b'), next: rules(2_000, 3, '100'), last: rules(3_000, 4, '100') }
    const { upstream } = await chain({ hardfork: 'prague', chainId: 4_242 })
    const { header } = await forkPoint(upstream)
    const configured = without(upstream, 'eth_config', { result: config })
    const at = (timestamp: bigint) => ({ ...header, timestamp })
    const schedule = await scheduleOf(configured, { chainId: 4_242n, header: at(1_000n) })
    expect([1_000n, 2_000n, 3_000n].map((time) => schedule.at(at(time)))).toMatchObject([
      { hardfork: 'prague', blobs: { max: 2 }, depositContract: `0x${'42'.repeat(20)}` },
      { hardfork: 'osaka', blobs: { max: 3 } },
      { hardfork: 'bpo1', blobs: { max: 4 } },
    ])
    // The fork block is older than the rules that are in force.
    const before = await scheduleOf(configured, { chainId: 4_242n, header: at(99n) })
    expect(before.at(at(5_000n))).toMatchObject({ hardfork: 'prague', blobs: { max: 9 } })
  })
})

/** Returns an upstream that answers one method differently. */
function without(upstream: Upstream, method: string, answer?: UpstreamAnswer): Upstream {
  return {
    ...upstream,
    name: upstream.name,
    close: () => upstream.close(),
    async send(requests) {
      const answers = await upstream.send(requests)
      const lacking = { error: { code: -32601, message: `the method ${method} does not exist` } }
      return answers.map((one, index) => (requests[index]!.method === method ? (answer ?? lacking) : one))
    },
  }
}
