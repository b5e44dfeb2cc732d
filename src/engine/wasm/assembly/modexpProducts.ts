// Products of numbers with limbs of 27 bits: modulo the odd part by Montgomery multiplication, modulo a power of two by their lower limbs.
import { BITS, COLUMN, EVEN, FACTORS, get, INVERSE, LIMBS, MASK, ODD, TWO_LIMBS, TWOS } from './modexpState'

/** Drops the bits of a number modulo 2^twos that its highest limb has too many. */
export function cut(scratch: usize, a: usize): void {
  const limbs = get(scratch, TWO_LIMBS)
  const bits = get(scratch, TWOS) - BITS * (limbs - 1)
  const highest = a + 4 * (limbs - 1)
  store<u32>(highest, load<u32>(highest) & <u32>((<usize>1 << bits) - 1))
}

/** a -= b if a is not less than b, or returns false. */
export function subtractIfMore(a: usize, b: usize, limbs: usize): bool {
  let i: usize = 4 * limbs
  while (i != 0) {
    i -= 4
    const x = load<u32>(a + i)
    const y = load<u32>(b + i)
    if (x < y) return false
    if (x > y) break
  }
  subtract(a, b, limbs)
  return true
}

export function subtract(a: usize, b: usize, limbs: usize): void {
  let carry: i32 = 0
  for (let i: usize = 0; i < 4 * limbs; i += 4) {
    carry += <i32>load<u32>(a + i) - <i32>load<u32>(b + i)
    store<u32>(a + i, carry & <i32>MASK)
    carry >>= <i32>BITS
  }
}

/** a = 2 a modulo `odd`; a is less than `odd`. */
export function double(a: usize, odd: usize, limbs: usize): void {
  let carry: u32 = 0
  for (let i: usize = 0; i < 4 * limbs; i += 4) {
    carry += load<u32>(a + i) << 1
    store<u32>(a + i, carry & <u32>MASK)
    carry >>= <u32>BITS
  }
  subtractIfMore(a, odd, limbs)
}

/** Adds `count` products of a upwards and b downwards, and of c upwards and d downwards. */
// @ts-ignore: decorators of functions
@inline
function addProducts(sum: u64, a: usize, b: usize, c: usize, d: usize, count: usize): u64 {
  for (const end = a + 4 * count; a < end; a += 4) {
    sum += <u64>load<u32>(a) * <u64>load<u32>(b) + <u64>load<u32>(c) * <u64>load<u32>(d)
    b -= 4
    c += 4
    d -= 4
  }
  return sum
}

/**
 * result = a b / R modulo the odd part; less than twice of it if a b is less than R times the odd part. `result` may be a or b.
 *
 * Column by column ("finely integrated product scanning"; Koç, Acar and Kaliski, "Analyzing and comparing Montgomery multiplication
 * algorithms", 1996).
 */
export function montgomery(scratch: usize, a: usize, b: usize, result: usize): void {
  const limbs = get(scratch, LIMBS)
  const odd = get(scratch, ODD)
  const factors = get(scratch, FACTORS)
  const inverse = <u32>get(scratch, INVERSE)
  let sum: u64 = 0
  for (let column: usize = 0; column < 2 * limbs; column++) {
    const first: usize = column < limbs ? 0 : column - limbs + 1
    const last: usize = column < limbs ? column : limbs
    let count = last - first
    let low: usize = 4 * first
    let high: usize = 4 * (column - first)
    let aside: u64 = 0
    while (count > COLUMN) {
      sum = addProducts(sum, a + low, b + high, factors + low, odd + high, COLUMN)
      aside += sum >> BITS
      sum &= MASK
      low += 4 * COLUMN
      high -= 4 * COLUMN
      count -= COLUMN
    }
    sum = addProducts(sum, a + low, b + high, factors + low, odd + high, count)
    if (column < limbs) {
      sum += <u64>load<u32>(a + 4 * column) * <u64>load<u32>(b)
      const factor = (<u32>sum * inverse) & <u32>MASK
      store<u32>(factors + 4 * column, factor)
      sum += <u64>factor * <u64>load<u32>(odd)
    } else store<u32>(result + 4 * (column - limbs), <u32>(sum & MASK))
    sum = (sum >> BITS) + aside
  }
}

/** result = a b modulo 2^twos. `result` may be a or b. */
function multiplyLow(scratch: usize, a: usize, b: usize, result: usize): void {
  const limbs = get(scratch, TWO_LIMBS)
  const product = get(scratch, FACTORS)
  let sum: u64 = 0
  for (let column: usize = 0; column < limbs; column++) {
    let aside: u64 = 0
    for (let i: usize = 0; i <= column; i++) {
      sum += <u64>load<u32>(a + 4 * i) * <u64>load<u32>(b + 4 * (column - i))
      if ((i & 511) == 511) {
        aside += sum >> BITS
        sum &= MASK
      }
    }
    store<u32>(product + 4 * column, <u32>(sum & MASK))
    sum = (sum >> BITS) + aside
  }
  memory.copy(result, product, 4 * limbs)
  cut(scratch, result)
}

// @ts-ignore: decorators of functions
@inline
export function multiply(scratch: usize, a: usize, b: usize, result: usize): void {
  if (get(scratch, EVEN)) multiplyLow(scratch, a, b, result)
  else montgomery(scratch, a, b, result)
}
