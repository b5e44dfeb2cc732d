import { expect, test } from 'vitest'
import type { Hex } from '../../src/bytes/hex.ts'
import { createDevnet } from '../../src/index.ts'
import { selectorOf } from '../../src/page/views/block/block.ts'
import {
  blockOf,
  feesOf,
  type Step,
  statesOf,
  type WholeTransaction,
  wholeTransaction,
} from '../../src/page/views/transaction/transaction.ts'
import type { RpcReceipt, RpcTransaction } from '../../src/wire/encode.ts'

const HASH = `0x${'12'.repeat(32)}`

function whole(
  status: WholeTransaction['explained']['status'],
  { failure, last }: { failure?: string; last?: Step['step'] } = {},
): WholeTransaction {
  const explained = { status, reason: '', ...(failure === undefined ? {} : { failure }) }
  const transaction = { blockNumber: '0x5' } as unknown as RpcTransaction
  return { transaction, receipt: null, timeline: last === undefined ? [] : [{ step: last }], explained }
}

test('a transaction is where it is, and besides failed or reorganised away', () => {
  expect(statesOf(whole('sealed'))).toEqual(['sealed'])
  expect(statesOf(whole('preconfirmed', { failure: 'reverted' }))).toEqual(['preconfirmed', 'failed'])
  expect(statesOf(whole('waiting'))).toEqual(['waiting'])
  expect(statesOf(whole('waiting', { last: 'removed' }))).toEqual(['reorged', 'waiting'])
  expect(statesOf(whole('dropped', { last: 'dropped' }))).toEqual(['dropped'])
})

test('contracts are known at the block of a transaction, and of one that waits nowhere', () => {
  expect(blockOf(whole('sealed'))).toBe('0x5')
  expect(blockOf(whole('preconfirmed'))).toBe('pending')
  expect(blockOf(whole('waiting'))).toBeUndefined()
})

test('the fee is what is burnt, the tip, blobs and the L1 fee', () => {
  const receipt = {
    gasUsed: '0x5208',
    effectiveGasPrice: '0xc',
    blobGasUsed: '0x20000',
    blobGasPrice: '0x2',
    l1Fee: '0x7',
  } as unknown as RpcReceipt
  expect(feesOf(receipt, '0xa').map(({ name, amount }) => [name, amount])).toEqual([
    ['burnt', 210_000n],
    ['tip', 42_000n],
    ['blobs', 262_144n],
    ['L1 fee', 7n],
  ])
})

test('the operator of an OP chain is paid by millionths of the gas in Isthmus, and by hundreds since Jovian', () => {
  const isthmus = {
    gasUsed: '0x5208',
    effectiveGasPrice: '0x0',
    operatorFeeScalar: '0xf4240',
    operatorFeeConstant: '0x5',
  } as unknown as RpcReceipt
  expect(feesOf(isthmus, '0x0').map(({ amount }) => amount)).toEqual([21_005n])
  const jovian = { ...isthmus, operatorFeeScalar: '0x2', daFootprintGasScalar: '0x190' }
  expect(feesOf(jovian, '0x0').map(({ amount }) => amount)).toEqual([4_200_005n])
})

test('a transaction that was never accepted is null, one that was dropped has its timeline', async () => {
  const answers = (timeline: readonly Step[]) => (method: string) =>
    Promise.resolve(
      ({ preseal_getTimeline: timeline, preseal_explain: { status: 'unknown', reason: '' } } as never)[
        method
      ] ?? null,
    ) as never
  expect(await wholeTransaction(HASH, answers([]))).toBeNull()
  const dropped = await wholeTransaction(HASH, answers([{ step: 'dropped', reason: 'replaced' }]))
  expect(dropped).toMatchObject({ transaction: null, timeline: [{ step: 'dropped' }] })
})

test('a transaction that stays where it is is not asked for again', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false })
  const [from, to] = devnet.accounts.map(({ address }) => address) as [Hex, Hex]
  const { hash } = await devnet.send({ from, to, value: 1n })
  const asked: string[] = []
  const request = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    asked.push(method)
    return (await devnet.request({ method, params } as never)) as T
  }
  const first = (await wholeTransaction(hash, request))!
  expect(first.receipt).not.toBeNull()
  asked.length = 0
  await devnet.mine(40)
  const second = (await wholeTransaction(hash, request, first))!
  const askedThen = [...asked]
  const third = (await wholeTransaction(hash, request, second))!
  expect(asked.slice(askedThen.length)).toEqual(['preseal_getTimeline', 'preseal_explain'])
  expect(third.receipt).toBe(second.receipt)
  expect(third.timeline.at(-1)?.step).toBe('safe')
})

test('a block is named by a number, a hash or a tag', () => {
  expect(selectorOf('12')).toBe('0xc')
  expect(selectorOf('pending')).toBe('pending')
  expect(selectorOf(HASH.toUpperCase().replace('0X', '0x'))).toBe(HASH)
  for (const wrong of ['0x12', 'head', '-1', '1.5', '9'.repeat(16)]) expect(selectorOf(wrong)).toBeUndefined()
})
