/** `preseal_listBlocks`: the chain as a list, page by page. */
import { describe, expect, it } from 'vitest'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

interface BlockList {
  readonly latest: string
  readonly first: string
  readonly blocks: readonly {
    readonly number: string
    readonly slices: string | null
    readonly emptyBlocks?: string
  }[]
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
        {
          number,
          hash,
          timestamp,
          transactionCount: '0x1',
          depositCount: '0x0',
          slices: '0x2',
          gasUsed,
          gasLimit,
          baseFeePerGas,
        },
      ],
      next: '0x1',
      total: '0x2',
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

  /** The list with empty blocks joined, as ranges of numbers. */
  const ranges = ({ blocks }: BlockList) =>
    blocks.map(({ number, emptyBlocks }) =>
      emptyBlocks === undefined ? Number(number) : [Number(number) - Number(emptyBlocks) + 1, Number(number)],
    )

  it('joins empty blocks, except the first block of the chain', async () => {
    const devnet = await started({ rhythm: 'manual', finalizedDistance: 1_000 })
    const pay = () => ask(devnet, 'eth_sendTransaction', { from: devnet.accounts[0]!.address, to: STRANGER })
    await devnet.mine(3)
    for (let i = 0; i < 2; i++) {
      await pay()
      await devnet.mine()
    }
    await devnet.mine(1)
    await pay()
    await devnet.mine(200)
    const joined = (page: object = {}) =>
      ask<BlockList>(devnet, 'preseal_listBlocks', { empty: 'joined', ...page })
    expect(await joined()).toMatchObject({ total: '0x7', next: null })
    expect(ranges(await joined())).toEqual([[8, 206], 7, 6, 5, 4, [1, 3], 0])
    expect(ranges(await joined({ offset: 1, limit: 2 }))).toEqual([7, 6])
    expect(ranges(await joined({ after: '0x3' }))).toEqual([[1, 2], 0])
    expect(await joined({ offset: 7 })).toMatchObject({ blocks: [], next: null })
    await ask(devnet, 'anvil_rollback', '0xc8')
    expect(ranges(await joined())).toEqual([6, 5, 4, [1, 3], 0])
    await devnet.mine(2)
    expect(ranges(await joined())).toEqual([[6, 8], 5, 4, [1, 3], 0])
  })

  it('joins the empty blocks that are kept', async () => {
    const devnet = await started({ rhythm: 'manual', history: { blocks: 100 } })
    await devnet.mine(500)
    const list = await ask<BlockList>(devnet, 'preseal_listBlocks', { empty: 'joined' })
    expect(ranges(list)).toEqual([[401, 500], 0])
    expect(await ask(devnet, 'preseal_listBlocks', { offset: 99 })).toMatchObject({
      total: '0x65',
      blocks: [{ number: '0x191' }, { number: '0x0' }],
    })
  })

  it('has the blocks that a reorg removed, with the entry in their place', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine(9)
    const { hash } = await ask<{ hash: string }>(devnet, 'eth_getBlockByNumber', '0x9', false)
    await ask(devnet, 'preseal_reorg', { depth: 1, transactions: 'keep' })
    expect(await ask(devnet, 'preseal_listBlocks', { limit: 1 })).toMatchObject({
      blocks: [{ removed: [{ hash, number: '0x9' }] }],
    })
    const { blocks } = await ask<BlockList>(devnet, 'preseal_listBlocks', { limit: 1, offset: 1 })
    expect(blocks).toMatchObject([{ number: '0x8' }])
    expect(blocks[0]).not.toHaveProperty('removed')
  })
})
