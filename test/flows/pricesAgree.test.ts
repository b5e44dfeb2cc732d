/** The fees of the next block: each method that tells them tells the same, and the block that is sealed then has them. */
import { afterEach, describe, expect, it } from 'vitest'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'

const open: Devnet[] = []
afterEach(async () => {
  for (const devnet of open.splice(0)) await devnet.close()
})

async function manual(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3, ...options })
  open.push(devnet)
  return devnet
}

const FEE = '0x77359400'

interface Told {
  readonly baseFee: unknown
  readonly lastOfFeeHistory: unknown
  readonly gasPriceWithoutTip: unknown
  readonly pending: unknown
}

async function told(devnet: Devnet): Promise<Told> {
  const ask = (method: string, params: unknown[] = []) => devnet.request({ method, params })
  const baseFee = await ask('eth_baseFee')
  const { baseFeePerGas } = (await ask('eth_feeHistory', ['0x1', 'latest', []])) as {
    baseFeePerGas: string[]
  }
  const [price, tip] = (await Promise.all([ask('eth_gasPrice'), ask('eth_maxPriorityFeePerGas')])) as [
    Hex,
    Hex,
  ]
  const [pending, latest] = (await Promise.all(
    ['pending', 'latest'].map((tag) => ask('eth_getBlockByNumber', [tag, false])),
  )) as [BlockJson, BlockJson]
  const isOpen = pending.number !== latest.number
  return {
    baseFee,
    lastOfFeeHistory: baseFeePerGas.at(-1),
    gasPriceWithoutTip: `0x${(BigInt(price) - BigInt(tip)).toString(16)}`,
    pending: isOpen ? pending.baseFeePerGas : baseFee,
  }
}

type Hex = `0x${string}`
interface BlockJson {
  readonly number: Hex
  readonly baseFeePerGas: Hex
}

/** Expects one fee from all methods, and from the block that is sealed next. Returns it. */
async function expectOneFee(devnet: Devnet): Promise<Hex> {
  const answers = await told(devnet)
  await devnet.seal()
  const sealed = (await devnet.request({
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
  })) as BlockJson
  const fee = sealed.baseFeePerGas
  expect(answers).toEqual({ baseFee: fee, lastOfFeeHistory: fee, gasPriceWithoutTip: fee, pending: fee })
  return fee
}

const transfer = (devnet: Devnet) =>
  devnet.request({
    method: 'eth_sendTransaction',
    params: [{ from: devnet.accounts[0]!.address, to: devnet.accounts[1]!.address, value: '0x1' }],
  })

const CHEATS: readonly [string, readonly unknown[]][] = [
  ['anvil_setNextBlockBaseFeePerGas', [FEE]],
  ['hardhat_setNextBlockBaseFeePerGas', [FEE]],
  ['anvil_setNextBlockBaseFeePerGas', ['0x1']],
  ['evm_setBlockGasLimit', ['0x2000000']],
  ['anvil_setCoinbase', ['0x00000000000000000000000000000000000000aa']],
  ['hardhat_setPrevRandao', [`0x${'11'.repeat(32)}`]],
  ['evm_increaseTime', ['0x100']],
  ['evm_setNextBlockTimestamp', ['0x7fffffff']],
]

/** What came before the fees are asked for. */
const SITUATIONS: readonly [string, (devnet: Devnet) => Promise<unknown>][] = [
  ['at the beginning', async () => {}],
  ['in an open, empty block', (devnet) => devnet.tick()],
  [
    'after a slice with a transaction',
    async (devnet) => {
      await transfer(devnet)
      await devnet.tick()
    },
  ],
  ['after an empty block', (devnet) => devnet.mine()],
  [
    'after a block with a transaction',
    async (devnet) => {
      await transfer(devnet)
      await devnet.mine()
    },
  ],
  [
    'after a snapshot was restored',
    async (devnet) => {
      const snapshot = await devnet.request({ method: 'evm_snapshot', params: [] })
      await devnet.request({ method: 'anvil_setNextBlockBaseFeePerGas', params: [FEE] })
      await devnet.request({ method: 'evm_revert', params: [snapshot] })
    },
  ],
  [
    'after a reorg',
    async (devnet) => {
      await devnet.mine({ blocks: 3 })
      await devnet.request({ method: 'anvil_reorg', params: [2, []] })
    },
  ],
]

const CHAINS: readonly [string, () => Promise<Devnet>][] = [
  ['a devnet', () => manual()],
  ['blocks that are sealed in the tick in which they are run', () => manual({ ticksPerBlock: 0 })],
  ['an L2', () => manual({ profile: 'op-flashblocks', rhythm: 'manual' })],
  [
    'a fork of another devnet',
    async () => {
      const network = await manual()
      await network.mine({ blocks: 2 })
      return manual({ fork: { provider: network.provider } })
    },
  ],
  ['a copy of a devnet', async () => track((await manual()).fork())],
]

async function track(devnet: Devnet | Promise<Devnet>): Promise<Devnet> {
  const made = await devnet
  open.push(made)
  return made
}

describe.each(CHAINS)('on %s', (_, begin) => {
  it.each(SITUATIONS)('all methods tell the fee of the next block %s', async (_, prepare) => {
    const devnet = await begin()
    await prepare(devnet)
    await expectOneFee(devnet)
    await expectOneFee(devnet)
  })

  it.each(CHEATS)('they do after %s(%j), and in the block after it', async (method, params) => {
    const devnet = await begin()
    await devnet.mine()
    await devnet.request({ method, params })
    const fee = await expectOneFee(devnet)
    if (method.includes('BaseFee')) expect(fee).toBe(params[0])
    await expectOneFee(devnet)
  })

  it('they do after a fee was set while the block is open and empty', async () => {
    const devnet = await begin()
    await devnet.tick()
    await devnet.request({ method: 'anvil_setNextBlockBaseFeePerGas', params: [FEE] })
    expect(await expectOneFee(devnet)).toBe(FEE)
  })
})

it('a fee set while the block has transactions is that of the block after it, and the suggested price covers both', async () => {
  const devnet = await manual()
  await transfer(devnet)
  await devnet.tick()
  await devnet.request({ method: 'anvil_setNextBlockBaseFeePerGas', params: [FEE] })
  const { baseFee, lastOfFeeHistory, pending, gasPriceWithoutTip } = await told(devnet)
  expect([lastOfFeeHistory, pending]).toEqual([baseFee, baseFee])
  expect(gasPriceWithoutTip).toBe(FEE)
  await devnet.seal()
  expect(await expectOneFee(devnet)).toBe(FEE)
})

it('eth_feeHistory of an older block ends with the fee that the block after it has, also if it was set', async () => {
  const devnet = await manual()
  await devnet.request({ method: 'anvil_setNextBlockBaseFeePerGas', params: [FEE] })
  await devnet.mine({ blocks: 2 })
  const { baseFeePerGas } = (await devnet.request({
    method: 'eth_feeHistory',
    params: ['0x1', '0x0', []],
  })) as { baseFeePerGas: string[] }
  expect(baseFeePerGas.at(-1)).toBe(FEE)
})
