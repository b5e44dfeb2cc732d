// Fast operations on words of four 64-bit limbs, least significant first. Most are inlined.

export const LOW: u64 = 0xffffffff

export const ONES: u64 = 0xffffffffffffffff

@inline
export function set(to: usize, l0: u64, l1: u64, l2: u64, l3: u64): void {
  store<u64>(to, l0)
  store<u64>(to, l1, 8)
  store<u64>(to, l2, 16)
  store<u64>(to, l3, 24)
}

@inline
export function copy(to: usize, from: usize): void {
  set(to, load<u64>(from), load<u64>(from, 8), load<u64>(from, 16), load<u64>(from, 24))
}

@inline
export function put(to: usize, value: u64): void {
  set(to, value, 0, 0, 0)
}

@inline
export function swap(a: usize, b: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  set(a, b0, b1, b2, b3)
  set(b, a0, a1, a2, a3)
}

/** Returns whether the word is 2^64 or more. */
@inline
export function isHigh(word: usize): bool {
  return (load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) != 0
}

@inline
export function isZero(word: usize): bool {
  return (load<u64>(word) | load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) == 0
}

@inline
export function isEqual(a: usize, b: usize): bool {
  return (
    ((load<u64>(a) ^ load<u64>(b)) |
      (load<u64>(a, 8) ^ load<u64>(b, 8)) |
      (load<u64>(a, 16) ^ load<u64>(b, 16)) |
      (load<u64>(a, 24) ^ load<u64>(b, 24))) ==
    0
  )
}

@inline
export function isLess(a: usize, b: usize): bool {
  const a3 = load<u64>(a, 24)
  const b3 = load<u64>(b, 24)
  const a2 = load<u64>(a, 16)
  const b2 = load<u64>(b, 16)
  if ((a3 ^ b3) | (a2 ^ b2)) return a3 == b3 ? a2 < b2 : a3 < b3
  const a1 = load<u64>(a, 8)
  const b1 = load<u64>(b, 8)
  return a1 == b1 ? load<u64>(a) < load<u64>(b) : a1 < b1
}

@inline
export function isLessSigned(a: usize, b: usize): bool {
  const a3 = load<i64>(a, 24)
  const b3 = load<i64>(b, 24)
  return a3 == b3 ? isLess(a, b) : a3 < b3
}

@inline
export function add(a: usize, b: usize, result: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const s0 = a0 + load<u64>(b)
  const t1 = a1 + load<u64>(b, 8)
  const c0 = <u64>(s0 < a0)
  const s1 = t1 + c0
  const c1 = <u64>(t1 < a1) | <u64>(s1 < c0)
  const t2 = a2 + load<u64>(b, 16)
  const s2 = t2 + c1
  const c2 = <u64>(t2 < a2) | <u64>(s2 < c1)
  const s3 = load<u64>(a, 24) + load<u64>(b, 24) + c2
  set(result, s0, s1, s2, s3)
}

@inline
export function sub(a: usize, b: usize, result: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const d0 = a0 - b0
  const c0 = <u64>(a0 < b0)
  const t1 = a1 - b1
  const d1 = t1 - c0
  const c1 = <u64>(a1 < b1) | <u64>(t1 < c0)
  const t2 = a2 - b2
  const d2 = t2 - c1
  const c2 = <u64>(a2 < b2) | <u64>(t2 < c1)
  const d3 = load<u64>(a, 24) - load<u64>(b, 24) - c2
  set(result, d0, d1, d2, d3)
}

@inline
export function and(a: usize, b: usize, result: usize): void {
  store<u64>(result, load<u64>(a) & load<u64>(b))
  store<u64>(result, load<u64>(a, 8) & load<u64>(b, 8), 8)
  store<u64>(result, load<u64>(a, 16) & load<u64>(b, 16), 16)
  store<u64>(result, load<u64>(a, 24) & load<u64>(b, 24), 24)
}

@inline
export function or(a: usize, b: usize, result: usize): void {
  store<u64>(result, load<u64>(a) | load<u64>(b))
  store<u64>(result, load<u64>(a, 8) | load<u64>(b, 8), 8)
  store<u64>(result, load<u64>(a, 16) | load<u64>(b, 16), 16)
  store<u64>(result, load<u64>(a, 24) | load<u64>(b, 24), 24)
}

@inline
export function xor(a: usize, b: usize, result: usize): void {
  store<u64>(result, load<u64>(a) ^ load<u64>(b))
  store<u64>(result, load<u64>(a, 8) ^ load<u64>(b, 8), 8)
  store<u64>(result, load<u64>(a, 16) ^ load<u64>(b, 16), 16)
  store<u64>(result, load<u64>(a, 24) ^ load<u64>(b, 24), 24)
}

@inline
export function not(a: usize, result: usize): void {
  store<u64>(result, ~load<u64>(a))
  store<u64>(result, ~load<u64>(a, 8), 8)
  store<u64>(result, ~load<u64>(a, 16), 16)
  store<u64>(result, ~load<u64>(a, 24), 24)
}

/** Copies 32 bytes in reverse order. EVM memory is big-endian, words are little-endian. */
@inline
export function reverse(to: usize, from: usize): void {
  const low = v128.load(from)
  const high = v128.load(from, 16)
  v128.store(to, v128.shuffle<u8>(high, high, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
  v128.store(to, v128.shuffle<u8>(low, low, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 16)
}

export function clamped(word: usize): u32 {
  const low = load<u64>(word)
  return isHigh(word) || low > 0xffffffff ? 0xffffffff : <u32>low
}

/** Writes `length` big-endian bytes, at most 32, as a word. */
export function putBytes(to: usize, from: usize, length: u32): void {
  put(to, 0)
  for (let i: u32 = 0; i < length; i++) store<u8>(to + i, load<u8>(from + length - 1 - i))
}

export function writeAddress(to: usize, address: usize): void {
  for (let i: usize = 0; i < 20; i++) store<u8>(to + i, load<u8>(address + 19 - i))
}

export function negate(a: usize, result: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const none0 = u64(a0 == 0)
  const none1 = none0 & u64(a1 == 0)
  const none2 = none1 & u64(a2 == 0)
  set(result, 0 - a0, ~a1 + none0, ~a2 + none1, ~load<u64>(a, 24) + none2)
}

@inline
export function absolute(a: usize, result: usize): void {
  if (<i64>load<u64>(a, 24) < 0) negate(a, result)
  else copy(result, a)
}

/** Returns the upper 64 bits of a * b. */
@inline
export function mulHigh(a: u64, b: u64): u64 {
  const a0 = a & LOW
  const a1 = a >> 32
  const b0 = b & LOW
  const b1 = b >> 32
  const middle = a1 * b0 + ((a0 * b0) >> 32)
  return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & LOW)) >> 32)
}
