/**
 * Generates `assembly/barrett.ts` when the engine is compiled: products modulo a number of more than 232 bits, for a
 * modulus that is used repeatedly. Uses Barrett reduction (Menezes, van Oorschot and Vanstone, "Handbook of Applied
 * Cryptography", algorithm 14.42), with all limbs in local variables.
 *
 * A factor has 9 limbs of 29 bits, so that the sum of the products of a column fits into 64 bits without a carry.
 */

const BITS = 29
/** Numbers of limbs: of a factor or the modulus, of the inverse (2^522 / modulus), and of a product. */
const LIMBS = 9
const INVERSE_LIMBS = 10
const PRODUCT_LIMBS = 18
/** The lowest limb of the product that the quotient uses. The quotient ignores the lower 232 bits: eight limbs. */
const FIRST_OF_QUOTIENT = 8

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

export function generateBarrett(): string {
  return `const MASK: u64 = (1 << 29) - 1

/** The modulus as four limbs of 64 bits and as nine of 29 bits, and floor(2^522 / modulus) as ten limbs of 29 bits. */
const modulus = memory.data(32)
const limbs = memory.data(72)
const inverse = memory.data(80)

/** Returns the 29-bit limb \`index\` of the number of \`length\` 64-bit limbs at \`a\`. */
function limbOf(a: usize, length: usize, index: usize): u64 {
  const from = (index * 29) >> 6
  const shift: u64 = (index * 29) & 63
  const low = load<u64>(a + (from << 3)) >> shift
  const high: u64 = from + 1 < length ? (load<u64>(a + (from << 3), 8) << 1) << (63 - shift) : 0
  return (low | high) & MASK
}

/** Sets the modulus n. \`quotient\`: floor(2^522 / n), as five limbs of 64 bits. */
export function useModulus(n: usize, quotient: usize): void {
  for (let i: usize = 0; i < 32; i += 8) store<u64>(modulus + i, load<u64>(n + i))
  for (let i: usize = 0; i < 9; i++) store<u64>(limbs + (i << 3), limbOf(n, 4, i))
  for (let i: usize = 0; i < 10; i++) store<u64>(inverse + (i << 3), limbOf(quotient, 5, i))
}

export function multiplyModulo(a: usize, b: usize, result: usize): void {
  ${[
    ...words('a', 4, 'a'),
    ...words('b', 4, 'b'),
    ...limbsOf('a', 'f'),
    ...limbsOf('b', 'g'),
    ...product(),
    ...words('m', INVERSE_LIMBS, 'inverse'),
    ...quotient(),
    ...words('n', LIMBS, 'limbs'),
    ...remainder(),
    ...words('d', 4, 'modulus'),
  ].join('\n  ')}
  // The quotient may be too small by one or two.
  while (r4 != 0 || r3 >= d3) {
    const borrow0 = u64(r0 < d0)
    const e1 = r1 - d1
    const borrow1 = u64(r1 < d1) | u64(e1 < borrow0)
    const e2 = r2 - d2
    const borrow2 = u64(r2 < d2) | u64(e2 < borrow1)
    const e3 = r3 - d3
    const borrow3 = u64(r3 < d3) | u64(e3 < borrow2)
    if (r4 < borrow3) break
    r4 -= borrow3
    r0 -= d0
    r1 = e1 - borrow0
    r2 = e2 - borrow1
    r3 = e3 - borrow2
  }
  ${upTo(4)
    .map((i) => `store<u64>(result, r${i}, ${8 * i})`)
    .join('\n  ')}
}
`
}

function words(name: string, count: number, place: string): string[] {
  return upTo(count).map((i) => `const ${name}${i} = load<u64>(${place}, ${8 * i})`)
}

/** Returns declarations that split four 64-bit words into 29-bit limbs. */
function limbsOf(word: string, limb: string): string[] {
  return upTo(LIMBS).map((i) => {
    const from = Math.floor((i * BITS) / 64)
    const shift = (i * BITS) % 64
    const low = shift === 0 ? `${word}${from}` : `(${word}${from} >> ${shift})`
    const isCut = shift + BITS > 64 && from < 3
    const both = isCut ? `(${low} | (${word}${from + 1} << ${64 - shift}))` : low
    return `const ${limb}${i} = ${i === LIMBS - 1 ? both : `${both} & MASK`}`
  })
}

/** Returns the expression for column `index` of a product: the sum of a[i] * b[j] for all i + j = `index`. */
function column(index: number, [a, countOfA]: Factor, [b, countOfB]: Factor, first = 0): string {
  return upTo(countOfA)
    .filter((i) => i >= first && index - i >= 0 && index - i < countOfB)
    .map((i) => `${a}${i} * ${b}${index - i}`)
    .join(' + ')
}

type Factor = readonly [name: string, count: number]

function product(): string[] {
  const last = PRODUCT_LIMBS - 1
  return [
    'let sum: u64 = 0',
    ...upTo(last).flatMap((i) => [
      `sum = ${i === 0 ? '' : `(sum >> ${BITS}) + `}${column(i, ['f', LIMBS], ['g', LIMBS])}`,
      `const x${i} = sum & MASK`,
    ]),
    `const x${last} = sum >> ${BITS}`,
  ]
}

/**
 * Returns the code for the limbs `q` of the quotient: the upper part of the product times the inverse, shifted right by
 * ten limbs. Of the ten columns that are shifted out, only the upper two are computed, for their carry. Without the
 * other eight, the quotient is wrong by one about once in 2^25 divisions.
 */
function quotient(): string[] {
  const dropped = FIRST_OF_QUOTIENT + INVERSE_LIMBS
  return upTo(LIMBS + 2).flatMap((i) => {
    const index = dropped - 2 + i
    const products = column(index, ['x', PRODUCT_LIMBS], ['m', INVERSE_LIMBS], FIRST_OF_QUOTIENT)
    const sum = `sum = ${i === 0 ? '' : `(sum >> ${BITS}) + `}${products}`
    return i < 2 ? [sum] : [sum, `const q${i - 2} = sum & MASK`]
  })
}

/** Returns the code for the words `r` of product - quotient * modulus, which has at most nine limbs. */
function remainder(): string[] {
  return [
    'let rest: i64 = 0',
    ...upTo(LIMBS).flatMap((i) => [
      `rest = ${i === 0 ? '' : `(rest >> ${BITS}) + `}<i64>x${i} - <i64>(${column(i, ['q', LIMBS], ['n', LIMBS])})`,
      `const y${i} = <u64>rest & MASK`,
    ]),
    ...upTo(5).map((i) => `let r${i} = ${wordOf(i)}`),
  ]
}

function wordOf(index: number): string {
  return upTo(LIMBS)
    .map((limb) => ({ limb, shift: limb * BITS - index * 64 }))
    .filter(({ shift }) => shift > -BITS && shift < 64)
    .map(({ limb, shift }) =>
      shift === 0 ? `y${limb}` : shift > 0 ? `(y${limb} << ${shift})` : `(y${limb} >> ${-shift})`,
    )
    .join(' | ')
}
