/** Filters: what is new since the last time. */
import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import type { Devnet } from '../../src/index.ts'
import { onWire } from '../support/clients/addresses.ts'
import { ask, clientOf, STRANGER, started } from '../support/clients/clients.ts'

afterEach(() => {
  vi.useRealTimers()
})

function pay(devnet: Devnet): Promise<Hex> {
  return ask(devnet, 'eth_sendTransaction', { from: devnet.accounts[0]!.address, to: STRANGER })
}

async function emitting(devnet: Devnet): Promise<{ address: Hex; emit(): Promise<void> }> {
  const client = clientOf(devnet)
  const hash = await client.deployContract(Emitter)
  await devnet.mine()
  const address = (await client.getTransactionReceipt({ hash })).contractAddress!
  return {
    address,
    async emit() {
      const data = encodeFunctionData({ abi: Emitter.abi, functionName: 'log1', args: ['0x01'] })
      await ask(devnet, 'eth_sendTransaction', { from: devnet.accounts[0]!.address, to: address, data })
    },
  }
}

describe('a filter over blocks', () => {
  it('tells the hash of each sealed block once, in order', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.seal()
    const id = await ask(devnet, 'eth_newBlockFilter')
    expect(await ask(devnet, 'eth_getFilterChanges', id)).toEqual([])
    await devnet.seal()
    await devnet.seal()
    const hashes = []
    for (const number of ['0x2', '0x3']) {
      hashes.push((await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', number, false)).hash)
    }
    expect(await ask(devnet, 'eth_getFilterChanges', id)).toEqual(hashes)
    expect(await ask(devnet, 'eth_getFilterChanges', id)).toEqual([])
  })

  it('tells the blocks of the way that was taken after going back', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const mark = devnet.snapshot()
    const id = await ask(devnet, 'eth_newBlockFilter')
    await devnet.seal()
    await devnet.restore(mark)
    await pay(devnet)
    await devnet.mine()
    const hashes = await ask<Hex[]>(devnet, 'eth_getFilterChanges', id)
    expect(hashes).toHaveLength(2)
    expect(hashes[1]).toBe((await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)).hash)
  })
})

describe('a filter over pending transactions', () => {
  it('tells the hash of each accepted transaction once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const id = await ask(devnet, 'eth_newPendingTransactionFilter')
    const hashes = [await pay(devnet), await pay(devnet)]
    expect(await ask(devnet, 'eth_getFilterChanges', id)).toEqual(hashes)
    expect(await ask(devnet, 'eth_getFilterChanges', id)).toEqual([])
  })
})

describe('a filter over logs', () => {
  it('tells each matching log of new blocks once, and all of its range when asked for', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { address, emit } = await emitting(devnet)
    await emit()
    await devnet.mine()
    const id = await ask(devnet, 'eth_newFilter', { address, fromBlock: '0x0' })
    const other = await ask(devnet, 'eth_newFilter', { address: STRANGER })
    await emit()
    await devnet.mine()
    const latest = await ask(devnet, 'eth_getLogs', { address })
    expect(latest).not.toEqual([])
    expect(await ask(devnet, 'eth_getFilterChanges', id)).toEqual(latest)
    expect(await ask(devnet, 'eth_getFilterChanges', id)).toEqual([])
    expect(await ask(devnet, 'eth_getFilterChanges', other)).toEqual([])
    expect(await ask(devnet, 'eth_getFilterLogs', id)).toEqual(
      await ask(devnet, 'eth_getLogs', { address, fromBlock: '0x0' }),
    )
  })

  it('tells nothing beyond the numbers that bound it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { address, emit } = await emitting(devnet)
    const [past, later] = [
      await ask(devnet, 'eth_newFilter', { address, toBlock: '0x1' }),
      await ask(devnet, 'eth_newFilter', { address, fromBlock: numberToHex(3), toBlock: numberToHex(9) }),
    ]
    for (let i = 0; i < 2; i++) {
      await emit()
      await devnet.mine()
    }
    expect(await ask(devnet, 'eth_getFilterChanges', past)).toEqual([])
    expect(await ask(devnet, 'eth_getFilterChanges', later)).toEqual(
      await ask(devnet, 'eth_getLogs', { address, fromBlock: '0x3' }),
    )
  })

  // geth (eth/filters/api.go, GetFilterChanges): what a reorg took off is told again, as removed.
  it('tells the logs of a removed block again, as removed, before those that came in its place', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { address, emit } = await emitting(devnet)
    const id = await ask(devnet, 'eth_newFilter', { address })
    await emit()
    await devnet.mine()
    const [log] = await ask<object[]>(devnet, 'eth_getFilterChanges', id)
    await ask(devnet, 'preseal_reorg', { depth: 1, transactions: 'keep' })
    const [replacement] = await ask<object[]>(devnet, 'eth_getLogs', { address })
    expect(await ask(devnet, 'eth_getFilterChanges', id)).toEqual([{ ...log, removed: true }, replacement])
  })

  it('over one block has its logs, and nothing that is new', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { address, emit } = await emitting(devnet)
    await emit()
    await devnet.mine()
    const logs = await ask<{ blockHash: Hex }[]>(devnet, 'eth_getLogs', { address })
    const id = await ask(devnet, 'eth_newFilter', { address, blockHash: logs[0]!.blockHash })
    await emit()
    await devnet.mine()
    expect(await ask(devnet, 'eth_getFilterChanges', id)).toEqual([])
    expect(await ask(devnet, 'eth_getFilterLogs', id)).toEqual(logs)
  })

  it('over a block that is not known is refused as eth_getLogs refuses that', async () => {
    for (const dialect of ['base', 'geth'] as const) {
      const devnet = await started({ rhythm: 'manual', dialect })
      const blockHash = `0x${'ab'.repeat(32)}`
      const id = await ask(devnet, 'eth_newFilter', { blockHash })
      const why = (asking: Promise<unknown>) =>
        asking.then(undefined, ({ code, message }) => ({ code, message }))
      const refusal = await why(ask(devnet, 'eth_getLogs', { blockHash }))
      expect(await why(ask(devnet, 'eth_getFilterLogs', id))).toEqual(refusal)
      if (dialect === 'geth') expect(refusal).toMatchObject({ code: -32000, message: 'unknown block' })
    }
  })

  it('is refused as a question for the same logs would be', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(ask(devnet, 'eth_newFilter', { address: '0x12' })).rejects.toMatchObject({ code: -32602 })
  })
})

describe('a filter', () => {
  it('can be removed once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const id = await ask(devnet, 'eth_newBlockFilter')
    expect(await ask(devnet, 'eth_uninstallFilter', id)).toBe(true)
    expect(await ask(devnet, 'eth_uninstallFilter', id)).toBe(false)
    await expect(ask(devnet, 'eth_getFilterChanges', id)).rejects.toMatchObject({
      code: -32000,
      message: 'filter not found',
    })
  })

  it('is forgotten when nobody asked for five minutes, and not before', async () => {
    vi.useFakeTimers()
    const devnet = await started({ rhythm: 'manual' })
    const [used, unused] = [await ask(devnet, 'eth_newBlockFilter'), await ask(devnet, 'eth_newBlockFilter')]
    vi.advanceTimersByTime(300_000)
    expect(await ask(devnet, 'eth_getFilterChanges', used)).toEqual([])
    vi.advanceTimersByTime(1)
    expect(await ask(devnet, 'eth_getFilterChanges', used)).toEqual([])
    await expect(ask(devnet, 'eth_getFilterChanges', unused)).rejects.toMatchObject({ code: -32000 })
  })

  it('that is none over logs has no logs', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const id = await ask(devnet, 'eth_newBlockFilter')
    await expect(ask(devnet, 'eth_getFilterLogs', id)).rejects.toMatchObject({ code: -32000 })
  })
})

describe('the pool', () => {
  it('shows what can run and what waits for a nonce before it, by sender and nonce', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const [from, other] = devnet.accounts.map(({ address }) => onWire(address)) as [Hex, Hex]
    const send = (fields: object) =>
      ask<Hex>(devnet, 'eth_sendTransaction', { from, to: STRANGER, ...fields })
    const ready = [await send({}), await send({})]
    const queued = await send({ nonce: '0x5', gas: '0x5208', maxFeePerGas: '0x77359400', value: '0x7' })
    const others = await send({ from: other })
    const shown = (hash: Hex) => ask(devnet, 'eth_getTransactionByHash', hash)
    expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x3', queued: '0x1' })
    expect(await ask(devnet, 'txpool_content')).toEqual({
      pending: {
        [from]: { 0: await shown(ready[0]!), 1: await shown(ready[1]!) },
        [other]: { 0: await shown(others) },
      },
      queued: { [from]: { 5: await shown(queued) } },
    })
    expect(await ask(devnet, 'txpool_contentFrom', other)).toEqual({
      pending: { 0: await shown(others) },
      queued: {},
    })
    expect(await ask(devnet, 'txpool_inspect')).toMatchObject({
      queued: { [from]: { 5: `${STRANGER}: 7 wei + 21000 gas × 2000000000 wei` } },
    })
    await devnet.tick()
    expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x1' })
  })
})
