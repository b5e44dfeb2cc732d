import { hashTypedData as theirs } from 'viem'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../../src/bytes/hex.ts'
import {
  encodeType,
  hashingTypedData,
  InvalidTypedData,
  type TypedData,
} from '../../../src/model/transaction/typedData.ts'
import { parseTypedData } from '../../../src/wire/typedData.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

// The example of EIP-712 itself.
const MAIL = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

describe('typed data', () => {
  it('has the hash that EIP-712 gives in its example, as an object or as text', () => {
    const hash = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2'
    expect(toHex(hashTypedData(parseTypedData(MAIL, '')))).toBe(hash)
    expect(toHex(hashTypedData(parseTypedData(JSON.stringify(MAIL), '')))).toBe(hash)
  })

  it('writes a type with those it refers to, in the order of their names', () => {
    const { types } = parseTypedData(MAIL, '')
    expect(encodeType(types, 'Mail')).toBe(
      'Mail(Person from,Person to,string contents)Person(string name,address wallet)',
    )
  })

  it(
    'has the hash that viem gives it, whatever its types',
    withRandom((random) => {
      for (let i = 0; i < 100; i++) {
        const data = randomData(random)
        expect(toHex(hashTypedData(parseTypedData(data, '')))).toBe(theirs(data as never))
      }
    }),
  )

  it('may leave structs out, which lets a type refer to itself', () => {
    const types = {
      Node: [
        { name: 'value', type: 'uint8' },
        { name: 'next', type: 'Node' },
      ],
    }
    const of = (next: unknown) => ({
      types,
      primaryType: 'Node',
      domain: {},
      message: { value: 1, next },
    })
    const [without, empty] = [of(undefined), of({ value: 0, next: null })].map((data) =>
      toHex(hashTypedData(parseTypedData(data, ''))),
    )
    expect(without).not.toBe(empty)
  })

  it('takes types that are called like something that every object has', () => {
    const data = {
      types: { toString: [{ name: 'constructor', type: 'uint8' }] },
      primaryType: 'toString',
      domain: {},
      message: { constructor: 1 },
    }
    expect(toHex(hashTypedData(parseTypedData(data, '')))).toBe(theirs(data as never))
  })

  it.each([
    ['uint8', 256, 'message.x: expected a number that uint8 can hold'],
    ['int8', -129, 'message.x: expected a number that int8 can hold'],
    ['uint8', '1.5', 'message.x: expected a number (uint8), or its text in decimal or hex'],
    ['address', '0x12', 'message.x: expected 20 bytes in hex'],
    ['bytes4', '0x123456', 'message.x: expected 4 bytes in hex'],
    ['bytes', 'text', 'message.x: expected bytes in hex'],
    ['bool', 1, 'message.x: expected true or false'],
    ['string', 5, 'message.x: expected a string'],
    ['uint8[2]', [1], 'message.x: expected an array of 2'],
    ['uint8[]', 1, 'message.x: expected an array'],
    ['Person', {}, 'message.x: expected a declared type or one of Solidity'],
    ['uint7', 1, 'message.x: expected a declared type or one of Solidity'],
    ['uint8[][]', [[300]], 'message.x[0][0]: expected a number that uint8 can hold'],
  ])('refuses %s %j', (type, value, message) => {
    const data = { types: { T: [{ name: 'x', type }] }, primaryType: 'T', domain: {}, message: { x: value } }
    expect(() => hashTypedData(parseTypedData(data, ''))).toThrow(
      new InvalidTypedData('', '', value).constructor as never,
    )
    expect(() => hashTypedData(parseTypedData(data, ''))).toThrow(message)
  })

  it('refuses what is nested deeper than anybody signs', () => {
    let value: unknown = null
    for (let i = 0; i < 100; i++) value = { next: value }
    const data = { types: { N: [{ name: 'next', type: 'N' }] }, primaryType: 'N', domain: {}, message: value }
    expect(() => hashTypedData(parseTypedData(data, ''))).toThrow('at most 64 levels')
  })

  it.each([
    ['text', 'data: expected typed data'],
    [{}, 'data.types: expected an object'],
    [{ types: { T: 5 } }, 'data.types.T: expected an array of members'],
    [{ types: { T: [{ name: 1 }] } }, 'data.types.T[0].name: expected a string'],
    [{ types: { T: [] }, primaryType: 'U' }, 'data.primaryType: expected one of T, got "U"'],
    [{ types: { T: [] }, primaryType: 'T', message: 5 }, 'data.message: expected an object'],
  ])('is not %j', (value, message) => {
    expect(() => parseTypedData(value, 'data')).toThrow(message)
  })
})

const ATOMS = [
  'uint256',
  'uint8',
  'int16',
  'int256',
  'bool',
  'address',
  'bytes',
  'bytes1',
  'bytes32',
  'string',
]

function randomData(random: Random) {
  const inner = members('i', random.between(1, 4), () => random.pick(ATOMS))
  const outer = members('o', random.between(1, 5), () =>
    random.pick([...ATOMS, 'Inner', 'Inner[]', 'Inner[2]', 'uint8[]', 'bytes32[2][]', 'string[]']),
  )
  const types = { Inner: inner, Outer: outer }
  const domain = {
    ...(random.chance(0.8) ? { name: 'preseal' } : {}),
    ...(random.chance(0.5) ? { version: '1' } : {}),
    ...(random.chance(0.8) ? { chainId: random.below(100_000) } : {}),
    ...(random.chance(0.5) ? { verifyingContract: random.hex(20) } : {}),
    ...(random.chance(0.3) ? { salt: random.hex(32) } : {}),
  }
  return { types, primaryType: 'Outer', domain, message: randomValue(random, types, 'Outer') }
}

function members(prefix: string, count: number, type: () => string) {
  return Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}`, type: type() }))
}

function randomValue(
  random: Random,
  types: Record<string, { name: string; type: string }[]>,
  type: string,
): unknown {
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array !== null) {
    const length = array[2] === '' ? random.below(4) : Number(array[2])
    return random.list(length, () => randomValue(random, types, array[1]!))
  }
  const struct = types[type]
  if (struct !== undefined) {
    return Object.fromEntries(struct.map((member) => [member.name, randomValue(random, types, member.type)]))
  }
  const fixed = /^bytes(\d+)$/.exec(type)
  if (fixed !== null) return random.hex(Number(fixed[1]))
  switch (type) {
    case 'bool':
      return random.chance(0.5)
    case 'address':
      return random.hex(20)
    case 'bytes':
      return `0x${Buffer.from(random.bytes(random.below(40))).toString('hex')}`
    case 'string':
      return random.pick(['', 'text', 'ünïcode', 'x'.repeat(100)])
    case 'uint8':
      return random.below(256)
    case 'int16':
      return random.below(65_536) - 32_768
    case 'int256':
      return `${random.chance(0.5) ? '-' : ''}${random.bigint(200)}`
    default:
      return random.bigint(256).toString()
  }
}

describe('typed data of any size', () => {
  const chain = (length: number) => ({
    types: Object.fromEntries(
      Array.from({ length }, (_, i) => [
        `T${i}`,
        [{ name: 'next', type: i + 1 === length ? 'bool' : `T${i + 1}` }],
      ]),
    ),
    primaryType: 'T0',
    domain: {},
    message: {},
  })

  it('has the hash that viem gives it, with arrays of many structs', () => {
    const data = {
      types: { A: [{ name: 'b', type: 'B[]' }], B: [{ name: 'x', type: 'bool' }] },
      primaryType: 'A',
      domain: {},
      message: { b: Array.from({ length: 3_000 }, (_, i) => ({ x: i % 3 === 0 })) },
    }
    expect(toHex(hashTypedData(parseTypedData(data, '')))).toBe(theirs(data as never))
  })

  it('may have more items than a function has arguments', () => {
    const data = {
      types: { A: [{ name: 'b', type: 'bool[]' }] },
      primaryType: 'A',
      domain: {},
      message: { b: new Array(300_000).fill(true) },
    }
    expect(hashTypedData(parseTypedData(data, ''))).toHaveLength(32)
  })

  it('may refer from one struct to at most 1,000', () => {
    expect(hashTypedData(parseTypedData(chain(1_000), ''))).toHaveLength(32)
    expect(() => hashTypedData(parseTypedData(chain(60_000), ''))).toThrow(
      'types.T0: expected at most 1000 referenced structs',
    )
  })
})

function hashTypedData(data: TypedData): Uint8Array {
  const steps = hashingTypedData(data)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
