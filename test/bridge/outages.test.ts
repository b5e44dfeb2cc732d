/** Batches that are withheld, and an L1 that stops (specs.optimism.io `protocol/derivation.html`). */
import { parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { batchOf, NO_OUTAGES, withFailure } from '../../src/bridge/outages.ts'
import type { Devnet } from '../../src/index.ts'
import { bridged, EPOCH } from '../support/clients/bridge.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

type Bridged = Awaited<ReturnType<typeof bridged>>

const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const abi = parseAbi([
  'function number() view returns (uint64)',
  'function timestamp() view returns (uint64)',
  'function sequenceNumber() view returns (uint64)',
])

async function originAt({ clientL2 }: Bridged, blockNumber: bigint) {
  const read = (functionName: 'number' | 'timestamp' | 'sequenceNumber') =>
    clientL2.readContract({ abi, address: L1_BLOCK, functionName, blockNumber })
  return {
    number: await read('number'),
    timestamp: await read('timestamp'),
    sequenceNumber: await read('sequenceNumber'),
  }
}

/** Returns the L1 origin of the safe block. */
async function safeOrigin(pair: Bridged) {
  const { number } = await pair.clientL2.getBlock({ blockTag: 'safe' })
  return (await originAt(pair, number)).number
}

/** A pair whose sequencing window has `window` L1 blocks. */
function withWindow(window: number) {
  return bridged({ l1: { chainId: 1, sequencingWindow: window } })
}

describe('withheld batches', () => {
  it('keep safe behind latest until the batcher resumes', async () => {
    const pair = await bridged()
    await pair.l2.advance({ minutes: 1 })
    const before = await safeOrigin(pair)
    await pair.l2.faults.withholdBatches({ l1Blocks: 5 })
    await pair.l2.advance({ minutes: 1 })
    expect(await safeOrigin(pair)).toBe(before)
    await pair.l2.advance({ seconds: 24 })
    expect(await safeOrigin(pair)).toBe((await pair.clientL1.getBlockNumber()) - 1n)
  })

  it('keep finalized behind until the L1 block with the batches is finalized', async () => {
    const pair = await bridged()
    await pair.l2.faults.withholdBatches({ l1Blocks: 10 })
    const finalized = async () => (await pair.clientL2.getBlock({ blockTag: 'finalized' })).number
    await pair.l2.advance({ minutes: 14 })
    expect(await finalized()).toBe(0n)
    await pair.l2.advance({ minutes: 2 })
    expect((await originAt(pair, await finalized())).number).toBe(
      (await pair.clientL1.getBlock({ blockTag: 'finalized' })).number - 1n,
    )
  })

  it('change no block within the sequencing window', async () => {
    const { l2 } = await withWindow(6)
    await l2.faults.withholdBatches({ l1Blocks: 5 })
    await l2.mine()
    await l2.send({ to: STRANGER, value: 1n, until: 'accepted' })
    await l2.mine()
    const { hash } = l2.latest
    await l2.advance({ minutes: 2 })
    expect(await ask(l2, 'eth_getBlockByNumber', '0x2', false)).toMatchObject({ hash })
  })

  it('take the transactions out of blocks whose sequencing window ends', async () => {
    const pair = await withWindow(3)
    const { l2, clientL2 } = pair
    await l2.faults.withholdBatches({ l1Blocks: 4 })
    await l2.mine()
    const { hash } = await l2.send({ to: STRANGER, value: 1n, until: 'accepted' })
    await l2.mine()
    const { number, hash: gone, timestamp } = await clientL2.getBlock()
    const origin = await originAt(pair, number)
    await l2.advance({ minutes: 1 })
    const block = await clientL2.getBlock({ blockNumber: number })
    expect(block).toMatchObject({ timestamp, transactions: [expect.anything()] })
    expect(block.hash).not.toBe(gone)
    expect(await originAt(pair, number)).toEqual(origin)
    const receipt = await clientL2.getTransactionReceipt({ hash })
    expect(receipt.blockNumber).toBeGreaterThan(number)
  })

  it('replace each such block once, although more windows end', async () => {
    const { l2 } = await withWindow(3)
    let reorgs = 0
    l2.on('reorged', () => void reorgs++)
    await l2.faults.withholdBatches({ l1Blocks: 10 })
    await l2.mine()
    await l2.send({ to: STRANGER, value: 1n, until: 'accepted' })
    await l2.advance({ minutes: 3 })
    expect(reorgs).toBeGreaterThan(0)
    const after = reorgs
    await l2.advance({ minutes: 3 })
    expect(reorgs).toBe(after)
  })

  it('leave an L2 that is behind its L1 with deposits only while the windows of its L1 origins are over', async () => {
    const { l1, l2, clientL2 } = await withWindow(3)
    await l2.faults.withholdBatches({ l1Blocks: 10 })
    await l2.mine()
    await l1.mine(8)
    const { hash } = await l2.send({ to: STRANGER, value: 1n, until: 'accepted' })
    await l2.mine(5)
    expect(await ask(l2, 'eth_getTransactionByHash', hash)).toMatchObject({ blockNumber: null })
    await l2.mine()
    expect((await clientL2.getTransactionReceipt({ hash })).blockNumber).toBe(7n)
  })

  it('keep the deposits of blocks whose sequencing window ends', async () => {
    const { l2, account, clientL1, clientL2 } = await withWindow(3)
    await l2.faults.withholdBatches({ l1Blocks: 8 })
    const built = await clientL2.buildDepositTransaction({ mint: 1n, to: STRANGER })
    await clientL1.depositTransaction({ ...built, account })
    await l2.advance(EPOCH)
    await l2.send({ from: l2.accounts[1]!.address, to: STRANGER, value: 5n, until: 'accepted' })
    await l2.mine()
    const { number } = await clientL2.getBlock()
    const balance = () => clientL2.getBalance({ address: STRANGER, blockNumber: number })
    expect(await balance()).toBe(6n)
    await l2.advance({ minutes: 1 })
    expect(await balance()).toBe(1n)
  })

  it('are withheld until the fault is removed', async () => {
    const pair = await bridged()
    const id = await pair.l2.faults.withholdBatches({ l1Blocks: 2 }, 'always')
    await pair.l2.advance({ minutes: 2 })
    expect(await safeOrigin(pair)).toBe(0n)
    await pair.l2.faults.remove(id)
    await pair.l2.advance({ seconds: 36 })
    expect(await safeOrigin(pair)).toBe((await pair.clientL1.getBlockNumber()) - 1n)
  })

  it('stay withheld if more are after a reorg of the L1 to an earlier block', () => {
    const before = withFailure(NO_OUTAGES, { kind: 'withholdBatches', l1Blocks: 5 }, 4n)
    const after = withFailure(before, { kind: 'withholdBatches', l1Blocks: 2 }, 3n)
    expect(batchOf(2n, after, 100n)).toBe(9n)
  })

  it('are part of snapshots and forks', async () => {
    const { l2 } = await bridged()
    const safe = async (devnet: Devnet) =>
      (await ask<{ number: string }>(devnet, 'eth_getBlockByNumber', 'safe', false)).number
    const calm = l2.snapshot()
    await l2.faults.withholdBatches({ l1Blocks: 5 })
    await l2.mine()
    const fork = l2.fork()
    for (const devnet of [l2, fork]) await devnet.advance({ seconds: 40 })
    expect([await safe(l2), await safe(fork)]).toEqual(['0x0', '0x0'])
    await l2.restore(calm)
    await l2.advance({ seconds: 40 })
    expect(Number(await safe(l2))).toBeGreaterThan(0)
    await fork.close()
  })

  it('can be planned over JSON-RPC', async () => {
    const { l2 } = await bridged()
    const happened: unknown[] = []
    l2.on('fault', ({ kind }, block) => happened.push([kind, block]))
    await ask(l2, 'preseal_addFault', { kind: 'withholdBatches', l1Blocks: 2, when: { block: 2 } })
    await l2.mine(3)
    expect(happened).toEqual([['withholdBatches', 2n]])
  })
})

describe('an L1 that stops', () => {
  it('makes no block in the missed slots, and the L2 keeps its L1 origin', async () => {
    const pair = await bridged()
    const { l2, clientL1, clientL2 } = pair
    await l2.advance({ minutes: 1 })
    const head = await clientL1.getBlock()
    await l2.faults.missL1Slots({ slots: 5 })
    await l2.advance({ minutes: 1 })
    expect(await clientL1.getBlockNumber()).toBe(head.number)
    const latest = await clientL2.getBlockNumber()
    await l2.mine()
    const [origin, next] = [await originAt(pair, latest), await originAt(pair, latest + 1n)]
    expect(next).toEqual({ ...origin, sequenceNumber: origin.sequenceNumber + 1n })
    await l2.advance({ seconds: 15 })
    const { timestamp } = await clientL1.getBlock({ blockNumber: head.number + 1n })
    expect(timestamp).toBe(head.timestamp + 6n * 12n)
  })

  it('makes no block until the fault is removed', async () => {
    const { l2, clientL1 } = await bridged()
    const id = await l2.faults.missL1Slots({ slots: 2 }, 'always')
    await l2.advance({ minutes: 2 })
    expect(await clientL1.getBlockNumber()).toBeLessThanOrEqual(1n)
    await l2.faults.remove(id)
    await l2.advance({ seconds: 48 })
    expect(await clientL1.getBlockNumber()).toBeGreaterThanOrEqual(2n)
  })

  it('has no slots under the rhythm instant, so the L2 continues to include transactions', async () => {
    const { l2, clientL2 } = await bridged({ rhythm: 'instant' })
    await l2.faults.missL1Slots({ slots: 200 })
    await l2.mine()
    await l2.advance({ minutes: 31 })
    const { hash } = await l2.send({ to: STRANGER, value: 1n, until: 'accepted' })
    expect(await clientL2.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  })

  it('leaves the L2 with deposits only 1,800 seconds after its L1 origin', async () => {
    const pair = await bridged()
    const { l2, clientL2 } = pair
    await l2.faults.missL1Slots({ slots: 160 })
    await l2.mine()
    const send = () => l2.send({ to: STRANGER, value: 1n, until: 'accepted' })
    await l2.advance({ seconds: 1_780 })
    const early = await send()
    await l2.mine()
    expect(await clientL2.getTransactionReceipt(early)).toMatchObject({ status: 'success' })
    await l2.advance({ seconds: 30 })
    const late = await send()
    await l2.mine(2)
    const { timestamp, number } = await clientL2.getBlock()
    expect(timestamp - (await originAt(pair, number)).timestamp).toBeGreaterThan(1_800n)
    expect(await ask(l2, 'eth_getTransactionByHash', late.hash)).toMatchObject({ blockNumber: null })
    await l2.advance({ minutes: 3 })
    expect(await clientL2.getTransactionReceipt(late)).toMatchObject({ status: 'success' })
  })
})

it('a devnet without an L1 refuses faults of the L1', async () => {
  const l2 = await started({ profile: 'op-flashblocks', rhythm: 'manual' })
  await expect(l2.faults.withholdBatches({ l1Blocks: 1 })).rejects.toThrow(
    'fault.kind: expected a fault that needs no L1, because this devnet has none (option l1), got "withholdBatches"',
  )
  await expect(ask(l2, 'preseal_addFault', { kind: 'missL1Slots', slots: 1 })).rejects.toMatchObject({
    code: -32602,
  })
})
