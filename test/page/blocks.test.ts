/** The list of all blocks: which row shows which, and what is asked for them. */
import { expect, test } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import type { ListedBlock } from '../../src/page/live/blockList.ts'
import { BlockPages, BlockRows } from '../../src/page/live/pages.ts'

const removed = (number: number, hash: string) => ({ number, hash })
const shown = (rows: BlockRows<{ number: number; hash: string }>) =>
  Array.from({ length: rows.count }, (_, index) => {
    const { number, removed } = rows.at(index)
    return removed?.hash ?? number
  })

test('rows go from the newest block to the first', () => {
  expect(shown(new BlockRows(3, 0, []))).toEqual([3, 2, 1, 0])
})

test('what was removed stands below the block in its place, the last removed first', () => {
  expect(shown(new BlockRows(3, 1, [removed(2, 'older'), removed(3, 'other'), removed(2, 'newer')]))).toEqual(
    [3, 'other', 2, 'newer', 'older', 1],
  )
})

test('removed blocks above the newest come first', () => {
  expect(shown(new BlockRows(1, 0, [removed(3, 'c'), removed(2, 'b')]))).toEqual(['c', 'b', 1, 0])
})

async function chainOf(blocks: number) {
  const devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false })
  await devnet.mine(blocks)
  const asked: unknown[][] = []
  const source = {
    request: async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
      asked.push([method, ...params])
      return (await devnet.request({ method, params } as never)) as T
    },
  }
  return { devnet, asked, source }
}

test('only the pages of what is seen are asked, each once', async () => {
  const { devnet, asked, source } = await chainOf(350)
  await using _ = devnet
  const pages = new BlockPages(source, () => {})
  await pages.renew()
  expect(pages.latest).toBe(350)
  expect(pages.at(350)).toMatchObject({ number: 350, transactions: 0 })
  expect(pages.at(50)).toBeUndefined()
  const before = asked.length
  await pages.ask(80, 120)
  await pages.ask(80, 120)
  expect(asked.length).toBe(before + 2)
  expect(pages.at(80)?.number).toBe(80)
  expect(pages.at(120)?.hash).toBe(
    (await devnet.request({ method: 'eth_getBlockByNumber', params: ['0x78', false] }))!.hash,
  )
})

test('a block that is sealed is in the list without being asked for', async () => {
  const { devnet, asked, source } = await chainOf(10)
  await using _ = devnet
  const pages = new BlockPages(source, () => {})
  await pages.renew()
  const before = asked.length
  const block: ListedBlock = { ...pages.at(10)!, number: 11, hash: '0x11' }
  pages.add(block)
  expect(pages.latest).toBe(11)
  expect(pages.at(11)).toBe(block)
  expect(asked.length).toBe(before)
})

/** Answers as a chain of 4,001 empty blocks does. */
function long([page]: readonly unknown[]): unknown {
  const { limit, after = '0xfa1' } = page as { limit: number; after?: string }
  const newest = Math.min(4_000, Number(after) - 1)
  const quantities = { timestamp: '0x1', transactionCount: '0x0', gasUsed: '0x0', gasLimit: '0x1' }
  const blocks = Array.from({ length: Math.min(limit, newest + 1) }, (_, i) => {
    const number = `0x${(newest - i).toString(16)}`
    return { number, hash: number, slices: null, baseFeePerGas: null, ...quantities }
  })
  return { latest: '0xfa0', first: '0x0', blocks }
}

test('of a long walk through the chain only some pages are kept', async () => {
  const pages = new BlockPages(
    { request: async <T>(_: string, params: readonly unknown[] = []) => long(params) as T },
    () => {},
  )
  await pages.renew()
  for (let number = 4_000; number >= 0; number -= 100) await pages.ask(number, number)
  expect(pages.at(0)?.number).toBe(0)
  expect(pages.isHere(3_900)).toBe(false)
})

test('after blocks were replaced the list is asked again', async () => {
  const { devnet, source } = await chainOf(20)
  await using _ = devnet
  const pages = new BlockPages(source, () => {})
  await pages.renew()
  const before = pages.at(20)!.hash
  await devnet.request({ method: 'anvil_rollback', params: ['0x5'] })
  await pages.renew()
  expect(pages.latest).toBe(15)
  expect(pages.at(20)).toBeUndefined()
  expect(before).toMatch(/^0x/)
})

test('an error is told, and what failed can be asked again', async () => {
  let isBroken = true
  const { devnet, source } = await chainOf(5)
  await using _ = devnet
  const told: (string | undefined)[] = []
  const pages = new BlockPages(
    {
      request: (method, params) =>
        isBroken ? Promise.reject(new Error('broken')) : source.request(method, params),
    },
    (error) => told.push(error?.message),
  )
  await pages.renew()
  isBroken = false
  await pages.renew()
  expect(told).toEqual(['broken', undefined])
  expect(pages.at(5)?.number).toBe(5)
})
