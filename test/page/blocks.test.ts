/** The list of all blocks: which rows it has, and what is asked for them. */
import { expect, test } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { type BlockRange, listRows } from '../../src/page/live/blockList.ts'

async function chainOf(payments: readonly number[], end: number) {
  const devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false, finalizedDistance: 1_000 })
  const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
  for (const number of payments) {
    const empty = number - Number(devnet.latest.header.number) - 1
    if (empty > 0) await devnet.mine(empty)
    await devnet.send({ from, to, value: 1n, until: 'accepted' })
    await devnet.mine()
  }
  await devnet.mine(end - Number(devnet.latest.header.number))
  const asked: unknown[] = []
  const source = {
    request: async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
      asked.push(method)
      return (await devnet.request({ method, params } as never)) as T
    },
  }
  const rows = async (range?: BlockRange, offset = 0, limit = 100) => {
    const list = await listRows(source, range, offset, limit)
    const shown = list.rows.map(({ number, emptyBlocks, removed }) =>
      [
        emptyBlocks === undefined ? number : `${emptyBlocks} to ${number}`,
        ...removed.map((one) => -Number(one.number)),
      ].join(' '),
    )
    return { total: list.total, shown }
  }
  return { devnet, asked, rows }
}

test('a chain of a thousand blocks with two payments has six rows, which take one request', async () => {
  const { devnet, asked, rows } = await chainOf([300, 800], 1_000)
  await using _ = devnet
  const shown = ['200 to 1000', '800', '499 to 799', '300', '299 to 299', '0']
  expect(await rows()).toEqual({ total: 6, shown })
  expect(await rows(undefined, 2, 2)).toEqual({ total: 6, shown: shown.slice(2, 4) })
  expect(asked).toHaveLength(2)
})

test('a range has each of its blocks, also where it begins and ends outside the chain', async () => {
  const { devnet, rows } = await chainOf([5], 12)
  await using _ = devnet
  expect(await rows({ from: 4, to: 7 })).toEqual({ total: 4, shown: ['7', '6', '5', '4'] })
  expect(await rows({ from: 4, to: 7 }, 3, 10)).toEqual({ total: 4, shown: ['4'] })
  expect(await rows({ from: 0, to: 1 })).toEqual({ total: 2, shown: ['1', '0'] })
  expect(await rows({ from: 11, to: 99 })).toEqual({ total: 2, shown: ['12', '11'] })
  expect(await rows({ from: 10, to: undefined })).toEqual({ total: 3, shown: ['12', '11', '10'] })
  expect(await rows({ from: 20, to: 30 })).toEqual({ total: 0, shown: [] })
})

test('a block that a reorg removed stands at the block in its place, and above the newest where there is none', async () => {
  const { devnet, rows } = await chainOf([1, 2], 4)
  await using _ = devnet
  await devnet.request({ method: 'preseal_reorg', params: [{ depth: 2, transactions: 'keep' }] })
  expect((await rows()).shown).toEqual(['2 to 4 -4 -3', '2', '1', '0'])
  await devnet.request({ method: 'anvil_rollback', params: ['0x2'] })
  expect((await rows()).shown[0]).toMatch(/^2 -4/)
  expect((await rows(undefined, 1)).shown).toEqual(['1', '0'])
})
