/** MODEXP, compared with squaring and multiplying bit by bit. */
import { expect, it } from 'vitest'
import { precompilesUnder } from '../../../src/engine/precompiles/precompiles.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const rules = createRules('berlin', 1n)
const precompile = precompilesUnder(rules).get('0x0000000000000000000000000000000000000005')!

interface Operands {
  readonly base: Uint8Array
  readonly exponent: Uint8Array
  readonly modulus: Uint8Array
}

const inputOf = ({ base, exponent, modulus }: Operands) =>
  Buffer.concat([
    ...[base, exponent, modulus].map(({ length }) => toBytes(BigInt(length), 32)),
    base,
    exponent,
    modulus,
  ])

function raised(operands: Operands): bigint {
  const output = precompile.run(inputOf(operands), rules)!
  expect(output.length).toBe(operands.modulus.length)
  return toBigint(output)
}

const toBigint = (of: Uint8Array) => (of.length === 0 ? 0n : BigInt(`0x${Buffer.from(of).toString('hex')}`))

function toBytes(value: bigint, length: number): Uint8Array {
  return Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex')
}

function minimal(value: bigint): Uint8Array {
  const digits = value.toString(16)
  return value === 0n ? new Uint8Array() : toBytes(value, Math.ceil(digits.length / 2))
}

function inBigints(operands: Operands): bigint {
  const modulus = toBigint(operands.modulus)
  if (modulus === 0n) return 0n
  let power = 1n % modulus
  let square = toBigint(operands.base) % modulus
  for (let exponent = toBigint(operands.exponent); exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) power = (power * square) % modulus
    square = (square * square) % modulus
  }
  return power
}

function expectRight(operands: Operands) {
  const found = raised(operands)
  const expected = inBigints(operands)
  if (found === expected) return
  const shown = [operands.base, operands.exponent, operands.modulus].map((of) =>
    Buffer.from(of).toString('hex'),
  )
  throw new Error(`${shown.join(' ^ ')}: expected ${expected.toString(16)}, got ${found.toString(16)}`)
}

/** Bytes with whole runs of zeros or ones, so that limbs and carries are at their ends. */
function anyBytes(random: Random, length: number): Uint8Array {
  const drawn = random.bytes(length)
  while (random.chance(0.5)) {
    const from = random.below(length + 1)
    drawn.fill(random.pick([0, 0xff]), from, random.between(from, length))
  }
  return drawn
}

const P = 2n ** 256n - 2n ** 32n - 977n

it.each([
  ['3^(p - 1) = 1 (Fermat)', 3n, P - 1n, P, 1n],
  ['0^(p - 1) = 0, the base having no bytes', 0n, P - 1n, P, 0n],
  [
    '3^65535 modulo 2^255',
    3n,
    0xffffn,
    1n << 255n,
    0x3b01b01ac41f2d6e917c6d6a221ce793802469026d9ab7578fa2e79e4da6aaabn,
  ],
])('gives the examples of EIP-198: %s', (_, base, exponent, modulus, expected) => {
  expect(raised({ base: minimal(base), exponent: minimal(exponent), modulus: toBytes(modulus, 32) })).toBe(
    expected,
  )
})

it('is right of all small numbers', () => {
  for (let modulus = 0n; modulus < 20n; modulus++)
    for (let base = 0n; base < 20n; base++)
      for (let exponent = 0n; exponent < 12n; exponent++)
        expectRight({ base: minimal(base), exponent: minimal(exponent), modulus: minimal(modulus) })
})

it('gives as many bytes as the modulus has, with zeros before, and takes zeros before operands', () => {
  const operands = { base: toBytes(5n, 40), exponent: toBytes(117n, 70), modulus: toBytes(1009n, 90) }
  expect(raised(operands)).toBe(inBigints(operands))
  const empty = new Uint8Array()
  expect(raised({ base: empty, exponent: empty, modulus: empty })).toBe(0n)
  expect(raised({ base: empty, exponent: empty, modulus: toBytes(1n, 5) })).toBe(0n)
  expect(raised({ base: empty, exponent: empty, modulus: toBytes(2n, 5) })).toBe(1n)
  expect(raised({ base: toBytes(7n, 1), exponent: toBytes(3n, 1), modulus: toBytes(0n, 40) })).toBe(0n)
})

it(
  'is right of operands of random lengths, moduli odd, even, and powers of two',
  withRandom((random) => {
    for (let i = 0; i < 1_500; i++) {
      const modulus = anyBytes(random, random.between(1, 70))
      const zeros = random.chance(0.5) ? 0 : random.below(8 * modulus.length)
      const shifted = (toBigint(modulus) >> BigInt(zeros)) << BigInt(zeros)
      expectRight({
        base: anyBytes(random, random.below(random.pick([40, 80, 200]))),
        exponent: anyBytes(random, random.below(random.pick([4, 20, 40]))),
        modulus: random.chance(0.1)
          ? toBytes(1n << BigInt(zeros), modulus.length)
          : toBytes(shifted, modulus.length),
      })
    }
  }),
)

it(
  'is right of moduli of at most 64 bits, odd, even, and powers of two, of short and long bases',
  withRandom((random) => {
    for (let i = 0; i < 3_000; i++) {
      const bits = random.between(1, 64)
      const zeros = random.chance(0.5) ? 0 : random.below(bits)
      const drawn = BigInt.asUintN(bits, toBigint(anyBytes(random, 8)) | (1n << BigInt(bits - 1)))
      const modulus = random.chance(0.1) ? 1n << BigInt(zeros) : (drawn >> BigInt(zeros)) << BigInt(zeros)
      expectRight({
        base: anyBytes(random, random.below(random.pick([2, 9, 40]))),
        exponent: anyBytes(random, random.below(random.pick([2, 12]))),
        modulus: toBytes(modulus, random.pick([8, 8, 9, 32])),
      })
    }
  }),
)

it(
  'is right of the lengths and exponents that gas is compared with in EIP-2565 and EIP-7883',
  withRandom((random) => {
    for (const length of [64, 128, 256, 512, 1024])
      for (const exponent of [2n, 3n, 0x10001n])
        for (const even of [0, 1]) {
          const modulus = random.bytes(length)
          modulus[0]! |= 0x80
          modulus[length - 1] = (modulus[length - 1]! & 0xfe) | (1 - even)
          expectRight({ base: random.bytes(length), exponent: minimal(exponent), modulus })
        }
  }),
)

it(
  'is right of operands that are longer than EIP-7823 allows',
  withRandom((random) => {
    // Columns of more than a thousand products are summed in several parts.
    for (const [length, last] of [
      [1536, 1],
      [1700, 3],
      [3100, 0],
      [3100, 7],
    ] as const) {
      const modulus = anyBytes(random, length)
      modulus[0]! |= 1
      modulus[length - 1] = last
      expectRight({ base: new Uint8Array(length).fill(0xff), exponent: minimal(5n), modulus })
    }
    const ones = new Uint8Array(3_100).fill(0xff)
    expectRight({ base: ones, exponent: minimal(7n), modulus: toBytes(toBigint(ones) - 18n, 3_100) })
    expectRight({ base: ones.subarray(1), exponent: minimal(3n), modulus: toBytes(1n << 24_799n, 3_100) })
  }),
)

it(
  'is right of exponents of each length in bits',
  withRandom((random) => {
    for (const bits of [1, 31, 32, 33, 95, 96, 97, 255, 256, 511, 512, 513, 1536, 1537, 2048]) {
      for (const modulus of [
        toBigint(random.bytes(33)) | 1n,
        2n * toBigint(random.bytes(20)) + 2n,
        1n << 300n,
      ]) {
        const exponent = (1n << BigInt(bits - 1)) | random.bigint(bits - 1)
        expectRight({ base: random.bytes(34), exponent: minimal(exponent), modulus: toBytes(modulus, 40) })
      }
    }
  }),
)

it(
  'pauses while a long exponent or a long modulus takes its time',
  withRandom((random) => {
    for (const [exponentBytes, modulusBytes] of [
      [20_000, 8],
      [512, 512],
    ] as const) {
      const operands = {
        base: random.bytes(modulusBytes),
        exponent: random.bytes(exponentBytes),
        modulus: random.bytes(modulusBytes).fill(0xff, 0, 1),
      }
      const call = precompile.runInParts!(inputOf(operands), rules)
      let pauses = 0
      let step = call.next()
      for (; !step.done; step = call.next()) pauses++
      expect(pauses).toBeGreaterThan(5)
      expect(toBigint(step.value!)).toBe(inBigints(operands))
    }
  }),
)
