/** Accounts of the page: contracts by name, names that mean one account, tokens, functions of an ABI. */
import { describe, expect, test } from 'vitest'
import {
  contractsLike,
  contractsNamed,
  type ListedContract,
  listContracts,
} from '../../src/page/accounts/contracts.ts'
import { namedOf, unambiguous } from '../../src/page/accounts/named.ts'
import { amountText } from '../../src/page/accounts/tokens.ts'
import { found } from '../../src/page/search.ts'
import type { Source } from '../../src/page/source/source.ts'
import { calldata, declared, functionsOf } from '../../src/page/views/account/functions.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as const

function contract(digit: string, name: string | null): ListedContract {
  return { address: address(digit), name, codeSize: '0x10', proxy: null }
}

const TOKEN = contract('a', 'Token')
const OTHER = contract('b', 'Token')
const POOL = contract('c', 'TokenPool')
const UNKNOWN = contract('d', null)

/** A source that has `contracts`, some in each page. */
function having(contracts: readonly ListedContract[], page = 2): Pick<Source, 'request'> {
  return {
    request: (async (_: string, [, { after }]: [unknown, { after?: string }]) => {
      const from = contracts.findIndex((one) => one.address === after) + 1
      const part = contracts.slice(from, from + page)
      const isLast = from + page >= contracts.length
      return { contracts: part, next: isLast ? null : part.at(-1)!.address }
    }) as unknown as Source['request'],
  }
}

describe('contracts by name', () => {
  test('all pages are read, and those with names come first', async () => {
    const { contracts, isCut } = await listContracts(having([UNKNOWN, POOL, OTHER, TOKEN]).request)
    expect(contracts).toEqual([TOKEN, OTHER, POOL, UNKNOWN])
    expect(isCut).toBe(false)
  })

  test('a part of a name or the beginning of an address is enough for the list', () => {
    const all = [TOKEN, OTHER, POOL, UNKNOWN]
    expect(contractsLike(all, 'POOL')).toEqual([POOL])
    expect(contractsLike(all, '0xdd')).toEqual([UNKNOWN])
    expect(contractsLike(all, ' ')).toEqual(all)
  })

  test('a whole name is preferred to a part of one', () => {
    expect(contractsNamed([TOKEN, POOL], 'token')).toEqual([TOKEN])
    expect(contractsNamed([TOKEN, POOL], 'tok')).toEqual([TOKEN, POOL])
  })

  test('the search of the frame finds one contract, or the list of several', async () => {
    const source = having([TOKEN, OTHER, POOL])
    expect(await found('tokenpool', source)).toEqual({ view: 'account', address: POOL.address })
    expect(await found('Token', source)).toEqual({ view: 'contracts' })
    expect(await found('nobody', source)).toBeUndefined()
  })
})

test('a name that several accounts have means none of them', () => {
  const names = unambiguous(namedOf([address('1')], [TOKEN, OTHER, POOL]))
  expect([...names]).toEqual([
    ['account 0', address('1')],
    ['tokenpool', POOL.address],
  ])
})

test.each([
  [1_500_000n, 6, '1.5'],
  [0n, 18, '0'],
  [1n, 2, '0.01'],
  [12n, 0, '12'],
  [100n, 2, '1'],
])('%s of a token with %s decimals is %s', (amount, decimals, text) => {
  expect(amountText(amount, decimals)).toBe(text)
})

describe('functions of an ABI', () => {
  const abi = [
    {
      type: 'function',
      name: 'put',
      stateMutability: 'payable',
      inputs: [{ type: 'uint8', name: 'x' }],
      outputs: [],
    },
    { type: 'function', name: 'put', stateMutability: 'nonpayable', inputs: [], outputs: [{ type: 'bool' }] },
    {
      type: 'function',
      name: 'all',
      stateMutability: 'view',
      inputs: [],
      outputs: [
        {
          type: 'tuple[]',
          internalType: 'struct Store.Item[]',
          name: 'list',
          components: [{ type: 'bool' }],
        },
      ],
    },
    { type: 'function', name: 'all', stateMutability: 'view', inputs: [], outputs: [] },
    { type: 'function', name: 'broken', stateMutability: 'view', inputs: [{ type: 7 }] },
    { type: 'event', name: 'All', inputs: [] },
  ]

  test('overloads are told from each other, doubles are left out, and what has no signature is, too', () => {
    const functions = functionsOf(abi)
    expect(functions.map(declared)).toEqual(['all() → Store.Item[] list', 'put(uint8 x)', 'put() → bool'])
    expect(functions.map(({ isView, isPayable }) => [isView, isPayable])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ])
  })

  test('calldata begins with the selector', () => {
    // cast calldata 'put(uint8)' 7
    expect(calldata(functionsOf(abi)[1]!, [7n])).toMatch(/^0x[0-9a-f]{8}0{63}7$/)
  })
})
