/** The hardforks and blob parameters of a fork: those of the network, at the times at which the network changes them. */
import { numberToHex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { ask } from '../support/clients/clients.ts'

const open: Devnet[] = []
afterEach(async () => {
  for (const devnet of open.splice(0).reverse()) await devnet.close()
})

async function begun(options: DevnetOptions): Promise<Devnet> {
  const devnet = await createDevnet({ rhythm: 'manual', ...options })
  open.push(devnet)
  return devnet
}

interface Config {
  readonly activationTime: number
  readonly blobSchedule: {
    readonly target: number
    readonly max: number
    readonly baseFeeUpdateFraction: number
  }
}
interface Configs {
  readonly current: Config
  readonly next: Config | null
  readonly last: Config | null
}

const configs = (devnet: Devnet) => ask<Configs>(devnet, 'eth_config')
const blobsOf = async (devnet: Devnet) => (await configs(devnet)).current.blobSchedule

/** Mines a block at a time, in seconds. */
async function mineAt(devnet: Devnet, timestamp: number): Promise<void> {
  await ask(devnet, 'evm_setNextBlockTimestamp', numberToHex(timestamp))
  await devnet.mine()
  const { timestamp: came } = await ask<{ timestamp: string }>(
    devnet,
    'eth_getBlockByNumber',
    'latest',
    false,
  )
  expect(Number(came)).toBe(timestamp)
}

/** Whether CLZ (EIP-7939), which Osaka added, is an instruction in the newest block. */
async function hasClz(devnet: Devnet): Promise<boolean> {
  const at = '0x00000000000000000000000000000000000c1200'
  // PUSH1 1, CLZ, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN
  const override = { [at]: { code: '0x60011e5f5260205ff3' } }
  return ask(devnet, 'eth_call', { to: at }, 'latest', override).then(
    (word) => BigInt(word as string) === 255n,
    () => false,
  )
}

/** Returns a provider of what `devnet` has, without one method. */
function without(devnet: Devnet, method: string) {
  return {
    request: (request: { method: string; params?: unknown }) =>
      request.method === method
        ? Promise.reject(Object.assign(new Error(`the method ${method} does not exist`), { code: -32601 }))
        : devnet.request(request as never),
  }
}

describe('a fork of mainnet', () => {
  // The times of Osaka and of the first two hardforks that change blob parameters only (EIP-7892).
  const [OSAKA, BPO1, BPO2] = [1_764_798_551, 1_765_290_071, 1_767_747_671]

  it('goes from Prague to Osaka in the block with the time of Osaka', async () => {
    const network = await begun({ chainId: 1, hardfork: 'prague', timestamp: OSAKA - 100 })
    const fork = await begun({ fork: { provider: network } })
    await mineAt(fork, OSAKA - 1)
    expect([fork.hardfork, await hasClz(fork)]).toEqual(['prague', false])
    await mineAt(fork, OSAKA)
    expect([fork.hardfork, await hasClz(fork)]).toEqual(['osaka', true])
    // The network itself stays where it is.
    expect(await hasClz(network)).toBe(false)
  })

  it('has more blobs from the times of the BPO hardforks on', async () => {
    const network = await begun({ chainId: 1, hardfork: 'osaka', timestamp: BPO1 - 100 })
    const fork = await begun({ fork: { provider: network } })
    const seen: [string, number, number][] = []
    for (const time of [BPO1 - 1, BPO1, BPO2 - 1, BPO2]) {
      await mineAt(fork, time)
      const { target, max } = await blobsOf(fork)
      seen.push([fork.hardfork, target, max])
    }
    expect(seen).toEqual([
      ['osaka', 6, 9],
      ['bpo1', 10, 15],
      ['bpo1', 10, 15],
      ['bpo2', 14, 21],
    ])
  })

  it('crosses the same times by pre-confirmed blocks', async () => {
    const network = await begun({ chainId: 1, hardfork: 'prague', timestamp: OSAKA - 2 })
    const fork = await begun({ fork: { provider: network }, tickMs: 200, ticksPerBlock: 5 })
    const hardforks = new Map<number, string>()
    for (let tick = 0; tick < 20; tick++) {
      await fork.tick()
      const { timestamp } = await ask<{ timestamp: string }>(fork, 'eth_getBlockByNumber', 'pending', false)
      hardforks.set(Number(timestamp), fork.hardfork)
    }
    for (const [time, name] of hardforks) expect(name, `${time}`).toBe(time < OSAKA ? 'prague' : 'osaka')
    expect([...hardforks.keys()].some((time) => time >= OSAKA)).toBe(true)
    expect([...hardforks.keys()].some((time) => time < OSAKA)).toBe(true)
  })
})

describe('a fork of an unknown chain', () => {
  const START = 1_700_000_000
  const genesis = {
    config: {
      ...{ chainId: 4_242, homesteadBlock: 0, eip150Block: 0, eip155Block: 0, eip158Block: 0 },
      ...{ byzantiumBlock: 0, constantinopleBlock: 0, petersburgBlock: 0, istanbulBlock: 0 },
      ...{ berlinBlock: 0, londonBlock: 0, terminalTotalDifficulty: 0 },
      ...{ shanghaiTime: 0, cancunTime: 0, pragueTime: 0, osakaTime: START + 1_000, bpo1Time: START + 2_000 },
      blobSchedule: {
        cancun: { target: 1, max: 2, baseFeeUpdateFraction: 1_000_000 },
        prague: { target: 2, max: 3, baseFeeUpdateFraction: 2_000_000 },
        osaka: { target: 2, max: 3, baseFeeUpdateFraction: 2_000_000 },
        bpo1: { target: 4, max: 5, baseFeeUpdateFraction: 3_000_000 },
      },
    },
    ...{
      nonce: '0x0',
      timestamp: numberToHex(START),
      extraData: '0x',
      gasLimit: '0x1c9c380',
      difficulty: '0x0',
    },
    ...{ mixHash: `0x${'00'.repeat(32)}`, coinbase: `0x${'00'.repeat(20)}`, alloc: {} },
    ...{ number: '0x0', gasUsed: '0x0', parentHash: `0x${'00'.repeat(32)}`, baseFeePerGas: '0x3b9aca00' },
  }

  it('takes from eth_config what is in force and what comes', async () => {
    const network = await begun({ genesis })
    const fork = await begun({ fork: { provider: network } })
    const [theirs, ours] = await Promise.all([configs(network), configs(fork)])
    expect(ours).toEqual(theirs)
    const seen: unknown[] = []
    for (const time of [START + 999, START + 1_000, START + 1_999, START + 2_000]) {
      await mineAt(fork, time)
      const { max } = await blobsOf(fork)
      seen.push([fork.hardfork, max, await hasClz(fork)])
    }
    expect(seen).toEqual([
      ['prague', 3, false],
      ['osaka', 3, true],
      ['osaka', 3, true],
      ['bpo1', 5, true],
    ])
  })

  it.each([
    ['paris', 'paris'],
    ['shanghai', 'shanghai'],
    ['cancun', 'cancun'],
    ['prague', 'prague'],
    // What it added is not in headers.
    ['osaka', 'prague'],
  ] as const)('of %s without eth_config is what its header proves: %s', async (hardfork, proven) => {
    const network = await begun({ chainId: 4_242, hardfork })
    const fork = await begun({ fork: { provider: without(network, 'eth_config') } })
    await fork.mine()
    expect(fork.hardfork).toBe(proven)
    const header = await ask<Record<string, unknown>>(fork, 'eth_getBlockByNumber', 'latest', false)
    const theirs = await ask<Record<string, unknown>>(network, 'eth_getBlockByNumber', 'latest', false)
    for (const name of ['withdrawalsRoot', 'blobGasUsed', 'parentBeaconBlockRoot', 'requestsHash'])
      expect(name in header, name).toBe(name in theirs)
  })
})
