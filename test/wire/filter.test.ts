import { describe, expect, it } from 'vitest'
import { parseFilter } from '../../src/wire/filter.ts'
import { NO_ARRAY, NO_OBJECT, NO_TEXT, refusal, refusals } from '../support/random/refusals.ts'

const A = `0x${'aA'.repeat(20)}`
const B = `0x${'bb'.repeat(20)}`
const T1 = `0x${'1F'.repeat(32)}`
const T2 = `0x${'22'.repeat(32)}`
const a = A.toLowerCase()
const t1 = T1.toLowerCase()

const base = parseFilter('base')
const geth = parseFilter('geth')
const ANY = { addresses: [], topics: [], minimumTopics: 0 }

describe('parseFilter', () => {
  it('is any log of the default range where nothing is said', () => {
    for (const filter of [
      {},
      { banana: 1 },
      { fromBlock: null, toBlock: null, address: null, topics: null, blockHash: null },
    ]) {
      for (const parse of [base, geth]) {
        expect(parse(filter, 'x')).toEqual({
          criteria: ANY,
          range: { kind: 'range', from: undefined, to: undefined },
        })
      }
    }
  })

  it('reads ranges', () => {
    expect(base({ fromBlock: '0x5', toBlock: 'pending' }, 'x').range).toEqual({
      kind: 'range',
      from: { kind: 'number', number: 5n },
      to: { kind: 'tag', tag: 'pending' },
    })
  })

  it('reads a block hash; beside a range only `base` does, and ignores that', () => {
    const block = { kind: 'block', hash: t1 }
    expect(base({ blockHash: T1 }, 'x').range).toEqual(block)
    expect(geth({ blockHash: T1, fromBlock: null }, 'x').range).toEqual(block)
    expect(base({ blockHash: T1, fromBlock: 'nonsense', toBlock: 7 }, 'x').range).toEqual(block)
    expect(refusal(() => geth({ blockHash: T1, toBlock: 'latest' }, 'params[0]')).message).toBe(
      'params[0]: expected either blockHash or fromBlock and toBlock, not both, got an object',
    )
  })

  it('reads one address, several, or none', () => {
    const addresses = (address: unknown) => base({ address }, 'x').criteria.addresses
    expect(addresses(A)).toEqual([a])
    expect(addresses([A, B])).toEqual([a, B])
    expect(addresses([])).toEqual([])
  })

  it.each([
    [[], [], 0],
    [[T1], [[t1]], 1],
    [[[T1, T2]], [[t1, T2]], 1],
    [[null, T2], [[], [T2]], 2],
    [[[], T2], [[], [T2]], 2],
    [[[null, T1], T2], [[], [T2]], 2],
    [[T1, null], [[t1]], 2],
    [[null], [], 1],
    [[null, [], null, null], [], 4],
    [[T1, null, T2, []], [[t1], [], [T2]], 4],
  ])('reads the topics %j', (given, topics, positions) => {
    expect(base({ topics: given }, 'x').criteria).toEqual({
      addresses: [],
      topics,
      minimumTopics: topics.length,
    })
    expect(geth({ topics: given }, 'x').criteria).toEqual({ addresses: [], topics, minimumTopics: positions })
  })

  refusals(base, 'a filter object', [...NO_OBJECT, [null, 'null'], [undefined, 'nothing']])

  it.each([...NO_ARRAY])('refuse the topics %j', (topics, shown) => {
    expect(refusal(() => base({ topics }, 'params[0]')).message).toBe(
      `params[0].topics: expected an array of topic positions, got ${shown}`,
    )
  })

  it('refuses more than four positions, whatever stands in them', () => {
    for (const topics of [[T1, T1, T1, T1, T1], [null, null, null, null, null], Array(100).fill([])]) {
      expect(refusal(() => base({ topics }, 'params[0]')).message).toBe(
        'params[0].topics: expected at most 4 topic positions, got an array',
      )
    }
  })

  const complaints: [unknown, string][] = [
    [
      { fromBlock: 'newest' },
      'params[0].fromBlock: expected a block number in hex without leading zeros, or one of ',
    ],
    [{ toBlock: 5 }, 'params[0].toBlock: expected a block number in hex without leading zeros, or one of '],
    [{ blockHash: '0x12' }, 'params[0].blockHash: expected 32 bytes (0x and 64 hex digits), got "0x12"'],
    [{ address: '0x12' }, 'params[0].address: expected a 20-byte address (0x and 40 hex digits), got "0x12"'],
    [
      { address: [A, '0x12'] },
      'params[0].address[1]: expected a 20-byte address (0x and 40 hex digits), got "0x12"',
    ],
    [
      { address: [null] },
      'params[0].address[0]: expected a 20-byte address (0x and 40 hex digits), got null',
    ],
    [
      { address: [[A]] },
      'params[0].address[0]: expected a 20-byte address (0x and 40 hex digits), got an array',
    ],
    [{ topics: ['0x12'] }, 'params[0].topics[0]: expected 32 bytes (0x and 64 hex digits), got "0x12"'],
    [{ topics: [null, [T1, 7]] }, 'params[0].topics[1][1]: expected 32 bytes (0x and 64 hex digits), got 7'],
    [{ topics: [[[T1]]] }, 'params[0].topics[0][0]: expected 32 bytes (0x and 64 hex digits), got an array'],
    [{ topics: [{}] }, 'params[0].topics[0]: expected 32 bytes (0x and 64 hex digits), got an object'],
  ]
  it.each(complaints)('refuses %j', (filter, message) => {
    for (const parse of [base, geth])
      expect(refusal(() => parse(filter, 'params[0]')).message).toContain(message)
  })

  it.each(NO_TEXT.filter(([value]) => !Array.isArray(value)))('refuses the address %j', (address, shown) => {
    expect(refusal(() => base({ address }, 'params[0]')).message).toBe(
      `params[0].address: expected a 20-byte address (0x and 40 hex digits), got ${shown}`,
    )
  })
})
