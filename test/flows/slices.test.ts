/** A block under construction, slice by slice, and how it is looked at afterwards. */
import { encodeFunctionData, type Hex, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { ask, clientOf, STRANGER, started } from '../support/clients/clients.ts'

interface SliceJson {
  readonly index: Hex
  readonly transactions: readonly Hex[]
  readonly logs: readonly { readonly logIndex: Hex }[]
  readonly gasUsed: Hex
  readonly block: {
    readonly number: Hex
    readonly hash: Hex
    readonly transactions: readonly Hex[]
    readonly gasUsed: Hex
  }
}

function pay(devnet: Devnet, sender = 0, fields: Record<string, unknown> = {}): Promise<Hex> {
  const from = devnet.accounts[sender]!.address
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', gas: '0x5208', ...fields })
}

function slices(devnet: Devnet, at: unknown = 'pending'): Promise<SliceJson[]> {
  return ask(devnet, 'preseal_getSlices', at)
}

const flashblocks = (options: DevnetOptions = {}) =>
  started({ rhythm: 'manual', ticksPerBlock: 4, receipts: 'preconfirmed', ...options })

describe('a block under construction', () => {
  it('grows slice by slice: each knows what it brought, and the block with all that came before', async () => {
    const devnet = await flashblocks()
    const first = [await pay(devnet), await pay(devnet)]
    await devnet.tick()
    await devnet.tick()
    const third = await pay(devnet)
    await devnet.tick()
    const seen = await slices(devnet)
    expect(seen.map(({ index, transactions, gasUsed }) => [index, transactions, gasUsed])).toEqual([
      ['0x1', first, '0xa410'],
      ['0x2', [], '0x0'],
      ['0x3', [third], '0x5208'],
    ])
    expect(seen.map(({ block }) => block.transactions)).toEqual([first, first, [...first, third]])
    expect(seen.map(({ block }) => [block.number, Number(block.hash)])).toEqual(
      [1, 2, 3].map(() => ['0x1', 0]),
    )
  })

  it('can be looked at again when it is sealed, and the chain has gone on', async () => {
    const devnet = await flashblocks()
    for (let i = 0; i < 3; i++) {
      await pay(devnet)
      await devnet.tick()
    }
    const before = await slices(devnet)
    await devnet.seal()
    for (let i = 0; i < 9; i++) await devnet.tick()
    expect(await slices(devnet, '0x1')).toEqual(before)
  })

  it('answers questions about its state as of each slice', async () => {
    const devnet = await flashblocks()
    for (let i = 0; i < 3; i++) {
      await pay(devnet)
      await devnet.tick()
    }
    const balances = async () => {
      const at = ['0x1', '0x2', '0x3'].map((slice) => ({ blockNumber: '0x1', slice }))
      return Promise.all(at.map((selector) => ask(devnet, 'eth_getBalance', STRANGER, selector)))
    }
    expect(await balances()).toEqual(['0x1', '0x2', '0x3'])
    await devnet.seal()
    expect(await balances()).toEqual(['0x1', '0x2', '0x3'])
    await expect(
      ask(devnet, 'eth_getBalance', STRANGER, { blockNumber: '0x1', slice: '0x7' }),
    ).rejects.toMatchObject({ code: -32001, message: 'slice not found: block 0x1 has slices up to 3, got 7' })
    await expect(
      ask(devnet, 'eth_getBalance', STRANGER, { blockNumber: 'latest', slice: '0x1' }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('params[1].blockNumber') })
  })

  it('forgets how it grew when so many blocks have come after it', async () => {
    const devnet = await flashblocks({ sliceHistory: 2 })
    await pay(devnet)
    await devnet.mine()
    await devnet.seal()
    expect(await slices(devnet, '0x1')).toHaveLength(1)
    await devnet.seal()
    await devnet.seal()
    expect(await slices(devnet, '0x1')).toEqual([])
    expect(await ask(devnet, 'eth_getBalance', STRANGER, '0x1')).toBe('0x1')
  })
})

describe('a slice with a gas budget', () => {
  it('fills no more than its share of the block: j of n', async () => {
    const devnet = await flashblocks({ sliceGasBudget: true, gasLimit: 84_000 })
    // Four transfers fit into the block, one into each slice.
    for (let sender = 0; sender < 5; sender++) await pay(devnet, sender)
    for (let i = 0; i < 4; i++) await devnet.tick()
    expect((await slices(devnet)).map(({ transactions }) => transactions.length)).toEqual([1, 1, 1, 1])
  })

  it('leaves what is too large for it to a later one', async () => {
    const devnet = await flashblocks({ sliceGasBudget: true, gasLimit: 84_000 })
    const large = await pay(devnet, 0, { gas: '0xf618' }) // 63,000
    const small = await pay(devnet, 1)
    for (let i = 0; i < 4; i++) await devnet.tick()
    expect((await slices(devnet)).map(({ transactions }) => transactions)).toEqual([[small], [], [], [large]])
  })

  it('takes all of the block where it is mined at once', async () => {
    const devnet = await flashblocks({ sliceGasBudget: true, gasLimit: 84_000 })
    for (let sender = 0; sender < 4; sender++) await pay(devnet, sender)
    await devnet.mine()
    expect(await ask(devnet, 'eth_getBlockTransactionCountByNumber', 'latest')).toBe('0x4')
  })
})

/** A devnet in slices with an Emitter, whose `emit` sends a transaction with so many logs. */
async function withEmitter(options: DevnetOptions = {}) {
  const devnet = await flashblocks(options)
  const hash = await clientOf(devnet).deployContract(Emitter)
  await devnet.mine()
  const { contractAddress } = await clientOf(devnet).getTransactionReceipt({ hash })
  const emit = (count: bigint, topic: Hex): Promise<Hex> => {
    const data = encodeFunctionData({ abi: Emitter.abi, functionName: 'emitMany', args: [count, topic] })
    return pay(devnet, 0, { to: contractAddress, data, value: '0x0', gas: '0x7a120' })
  }
  return { devnet, address: contractAddress!, emit }
}

async function collect(devnet: Devnet, ...params: unknown[]): Promise<unknown[]> {
  const results: unknown[] = []
  let id: unknown
  devnet.on('message', ({ data }) => {
    if (data.subscription === id) results.push(data.result)
  })
  id = await ask(devnet, 'eth_subscribe', ...params)
  return results
}

const TOPIC: Hex = `0x${'ab'.repeat(32)}`
const OTHER: Hex = `0x${'cd'.repeat(32)}`

describe('slices of a long block', () => {
  it('are told in numbers, in as many words whatever came before each', async () => {
    const { devnet, emit } = await withEmitter({ ticksPerBlock: 40 })
    for (let slice = 0; slice < 20; slice++) {
      if (slice % 2 === 0) await emit(3n, TOPIC)
      await pay(devnet)
      await devnet.tick()
    }
    const whole = await slices(devnet)
    const counts = await ask<SliceJson[]>(devnet, 'preseal_getSlices', 'pending', { show: 'counts' })
    const { number, hash } = whole[0]!.block
    expect(counts).toEqual(
      whole.map(({ index, transactions, logs, gasUsed, block }) => ({
        index,
        transactionCount: toHex(transactions.length),
        logCount: toHex(logs.length),
        gasUsed,
        block: {
          number,
          hash,
          timestamp: expect.any(String),
          transactionCount: toHex(block.transactions.length),
          depositCount: '0x0',
          gasUsed: block.gasUsed,
          gasLimit: expect.any(String),
          baseFeePerGas: expect.any(String),
        },
      })),
    )
    const words = counts.map((each) => JSON.stringify(each).length)
    expect(Math.max(...words) - Math.min(...words)).toBeLessThan(10)
  })

  it('are told in parts, after one of them', async () => {
    const devnet = await flashblocks()
    for (let slice = 0; slice < 4; slice++) {
      await pay(devnet)
      await devnet.tick()
    }
    const whole = await slices(devnet)
    const part = (fields: object) => ask(devnet, 'preseal_getSlices', 'pending', fields)
    expect(await part({ limit: '0x1' })).toEqual(whole.slice(0, 1))
    expect(await part({ after: '0x2', limit: '0x1' })).toEqual(whole.slice(2, 3))
    expect(await part({ after: '0x2' })).toEqual(whole.slice(2))
    expect(await part({ after: '0x4' })).toEqual([])
    await expect(part({ show: 'all' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('params[1].show: expected one of blocks, counts, got "all"'),
    })
    await expect(part({ before: '0x1' })).rejects.toMatchObject({
      message: expect.stringContaining('params[1].before: expected nothing but limit, after and show'),
    })
  })
})

describe('newFlashblocks', () => {
  it('tells the block as it has grown so far, with all transactions, once for each slice', async () => {
    const { devnet, emit } = await withEmitter()
    const told = await collect(devnet, 'newFlashblocks')
    const hash = await emit(1n, TOPIC)
    await devnet.tick()
    await devnet.tick()
    const block = await ask(devnet, 'eth_getBlockByNumber', 'pending', true)
    expect(told).toEqual([block, block])
    expect(block).toMatchObject({ number: '0x2', transactions: [{ hash, blockHash: null }] })
    await devnet.seal()
    expect(told).toHaveLength(2)
  })
})

describe('newFlashblockTransactions', () => {
  it.each([[[]], [[false]]])(
    'tells the hash of each transaction of a slice, asked with %j',
    async (extra) => {
      const { devnet, emit } = await withEmitter()
      const told = await collect(devnet, 'newFlashblockTransactions', ...extra)
      const hashes = [await emit(1n, TOPIC), await pay(devnet)]
      await devnet.tick()
      await devnet.tick()
      expect(told).toEqual(hashes)
    },
  )

  it('tells transactions with what came of them where all of it is wanted', async () => {
    const { devnet, emit } = await withEmitter()
    const told = await collect(devnet, 'newFlashblockTransactions', true)
    const hash = await emit(2n, TOPIC)
    await devnet.tick()
    const transaction = await ask<object>(devnet, 'eth_getTransactionByHash', hash)
    const receipt = await ask<Record<string, unknown>>(devnet, 'eth_getTransactionReceipt', hash)
    const { status, gasUsed, cumulativeGasUsed, contractAddress, logsBloom, logs } = receipt
    const outcome = { status, gasUsed, cumulativeGasUsed, contractAddress, logsBloom, logs }
    expect(logs).toHaveLength(2)
    expect(told).toEqual([{ ...transaction, ...outcome }])
  })

  it('tells only those with a log that matches, where a filter is given', async () => {
    const { devnet, address, emit } = await withEmitter()
    const told = await collect(devnet, 'newFlashblockTransactions', { address, topics: [null, [OTHER]] })
    await emit(1n, TOPIC)
    const hash = await emit(1n, OTHER)
    await pay(devnet)
    await devnet.tick()
    expect(told).toMatchObject([{ hash, logs: [{ address }] }])
  })

  it.each([['full'], [1], [{ topics: 'x' }]])('refuses %j', async (extra) => {
    const devnet = await flashblocks()
    await expect(ask(devnet, 'eth_subscribe', 'newFlashblockTransactions', extra)).rejects.toMatchObject({
      code: -32602,
    })
  })
})

describe('a chain without Flashblocks', () => {
  it.each(['pendingLogs', 'newFlashblocks', 'newFlashblockTransactions'])(
    'refuses the kind %s',
    async (kind) => {
      const devnet = await started({ rhythm: 'manual', profile: 'op-flashblocks' })
      await expect(ask(devnet, 'eth_subscribe', kind)).rejects.toMatchObject({ code: -32602 })
    },
  )
})

describe('eth_sendRawTransactionSync', () => {
  it('answers the pre-confirmed receipt as soon as there is one', async () => {
    const devnet = await flashblocks()
    const client = clientOf(devnet)
    const raw = await client.signTransaction(
      await client.prepareTransactionRequest({ to: STRANGER, value: 1n }),
    )
    const answering = ask<{ transactionHash: Hex; blockHash: Hex }>(devnet, 'eth_sendRawTransactionSync', raw)
    await devnet.tick()
    const receipt = await answering
    expect(Number(receipt.blockHash)).toBe(0)
    expect(receipt).toEqual(await ask(devnet, 'eth_getTransactionReceipt', receipt.transactionHash))
  })

  it('answers the sealed receipt where nothing is pre-confirmed', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const client = clientOf(devnet)
    const raw = await client.signTransaction(
      await client.prepareTransactionRequest({ to: STRANGER, value: 1n }),
    )
    expect(await ask(devnet, 'eth_sendRawTransactionSync', raw)).toMatchObject({
      blockNumber: '0x1',
      status: '0x1',
    })
  })

  it('gives up with code 4 and the hash when its time is over; the transaction waits on', async () => {
    const devnet = await flashblocks()
    const client = clientOf(devnet)
    const raw = await client.signTransaction(
      await client.prepareTransactionRequest({ to: STRANGER, value: 1n }),
    )
    const refused = await ask<{ data?: Hex }>(devnet, 'eth_sendRawTransactionSync', raw, 0).catch(
      (error) => error,
    )
    expect(refused).toMatchObject({ code: 4, message: expect.stringContaining('not confirmed within 0 ms') })
    expect(await ask(devnet, 'eth_getTransactionByHash', refused.data)).toMatchObject({ blockNumber: null })
  })

  it.each([[6_001], [-1], ['1']])('refuses to wait %j', async (wait) => {
    const devnet = await flashblocks()
    const client = clientOf(devnet)
    const raw = await client.signTransaction(
      await client.prepareTransactionRequest({ to: STRANGER, value: 1n }),
    )
    await expect(ask(devnet, 'eth_sendRawTransactionSync', raw, wait)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('milliseconds to wait, from 0 to 6000'),
    })
  })
})

describe('base_transactionStatus', () => {
  it('is known while a transaction waits or is pre-confirmed, and unknown before and after', async () => {
    const devnet = await flashblocks()
    const hash = await pay(devnet)
    const status = () => ask(devnet, 'base_transactionStatus', hash)
    expect(await status()).toEqual({ status: 'Known' })
    await devnet.tick()
    expect(await status()).toEqual({ status: 'Known' })
    await devnet.seal()
    expect(await status()).toEqual({ status: 'Unknown' })
    expect(await ask(devnet, 'base_transactionStatus', TOPIC)).toEqual({ status: 'Unknown' })
  })
})
