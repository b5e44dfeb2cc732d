/** The published JSON Schema, by the rules of ajv, and the parser of JSON fixtures agree on every file. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { InvalidFixture, parseJsonFixture } from '../../src/testing/fixtureSchema.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const read = (file: string) => readFileSync(new URL(`../../fixtures/${file}`, import.meta.url), 'utf8')
const isValid = new Ajv2020().compile(JSON.parse(read('fixture.schema.json')))
const example = read('treasury.json')

function isParsed(value: unknown): boolean {
  try {
    parseJsonFixture(value)
    return true
  } catch (error) {
    if (error instanceof InvalidFixture) return false
    throw error
  }
}

const ADDRESS = `0x${'ab'.repeat(20)}`
const account = (account: unknown) => ({ accounts: { [ADDRESS]: account } })
const transactions = (...transactions: unknown[]) => ({ transactions })

const GOOD: unknown[] = [
  {},
  JSON.parse(example),
  { $schema: '', accounts: {}, transactions: [], abis: {} },
  account({}),
  account({ balance: 0, nonce: '18', code: '0x', storage: {} }),
  account({ balance: `0x${'f'.repeat(64)}`, nonce: `0x${'f'.repeat(16)}` }),
  account({ balance: '9'.repeat(77), nonce: '9'.repeat(19) }),
  account({ balance: '0x0001', storage: { '0x00': '0x01', [`0x${'f'.repeat(64)}`]: 1 } }),
  account({ name: 'A_1' }),
  transactions({}),
  transactions('0x', '0x02f8', { raw: '0x02' }, { raw: '0x02', name: 'sent' }),
  transactions([{}], [{}, '0x02', { raw: '0x' }]),
  transactions({ from: 0, to: ADDRESS }, { from: ADDRESS.toUpperCase().replace('X', 'x'), to: 'token' }),
  transactions({
    gas: 21000,
    gasPrice: '0x1',
    maxFeePerGas: 1,
    maxPriorityFeePerGas: 1,
    nonce: 1,
    value: '1',
  }),
  transactions({ mine: 1 }, { mine: 100_000, seconds: 0 }),
  { fork: { url: 'http://127.0.0.1:1', block: 7, cache: 'node.jsonl', offline: true } },
  { abis: { Token: [], Shop: { abi: [], other: 1 }, '': ['error E()', { type: 'receive' }] } },
]

const BAD: unknown[] = [
  null,
  [],
  5,
  'text',
  { account: {} },
  { $schema: 1 },
  { accounts: [] },
  { accounts: { '0x12': {} } },
  { accounts: { [`${ADDRESS}0`]: {} } },
  { accounts: null },
  { fork: {} },
  { fork: 'http://127.0.0.1:1' },
  { fork: { url: 5 } },
  { fork: null },
  account(null),
  account([]),
  account({ balanc: 1 }),
  account({ balance: -1 }),
  account({ balance: 1.5 }),
  account({ balance: 2 ** 53 }),
  account({ balance: '' }),
  account({ balance: '0x' }),
  account({ balance: '1 ether' }),
  account({ balance: `0x${'f'.repeat(65)}` }),
  account({ balance: '9'.repeat(78) }),
  account({ balance: null }),
  account({ nonce: `0x${'f'.repeat(17)}` }),
  account({ nonce: '9'.repeat(20) }),
  account({ code: '0x123' }),
  account({ code: '6000' }),
  account({ code: 5 }),
  account({ storage: [] }),
  account({ storage: { 0: 1 } }),
  account({ storage: { '0x': 1 } }),
  account({ storage: { '0x0': '0xg' } }),
  account({ name: '' }),
  account({ name: '1st' }),
  account({ name: 'devnet' }),
  account({ name: '__proto__' }),
  account({ name: 'new\n' }),
  { transactions: {} },
  transactions(null),
  transactions(5),
  transactions('token'),
  transactions('0x123'),
  transactions([]),
  transactions([[]]),
  transactions([{ mine: 1 }]),
  transactions({ gasLimit: 5 }),
  transactions({ to: null }),
  transactions({ to: '0x12' }),
  transactions({ to: -1 }),
  transactions({ from: 1.5 }),
  transactions({ data: '' }),
  transactions({ raw: '0x', from: 0 }),
  transactions({ raw: 5 }),
  transactions({ mine: 0 }),
  transactions({ mine: 100_001 }),
  transactions({ mine: '5' }),
  transactions({ mine: 1, seconds: -1 }),
  transactions({ mine: 1, from: 0 }),
  { abis: [] },
  { abis: { Token: {} } },
  { abis: { Token: { abi: {} } } },
  { abis: { Token: 'error E()' } },
]

describe('the schema of JSON fixtures', () => {
  it.each(GOOD)('takes what the parser takes: %j', (value) => {
    expect([isValid(value), isParsed(value)]).toEqual([true, true])
  })

  it.each(BAD)('refuses what the parser refuses: %j', (value) => {
    expect([isValid(value), isParsed(value)]).toEqual([false, false])
  })

  it(
    'agrees with it on fixtures in which something was changed',
    withRandom((random) => {
      const verdicts = { good: 0, bad: 0 }
      for (let time = 0; time < 5_000; time++) {
        const changed = JSON.parse(example)
        for (let change = random.below(3); change >= 0; change--) alter(random, changed)
        // Arrays may have holes now, which JSON has not.
        const value = JSON.parse(JSON.stringify(changed))
        const good = isParsed(value)
        expect(isValid(value), JSON.stringify(value)).toBe(good)
        verdicts[good ? 'good' : 'bad']++
      }
      expect(Math.min(verdicts.good, verdicts.bad)).toBeGreaterThan(200)
    }),
  )
})

const NAMES = [
  'name',
  'balance',
  'nonce',
  'code',
  'storage',
  'from',
  'to',
  'data',
  'raw',
  'mine',
  'seconds',
  'x',
  '0x0',
]
const VALUES = [
  0,
  1,
  -1,
  1.5,
  '',
  '0x',
  '0x1',
  '0x12',
  '12',
  'devnet',
  'token',
  ADDRESS,
  true,
  null,
  {},
  [],
  [{}],
]

/** Puts something else somewhere, or away. */
function alter(random: Random, value: object): void {
  const places = placesIn(value)
  const [parent, key] = places[random.below(places.length)]!
  if (random.chance(0.2)) {
    delete parent[key]
  } else if (random.chance(0.5)) {
    parent[random.chance(0.5) ? key : NAMES[random.below(NAMES.length)]!] = someValue(random)
  } else {
    const [other, name] = places[random.below(places.length)]!
    parent[key] = structuredClone(other[name])
  }
}

function someValue(random: Random): unknown {
  return structuredClone(VALUES[random.below(VALUES.length)])
}

type Place = [parent: Record<string, unknown>, key: string]

/** Where anything stands in `value`. */
function placesIn(value: object): Place[] {
  return Object.entries(value).flatMap(([key, member]) => [
    [value as Record<string, unknown>, key],
    ...(typeof member === 'object' && member !== null ? placesIn(member) : []),
  ])
}
