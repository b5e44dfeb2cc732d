/** An L2 with its L1: what the L1 has, how time moves both, and what takes both along. */
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { createDevnet, type Devnet, InvalidOption, serveChains } from '../../src/index.ts'
import { type Bridged, bridged, EPOCH, OP_ON_L1 } from '../support/clients/bridge.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const L1_BLOCK = '0x4200000000000000000000000000000000000015'
/** The batcher of OP Mainnet (github.com/ethereum-optimism/superchain-registry). */
const BATCHER = `0x${'6887246668a3b87f54deb3b94ba47a6f63f32985'.padStart(64, '0')}`
const abi = parseAbi([
  'function number() view returns (uint64)',
  'function timestamp() view returns (uint64)',
  'function hash() view returns (bytes32)',
  'function basefee() view returns (uint256)',
  'function blobBaseFee() view returns (uint256)',
  'function sequenceNumber() view returns (uint64)',
  'function systemConfig() view returns (address)',
  'function otherMessenger() view returns (address)',
  'function otherBridge() view returns (address)',
  'function batcherHash() view returns (bytes32)',
  'function baseFeeScalar() view returns (uint32)',
  'function blobBaseFeeScalar() view returns (uint32)',
])

type Getter = 'number' | 'timestamp' | 'hash' | 'basefee' | 'blobBaseFee' | 'sequenceNumber'
function attribute({ clientL2 }: Bridged, functionName: Getter) {
  return clientL2.readContract({ abi, address: L1_BLOCK, functionName })
}

function numbers({ l1, l2 }: { readonly l1: Devnet; readonly l2: Devnet }): readonly bigint[] {
  return [l1.latest.header.number, l2.latest.header.number]
}

describe('the L1 beside an L2', () => {
  it('has the contracts of the OP Stack, which know each other and those of the L2', async () => {
    const { clientL1, clientL2 } = await bridged()
    // viem keeps the version of an address, as it is written, for 300 ms, and other tests have another portal there.
    const portalAddress = OP_ON_L1.portal.toLowerCase() as Hex
    expect(await clientL1.getPortalVersion({ portalAddress })).toEqual({ major: 3, minor: 10, patch: 0 })
    const onL1 = <N extends 'systemConfig' | 'otherMessenger' | 'otherBridge'>(
      address: Hex,
      functionName: N,
    ) => clientL1.readContract({ abi, address, functionName })
    expect(await onL1(OP_ON_L1.portal, 'systemConfig')).toBe(OP_ON_L1.systemConfig)
    expect(await onL1(OP_ON_L1.messenger, 'otherMessenger')).toBe(
      '0x4200000000000000000000000000000000000007',
    )
    expect(await onL1(OP_ON_L1.bridge, 'otherBridge')).toBe('0x4200000000000000000000000000000000000010')
    const onL2 = { abi, address: '0x4200000000000000000000000000000000000007' } as const
    expect(await clientL2.readContract({ ...onL2, functionName: 'otherMessenger' })).toBe(OP_ON_L1.messenger)
  })

  it('has those of Base at their addresses beside an L2 of Base', async () => {
    const l2 = await createDevnet({ profile: 'base-flashblocks', rhythm: 'manual', l1: true })
    const portal = '0x49048044d57e1c92a77f79988d21fa8faf74e97e'
    expect(await ask<Hex>(l2.l1, 'eth_getCode', portal)).not.toBe('0x')
    await l2.close()
  })

  it('has a chain id of its own, and the accounts of the L2', async () => {
    const l2 = await started({ profile: 'op-flashblocks', rhythm: 'manual', accounts: 3, l1: true })
    expect(await ask(l2.l1!, 'eth_chainId')).toBe('0x384')
    expect(l2.l1!.accounts).toEqual(l2.accounts)
  })

  it('is closed with the L2, and so are its ports', async () => {
    const l2 = await createDevnet({ profile: 'op-flashblocks', rhythm: 'manual', l1: true })
    const [port, portL1] = await Promise.all([l2.listen({ port: 0 }), l2.l1.listen({ port: 0 })])
    await l2.close()
    for (const { url } of [port, portL1]) await expect(fetch(url)).rejects.toThrow()
  })
})

describe('time', () => {
  it('moves the L1 as far as the L2: six blocks of two seconds for one of twelve', async () => {
    const pair = await bridged()
    await pair.l2.advance({ seconds: 12 })
    expect(numbers(pair)).toEqual([0n, 5n])
    await pair.l2.tick()
    expect(numbers(pair)).toEqual([1n, 6n])
    await pair.l2.advance({ seconds: 120 })
    expect(numbers(pair)).toEqual([11n, 66n])
  })

  it('moves the L1 under the rhythm interval, too', async () => {
    const pair = await bridged({ rhythm: 'interval', tickMs: 60_000, ticksPerBlock: 1 })
    await pair.l2.advance({ minutes: 2 })
    expect(pair.l1.latest.header.number).toBeGreaterThan(0n)
  })

  it('moves the L1 under the rhythm instant, without a block', async () => {
    const { l1, l2 } = await bridged({ rhythm: 'instant' })
    const { timestamp } = l1.latest.header
    await l2.advance({ hours: 1 })
    expect(numbers({ l1, l2 })).toEqual([0n, 0n])
    await l1.send({ to: STRANGER, value: 1n })
    expect(l1.latest.header.timestamp - timestamp).toBeGreaterThanOrEqual(3_600n)
  })

  it('that jumps leaves out slots of the L1, so that the L2 stays at its newest block', async () => {
    const pair = await bridged()
    await pair.l2.advance({ days: 7 })
    expect(numbers(pair)[0]).toBeLessThan(10n)
    await pair.l2.mine(2)
    expect(await attribute(pair, 'number')).toBe(pair.l1.latest.header.number)
    const { timestamp } = pair.l2.latest.header
    expect(timestamp - pair.l1.latest.header.timestamp).toBeLessThan(12n)
  })

  it('of another L1 block time is an option', async () => {
    const pair = await bridged({ l1: { chainId: 1, tickMs: 2_000 } })
    await pair.l2.advance({ seconds: 20 })
    expect(numbers(pair)).toEqual([9n, 9n])
  })
})

describe('the L1 attributes of an L2 block', () => {
  it('are those of a real L1 block', async () => {
    const pair = await bridged()
    await pair.l2.advance(EPOCH)
    const block = await pair.clientL1.getBlock({ blockNumber: 1n })
    expect(await attribute(pair, 'number')).toBe(1n)
    expect(await attribute(pair, 'timestamp')).toBe(block.timestamp)
    expect(await attribute(pair, 'hash')).toBe(block.hash)
    expect(await attribute(pair, 'basefee')).toBe(block.baseFeePerGas)
    expect(await attribute(pair, 'blobBaseFee')).toBe(1n)
  })

  it('count the L2 blocks of an epoch', async () => {
    const pair = await bridged()
    await pair.l2.advance({ seconds: 12, ms: 250 })
    await pair.l2.seal()
    const at: unknown[] = []
    for (let i = 0; i < 3; i++) {
      await pair.l2.mine()
      at.push(await attribute(pair, 'sequenceNumber'))
    }
    expect(at).toEqual([1n, 2n, 3n])
    await pair.l1.mine()
    await pair.l2.mine()
    expect(await attribute(pair, 'sequenceNumber')).toBe(0n)
  })

  it('never skip an L1 block, and never name a later one than the L2 block', async () => {
    const pair = await bridged()
    await pair.l1.mine(3)
    await pair.l2.mine(2)
    expect(await attribute(pair, 'number')).toBe(2n)
    await pair.l1.increaseTime(3_600)
    await pair.l1.mine()
    await pair.l2.mine(3)
    expect(await attribute(pair, 'number')).toBe(3n)
  })
})

describe('an update of SystemConfig', () => {
  it.each([
    ['function setGasConfigEcotone(uint32 baseFeeScalar, uint32 blobBaseFeeScalar)', [7, 9], [7, 9, BATCHER]],
    [
      'function setBatcherHash(bytes32 batcher)',
      [`0x${'00'.repeat(12)}${'ab'.repeat(20)}`],
      [5_227, 1_014_213, `0x${'00'.repeat(12)}${'ab'.repeat(20)}`],
    ],
  ])('reaches the L2 with the L1 attributes: %s', async (signature, args, expected) => {
    const { l1, l2, clientL2 } = await bridged()
    const data = encodeFunctionData({ abi: parseAbi([signature] as never), args } as never)
    const [owner] = l1.accounts.slice(9)
    await ask(l1, 'eth_sendTransaction', { from: owner!.address, to: OP_ON_L1.systemConfig, data })
    const read = () =>
      Promise.all(
        (['baseFeeScalar', 'blobBaseFeeScalar', 'batcherHash'] as const).map((functionName) =>
          clientL2.readContract({ abi, address: L1_BLOCK, functionName }),
        ),
      )
    expect(await read()).toEqual([5_227, 1_014_213, BATCHER])
    await l2.advance(EPOCH)
    expect(await read()).toEqual(expected)
    await l2.advance(EPOCH)
    expect(await read()).toEqual(expected)
  })
})

describe('an L2 and its L1', () => {
  it('have the same hashes each time', async () => {
    const hashes = async () => {
      const { l1, l2 } = await bridged()
      await l2.advance({ minutes: 1 })
      return [l1.latest.hash, l2.latest.hash]
    }
    expect(await hashes()).toEqual(await hashes())
  })

  it('are forked together', async () => {
    const { l1, l2 } = await bridged()
    await l1.send({ to: STRANGER, value: 5n, until: 'accepted' })
    await using fork = l2.fork()
    await fork.advance(EPOCH)
    expect(await ask(fork.l1!, 'eth_getBalance', STRANGER)).toBe('0x5')
    expect(await ask(l1, 'eth_getBalance', STRANGER)).toBe('0x0')
    expect(numbers({ l1, l2 })).toEqual([0n, 0n])
  })

  it.each(['a snapshot', 'evm_snapshot', 'anvil_reset'])('go back together: %s', async (how) => {
    const { l1, l2 } = await bridged()
    const snapshot = l2.snapshot()
    const id = await ask(l2, 'evm_snapshot')
    await l2.advance({ seconds: 61 })
    expect(numbers({ l1, l2 })).toEqual([5n, 30n])
    if (how === 'a snapshot') await l2.restore(snapshot)
    else await ask(l2, how === 'anvil_reset' ? how : 'evm_revert', ...(how === 'anvil_reset' ? [] : [id]))
    expect(numbers({ l1, l2 })).toEqual([0n, 0n])
    await l2.advance(EPOCH)
    expect(numbers({ l1, l2 })[0]).toBe(1n)
  })
})

describe('refused is', () => {
  it.each([{ profile: 'ethereum' }, { fork: { url: 'http://127.0.0.1:1' } }, { genesis: {} }] as const)(
    'an L1 beside a chain for which preseal has none: %j',
    async (options) => {
      await expect(createDevnet({ ...options, l1: true })).rejects.toThrow(InvalidOption)
    },
  )

  it('a recording of the L2 or of the L1, because one moves the other', async () => {
    const { l1, l2 } = await bridged()
    await expect(l2.record()).rejects.toThrow('record: an L1 and its L2 cannot be recorded')
    await expect(l1.record()).rejects.toThrow('record: an L1 and its L2 cannot be recorded')
    await expect(serveChains(l2, { port: 0, reports: true })).rejects.toThrow(InvalidOption)
  })
})
