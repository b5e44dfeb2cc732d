import { expect, test } from 'vitest'
import { stateChanges } from '../../src/page/views/transaction/stateChanges.ts'
import type { DebugRunAnswer } from '../../src/wire/debugRun.ts'

const SENDER = '0x00000000000000000000000000000000000000a1'
const SHOP = '0x0000000000000000000000000000000000005a4e'
const SLOT = `0x${'0'.repeat(64)}` as const
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as const

test('what geth leaves out is as before, or zero', () => {
  const changes = stateChanges(
    {
      pre: {
        [SENDER]: { balance: '0x64', nonce: 4 },
        [SHOP]: { balance: '0x0', storage: { [SLOT]: word(3) } },
      },
      post: { [SENDER]: { balance: '0x5a', nonce: 5 }, [SHOP]: { balance: '0xa' } },
    },
    undefined,
  )
  expect(changes).toEqual([
    {
      address: SENDER,
      kind: 'changed',
      balance: { before: 100n, after: 90n },
      nonce: { before: 4, after: 5 },
      code: undefined,
      storage: [],
    },
    {
      address: SHOP,
      kind: 'changed',
      balance: { before: 0n, after: 10n },
      nonce: undefined,
      code: undefined,
      storage: [{ slot: SLOT, before: word(3), after: word(0), variables: [] }],
    },
  ])
})

test('an account that is only afterwards was created, one that is only before was destroyed', () => {
  const [made, gone] = stateChanges(
    { pre: { [SENDER]: { balance: '0x1', code: '0xfe' } }, post: { [SHOP]: { nonce: 1, code: '0x00' } } },
    undefined,
  ).sort((one) => (one.kind === 'created' ? -1 : 1))
  expect(made).toMatchObject({ address: SHOP, kind: 'created', nonce: { before: 0, after: 1 } })
  expect(gone).toMatchObject({
    kind: 'destroyed',
    balance: { after: 0n },
    code: { before: '0xfe', after: '0x' },
  })
})

test('slots have the variables that were written in them, from the first value to the last', () => {
  const write = (before: string, value: string, isReverted = false) => ({
    kind: 'write' as const,
    isTransient: false,
    address: SHOP,
    slot: SLOT,
    name: 'stock',
    type: 'uint256',
    before,
    value,
    isReverted,
  })
  const run = {
    steps: [
      {
        frame: 0,
        gasUsed: '0x0',
        logs: [],
        storage: [write('3', '2'), write('2', '9', true), write('2', '1')],
      },
    ],
  } as unknown as DebugRunAnswer
  const diff = {
    pre: { [SHOP]: { storage: { [SLOT]: word(3) } } },
    post: { [SHOP]: { storage: { [SLOT]: word(1) } } },
  }
  expect(stateChanges(diff, run)[0]?.storage[0]?.variables).toEqual([
    { name: 'stock', type: 'uint256', before: '3', after: '1' },
  ])
})
