/** Which L2 blocks are safe and finalized beside an L1, and what a reorg of the L1 does to the L2. */
import { parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { bridged } from '../support/clients/bridge.ts'
import { ask, STRANGER } from '../support/clients/clients.ts'

type Bridged = Awaited<ReturnType<typeof bridged>>

const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const abi = parseAbi(['function number() view returns (uint64)'])

/** Returns the number of the L1 origin of an L2 block. */
function originAt({ clientL2 }: Bridged, blockNumber: bigint) {
  return clientL2.readContract({ abi, address: L1_BLOCK, functionName: 'number', blockNumber })
}

describe('an L2 block', () => {
  it('is safe when the L1 has a block after its L1 origin', async () => {
    const pair = await bridged()
    await pair.l2.advance({ minutes: 1 })
    const { number } = await pair.clientL2.getBlock({ blockTag: 'safe' })
    const head = await pair.clientL1.getBlockNumber()
    expect(await originAt(pair, number!)).toBe(head - 1n)
    expect(await originAt(pair, number! + 1n)).toBe(head)
  })

  it('is finalized when that L1 block is finalized', async () => {
    const pair = await bridged()
    await pair.l2.advance({ minutes: 15 })
    const { number } = await pair.clientL2.getBlock({ blockTag: 'finalized' })
    const onL1 = await pair.clientL1.getBlock({ blockTag: 'finalized' })
    expect(onL1.number).toBeGreaterThan(1n)
    expect(await originAt(pair, number!)).toBe(onL1.number! - 1n)
    expect(await originAt(pair, number! + 1n)).toBe(onL1.number)
  })

  it('is neither while the L1 makes no block', async () => {
    const { l2, clientL2 } = await bridged({ safeDistance: 1, finalizedDistance: 1 })
    await l2.mine(4)
    for (const blockTag of ['safe', 'finalized'] as const)
      expect((await clientL2.getBlock({ blockTag })).number).toBe(0n)
  })

  it('that is not finalized can be removed, and no other', async () => {
    const { l2, clientL2 } = await bridged({ finalizedDistance: 40 })
    await l2.advance({ minutes: 15 })
    const { number } = await clientL2.getBlock({ blockTag: 'finalized' })
    const depth = Number(l2.latest.header.number - number!)
    expect(number).toBeGreaterThan(0n)
    await expect(l2.faults.reorg({ depth: depth + 1, transactions: 'drop' })).rejects.toThrow(
      `depth: expected at most ${depth} blocks, which are not final yet, got ${depth + 1}`,
    )
    expect(await l2.faults.reorg({ depth, transactions: 'drop' })).toHaveLength(depth)
  })

  it('shows in the timeline of its transactions that it is safe', async () => {
    const { l2 } = await bridged()
    const { hash } = await l2.send({ to: STRANGER, value: 1n })
    await l2.advance({ seconds: 30 })
    const timeline = await ask<readonly unknown[]>(l2, 'preseal_getTimeline', hash)
    expect(timeline.at(-1)).toEqual({ step: 'safe' })
  })
})
