/** `preseal_listBlocks`: the chain as a list, page by page. */
import { describe, expect, it } from 'vitest'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

interface BlockList {
  readonly latest: string
  readonly first: string
  readonly blocks: readonly { readonly number: string; readonly slices: string | null }[]
  readonly next: string | null
}

const numbers = ({ blocks }: BlockList) => blocks.map(({ number }) => Number(number))

describe('preseal_listBlocks', () => {
  it('lists a block with what eth_getBlockByNumber has of it, and the number of its slices', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 4 })
    const from = devnet.accounts[0]!.address
    await ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1' })
    await devnet.tick()
    await devnet.tick()
    await devnet.seal()
    const block = await ask<Record<string, unknown>>(devnet, 'eth_getBlockByNumber', 'latest', false)
    const { number, hash, timestamp, gasUsed, gasLimit, baseFeePerGas } = block
    expect(await ask(devnet, 'preseal_listBlocks', { limit: 1 })).toEqual({
      latest: '0x1',
      first: '0x0',
      blocks: [
        { number, hash, timestamp, transactionCount: '0x1', slices: '0x2', gasUsed, gasLimit, baseFeePerGas },
      ],
      next: '0x1',
    })
  })

  it('goes from the newest to the first block, page by page', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine(7)
    const seen: number[][] = []
    let after: string | null | undefined
    do {
      const page: BlockList = await ask(devnet, 'preseal_listBlocks', { limit: 3, ...(after && { after }) })
      seen.push(numbers(page))
      after = page.next
    } while (after !== null)
    expect(seen).toEqual([
      [7, 6, 5],
      [4, 3, 2],
      [1, 0],
    ])
  })

  it('begins anywhere: before a number, and at the newest for one that is too high', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine(7)
    expect(numbers(await ask(devnet, 'preseal_listBlocks', { limit: 2, after: '0x4' }))).toEqual([3, 2])
    expect(numbers(await ask(devnet, 'preseal_listBlocks', { limit: 2, after: '0x400' }))).toEqual([7, 6])
    expect(await ask(devnet, 'preseal_listBlocks', { after: '0x0' })).toMatchObject({
      blocks: [],
      next: null,
    })
  })

  it('leaves out blocks that are no longer kept, but never the first', async () => {
    const devnet = await started({ rhythm: 'manual', history: { blocks: 3 } })
    await devnet.mine(10)
    const list = numbers(await ask(devnet, 'preseal_listBlocks'))
    expect(list[0]).toBe(10)
    expect(list.at(-1)).toBe(0)
    expect(list.length).toBeLessThan(7)
  })
})
