/** A fork of an L2 of the OP Stack is an L2: its deposits go on, and its fees are those that its own contracts tell. */
import {
  decodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  numberToHex,
  pad,
  parseAbi,
  parseGwei,
  size,
  slice,
  toHex,
} from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { fromHex } from '../../src/bytes/hex.ts'
import { type Devnet, type DevnetOptions, optionsOfState, replay } from '../../src/index.ts'
import { fastLzLength } from '../../src/model/l2/l1Fee.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { Random } from '../support/random/random.ts'

const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000f'
const SEQUENCER_FEE_VAULT = '0x4200000000000000000000000000000000000011'
const L1_FEE_VAULT = '0x420000000000000000000000000000000000001a'
const OPERATOR_FEE_VAULT = '0x420000000000000000000000000000000000001b'
const CONTRACTS = parseAbi([
  'function number() view returns (uint64)',
  'function timestamp() view returns (uint64)',
  'function sequenceNumber() view returns (uint64)',
  'function basefee() view returns (uint256)',
  'function blobBaseFee() view returns (uint256)',
  'function batcherHash() view returns (bytes32)',
  'function l1FeeOverhead() view returns (uint256)',
  'function l1FeeScalar() view returns (uint256)',
  'function getL1Fee(bytes) view returns (uint256)',
  'function getOperatorFee(uint256) view returns (uint256)',
])

const open: Devnet[] = []
afterEach(async () => {
  for (const devnet of open.splice(0).reverse()) await devnet.close()
})

async function begun(options: DevnetOptions): Promise<Devnet> {
  const devnet = await started({ rhythm: 'manual', ...options })
  open.push(devnet)
  return devnet
}

/** Prices of L1 that no chain has by default: a base fee of 23 gwei, blob gas at 5 gwei, and both weights. */
const PRICES = [
  [1n, parseGwei('23')],
  [7n, parseGwei('5')],
  [3n, (4_321n << 96n) | (987_654n << 64n)],
] as const

/** An L2 with `storage` of L1Block and these upgrades in its GasPriceOracle. */
async function l2(
  flags: bigint,
  storage: readonly (readonly [bigint, bigint])[],
  options: DevnetOptions = {},
): Promise<Devnet> {
  const devnet = await begun({ l2: 'op', chainId: 901, hardfork: 'prague', ...options })
  await devnet.mine(2)
  for (const [at, value] of storage) await store(devnet, L1_BLOCK, at, value)
  await store(devnet, GAS_PRICE_ORACLE, 0n, flags)
  // Not by a deposit: that of this chain would be one of Jovian.
  return devnet
}

const store = (devnet: Devnet, address: Hex, at: bigint, value: bigint) =>
  ask(devnet, 'anvil_setStorageAt', address, numberToHex(at), pad(toHex(value)))

async function call(devnet: Devnet, to: Hex, functionName: string, ...args: unknown[]): Promise<bigint> {
  const data = encodeFunctionData({ abi: CONTRACTS, functionName, args } as never)
  return hexToBigInt(await ask<Hex>(devnet, 'eth_call', { to, data }, 'latest'))
}

interface ReceiptJson {
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly l1Fee: Hex
  readonly l1FeeScalar?: string
  readonly operatorFeeScalar?: Hex
  readonly operatorFeeConstant?: Hex
  readonly daFootprintGasScalar?: Hex
  readonly blobGasUsed?: Hex
}
interface BlockJson {
  readonly miner: Hex
  readonly timestamp: Hex
  readonly transactions: readonly { hash: Hex; type: Hex; from: Hex; input: Hex }[]
}

const newest = (devnet: Devnet) => ask<BlockJson>(devnet, 'eth_getBlockByNumber', 'latest', true)

/** Sends a transaction and mines it. */
async function pay(devnet: Devnet, fields: object = {}): Promise<{ raw: Hex; receipt: ReceiptJson }> {
  const from = devnet.accounts[0]!.address
  const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', ...fields })
  await devnet.mine()
  return {
    raw: await ask(devnet, 'eth_getRawTransactionByHash', hash),
    receipt: await ask(devnet, 'eth_getTransactionReceipt', hash),
  }
}

/**
 * What GasPriceOracle says of a transaction. It takes an unsigned one and counts 68 bytes for its signature, so that it
 * is asked for the signed one without as much.
 */
function foreseen(devnet: Devnet, raw: Hex, length: (bytes: Uint8Array) => number): Promise<bigint> {
  const bytes = fromHex(raw)
  for (let end = bytes.length; end > 0; end--) {
    for (const zeros of [0, 1, 2, 3]) {
      const unsigned = Uint8Array.from([...bytes.subarray(0, end), ...new Array<number>(zeros).fill(0)])
      if (length(unsigned) + 68 !== length(bytes)) continue
      return call(devnet, GAS_PRICE_ORACLE, 'getL1Fee', toHex(unsigned))
    }
  }
  throw new Error('no part of the transaction is as long as it is without a signature')
}

/** The bytes of a transaction as the fee counts them, in the sixteenth part of its gas as calldata. */
const calldataLength = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum + (byte === 0 ? 0.25 : 1), 0)

describe('a fork of an L2', () => {
  it.each([
    ['of a known network', { l2: 'base', chainId: 8_453 }, 'base'],
    ['of another, by its contracts', { l2: 'base', chainId: 901 }, 'op'],
  ] as const)('%s is an L2, too', async (_, options, kind) => {
    const network = await begun(options)
    await network.mine(2)
    const fork = await begun({ fork: { provider: network } })
    expect(fork.settings).toMatchObject({ l2: kind, coinbase: SEQUENCER_FEE_VAULT })
    const { receipt } = await pay(fork)
    expect(hexToBigInt(receipt.l1Fee)).toBeGreaterThan(0n)
    const block = await newest(fork)
    expect(block.miner).toBe(SEQUENCER_FEE_VAULT)
    expect(block.transactions.map(({ type, from }) => [type, from])).toEqual([
      ['0x7e', DEPOSITOR],
      ['0x2', fork.accounts[0]!.address.toLowerCase()],
    ])
  })

  it('is none if the option says so', async () => {
    const network = await begun({ l2: 'op', chainId: 10 })
    const fork = await begun({ fork: { provider: network }, l2: 'none' })
    const { receipt } = await pay(fork)
    expect(receipt.l1Fee).toBeUndefined()
    expect((await newest(fork)).transactions).toHaveLength(1)
  })

  it('keeps the prices of the fork block, and its L1 blocks go on from there', async () => {
    const network = await l2(0x010101n, PRICES)
    const [number, timestamp] = [21_000_000n, BigInt((await newest(network)).timestamp) - 5n]
    await store(network, L1_BLOCK, 0n, number | (timestamp << 64n))
    await store(network, L1_BLOCK, 4n, 0xba7c4e4n)
    const fork = await begun({ fork: { provider: network } })
    const seen: bigint[][] = []
    for (let i = 0; i < 4; i++) {
      await fork.increaseTime(6)
      await fork.mine()
      const at = BigInt((await newest(fork)).timestamp)
      const [origin, since, sequence] = await Promise.all(
        ['number', 'timestamp', 'sequenceNumber'].map((name) => call(fork, L1_BLOCK, name)),
      )
      expect(origin).toBe(number + (at - timestamp) / 12n)
      expect(since).toBe(timestamp + (origin! - number) * 12n)
      seen.push([origin! - number, sequence!])
      expect(await call(fork, L1_BLOCK, 'basefee')).toBe(parseGwei('23'))
      expect(await call(fork, L1_BLOCK, 'blobBaseFee')).toBe(parseGwei('5'))
      expect(await call(fork, L1_BLOCK, 'batcherHash')).toBe(0xba7c4e4n)
    }
    // Whoever stays on an L1 block counts its L2 blocks.
    for (const [i, [origin, sequence]] of seen.entries()) {
      const before = i === 0 ? [0n, 0n] : seen[i - 1]!
      expect(sequence).toBe(origin === before[0] ? before[1]! + 1n : 0n)
    }
  })
})

it('the base fee on a fork of an L2 goes by the parameters in the headers of the network', async () => {
  // Holocene: a denominator of 250, an elasticity of 6.
  const extraData = '0x00000000fa00000006'
  const network = await begun({ l2: 'op', chainId: 901 })
  await ask(network, 'miner_setExtra', extraData)
  await network.mine()
  expect(await ask(network, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({ extraData })
  const fork = await begun({ fork: { provider: network } })
  for (const block of await blocksByFees(fork, 250n)) expect(block.extraData).toBe(extraData)
})

it.each([
  ['Bedrock before Canyon', 0n, 'paris', 50n],
  ['Bedrock since Canyon', 0n, 'shanghai', 250n],
  ['Ecotone', 0x01n, 'cancun', 250n],
  ['Fjord', 0x0101n, 'cancun', 250n],
] as const)(
  'the base fee on a fork of %s, before Holocene, goes by an elasticity of 6',
  async (_, flags, hardfork, slowness) => {
    const network = await l2(flags, PRICES, { hardfork })
    // Not the deposits of this chain, which are those of later upgrades.
    await ask(network, 'anvil_setCode', L1_BLOCK, '0x00')
    await ask(network, 'miner_setExtra', '0x')
    await network.mine()
    const fork = await begun({ fork: { provider: network } })
    await blocksByFees(fork, slowness)
  },
)

/** Makes three blocks, whose base fees are those of an elasticity of 6 and this denominator, and returns them. */
async function blocksByFees(fork: Devnet, denominator: bigint): Promise<FeesJson[]> {
  const blocks: FeesJson[] = []
  for (let i = 0; i < 3; i++) {
    const parent = await ask<FeesJson>(fork, 'eth_getBlockByNumber', 'latest', false)
    await pay(fork, { data: new Random(3).hex(2_000), gas: '0x40000' })
    const block = await ask<FeesJson>(fork, 'eth_getBlockByNumber', 'latest', false)
    const [fee, limit, used] = [parent.baseFeePerGas, parent.gasLimit, parent.gasUsed].map(BigInt)
    const target = limit! / 6n
    expect(BigInt(block.baseFeePerGas)).toBe(fee! - (fee! * (target - used!)) / target / denominator)
    blocks.push(block)
  }
  return blocks
}

interface FeesJson {
  readonly baseFeePerGas: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly extraData: Hex
  readonly blobGasUsed: Hex
}

describe('the fee for L1 on a fork', () => {
  // The code of GasPriceOracle and L1Block in these chains is that of OP Mainnet, which has the formulas of all of them.
  it.each([
    ['Bedrock', 0n, calldataLength],
    ['Ecotone', 0x01n, calldataLength],
    ['Fjord', 0x0101n, fastLzLength],
    ['Isthmus', 0x010101n, fastLzLength],
  ] as const)('of %s is what the chain’s own GasPriceOracle foresees', async (_, flags, length) => {
    const ofBedrock = [
      [5n, 188n],
      [6n, 684_000n],
    ] as const
    const network = await l2(flags, [...PRICES, ...ofBedrock])
    const forks = [await begun({ fork: { provider: network } })]
    // And a fork of the fork.
    await forks[0]!.mine()
    forks.push(await begun({ fork: { provider: forks[0]! } }))
    for (const fork of forks) {
      for (const data of ['0x', new Random(11).hex(700)] as const) {
        const before = hexToBigInt(await ask<Hex>(fork, 'eth_getBalance', L1_FEE_VAULT))
        const { raw, receipt } = await pay(fork, { data, gas: '0x20000' })
        const fee = await foreseen(fork, raw, length)
        expect(hexToBigInt(receipt.l1Fee)).toBe(fee)
        expect(fee).toBeGreaterThan(0n)
        expect(hexToBigInt(await ask<Hex>(fork, 'eth_getBalance', L1_FEE_VAULT)) - before).toBe(fee)
        expect(receipt.l1FeeScalar).toBe(flags === 0n ? '0.684' : undefined)
      }
      // The deposits have left the contracts as they were.
      expect(await call(fork, L1_BLOCK, 'l1FeeOverhead')).toBe(188n)
      expect(await call(fork, L1_BLOCK, 'basefee')).toBe(parseGwei('23'))
    }
  })

  it('goes with a fee of the operator, for the gas that was used', async () => {
    const [scalar, constant] = [7_000_000n, 123_456_789n]
    const network = await l2(0x010101n, [...PRICES, [8n, (scalar << 64n) | constant]])
    const fork = await begun({ fork: { provider: network } })
    const payer = fork.accounts[0]!.address
    const balance = async (of: Hex) => hexToBigInt(await ask<Hex>(fork, 'eth_getBalance', of))
    const before = await balance(payer)
    const { receipt } = await pay(fork, { gas: '0x20000' })
    const fee = await call(fork, GAS_PRICE_ORACLE, 'getOperatorFee', BigInt(receipt.gasUsed))
    expect(fee).toBe(21_000n * 7n + constant)
    expect(await balance(OPERATOR_FEE_VAULT)).toBe(fee)
    const gas = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
    expect(before - (await balance(payer))).toBe(1n + gas + BigInt(receipt.l1Fee) + fee)
    expect([receipt.operatorFeeScalar, receipt.operatorFeeConstant].map((hex) => BigInt(hex!))).toEqual([
      scalar,
      constant,
    ])
  })

  it('of a sender who cannot pay the operator for all its gas is refused', async () => {
    const network = await l2(0x010101n, [[8n, 10n ** 17n]])
    const fork = await begun({ fork: { provider: network }, balance: 10n ** 17n })
    await expect(pay(fork)).rejects.toThrow(/insufficient funds/i)
  })

  it('of Jovian has the operator’s for a hundred times its scalar, and the share in the data of the block', async () => {
    const operator = (400n << 96n) | (3n << 64n) | 5n
    const network = await l2(0x01010101n, [...PRICES, [8n, operator]])
    const at = BigInt((await newest(network)).timestamp)
    await store(network, L1_BLOCK, 0n, 99n | (at << 64n))
    const fork = await begun({ fork: { provider: network } })
    const { receipt } = await pay(fork)
    expect(hexToBigInt(await ask<Hex>(fork, 'eth_getBalance', OPERATOR_FEE_VAULT))).toBe(21_000n * 300n + 5n)
    expect(receipt).toMatchObject({
      operatorFeeScalar: '0x3',
      operatorFeeConstant: '0x5',
      daFootprintGasScalar: numberToHex(400),
      blobGasUsed: numberToHex(100 * 400),
    })
    // setL1BlockValuesJovian(), and what specs.optimism.io says of its packed values
    const { input } = (await newest(fork)).transactions[0]!
    expect(size(input)).toBe(178)
    expect(slice(input, 0, 12)).toBe('0x3db6be2b000010e1000f1206')
    expect(slice(input, 20, 36)).toBe(`0x${pad(toHex(at), { size: 8 }).slice(2)}${'63'.padStart(16, '0')}`)
    expect(decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], slice(input, 36, 100))).toEqual([
      parseGwei('23'),
      parseGwei('5'),
    ])
    expect(slice(input, 164)).toBe('0x0000000300000000000000050190')
  })
})

describe('the data of a block of Jovian', () => {
  /** A fork of a chain of Jovian with this scalar, whose blocks have an elasticity of 6 and a least base fee of 1 gwei. */
  async function jovian(scalar: bigint): Promise<Devnet> {
    const network = await l2(0x01010101n, [...PRICES, [8n, scalar << 96n]])
    // In the place of L1Block: does nothing, so that a scalar of zero stays.
    await ask(network, 'anvil_setCode', L1_BLOCK, '0x00')
    await ask(network, 'miner_setExtra', '0x01000000fa00000006000000003b9aca00')
    await network.mine()
    return begun({ fork: { provider: network } })
  }

  const noise = (index: number) => new Random(index).hex(5_000)

  it('is in its header, and moves the base fee where it is more than the gas that was used', async () => {
    const fork = await jovian(400n)
    for (let i = 0; i < 3; i++) {
      const parent = await ask<FeesJson>(fork, 'eth_getBlockByNumber', 'latest', false)
      const { raw, receipt } = await pay(fork, { data: noise(i), gas: '0x80000' })
      const block = await ask<FeesJson>(fork, 'eth_getBlockByNumber', 'latest', false)
      const size = -42_585_600n + 836_500n * BigInt(fastLzLength(fromHex(raw)))
      expect(BigInt(block.blobGasUsed)).toBe((size / 1_000_000n) * 400n)
      expect(receipt.blobGasUsed).toBe(block.blobGasUsed)
      const [fee, limit, used, data] = [
        parent.baseFeePerGas,
        parent.gasLimit,
        parent.gasUsed,
        parent.blobGasUsed,
      ].map(BigInt)
      const metered = data! > used! ? data! : used!
      const target = limit! / 6n
      const less = fee! - (fee! * (target - metered)) / target / 250n
      expect(BigInt(block.baseFeePerGas)).toBe(less < parseGwei('1') ? parseGwei('1') : less)
    }
  })

  it('is at most as much as its gas may be; what does not fit waits for the next block', async () => {
    const fork = await jovian(400n)
    const from = fork.accounts[0]!.address
    const hashes: Hex[] = []
    for (let i = 0; i < 24; i++) {
      const fields = { from, to: STRANGER, data: noise(i), gas: '0x80000', nonce: numberToHex(i) }
      hashes.push(await ask<Hex>(fork, 'eth_sendTransaction', fields))
    }
    const counts: number[] = []
    while (counts.reduce((sum, count) => sum + count, 0) < hashes.length) {
      await fork.mine()
      const block = await ask<FeesJson & BlockJson>(fork, 'eth_getBlockByNumber', 'latest', true)
      expect(BigInt(block.blobGasUsed)).toBeLessThanOrEqual(BigInt(block.gasLimit))
      counts.push(block.transactions.length - 1)
    }
    // About 1.7 million of 30 million each.
    expect(counts).toHaveLength(2)
    expect(counts[0]).toBeGreaterThan(12)
  })

  it('has 400 gas in a byte where no scalar is set', async () => {
    const fork = await jovian(0n)
    const { receipt } = await pay(fork)
    expect(receipt).toMatchObject({ daFootprintGasScalar: '0x190', blobGasUsed: numberToHex(100 * 400) })
  })
})

it.each([
  ['Bedrock', 0n],
  ['Ecotone', 0x01n],
  ['Fjord', 0x0101n],
  ['Jovian', 0x01010101n],
] as const)('a state file and a recording of a fork go on by the rules of %s', async (_, flags) => {
  const network = await l2(flags, [...PRICES, [5n, 188n], [6n, 684_000n]])
  const fork = await begun({ fork: { provider: network } })
  const recording = await fork.record()
  const data = new Random(11).hex(700)
  await pay(fork, { data, gas: '0x20000' })
  recording.end()
  const file = Buffer.concat([...fork.dump()])
  const loaded = await begun(await optionsOfState(file))
  await loaded.load(file)
  const [theirs, ours] = await Promise.all(
    [fork, loaded].map((devnet) => pay(devnet, { data, gas: '0x20000' })),
  )
  expect(ours).toEqual(theirs)
  expect(hexToBigInt(ours!.receipt.l1Fee)).toBeGreaterThan(0n)
  expect(await replay(recording.text)).toMatchObject({ difference: undefined, ending: 'end' })
})
