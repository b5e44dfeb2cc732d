/** Devnets under the rules of the OP Stack upgrade Jovian, the default of L2s, and of Isthmus. */
import {
  createClient,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  http,
  numberToHex,
  pad,
  parseAbi,
  parseGwei,
  publicActions,
  sliceHex,
} from 'viem'
import { chainConfig, publicActionsL2 } from 'viem/op-stack'
import { describe, expect, it } from 'vitest'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { ask, devnetChain, STRANGER, started } from '../support/clients/clients.ts'
import { Random } from '../support/random/random.ts'

const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000f'
const OPERATOR_FEE_VAULT = '0x420000000000000000000000000000000000001b'

const onL2 = (options: DevnetOptions = {}) => started({ rhythm: 'manual', l2: 'base', ...options })

interface BlockJson {
  readonly baseFeePerGas: Hex
  readonly blobGasUsed: Hex
  readonly extraData: Hex
  readonly gasLimit: Hex
  readonly transactions: readonly { readonly hash: Hex; readonly input: Hex }[]
}
interface ReceiptJson {
  readonly gasUsed: Hex
  readonly l1GasUsed: Hex
  readonly daFootprintGasScalar?: Hex
  readonly blobGasUsed?: Hex
}

const newest = (devnet: Devnet): Promise<BlockJson> => ask(devnet, 'eth_getBlockByNumber', 'latest', true)
const receiptOf = (devnet: Devnet, hash: Hex): Promise<ReceiptJson> =>
  ask(devnet, 'eth_getTransactionReceipt', hash)

function send(devnet: Devnet, fields: object = {}): Promise<Hex> {
  const from = devnet.accounts[0]!.address
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, ...fields })
}

const GETTERS = parseAbi([
  'function isIsthmus() view returns (bool)',
  'function isJovian() view returns (bool)',
  'function getOperatorFee(uint256 gasUsed) view returns (uint256)',
  'function daFootprintGasScalar() view returns (uint16)',
  'function version() view returns (string)',
])

async function get(
  devnet: Devnet,
  to: Hex,
  functionName: (typeof GETTERS)[number]['name'],
  ...args: bigint[]
): Promise<unknown> {
  const data = encodeFunctionData({ abi: GETTERS, functionName, args } as never)
  const result = await ask<Hex>(devnet, 'eth_call', { to, data }, 'latest')
  return decodeFunctionResult({ abi: GETTERS, functionName, data: result })
}

describe('the base fee', () => {
  // The extra data of block 50,543,793 of Base and of block 157,796,868 of OP Mainnet.
  it.each([
    ['base', 'jovian', '0x01000000640000000500000000004c4b40'],
    ['op', 'jovian', '0x01000000fa000000020000000000000000'],
    ['base', 'isthmus', '0x000000006400000005'],
    ['op', 'isthmus', '0x00000000fa00000002'],
  ] as const)('of %s under %s has its parameters in the extra data', async (l2, l2Upgrade, extraData) => {
    const devnet = await onL2({ l2, l2Upgrade })
    expect(await newest(devnet)).toMatchObject({ extraData })
    await devnet.mine()
    expect(await newest(devnet)).toMatchObject({ extraData })
  })

  it('falls to the minimum of the chain', async () => {
    const devnet = await onL2({ baseFee: 5_060_000n })
    const seen: bigint[] = []
    for (let i = 0; i < 3; i++) {
      await devnet.mine()
      seen.push(hexToBigInt((await newest(devnet)).baseFeePerGas))
    }
    expect(seen[0]).toBeLessThan(5_060_000n)
    expect(seen.slice(1)).toEqual([5_000_000n, 5_000_000n])
  })

  it('falls below it under Isthmus', async () => {
    const devnet = await onL2({ baseFee: 5_000_000n, l2Upgrade: 'isthmus' })
    await devnet.mine(2)
    expect(hexToBigInt((await newest(devnet)).baseFeePerGas)).toBeLessThan(5_000_000n)
  })

  it('stays at zero where it begins there', async () => {
    const devnet = await onL2({ baseFee: 0n })
    await devnet.mine(2)
    expect(await newest(devnet)).toMatchObject({ baseFeePerGas: '0x0' })
  })

  it('gets another minimum by miner_setExtra', async () => {
    const devnet = await onL2()
    await ask(devnet, 'miner_setExtra', '0x0100000064000000050000000077359400')
    await devnet.mine(2)
    expect(hexToBigInt((await newest(devnet)).baseFeePerGas)).toBe(parseGwei('2'))
  })

  it('rises after a block with more data than its gas target', async () => {
    const devnet = await onL2({ gasLimit: 2_000_000n })
    const before = hexToBigInt((await newest(devnet)).baseFeePerGas)
    // 3,000 bytes: 148 gas each of a target of 400,000, and 40 gas each as calldata.
    for (let i = 0; i < 4; i++)
      await send(devnet, { data: new Random(i).hex(3_000), gas: numberToHex(150_000) })
    await devnet.mine()
    const full = await newest(devnet)
    await devnet.mine()
    const [metered, target] = [hexToBigInt(full.blobGasUsed), 400_000n]
    expect(metered).toBeGreaterThan(target)
    const fee = hexToBigInt(full.baseFeePerGas)
    expect(fee).toBeLessThan(before)
    expect(hexToBigInt((await newest(devnet)).baseFeePerGas)).toBe(
      fee + (fee * (metered - target)) / target / 100n,
    )
  })
})

describe('the data availability footprint', () => {
  it('stands in receipts, and in the header without that of deposits', async () => {
    const devnet = await onL2()
    const hashes = [
      await send(devnet),
      await send(devnet, { data: new Random(1).hex(2_000), gas: '0x20000' }),
    ]
    await devnet.mine()
    const { blobGasUsed, transactions } = await newest(devnet)
    const receipts = await Promise.all(transactions.map(({ hash }) => receiptOf(devnet, hash)))
    for (const receipt of receipts) {
      // `l1GasUsed` is 16 gas for each byte (specs.optimism.io `protocol/fjord/exec-engine.html`).
      const footprint = (hexToBigInt(receipt.l1GasUsed) / 16n) * 148n
      expect(receipt).toMatchObject({ daFootprintGasScalar: '0x94', blobGasUsed: numberToHex(footprint) })
    }
    const ofUsers = receipts.slice(-hashes.length).map((receipt) => hexToBigInt(receipt.blobGasUsed!))
    expect(hexToBigInt(blobGasUsed)).toBe(ofUsers.reduce((sum, footprint) => sum + footprint))
  })

  it('of a block is at most its gas limit', async () => {
    const devnet = await onL2({ l2: 'op', gasLimit: 3_000_000n })
    for (let i = 0; i < 4; i++)
      await send(devnet, { data: new Random(i).hex(3_000), gas: numberToHex(150_000) })
    await devnet.mine()
    const { blobGasUsed, gasLimit, transactions } = await newest(devnet)
    // 3,000 bytes at 400 gas
    expect(transactions).toHaveLength(1 + 2)
    expect(hexToBigInt(blobGasUsed)).toBeLessThanOrEqual(hexToBigInt(gasLimit))
  })

  it('of a transaction is why it waits', async () => {
    const devnet = await onL2({ l2: 'op', gasLimit: 3_000_000n })
    const hashes: Hex[] = []
    for (const [i, bytes] of [5_000, 5_000, 10_000].entries()) {
      hashes.push(await send(devnet, { data: new Random(i).hex(bytes), gas: numberToHex(500_000) }))
    }
    await devnet.tick()
    const explained = async (hash: Hex) => JSON.stringify(await ask(devnet, 'preseal_explain', hash))
    expect(await explained(hashes[1]!)).toMatch(
      /blob gas, and the block has \d+ of 3000000 left: it waits for/,
    )
    expect(await explained(hashes[2]!)).toMatch(/of 3000000 left: no block has room for it/)
  })

  it('is nothing under Isthmus', async () => {
    const devnet = await onL2({ l2Upgrade: 'isthmus' })
    const hash = await send(devnet)
    await devnet.mine()
    expect(await newest(devnet)).toMatchObject({ blobGasUsed: '0x0' })
    const receipt = await receiptOf(devnet, hash)
    expect([receipt.daFootprintGasScalar, receipt.blobGasUsed]).toEqual([undefined, undefined])
  })

  it('is read by viem', async () => {
    const devnet = await onL2()
    const { url } = await devnet.listen({ port: 0 })
    const client = createClient({ chain: { ...devnetChain, ...chainConfig }, transport: http(url) })
      .extend(publicActions)
      .extend(publicActionsL2())
    const hash = await send(devnet)
    await devnet.mine()
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({
      l1GasUsed: 1_600n,
      blobGasUsed: 14_800n,
    })
    expect(await client.getBlock()).toMatchObject({ blobGasUsed: 14_800n })
  })
})

describe('the contracts', () => {
  it.each([
    ['jovian', '0x3db6be2b', 178, '1.6.0', '1.7.0'],
    ['isthmus', '0x098999be', 176, '1.4.0', '1.6.0'],
  ] as const)('of %s are told of L1 by its deposit', async (l2Upgrade, selector, length, oracle, l1Block) => {
    const devnet = await onL2({ l2Upgrade })
    await devnet.mine()
    const [deposit] = (await newest(devnet)).transactions
    expect(sliceHex(deposit!.input, 0, 4)).toBe(selector)
    expect(deposit!.input).toHaveLength(2 + 2 * length)
    expect(await receiptOf(devnet, deposit!.hash)).toMatchObject({ status: '0x1' })
    expect(await get(devnet, GAS_PRICE_ORACLE, 'isIsthmus')).toBe(true)
    expect(await get(devnet, GAS_PRICE_ORACLE, 'version')).toBe(oracle)
    expect(await get(devnet, L1_BLOCK, 'version')).toBe(l1Block)
  })

  it.each([
    ['base', 148],
    ['op', 400],
  ] as const)('of %s know the DA footprint gas scalar, from the first block on', async (l2, scalar) => {
    const devnet = await onL2({ l2 })
    expect(await get(devnet, GAS_PRICE_ORACLE, 'isJovian')).toBe(true)
    expect(await get(devnet, L1_BLOCK, 'daFootprintGasScalar')).toBe(scalar)
    await devnet.mine()
    expect(await get(devnet, L1_BLOCK, 'daFootprintGasScalar')).toBe(scalar)
  })

  it.each(['isthmus', 'jovian'] as const)(
    'of %s compute the operator fee that is paid',
    async (l2Upgrade) => {
      const devnet = await onL2({ l2Upgrade })
      await devnet.mine()
      const operator = (148n << 96n) | (2_000_000n << 64n) | 5n
      await ask(devnet, 'anvil_setStorageAt', L1_BLOCK, pad('0x08'), pad(numberToHex(operator)))
      const hash = await send(devnet)
      await devnet.mine()
      const { gasUsed } = await receiptOf(devnet, hash)
      const paid = hexToBigInt(await ask<Hex>(devnet, 'eth_getBalance', OPERATOR_FEE_VAULT))
      expect(paid).toBeGreaterThan(5n)
      expect(paid).toBe(await get(devnet, GAS_PRICE_ORACLE, 'getOperatorFee', hexToBigInt(gasUsed)))
    },
  )
})

describe('the upgrade', () => {
  it.each(['isthmus', 'jovian'] as const)('%s is the same after a saved genesis', async (l2Upgrade) => {
    const devnet = await onL2({ l2Upgrade })
    const other = await started({ rhythm: 'manual', genesis: devnet.genesis() })
    await Promise.all([devnet.mine(2), other.mine(2)])
    const [theirs, ours] = await Promise.all([devnet, other].map(newest))
    expect(ours!.transactions).toEqual(theirs!.transactions)
  })

  it('of a genesis without it is Isthmus', async () => {
    const devnet = await onL2({ l2Upgrade: 'isthmus' })
    const genesis = devnet.genesis() as { config: Record<string, unknown> }
    const { l2Upgrade: _, ...config } = genesis.config
    const other = await started({ rhythm: 'manual', genesis: { ...genesis, config } })
    await other.mine()
    expect((await newest(other)).transactions[0]!.input).toMatch(/^0x098999be/)
  })

  it('of a fork is that of its network', async () => {
    const network = await onL2({ l2Upgrade: 'isthmus' })
    await network.mine(2)
    const fork = await started({ rhythm: 'manual', fork: { provider: network } })
    await fork.mine()
    expect((await newest(fork)).transactions[0]!.input).toMatch(/^0x098999be/)
    await expect(createDevnet({ fork: { provider: network }, l2Upgrade: 'jovian' })).rejects.toThrow(
      /option l2Upgrade: expected nothing, because the fork block decides it/,
    )
  })
})
