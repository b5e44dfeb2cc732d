/** Accounts of the page: contracts by name, names that mean one account, tokens, functions of an ABI. */
import { describe, expect, test } from 'vitest'
import {
  contractsLike,
  contractsNamed,
  type ListedContract,
  listContracts,
  namedOf,
  unambiguous,
  withAddresses,
} from '../../src/page/accounts/names.ts'
import { decimal, typeName } from '../../src/page/format.ts'
import type { Source } from '../../src/page/source/source.ts'
import {
  calldata,
  declared,
  functionsOf,
  isMeant,
  variablesBySlot,
  wordText,
} from '../../src/page/views/account/account.ts'

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
})

test('a name that several accounts have means none of them', () => {
  const names = unambiguous(namedOf([{ name: 'account 0', address: address('1') }], [TOKEN, OTHER, POOL]))
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
  expect(decimal(amount, decimals)).toBe(text)
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
    expect(functions.map((one) => `${one.name}${declared(one)}`)).toEqual([
      'all() → Store.Item[] list',
      'put(uint8 x)',
      'put() → bool',
    ])
    expect(functions.map(({ isView, isPayable }) => [isView, isPayable])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ])
  })

  test('a part of the name or the beginning of the selector is enough to find one', () => {
    const functions = functionsOf(abi)
    const found = (text: string) => functions.filter((one) => isMeant(one, text)).map(({ name }) => name)
    expect(found(' Al')).toEqual(['all'])
    expect(found('')).toEqual(['all', 'put', 'put'])
    expect(found(functions[1]!.selector.slice(0, 6))).toEqual(['put'])
    expect(found('nobody')).toEqual([])
  })

  test('the type of a struct is its name, also of an item of an array; text that is none stays out', () => {
    const item = { name: '', type: 'tuple', internalType: 'struct Store.Item[]' }
    expect(typeName(item)).toBe('Store.Item')
    expect(typeName({ ...item, type: 'tuple[2][]' })).toBe('Store.Item[2][]')
    expect(typeName({ ...item, internalType: 'contract Store' })).toBe('tuple')
    expect(typeName({ name: '', type: 'address' })).toBe('address')
  })

  test('calldata begins with the selector', () => {
    // cast calldata 'put(uint8)' 7
    expect(calldata(functionsOf(abi)[1]!, [7n])).toMatch(/^0x[0-9a-f]{8}0{63}7$/)
  })
})

test('names of accounts between brackets of the name of a variable become addresses; texts and indexes stay', () => {
  const names = new Map([['account 1', address('1')]])
  expect(withAddresses('items[ Account 1 ][2].paid["account 1"]', names)).toBe(
    `items[${address('1')}][2].paid["account 1"]`,
  )
})

describe('the word of a slot', () => {
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

  test.each([
    ['uint64', word(1234n), '1\u2009234'],
    ['int8', word(0xfbn), '-5'],
    ['int256', `0x${'f'.repeat(64)}`, '-1'],
    ['bool', word(1n), 'true'],
    ['contract Token', word(0xabn), `0x${'0'.repeat(38)}ab`],
    ['struct Store.Item[]', word(1n), '1 item'],
    ['string', `0x${'6869'.padEnd(62, '0')}04`, '"hi"'],
    ['string', word(131n), '65 bytes'],
    ['string', `0x${'ff'.padEnd(62, '0')}02`, undefined],
    ['enum Store.Status', word(1n), undefined],
    ['bytes32', word(1n), undefined],
  ])('of a variable of the type %s, %s, is read as %s', (type, given, text) => {
    expect(wordText(type, given)).toBe(text)
  })

  test('has the variables that the storage names', () => {
    const variables = [{ name: 'a', type: 'bool' }]
    expect([
      ...variablesBySlot([
        { slot: '0x1', variables },
        { slot: '0x2', variables: [] },
      ]),
    ]).toEqual([['0x1', variables]])
  })
})
