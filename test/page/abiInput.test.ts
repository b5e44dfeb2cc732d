import { encodeAbiParameters, parseAbiParameters, parseEther } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  asItems,
  asJson,
  blank,
  type Entered,
  integerOf,
  parseInput,
  parseInputs,
} from '../../src/page/input/abiInput.ts'
import { encodeValues } from '../../src/solidity/abi/codec.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Returns the encoding of what was typed. */
function encoded(parameters: string, typed: readonly Entered[], names?: ReadonlyMap<string, string>) {
  const types = parseAbiParameters(parameters)
  const all = parseInputs(types, typed, names)
  if (all.kind === 'wrong') throw new Error(`${all.path}: ${all.message}`)
  return encodeValues(types, all.value as unknown[])
}

/** Returns what is said of text that is wrong. */
function saidOf(parameter: string, typed: Entered): string {
  const answer = parseInput(parseAbiParameters(parameter)[0]!, typed)
  return answer.kind === 'wrong' ? `${answer.path}${answer.path && ': '}${answer.message}` : 'right'
}

const viem = (parameters: string, values: readonly unknown[]) =>
  encodeAbiParameters(parseAbiParameters(parameters), values as never)

describe('what is typed for a parameter is encoded as viem encodes the value', () => {
  test.each<[parameters: string, typed: Entered[], values: unknown[]]>([
    ['uint256 amount', ['1.5 ether'], [parseEther('1.5')]],
    ['uint8 small, int8 signed', ['255', '-128'], [255, -128]],
    ['int256 least', ['-0x8000'], [-32768n]],
    ['uint48 time, uint64 later', ['0xffffffffffff', '2 days'], [2 ** 48 - 1, 172800n]],
    ['address to', [ALICE], [ALICE]],
    ['address to', [ALICE.toLowerCase()], [ALICE]],
    ['bool yes, bool no', ['true', 'false'], [true, false]],
    ['bytes data', ['0xABcd'], ['0xabcd']],
    ['bytes data', [' 0x '], ['0x']],
    ['bytes data', ['"grüße"'], ['0x6772c3bcc39f65']],
    ['bytes4 id', ['0x12345678'], ['0x12345678']],
    ['bytes32 name', ['"GOLD"'], [`0x474f4c44${'0'.repeat(56)}`]],
    ['string text', ['  as it is\n"so"  '], ['  as it is\n"so"  ']],
    ['string text', [''], ['']],
    ['uint256[] list', [[]], [[]]],
    ['uint256[] list', [['1', '2 gwei']], [[1n, 2_000_000_000n]]],
    ['uint256[] list', ['[1, 0x10, 340282366920938463463374607431768211455]'], [[1n, 16n, 2n ** 128n - 1n]]],
    [
      'uint8[2][] pairs',
      ['[[1,2],[3,4]]'],
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ],
    ['address[2] both', [`[${ALICE}, "${BOB}"]`], [[ALICE, BOB]]],
    ['(uint256 id, string name) item', [['7', 'seven']], [{ id: 7n, name: 'seven' }]],
    ['(uint256 id, string name) item', ['{"id": 7, "name": "a \\"b\\", 1"}'], [{ id: 7n, name: 'a "b", 1' }]],
    ['(uint256 id, string name) item', ['[7, "seven"]'], [{ id: 7n, name: 'seven' }]],
    ['(uint256, bool) unnamed', ['[7, true]'], [[7n, true]]],
    [
      '(address to, (uint256 price, bytes32[] keys) inner)[] orders',
      [`[{"to": ${ALICE}, "inner": {"price": 5, "keys": ["0x${'11'.repeat(32)}"]}}]`],
      [[{ to: ALICE, inner: { price: 5n, keys: [`0x${'11'.repeat(32)}`] } }]],
    ],
  ])('%s %j', (parameters, typed, values) => {
    expect(encoded(parameters, typed)).toBe(viem(parameters, values))
  })

  test('an address may be typed by a name that is known, in any capitals', () => {
    const names = new Map([['gold', ALICE.toLowerCase()]])
    expect(encoded('address token', ['Gold'], names)).toBe(viem('address token', [ALICE]))
  })

  test('what a form has at first for tuples and fixed arrays has a place for each item', () => {
    expect(blank(parseAbiParameters('((uint8 a, bool b)[2] c, string d) x')[0]!)).toEqual([
      [
        ['', ''],
        ['', ''],
      ],
      '',
    ])
  })
})

describe('lists and tuples change between fields and JSON', () => {
  const [order] = parseAbiParameters('(address to, (uint256 price, string note)[] items, bool now) order')
  const fields = [ALICE, [['1.5 ether', 'a "b"']], 'true']
  const json = { to: ALICE, items: [{ price: '1.5 ether', note: 'a "b"' }], now: 'true' }

  test('fields as JSON have members by their names', () => {
    expect(JSON.parse(asJson(order!, fields))).toEqual(json)
  })

  test('JSON becomes fields, and fields stay fields', () => {
    expect(asItems(order!, JSON.stringify(json))).toEqual(fields)
    expect(asItems(order!, fields)).toEqual(fields)
    expect(asItems(order!, ['0x', '[[1, "x"]]', 'true'])).toEqual(['0x', [['1', 'x']], 'true'])
  })

  test.each(['{', '[1]', '7', '{"to": [1], "items": [], "now": true}', '{"to": "0x", "items": 1, "now": 1}'])(
    '%s becomes no fields',
    (text) => {
      expect(asItems(order!, text)).toBeUndefined()
    },
  )
})

describe('what is typed wrongly is told: where, what would be right, and what came', () => {
  test.each<[parameter: string, typed: Entered, said: string]>([
    ['uint8 x', '256', 'expected uint8: from 0 to 255, got "256"'],
    ['uint8 x', '-1', 'expected uint8: from 0 to 255, got "-1"'],
    ['int8 x', '128', 'expected int8: from -128 to 127, got "128"'],
    ['uint256 x', '-1', 'expected uint256: from 0 to 2^256 - 1, got "-1"'],
    ['uint256 x', `0x1${'0'.repeat(64)}`, /^expected uint256: from 0 to 2\^256 - 1/ as never],
    ['uint256 x', 'many', /^expected an integer such as .*, got "many"$/ as never],
    ['uint256 x', '', /got nothing$/ as never],
    ['uint256 x', '1.5', /^expected an integer/ as never],
    ['address x', '0x12', /^expected an address .*, got "0x12"$/ as never],
    ['address x', ALICE.replace('F', 'f'), /checksum \(EIP-55\)/ as never],
    ['bool x', 'yes', 'expected true or false, got "yes"'],
    ['bytes4 x', '0x1234', 'expected 4 bytes in hex, not 2, got "0x1234"'],
    ['bytes4 x', '"too long"', /^expected 4 bytes in hex, not 8/ as never],
    ['bytes x', '0x123', /^expected bytes in hex/ as never],
    ['bytes x', '1234', /^expected bytes in hex/ as never],
    ['uint256[2] x', ['1'], 'expected 2 items, got 1'],
    ['uint256[] x', '[1,', 'expected JSON such as [1, 1], got "[1,"'],
    ['uint256[] x', '{"a": 1}', 'expected a list such as [1, 1], got {"a":"1"}'],
    ['uint8[][] x', '[[1], [2, 300]]', '[1][1]: expected uint8: from 0 to 255, got "300"'],
    ['(uint8 a, bool b) x', ['1', ''], 'b: expected true or false, got nothing'],
    ['(uint8 a, bool b) x', '{"a": 1}', 'b is missing'],
    ['(uint8 a, bool b) x', '{"a": 1, "b": true, "c": 1}', 'expected the members a, b, got "c"'],
    ['(uint8 a, bool b) x', '[1]', 'expected 2 members, got 1'],
    ['(uint8 a)[] x', '[{"a": 1}, {"a": -1}]', '[1].a: expected uint8: from 0 to 255, got "-1"'],
    ['uint8 x', ['1'], 'expected one uint8, got a list'],
  ])('%s %j', (parameter, typed, said) => {
    expect(saidOf(parameter, typed)).toMatch(said)
  })

  test('the path of a wrong value begins with the name of its argument', () => {
    expect(parseInputs(parseAbiParameters('uint8 a, uint8[] b'), ['1', ['1', 'x']])).toMatchObject({
      kind: 'wrong',
      path: 'b[1]',
    })
  })
})

describe('integers', () => {
  test.each<[string, bigint]>([
    ['1_000_000', 1_000_000n],
    ['1\u2009000', 1_000n],
    ['1e18', 10n ** 18n],
    ['1.25e2', 125n],
    ['0.000000000000000001 ether', 1n],
    ['3 GWEI', 3_000_000_000n],
    ['+5', 5n],
    ['-1.5 eth', -1_500_000_000_000_000_000n],
    ['0xFF', 255n],
    ['1 weeks', 604_800n],
  ])('%j is %s', (text, value) => {
    expect(integerOf(text)).toBe(value)
  })

  test.each(['', ' ', '1.5 wei', '1 constructor', '1,000', '--1', '0x', '1e', '1 2x', '.5 ether'])(
    '%j is none',
    (text) => {
      expect(integerOf(text)).toBeUndefined()
    },
  )
})
