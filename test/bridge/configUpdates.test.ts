/**
 * Updates of SystemConfig that reach the L2. The vectors are those of op-node (`op-node/rollup/derive/system_config_test.go`),
 * emitted by a small contract, because SystemConfig 0.17.3 has no function for the types of Holocene, Isthmus and Jovian.
 */
import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import type { DevnetOptions } from '../../src/index.ts'
import { bridged, EPOCH, OP_ON_L1 } from '../support/clients/bridge.ts'
import { ask } from '../support/clients/clients.ts'

const CONFIG_UPDATE = '1d2b0bda21d56b8bd12d4f94ebacffdfb35f5e226f84b461103bb8beab6353be'
/** Emits ConfigUpdate with the version and the type in the first two words of the calldata, and the rest as data. */
const EMITTER: Hex = `0x604036036040600037602035600035${`7f${CONFIG_UPDATE}`}604036036000a300`
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const abi = parseAbi([
  'function batcherHash() view returns (bytes32)',
  'function baseFeeScalar() view returns (uint32)',
  'function blobBaseFeeScalar() view returns (uint32)',
  'function operatorFeeScalar() view returns (uint32)',
  'function operatorFeeConstant() view returns (uint64)',
  'function daFootprintGasScalar() view returns (uint16)',
])

type Bridged = Awaited<ReturnType<typeof bridged>>

/** The parameter `bytes data` of the event, with `words` in it. */
const bytesOf = (...words: readonly bigint[]) =>
  encodeAbiParameters([{ type: 'bytes' }], [concatHex(words.map((word) => numberToHex(word, { size: 32 })))])

/** A pair whose SystemConfig emits updates. Returns it after the L2 derived one. */
async function updatedBy(type: number, data: Hex, options: DevnetOptions = {}, version = 0) {
  const pair = await bridged(options)
  await ask(pair.l1, 'anvil_setCode', OP_ON_L1.systemConfig, EMITTER)
  await emit(pair, type, data, version)
  return pair
}

async function emit({ l1, l2, account, clientL1 }: Bridged, type: number, data: Hex, version = 0) {
  const topics = [version, type].map((topic) => numberToHex(topic, { size: 32 }))
  await clientL1.sendTransaction({ account, to: OP_ON_L1.systemConfig, data: concatHex([...topics, data]) })
  await l1.mine()
  await l2.mine()
}

async function configOf({ clientL2 }: Bridged) {
  const names = abi.map(({ name }) => name)
  const values = await Promise.all(
    names.map((functionName) => clientL2.readContract({ abi, address: L1_BLOCK, functionName })),
  )
  const { gasLimit, extraData } = await clientL2.getBlock()
  return { ...Object.fromEntries(names.map((name, i) => [name, values[i]])), gasLimit, extraData }
}

const BEFORE = {
  gasLimit: 30_000_000n,
  batcherHash: '0x0000000000000000000000006887246668a3b87f54deb3b94ba47a6f63f32985',
  ...{ baseFeeScalar: 5_227, blobBaseFeeScalar: 1_014_213 },
  ...{ operatorFeeScalar: 0, operatorFeeConstant: 0n, daFootprintGasScalar: 400 },
  extraData: '0x01000000fa000000020000000000000000',
}

describe('an update of SystemConfig reaches the L2:', () => {
  it.each([
    ['Batcher', 0, [0xaan], { batcherHash: numberToHex(0xaa, { size: 32 }) }],
    ['GasConfig', 1, [0xffn, 0xaan], { baseFeeScalar: 0xaa, blobBaseFeeScalar: 0 }],
    [
      'GasConfigEcotone',
      1,
      [0xffn, (1n << 248n) | (0xb3n << 32n) | 0xbbn],
      { baseFeeScalar: 0xbb, blobBaseFeeScalar: 0xb3 },
    ],
    ['GasLimit', 2, [200_000_000n], { gasLimit: 200_000_000n }],
    ['UnsafeBlockSigner', 3, [0n], {}],
    ['EIP1559Params', 4, [0x0102030405060708n], { extraData: '0x0101020304050607080000000000000000' }],
    ['EIP1559Params_BothZero', 4, [0n], { extraData: '0x01000000fa000000060000000000000000' }],
    [
      'OperatorFeeParams',
      5,
      [(5n << 64n) | 0x70d08n],
      { operatorFeeScalar: 5, operatorFeeConstant: 0x70d08n },
    ],
    ['UpdateMinBaseFee', 6, [10n ** 9n], { extraData: '0x01000000fa00000002000000003b9aca00' }],
    ['DAFootprintGasScalar', 7, [100n], { daFootprintGasScalar: 100 }],
    ['no DAFootprintGasScalar, which is 400', 7, [0n], { daFootprintGasScalar: 400 }],
  ] as const)('%s', async (_, type, words, expected) => {
    const pair = await updatedBy(type, bytesOf(...words))
    expect(await configOf(pair)).toMatchObject({ ...BEFORE, ...expected })
    await pair.l2.advance(EPOCH)
    expect(await configOf(pair)).toMatchObject({ ...BEFORE, ...expected })
  })

  it('the operator fee is zero again', async () => {
    const pair = await updatedBy(5, bytesOf((5n << 64n) | 7n))
    await emit(pair, 5, bytesOf(0n))
    expect(await configOf(pair)).toMatchObject({ ...BEFORE, operatorFeeScalar: 0, operatorFeeConstant: 0n })
  })

  it('the base fee rises to the minimum in the block after that', async () => {
    const { l2, clientL2 } = await updatedBy(6, bytesOf(5n * 10n ** 9n))
    expect((await clientL2.getBlock()).baseFeePerGas).toBeLessThanOrEqual(10n ** 9n)
    await l2.mine()
    expect((await clientL2.getBlock()).baseFeePerGas).toBe(5n * 10n ** 9n)
  })

  it('setGasLimit of the contract changes the first L2 block of the epoch', async () => {
    const { l1, l2, clientL2 } = await bridged()
    const data = encodeFunctionData({
      abi: parseAbi(['function setGasLimit(uint64)']),
      args: [123_000_000n],
    })
    const from = l1.accounts[9]!.address
    await ask(l1, 'eth_sendTransaction', { from, to: OP_ON_L1.systemConfig, data })
    const { gasLimit } = await clientL2.getBlock()
    await l2.mine()
    expect((await clientL2.getBlock()).gasLimit).toBe(gasLimit)
    await l1.mine()
    await l2.mine()
    expect((await clientL2.getBlock()).gasLimit).toBe(123_000_000n)
  })

  it('a reorg of the L1 takes it back', async () => {
    const pair = await updatedBy(7, bytesOf(100n))
    await pair.l1.faults.reorg({ depth: 1, transactions: 'drop' })
    expect(await configOf(pair)).toMatchObject(BEFORE)
  })

  it('before Jovian there is no minimum base fee', async () => {
    const pair = await updatedBy(6, bytesOf(10n ** 9n), { l2Upgrade: 'isthmus' })
    expect((await pair.clientL2.getBlock()).extraData).toBe('0x00000000fa00000002')
  })
})

describe('an update of SystemConfig has no effect if', () => {
  it.each([
    ['its batcher is no address', 0, bytesOf(1n << 160n)],
    ['its scalars are of an unknown version', 1, bytesOf(0n, 2n << 248n)],
    ['its gas limit has more than 64 bits', 2, bytesOf(1n << 64n)],
    ['its data is too short', 2, '0x00'],
    ['its data is too long', 2, bytesOf(200_000_000n, 0n)],
    ['its denominator alone is zero', 4, bytesOf(1n)],
    ['its elasticity alone is zero', 4, bytesOf(1n << 32n)],
    ['its type is unknown', 8, bytesOf(1n)],
    ['its version is unknown', 0, bytesOf(0xaan), 1],
  ] as const)('%s', async (_, type, data, version: number = 0) => {
    expect(await configOf(await updatedBy(type, data, {}, version))).toMatchObject(BEFORE)
  })
})
