/** What is in a block, in parts: the same as whole, in as few bytes for a block of any size. */
import { describe, expect, it } from 'vitest'
import { buy, openShop } from '../support/chains/shop.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

type Json = Record<string, unknown>

interface Listed {
  readonly total: string
  readonly transactions: readonly (Json & { readonly hash: string })[]
  readonly next: string | null
}

interface Logs {
  readonly total: string
  readonly logs: readonly Json[]
  readonly next: string | null
}

async function withTransactions(count: number) {
  const devnet = await started({ rhythm: 'manual', ticksPerBlock: 4, gasLimit: 100_000_000n })
  const [from, other] = devnet.accounts.map(({ address }) => address) as [string, string]
  const hashes: string[] = []
  const send = async (more: number) => {
    for (let i = 0; i < more; i++) {
      const sender = hashes.length % 2 === 0 ? from : other
      hashes.push(await ask(devnet, 'eth_sendTransaction', { from: sender, to: STRANGER, value: '0x1' }))
    }
    await devnet.tick()
  }
  await send(count)
  return { devnet, from, other, hashes, send }
}

describe('preseal_getBlockSummary', () => {
  it('has the header of a sealed block, and how much is in it', async () => {
    const { devnet } = await withTransactions(3)
    await devnet.seal()
    const block = await ask<Json>(devnet, 'eth_getBlockByNumber', 'latest', false)
    const receipts = await ask<Json[]>(devnet, 'eth_getBlockReceipts', 'latest')
    const { transactions: _, ...header } = block
    const gas = receipts.map(({ gasUsed, effectiveGasPrice }) => [
      BigInt(gasUsed as string),
      BigInt(effectiveGasPrice as string),
    ]) as [bigint, bigint][]
    const burnt = BigInt(block.gasUsed as string) * BigInt(block.baseFeePerGas as string)
    const tips = gas.reduce((sum, [used, price]) => sum + used * price, 0n) - burnt
    const hex = (number: bigint) => `0x${number.toString(16)}`
    expect(await ask(devnet, 'preseal_getBlockSummary', block.hash)).toEqual({
      ...header,
      transactionCount: '0x3',
      logCount: '0x0',
      fees: { burnt: hex(burnt), tips: hex(tips) },
      blobs: [],
      removed: false,
    })
  })

  it('tells of the open block without roots, of its slices, and of removed blocks that they are', async () => {
    const { devnet, send } = await withTransactions(2)
    await send(3)
    expect(await ask(devnet, 'preseal_getBlockSummary', 'pending')).toMatchObject({
      number: '0x1',
      transactionCount: '0x5',
      receiptsRoot: null,
    })
    const slice = { blockNumber: '0x1', slice: '0x1' }
    expect(await ask(devnet, 'preseal_getBlockSummary', slice)).toMatchObject({ transactionCount: '0x2' })
    await devnet.seal()
    const { hash } = await ask<{ hash: string }>(devnet, 'preseal_getBlockSummary', 'latest')
    await ask(devnet, 'preseal_reorg', { depth: 1, transactions: 'drop' })
    expect(await ask(devnet, 'preseal_getBlockSummary', hash)).toMatchObject({ hash, removed: true })
    expect(await ask(devnet, 'preseal_getBlockSummary', '0x99')).toBeNull()
  })

  it('is of one size, however many transactions there are', async () => {
    const { devnet, send } = await withTransactions(1)
    const size = async () => JSON.stringify(await ask(devnet, 'preseal_getBlockSummary', 'pending')).length
    const before = await size()
    await send(200)
    expect(await size()).toBeLessThan(before + 100)
  })
})

describe('preseal_listTransactions', () => {
  it('lists what eth_getBlockByNumber and its receipts have of each, part by part', async () => {
    const { devnet, hashes } = await withTransactions(7)
    const seen: string[][] = []
    let after: string | null | undefined
    do {
      const part = { limit: 3, ...(after && { after }) }
      const page: Listed = await ask(devnet, 'preseal_listTransactions', 'pending', part)
      expect(page).toMatchObject({ blockNumber: '0x1', total: '0x7' })
      seen.push(page.transactions.map(({ hash }) => hash))
      after = page.next
    } while (after !== null)
    expect(seen).toEqual([hashes.slice(0, 3), hashes.slice(3, 6), hashes.slice(6)])
    const { transactions } = await ask<Listed>(devnet, 'preseal_listTransactions', 'pending', { limit: 1 })
    expect(transactions[0]).toEqual({
      index: '0x0',
      hash: hashes[0],
      from: devnet.accounts[0]!.address.toLowerCase(),
      to: STRANGER,
      value: '0x1',
      input: '0x',
      status: '0x1',
      gasUsed: '0x5208',
      logCount: '0x0',
      contractAddress: null,
    })
  })

  it('finds those of an account, the newest first', async () => {
    const { devnet, hashes, other } = await withTransactions(7)
    const part = { order: 'newest', address: other, limit: 2 }
    const first: Listed = await ask(devnet, 'preseal_listTransactions', 'pending', part)
    expect(first.transactions.map(({ hash }) => hash)).toEqual([hashes[5], hashes[3]])
    const rest: Listed = await ask(devnet, 'preseal_listTransactions', 'pending', {
      ...part,
      after: first.next,
    })
    expect(rest.transactions.map(({ hash }) => hash)).toEqual([hashes[1]])
    expect(rest.next).toBeNull()
    expect(await ask(devnet, 'preseal_listTransactions', '0x99', part)).toBeNull()
  })

  it('finds the creation of a contract by its address, and cuts long input to its selector', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const from = devnet.accounts[0]!.address
    await ask(devnet, 'eth_sendTransaction', { from, data: '0x00' })
    await ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, data: `0x12345678${'00'.repeat(2_000)}` })
    await devnet.tick()
    const all: Listed = await ask(devnet, 'preseal_listTransactions', 'pending')
    const [creation, call] = all.transactions as unknown as [Json, Json]
    expect(call.input).toBe('0x12345678')
    const found: Listed = await ask(devnet, 'preseal_listTransactions', 'pending', {
      address: creation.contractAddress,
    })
    expect(found.transactions).toEqual([creation])
  })

  it.each([
    [{ limit: 0 }, 'params[1].limit'],
    [{ order: 'up' }, 'params[1].order'],
    [{ limits: 1 }, 'params[1].limits'],
  ])('refuses %j', async (part, named) => {
    const { devnet } = await withTransactions(1)
    await expect(ask(devnet, 'preseal_listTransactions', 'pending', part)).rejects.toThrow(named)
  })
})

describe('preseal_listLogs', () => {
  it('lists what eth_getLogs has of the block, part by part', async () => {
    const { devnet, send } = await openShop({})
    for (const amount of [1n, 2n, 3n]) await send({ data: buy(amount) })
    await devnet.mine()
    const logs = await ask<Json[]>(devnet, 'eth_getLogs', { fromBlock: 'latest', toBlock: 'latest' })
    expect(logs.length).toBeGreaterThan(1)
    const first: Logs = await ask(devnet, 'preseal_listLogs', 'latest', { limit: 1 })
    expect(first).toEqual({ total: `0x${logs.length.toString(16)}`, logs: logs.slice(0, 1), next: '0x0' })
    const rest: Logs = await ask(devnet, 'preseal_listLogs', 'latest', { after: first.next })
    expect(rest).toMatchObject({ logs: logs.slice(1), next: null })
    expect(await ask(devnet, 'preseal_listLogs', '0x99')).toBeNull()
  })
})
