// Words: copies, comparisons, addition and bits, inline. Slower operations are in `uint256.ts`, `division.ts`, `modular.ts`, `shifts.ts`.

// @ts-ignore: decorator
@inline
export function copy(to: usize, from: usize): void {
  const l0 = load<u64>(from)
  const l1 = load<u64>(from, 8)
  const l2 = load<u64>(from, 16)
  const l3 = load<u64>(from, 24)
  store<u64>(to, l0)
  store<u64>(to, l1, 8)
  store<u64>(to, l2, 16)
  store<u64>(to, l3, 24)
}

// @ts-ignore: decorator
@inline
export function put(to: usize, value: u64): void {
  store<u64>(to, value)
  store<u64>(to, 0, 8)
  store<u64>(to, 0, 16)
  store<u64>(to, 0, 24)
}

// @ts-ignore: decorator
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
  store<u64>(a, b0)
  store<u64>(a, b1, 8)
  store<u64>(a, b2, 16)
  store<u64>(a, b3, 24)
  store<u64>(b, a0)
  store<u64>(b, a1, 8)
  store<u64>(b, a2, 16)
  store<u64>(b, a3, 24)
}

/** Returns whether the word is 2^64 or more. */
// @ts-ignore: decorator
@inline
export function isHigh(word: usize): bool {
  return (load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) != 0
}

// @ts-ignore: decorator
@inline
export function isZero(word: usize): bool {
  return (load<u64>(word) | load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) == 0
}

// @ts-ignore: decorator
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

// @ts-ignore: decorator
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

// @ts-ignore: decorator
@inline
export function isLessSigned(a: usize, b: usize): bool {
  const a3 = load<i64>(a, 24)
  const b3 = load<i64>(b, 24)
  return a3 == b3 ? isLess(a, b) : a3 < b3
}

// @ts-ignore: decorator
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
  store<u64>(result, s0)
  store<u64>(result, s1, 8)
  store<u64>(result, s2, 16)
  store<u64>(result, s3, 24)
}

// @ts-ignore: decorator
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
  store<u64>(result, d0)
  store<u64>(result, d1, 8)
  store<u64>(result, d2, 16)
  store<u64>(result, d3, 24)
}

// @ts-ignore: decorator
@inline
export function and(a: usize, b: usize, result: usize): void {
  store<u64>(result, load<u64>(a) & load<u64>(b))
  store<u64>(result, load<u64>(a, 8) & load<u64>(b, 8), 8)
  store<u64>(result, load<u64>(a, 16) & load<u64>(b, 16), 16)
  store<u64>(result, load<u64>(a, 24) & load<u64>(b, 24), 24)
}

// @ts-ignore: decorator
@inline
export function or(a: usize, b: usize, result: usize): void {
  store<u64>(result, load<u64>(a) | load<u64>(b))
  store<u64>(result, load<u64>(a, 8) | load<u64>(b, 8), 8)
  store<u64>(result, load<u64>(a, 16) | load<u64>(b, 16), 16)
  store<u64>(result, load<u64>(a, 24) | load<u64>(b, 24), 24)
}

// @ts-ignore: decorator
@inline
export function xor(a: usize, b: usize, result: usize): void {
  store<u64>(result, load<u64>(a) ^ load<u64>(b))
  store<u64>(result, load<u64>(a, 8) ^ load<u64>(b, 8), 8)
  store<u64>(result, load<u64>(a, 16) ^ load<u64>(b, 16), 16)
  store<u64>(result, load<u64>(a, 24) ^ load<u64>(b, 24), 24)
}

// @ts-ignore: decorator
@inline
export function not(a: usize, result: usize): void {
  store<u64>(result, ~load<u64>(a))
  store<u64>(result, ~load<u64>(a, 8), 8)
  store<u64>(result, ~load<u64>(a, 16), 16)
  store<u64>(result, ~load<u64>(a, 24), 24)
}

// @ts-ignore: decorator
@inline
export function iszero(a: usize, result: usize): void {
  put(result, <u64>isZero(a))
}

// @ts-ignore: decorator
@inline
export function lt(a: usize, b: usize, result: usize): void {
  put(result, <u64>isLess(a, b))
}

// @ts-ignore: decorator
@inline
export function gt(a: usize, b: usize, result: usize): void {
  put(result, <u64>isLess(b, a))
}

// @ts-ignore: decorator
@inline
export function slt(a: usize, b: usize, result: usize): void {
  put(result, <u64>isLessSigned(a, b))
}

// @ts-ignore: decorator
@inline
export function sgt(a: usize, b: usize, result: usize): void {
  put(result, <u64>isLessSigned(b, a))
}

// @ts-ignore: decorator
@inline
export function eq(a: usize, b: usize, result: usize): void {
  put(result, <u64>isEqual(a, b))
}

/** Copies 32 bytes in reverse order: between a word and its form in EVM memory. */
// @ts-ignore: decorator
@inline
export function reverse(to: usize, from: usize): void {
  const low = v128.load(from)
  const high = v128.load(from, 16)
  v128.store(to, v128.shuffle<u8>(high, high, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0))
  v128.store(to, v128.shuffle<u8>(low, low, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 16)
}

/** Returns the word as a number; 2^32 - 1 if it is more. */
export function clamped(word: usize): u32 {
  const low = load<u64>(word)
  return isHigh(word) || low > 0xffffffff ? 0xffffffff : <u32>low
}

/** Writes a word of the last `length` big-endian bytes: at most 32. */
export function putBytes(to: usize, from: usize, length: u32): void {
  put(to, 0)
  for (let i: u32 = 0; i < length; i++) store<u8>(to + i, load<u8>(from + length - 1 - i))
}

/** Writes the 20 bytes of an address. */
export function writeAddress(to: usize, address: usize): void {
  for (let i: usize = 0; i < 20; i++) store<u8>(to + i, load<u8>(address + 19 - i))
}
