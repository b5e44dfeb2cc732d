/** Devnets that are L2s: what opens their blocks, what transactions pay, what becomes of deposits when things go wrong. */
import { type Hex, hexToBigInt, numberToHex, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { createDevnet, type Devnet, type DevnetOptions, InvalidOption } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { withRandom } from '../support/random/random.ts'

const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000f'
const SEQUENCER_FEE_VAULT = '0x4200000000000000000000000000000000000011'
const BASE_FEE_VAULT = '0x4200000000000000000000000000000000000019'
const L1_FEE_VAULT = '0x420000000000000000000000000000000000001a'

interface TransactionJson {
  readonly hash: Hex
  readonly type: Hex
  readonly from: Hex
  readonly nonce: Hex
}
interface BlockJson {
  readonly hash: Hex
  readonly number: Hex
  readonly timestamp: Hex
  readonly miner: Hex
  readonly baseFeePerGas: Hex
  readonly transactions: readonly TransactionJson[]
}
interface ReceiptJson {
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly depositNonce?: Hex
  readonly l1Fee?: Hex
}

const onL2 = (options: DevnetOptions = {}) => started({ rhythm: 'manual', l2: 'base', ...options })

function block(devnet: Devnet, at: Hex | 'latest' | 'pending' = 'latest'): Promise<BlockJson> {
  return ask(devnet, 'eth_getBlockByNumber', at, true)
}

function receipt(devnet: Devnet, hash: Hex): Promise<ReceiptJson> {
  return ask(devnet, 'eth_getTransactionReceipt', hash)
}

function pay(devnet: Devnet, sender = 0, fields: Record<string, unknown> = {}): Promise<Hex> {
  const from = devnet.accounts[sender]!.address
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', gas: '0x5208', ...fields })
}

/** The types of the block's transactions. */
function typesOf({ transactions }: BlockJson): Hex[] {
  return transactions.map(({ type }) => type)
}

/** What a getter of `L1Block` answers. */
async function l1(devnet: Devnet, getter: string, at: unknown = 'latest'): Promise<bigint> {
  const data = toFunctionSelector(`${getter}()`)
  return hexToBigInt(await ask<Hex>(devnet, 'eth_call', { to: L1_BLOCK, data }, at))
}

async function balance(devnet: Devnet, address: Hex): Promise<bigint> {
  return hexToBigInt(await ask<Hex>(devnet, 'eth_getBalance', address))
}

describe('a block of an L2', () => {
  it('begins with a deposit, whatever else is in it', async () => {
    const devnet = await onL2()
    await devnet.mine()
    await pay(devnet)
    await devnet.mine()
    expect(typesOf(await block(devnet, '0x1'))).toEqual(['0x7e'])
    expect(typesOf(await block(devnet, '0x2'))).toEqual(['0x7e', '0x2'])
    const [deposit] = (await block(devnet, '0x2')).transactions
    expect(deposit).toMatchObject({ from: DEPOSITOR, nonce: '0x1' })
  })

  it('tells of the L1 block that it stands on, and how many others stood there before', async () => {
    // Two calls of each of eighty blocks at once: with EthereumJS, on a busy machine, they take seconds.
    const devnet = await onL2({ timestamp: 1_200_006, callTimeoutMs: 0 })
    const seen: bigint[][] = []
    for (let i = 0; i < 4; i++) {
      seen.push(await Promise.all(['number', 'timestamp', 'sequenceNumber'].map((one) => l1(devnet, one))))
      await devnet.advance({ ms: 4_000 })
      await devnet.mine()
    }
    // Each advance makes twenty blocks, and the last of them is sealed by the next.
    expect(seen.map(([number, timestamp]) => [number, timestamp])).toEqual([
      [100_000n, 1_200_000n],
      [100_000n, 1_200_000n],
      [100_001n, 1_200_012n],
      [100_001n, 1_200_012n],
    ])
    const { number } = await block(devnet)
    const ofEpoch = await Promise.all(
      Array.from({ length: Number(number) }, async (_, i) => {
        const at = numberToHex(i + 1)
        return [await l1(devnet, 'number', at), await l1(devnet, 'sequenceNumber', at)] as const
      }),
    )
    for (const [i, [epoch, sequence]] of ofEpoch.entries()) {
      const before = i === 0 ? ([100_000n, 0n] as const) : ofEpoch[i - 1]!
      expect(sequence).toBe(epoch === before[0] ? before[1] + 1n : 0n)
    }
  })

  it('has the same hash each time the same things are done', async () => {
    const hashOf = async () => {
      const devnet = await onL2()
      await pay(devnet)
      await devnet.mine()
      return (await block(devnet)).hash
    }
    expect(await hashOf()).toBe(await hashOf())
  })

  it('pays its tips to the vault of the sequencer, or to whom they shall go', async () => {
    const devnet = await onL2()
    await devnet.mine()
    expect((await block(devnet)).miner).toBe(SEQUENCER_FEE_VAULT)
    const other = await onL2({ coinbase: STRANGER })
    await other.mine()
    expect((await block(other)).miner).toBe(STRANGER)
  })

  it('is sealed empty or not, though it has a deposit', async () => {
    const devnet = await onL2({ sealEmptyBlocks: false })
    for (let i = 0; i < 5; i++) await devnet.tick()
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
    await pay(devnet)
    await devnet.tick()
    await devnet.tick()
    expect(typesOf(await block(devnet, '0x1'))).toEqual(['0x7e', '0x2'])
  })

  it('can have a time of its own while nothing but the deposit is in it', async () => {
    const devnet = await onL2({ ticksPerBlock: 10 })
    await devnet.tick()
    const { timestamp } = await block(devnet, 'pending')
    const wished = numberToHex(hexToBigInt(timestamp) + 600n)
    await ask(devnet, 'evm_setNextBlockTimestamp', wished)
    await devnet.tick()
    const pending = await block(devnet, 'pending')
    expect(pending.timestamp).toBe(wished)
    expect(typesOf(pending)).toEqual(['0x7e'])
    expect(await l1(devnet, 'timestamp', 'pending')).toBe((hexToBigInt(wished) / 12n) * 12n)
  })

  it('is made of each transaction under `instant`', async () => {
    const devnet = await onL2({ rhythm: 'instant' })
    await pay(devnet)
    await pay(devnet)
    expect(typesOf(await block(devnet, '0x2'))).toEqual(['0x7e', '0x2'])
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x2')
  })
})

describe('pre-confirmed, a block of an L2', () => {
  it('opens with its deposit, as slice 0 in the same tick as slice 1', async () => {
    const devnet = await started({ rhythm: 'manual', profile: 'base-flashblocks' })
    const told: unknown[] = []
    devnet.on('preconfirmed', ({ block: { header }, slices }, added) =>
      told.push([header.number, slices, added.map(({ type }) => type)]),
    )
    await pay(devnet)
    await devnet.tick()
    expect(told).toEqual([
      [1n, 0, [0x7e]],
      [1n, 1, [2]],
    ])
    for (let i = 0; i < 10; i++) await devnet.tick()
    expect(told.slice(2)).toEqual([
      ...Array.from({ length: 9 }, (_, i) => [1n, i + 2, []]),
      [2n, 0, [0x7e]],
      [2n, 1, []],
    ])
  })

  it('can be looked at as of slice 0, before and after it is sealed', async () => {
    const devnet = await onL2({ ticksPerBlock: 4 })
    await pay(devnet)
    await devnet.tick()
    const opening = { blockNumber: '0x1', slice: '0x0' }
    expect(await ask(devnet, 'eth_getBalance', STRANGER, opening)).toBe('0x0')
    expect(await l1(devnet, 'sequenceNumber', opening)).toBe(1n)
    await devnet.seal()
    expect(await ask(devnet, 'eth_getBalance', STRANGER, opening)).toBe('0x0')
    expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x1')
  })

  it('has a receipt of the deposit at once, and seals the same', async () => {
    const devnet = await onL2({ ticksPerBlock: 4, receipts: 'preconfirmed' })
    await devnet.tick()
    const { transactions } = await block(devnet, 'pending')
    const { blockHash, ...before } = await ask<Record<string, unknown>>(
      devnet,
      'eth_getTransactionReceipt',
      transactions[0]!.hash,
    )
    expect(blockHash).toBe(`0x${'00'.repeat(32)}`)
    await devnet.seal()
    expect(await receipt(devnet, transactions[0]!.hash)).toMatchObject(before)
  })

  it('opens with a slice 0 that shares the fate of slice 1', async () => {
    const devnet = await onL2({ ticksPerBlock: 4 })
    const told: unknown[] = []
    devnet.on('preconfirmed', ({ block: { header }, slices }) => told.push([header.number, slices]))
    await ask(devnet, 'preseal_addFault', { kind: 'delaySlice', slices: 2 })
    await devnet.tick()
    expect(told).toEqual([])
    await devnet.tick()
    await devnet.tick()
    expect(told).toEqual([0, 1, 2, 3].map((slice) => [1n, slice]))
    await devnet.seal()
    await ask(devnet, 'preseal_addFault', { kind: 'omitSlice' })
    await devnet.tick()
    await devnet.tick()
    expect(told).toHaveLength(4)
    expect((await block(devnet, 'pending')).number).toBe('0x1')
  })

  it('grows from slice 0 on', async () => {
    const devnet = await onL2({ ticksPerBlock: 4 })
    const sent = await pay(devnet)
    await devnet.tick()
    const slices = await ask<{ index: Hex; transactions: Hex[] }[]>(devnet, 'preseal_getSlices', 'pending')
    const [deposit] = (await block(devnet, 'pending')).transactions
    expect(slices.map(({ index, transactions }) => [index, transactions])).toEqual([
      ['0x0', [deposit!.hash]],
      ['0x1', [sent]],
    ])
    await devnet.seal()
    expect(await ask(devnet, 'preseal_getSlices', '0x1')).toMatchObject([{ index: '0x0' }, { index: '0x1' }])
  })

  it('is never seen where blocks are sealed in the tick that opens them', async () => {
    const devnet = await started({ rhythm: 'manual', profile: 'base-denim' })
    const told: unknown[] = []
    devnet.on('preconfirmed', () => told.push('slice'))
    await devnet.tick()
    expect(told).toEqual([])
    expect(typesOf(await block(devnet, '0x1'))).toEqual(['0x7e'])
  })
})

describe('a transaction on an L2', () => {
  it('pays for L1 what its receipt says, beside its gas', async () => {
    const devnet = await onL2()
    const payer = devnet.accounts[0]!.address
    const before = await balance(devnet, payer)
    const hash = await pay(devnet)
    await devnet.mine()
    const { gasUsed, effectiveGasPrice, l1Fee } = await receipt(devnet, hash)
    const { baseFeePerGas } = await block(devnet)
    const [gas, price, fee, baseFee] = [
      BigInt(gasUsed),
      BigInt(effectiveGasPrice),
      BigInt(l1Fee!),
      BigInt(baseFeePerGas),
    ]
    // 100 bytes at (16 · 1 gwei · 2,269 + 62,500,000 · 1,055,762) millionths of a millionth
    expect(fee).toBe(10_228_912_500n)
    expect(before - (await balance(devnet, payer))).toBe(1n + gas * price + fee)
    expect(await balance(devnet, L1_FEE_VAULT)).toBe(fee)
    expect(await balance(devnet, BASE_FEE_VAULT)).toBe(gas * baseFee)
    expect(await balance(devnet, SEQUENCER_FEE_VAULT)).toBe(gas * (price - baseFee))
  })

  it('is refused whose sender cannot pay L1, too', async () => {
    const devnet = await onL2()
    await ask(devnet, 'anvil_setBalance', devnet.accounts[0]!.address, numberToHex(21_000n * 10n ** 10n + 1n))
    const fields = { maxFeePerGas: numberToHex(10n ** 10n), maxPriorityFeePerGas: '0x1' }
    await expect(pay(devnet, 0, fields)).rejects.toMatchObject({
      details: `insufficient funds for gas * price + value: have ${21_000n * 10n ** 10n + 1n} want ${21_000n * 10n ** 10n + 1n + 10_228_912_500n}`,
    })
  })

  it('pays less on OP Mainnet’s terms for blobs, and more for gas', async () => {
    const devnet = await onL2({ l2: 'op' })
    const hash = await pay(devnet)
    await devnet.mine()
    expect(await receipt(devnet, hash)).toMatchObject({
      l1BaseFeeScalar: numberToHex(5_227),
      l1BlobBaseFeeScalar: numberToHex(1_014_213),
    })
  })

  it(
    'is charged as the oracle of gas prices says, whatever its bytes',
    withRandom(async (random) => {
      const devnet = await onL2()
      const { fastLzLength } = await import('../../src/model/l2/l1Fee.ts')
      for (let i = 0; i < 12; i++) {
        // Repeats, near and just out of reach.
        const piece = random.bytes(random.between(1, 60))
        const bytes = new Uint8Array(random.pick([0, 5, 13, 14, 100, 700, 9_000]) + random.below(200))
        for (let at = 0; at < bytes.length; at += random.pick([piece.length, 97, 8_190, 8_191, 8_192])) {
          bytes.set(piece.subarray(0, bytes.length - at), at)
        }
        const [offset, length] = [32n, BigInt(bytes.length)].map((word) =>
          numberToHex(word, { size: 32 }).slice(2),
        )
        const padded = Buffer.from(bytes)
          .toString('hex')
          .padEnd(Math.ceil(bytes.length / 32) * 64, '0')
        const asked = async (signature: string) => {
          const data = `${toFunctionSelector(signature)}${offset}${length}${padded}`
          return hexToBigInt(
            await ask<Hex>(devnet, 'eth_call', { to: GAS_PRICE_ORACLE, data, gas: '0x1c9c380' }),
          )
        }
        // It adds the 68 bytes of a signature.
        const estimate = 836_500n * BigInt(fastLzLength(bytes) + 68) - 42_585_600n
        const size = estimate > 100_000_000n ? estimate : 100_000_000n
        expect(await asked('getL1GasUsed(bytes)')).toBe((size * 16n) / 1_000_000n)
        expect(await asked('getL1Fee(bytes)')).toBe(
          (size * (16n * 10n ** 9n * 2_269n + 62_500_000n * 1_055_762n)) / 10n ** 12n,
        )
      }
    }),
  )
})

describe('a deposit', () => {
  it('stays in its block where a fault keeps out what came after it', async () => {
    const devnet = await onL2({ ticksPerBlock: 4 })
    await pay(devnet)
    await devnet.tick()
    await ask(devnet, 'preseal_addFault', { kind: 'dropTransaction', lands: 'next' })
    await devnet.seal()
    await devnet.tick()
    await devnet.seal()
    expect(typesOf(await block(devnet, '0x1'))).toEqual(['0x7e'])
    expect(typesOf(await block(devnet, '0x2'))).toEqual(['0x7e', '0x2'])
  })

  it('comes anew, and comes first, where a block is sealed that differs from what was seen', async () => {
    const devnet = await onL2({ ticksPerBlock: 4 })
    const sent = [await pay(devnet, 0), await pay(devnet, 1)]
    await devnet.tick()
    const seen = await block(devnet, 'pending')
    const fault = { kind: 'sealDifferently', order: 'reversed', laterSeconds: 60 }
    await ask(devnet, 'preseal_addFault', fault)
    const dropped: unknown[] = []
    devnet.on('dropped', (transaction) => dropped.push(transaction.hash))
    await devnet.seal()
    const sealed = await block(devnet, '0x1')
    expect(typesOf(sealed)).toEqual(['0x7e', '0x2', '0x2'])
    expect(sealed.transactions.slice(1).map(({ hash }) => hash)).toEqual(sent.toReversed())
    // Another L1 block: a minute has passed.
    expect(sealed.transactions[0]!.hash).not.toBe(seen.transactions[0]!.hash)
    expect(dropped).toEqual([])
  })

  it('is not what waits again after a reorg', async () => {
    const devnet = await onL2()
    const hash = await pay(devnet)
    await devnet.mine()
    await devnet.mine()
    const dropped: unknown[] = []
    devnet.on('dropped', (transaction) => dropped.push(transaction.hash))
    await ask(devnet, 'preseal_reorg', { depth: 2, transactions: 'wait' })
    expect(typesOf(await block(devnet, '0x1'))).toEqual(['0x7e'])
    expect(typesOf(await block(devnet, '0x2'))).toEqual(['0x7e'])
    expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    expect(dropped).toEqual([])
    await devnet.mine()
    const { transactions } = await block(devnet, '0x3')
    expect(transactions.map((one) => one.hash)).toContain(hash)
  })

  it('can be traced, alone and with its block', async () => {
    const devnet = await onL2()
    await pay(devnet)
    await devnet.mine()
    const { transactions } = await block(devnet)
    const [deposit] = transactions
    const { gasUsed } = await receipt(devnet, deposit!.hash)
    const call = await ask(devnet, 'debug_traceTransaction', deposit!.hash, { tracer: 'callTracer' })
    expect(call).toMatchObject({ from: DEPOSITOR, to: L1_BLOCK, gasUsed })
    const steps = await ask<{ gas: number; failed: boolean }>(devnet, 'debug_traceTransaction', deposit!.hash)
    expect(steps).toMatchObject({ gas: Number(gasUsed), failed: false })
    const traces = await ask<{ txHash: Hex }[]>(devnet, 'debug_traceBlockByNumber', 'latest')
    expect(traces.map(({ txHash }) => txHash)).toEqual(transactions.map(({ hash }) => hash))
  })

  it('is no tip below zero', async () => {
    const devnet = await onL2()
    await devnet.mine()
    const { reward } = await ask<{ reward: Hex[][] }>(devnet, 'eth_feeHistory', '0x1', 'latest', [0, 50, 100])
    expect(reward).toEqual([['0x0', '0x0', '0x0']])
  })

  it('cannot be sent', async () => {
    const devnet = await onL2()
    await devnet.mine()
    const { transactions } = await block(devnet)
    const raw = await ask<Hex>(devnet, 'debug_getRawTransaction', transactions[0]!.hash)
    await expect(ask(devnet, 'eth_sendRawTransaction', raw)).rejects.toMatchObject({
      message: expect.stringContaining('type 126 is not supported; expected legacy or type 1, 2 or 4'),
    })
  })
})

describe('the chain of an L2', () => {
  async function grown(options: DevnetOptions = {}): Promise<Devnet> {
    const devnet = await onL2(options)
    for (let i = 0; i < 3; i++) {
      await pay(devnet)
      await devnet.advance({ ms: 10_000 })
    }
    await devnet.mine()
    return devnet
  }

  it('can be brought in elsewhere, deposits and all', async () => {
    const devnet = await grown()
    const other = await started({ rhythm: 'manual', genesis: devnet.genesis() })
    expect(other.settings).toMatchObject({ l2: 'base', coinbase: SEQUENCER_FEE_VAULT })
    await other.import(bytesOf(devnet), { rules: 'devnet' })
    const { hash, number } = await block(devnet)
    expect((await block(other)).hash).toBe(hash)
    expect(await ask(other, 'eth_getBlockReceipts', number)).toEqual(
      await ask(devnet, 'eth_getBlockReceipts', number),
    )
    // And goes on there.
    await other.mine()
    expect(typesOf(await block(other))).toEqual(['0x7e'])
  })

  it('cannot be brought in where there is no L2', async () => {
    // Base fees of zero stay zero under the rules of both chains.
    const devnet = await grown({ baseFee: 0n })
    const genesis = devnet.genesis() as { config: Record<string, unknown> }
    const { l2, l2Upgrade, ...config } = genesis.config
    expect([l2, l2Upgrade]).toEqual(['base', 'jovian'])
    const other = await started({ rhythm: 'manual', genesis: { ...genesis, config } })
    await expect(other.import(bytesOf(devnet), { rules: 'devnet' })).rejects.toThrow(
      /transaction type not supported: type 126/,
    )
  })

  it('is in its forks and snapshots', async () => {
    const devnet = await grown()
    const fork = devnet.fork()
    await Promise.all([devnet.mine(), fork.mine()])
    expect((await block(fork)).hash).toBe((await block(devnet)).hash)
    await fork.close()
  })

  it('is said by the genesis and not by an option beside it', async () => {
    const genesis = (await grown()).genesis()
    const refused = createDevnet({ rhythm: 'manual', genesis, l2: 'op' })
    await expect(refused).rejects.toThrow(InvalidOption)
    await expect(refused).rejects.toThrow(/option l2: expected nothing, because the genesis decides it/)
    const wrong = createDevnet({ genesis: { ...genesis, config: { chainId: 1, l2: 'arbitrum' } } })
    await expect(wrong).rejects.toThrow(/genesis\.config\.l2: expected one of base, op, got "arbitrum"/)
  })
})

function* bytesOf(devnet: Devnet): Generator<Uint8Array> {
  yield* devnet.export()
}

describe('a devnet that is no L2', () => {
  it('has none of that', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hash = await pay(devnet)
    await devnet.mine()
    expect(typesOf(await block(devnet))).toEqual(['0x2'])
    expect(Object.keys(await receipt(devnet, hash)).filter((name) => /^l1|^deposit/.test(name))).toEqual([])
    for (const address of [L1_BLOCK, GAS_PRICE_ORACLE, '0x000000000022d473030f116ddee9f6b43ac78ba3']) {
      expect(await ask(devnet, 'eth_getCode', address)).toBe('0x')
    }
    expect(await balance(devnet, BASE_FEE_VAULT)).toBe(0n)
  })
})
