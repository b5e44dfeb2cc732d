/** Arithmetic on words in WebAssembly, compared with bigints. */
import { describe, expect, it } from 'vitest'
import { compiledAssembly } from '../../support/compilers/compiledAssembly.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const { memory, exports } = await compiledAssembly('uint256', 'division', 'modular', 'shifts')
const bytes = new DataView(memory.buffer)

const SIZE = 1n << 256n
const word = (value: bigint) => BigInt.asUintN(256, value)
const signed = (value: bigint) => BigInt.asIntN(256, value)
const remainder = (a: bigint, b: bigint) => (b === 0n ? 0n : a % b)

/** The operations as the Yellow Paper and the EIPs define them, on numbers from 0 to 2^256 - 1. */
const TWO: Record<string, (a: bigint, b: bigint) => bigint> = {
  mul: (a, b) => a * b,
  div: (a, b) => (b === 0n ? 0n : a / b),
  sdiv: (a, b) => (b === 0n ? 0n : signed(a) / signed(b)),
  mod: remainder,
  smod: (a, b) => (b === 0n ? 0n : signed(a) % signed(b)),
  exp: power,
  signextend: (index, value) => (index > 30n ? value : BigInt.asIntN(Number(index) * 8 + 8, value)),
  byte: (index, value) => (index > 31n ? 0n : (value >> (8n * (31n - index))) & 0xffn),
  shl: (count, value) => (count > 255n ? 0n : value << count),
  shr: (count, value) => (count > 255n ? 0n : value >> count),
  sar: (count, value) => signed(value) >> (count > 255n ? 255n : count),
}
const THREE: Record<string, (a: bigint, b: bigint, n: bigint) => bigint> = {
  addmod: (a, b, n) => remainder(a + b, n),
  mulmod: (a, b, n) => remainder(a * b, n),
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = base; exponent > 0n; exponent >>= 1n, square = word(square * square))
    if (exponent & 1n) result = word(result * square)
  return result
}

/** The places of operands and results: adjacent words, so that writes beside a result show. */
const PLACES = [0x200000, 0x200020, 0x200040, 0x200060]

function write(place: number, value: bigint) {
  for (let limb = 0; limb < 4; limb++)
    bytes.setBigUint64(place + 8 * limb, BigInt.asUintN(64, value >> BigInt(64 * limb)), true)
}

function read(place: number): bigint {
  let value = 0n
  for (let limb = 3; limb >= 0; limb--) value = (value << 64n) | bytes.getBigUint64(place + 8 * limb, true)
  return value
}

/** Expects the result at a place of its own and in place of each operand, and operands that are equal at one place; other words stay. */
function expectResult(name: string, operands: readonly bigint[], expected: bigint) {
  const run = exports[name]!
  const own = PLACES.slice(0, operands.length)
  for (const result of [...own, PLACES[operands.length]!]) {
    for (const [index, operand] of operands.entries()) write(own[index]!, operand)
    run(...own, result)
    const found = read(result)
    if (found !== word(expected)) fail(name, operands, word(expected), found, `to ${result - PLACES[0]!}`)
    for (const [index, operand] of operands.entries())
      if (own[index] !== result && read(own[index]!) !== operand)
        fail(name, operands, operand, read(own[index]!), `which changes operand ${index}`)
  }
  if (operands.length === 1 || operands[0] !== operands[1]) return
  write(own[0]!, operands[0]!)
  run(own[0]!, ...own.slice(0, -1), own[0]!)
  if (operands.length === 2 && read(own[0]!) !== word(expected))
    fail(name, operands, word(expected), read(own[0]!), 'all at one place')
}

function fail(
  name: string,
  operands: readonly bigint[],
  expected: bigint,
  found: bigint,
  how: string,
): never {
  const shown = operands.map((operand) => `0x${operand.toString(16)}`).join(', ')
  throw new Error(
    `${name}(${shown}) ${how}: expected 0x${expected.toString(16)}, got 0x${found.toString(16)}`,
  )
}

/** Values where carries, lengths in limbs, signs and shifts change, each with its neighbours. */
const EDGES = [
  ...[0, 8, 31, 32, 63, 64, 65, 127, 128, 129, 160, 191, 192, 193, 224, 254, 255, 256].flatMap((bits) => [
    (1n << BigInt(bits)) - 1n,
    1n << BigInt(bits),
    (1n << BigInt(bits)) + 1n,
  ]),
  3n,
  7n,
  10n,
  10n ** 18n,
  248n,
  SIZE - 2n,
  SIZE - (1n << 64n),
  SIZE - (1n << 128n),
  SIZE - (1n << 192n),
  SIZE - 0x1000003d1n,
  (1n << 255n) - 19n,
  0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n,
  0x8000000000000000_0000000000000000_ffffffffffffffff_ffffffffffffffffn,
  0x8000000000000000_ffffffffffffffff_0000000000000000_ffffffffffffffffn,
  0xffffffffffffffff_0000000000000000_ffffffffffffffff_0000000000000000n,
  0x7fffffffffffffff_ffffffffffffffff_0000000000000000n,
].map(word)

/** Whole limbs of zeros and ones and numbers beside them are as likely as others: there digits of quotients are guessed wrong. */
function anyWord(random: Random): bigint {
  if (random.chance(0.1)) return random.pick(EDGES)
  if (random.chance(0.3)) return random.bigint(256)
  const limbs = random.between(1, 4)
  let value = 0n
  for (let limb = 0; limb < limbs; limb++) {
    const near = BigInt(random.below(3))
    const of64 = random.pick([
      0n,
      near,
      (1n << 64n) - 1n - near,
      (1n << 63n) - 1n + near,
      (1n << 32n) - 1n + near,
    ])
    value = (value << 64n) | (random.chance(0.4) ? random.bigint(64) : of64)
  }
  return value
}

describe.each(Object.entries(TWO))('%s', (name, model) => {
  it('is right of all pairs of edge values', () => {
    for (const a of EDGES) for (const b of EDGES) expectResult(name, [a, b], model(a, b))
  })

  it(
    'is right of random values',
    withRandom((random) => {
      const small = ['signextend', 'byte', 'shl', 'shr', 'sar'].includes(name)
      for (let i = 0; i < 3_000; i++) {
        const a = small && random.chance(0.9) ? BigInt(random.below(260)) : anyWord(random)
        const b = anyWord(random)
        expectResult(name, [a, b], model(a, b))
      }
    }),
  )
})

describe.each(Object.entries(THREE))('%s', (name, model) => {
  it('is right of edge values', () => {
    const some = EDGES.filter((_, index) => index % 3 === 1 || index > 57)
    for (const a of some)
      for (const b of some) for (const n of some) expectResult(name, [a, b, n], model(a, b, n))
  })

  it(
    'is right of random values',
    withRandom((random) => {
      for (let i = 0; i < 8_000; i++) {
        const [a, b, n] = [anyWord(random), anyWord(random), anyWord(random)]
        expectResult(name, [a, b, n], model(a, b, n))
      }
    }),
  )
})

it(
  'divides products that lie just beside a multiple of the divisor',
  withRandom((random) => {
    for (let i = 0; i < 8_000; i++) {
      const divisor = anyWord(random)
      const quotient = anyWord(random)
      const number = word(divisor * quotient + BigInt(random.between(-2, 2)))
      expectResult('div', [number, divisor], TWO.div!(number, divisor))
      expectResult('mod', [number, divisor], TWO.mod!(number, divisor))
    }
  }),
)

it(
  'raises bases of each kind to exponents of each length',
  withRandom((random) => {
    for (let i = 0; i < 2_000; i++) {
      const base = random.pick([2n, 3n, 10n, 256n, 1n << BigInt(random.below(256)), anyWord(random)])
      const exponent = random.chance(0.8) ? BigInt(random.below(300)) : anyWord(random)
      expectResult('exp', [base, exponent], power(base, exponent))
    }
  }),
)

it('counts the zeros above the highest bit (clz)', () => {
  for (let bits = 0; bits <= 256; bits++) {
    for (const below of [0n, 1n, (1n << BigInt(bits)) - 1n]) {
      const value = bits === 0 ? 0n : (1n << BigInt(bits - 1)) | (below >> 1n)
      expectResult('clz', [value], 256n - BigInt(value === 0n ? 0 : value.toString(2).length))
    }
  }
})

it('has no other functions than these and the parts that they share', () => {
  const shared = ['divideByLimb', 'divideByLimbs', 'isPowerOfTwo', 'shiftLeft', 'shiftRight', 'trailingZeros']
  const functions = Object.keys(exports).filter((name) => typeof exports[name] === 'function')
  expect(functions.sort()).toEqual([...Object.keys(TWO), ...Object.keys(THREE), 'clz', ...shared].sort())
})
