import { isHigh, set } from './words'

/** Writes `value` with the sign bit of byte `index` (0 is the lowest) copied to all higher bits. */
export function signextend(index: usize, value: usize, result: usize): void {
  const place = load<u64>(index)
  const beyond = place > 30 || isHigh(index)
  let x0 = load<u64>(value)
  let x1 = load<u64>(value, 8)
  let x2 = load<u64>(value, 16)
  let x3 = load<u64>(value, 24)
  if (!beyond) {
    const shift = (7 - (place & 7)) << 3
    const limb = place >> 3
    if (limb == 0) {
      x0 = <u64>((<i64>(x0 << shift)) >> shift)
      x1 = x2 = x3 = <u64>(<i64>x0 >> 63)
    } else if (limb == 1) {
      x1 = <u64>((<i64>(x1 << shift)) >> shift)
      x2 = x3 = <u64>(<i64>x1 >> 63)
    } else if (limb == 2) {
      x2 = <u64>((<i64>(x2 << shift)) >> shift)
      x3 = <u64>(<i64>x2 >> 63)
    } else x3 = <u64>((<i64>(x3 << shift)) >> shift)
  }
  set(result, x0, x1, x2, x3)
}

/** Writes byte `index` of `value`, where 0 is the highest byte; writes 0 if `index` is 32 or more. */
export function byte(index: usize, value: usize, result: usize): void {
  const place = load<u64>(index)
  const beyond = place > 31 || isHigh(index)
  set(result, beyond ? 0 : load<u8>(value + 31 - <usize>place), 0, 0, 0)
}

/** Writes value << count, for a count below 256. */
@inline
export function shiftLeft(value: usize, count: u64, result: usize): void {
  let x0 = load<u64>(value)
  let x1 = load<u64>(value, 8)
  let x2 = load<u64>(value, 16)
  let x3 = load<u64>(value, 24)
  if (count & 128) {
    x3 = x1
    x2 = x0
    x1 = 0
    x0 = 0
  }
  if (count & 64) {
    x3 = x2
    x2 = x1
    x1 = x0
    x0 = 0
  }
  const shift = count & 63
  const back = shift ^ 63
  set(
    result,
    x0 << shift,
    (x1 << shift) | ((x0 >> 1) >> back),
    (x2 << shift) | ((x1 >> 1) >> back),
    (x3 << shift) | ((x2 >> 1) >> back),
  )
}

/** Writes value >> count, for a count below 256; the upper bits are taken from `fill`. */
@inline
export function shiftRight(value: usize, count: u64, fill: u64, result: usize): void {
  let x0 = load<u64>(value)
  let x1 = load<u64>(value, 8)
  let x2 = load<u64>(value, 16)
  let x3 = load<u64>(value, 24)
  if (count & 128) {
    x0 = x2
    x1 = x3
    x2 = fill
    x3 = fill
  }
  if (count & 64) {
    x0 = x1
    x1 = x2
    x2 = x3
    x3 = fill
  }
  const shift = count & 63
  const back = shift ^ 63
  set(
    result,
    (x0 >> shift) | ((x1 << 1) << back),
    (x1 >> shift) | ((x2 << 1) << back),
    (x2 >> shift) | ((x3 << 1) << back),
    (x3 >> shift) | ((fill << 1) << back),
  )
}

@inline
function shiftsAllOut(count: usize): bool {
  return load<u64>(count) > 255 || isHigh(count)
}

export function shl(count: usize, value: usize, result: usize): void {
  if (shiftsAllOut(count)) set(result, 0, 0, 0, 0)
  else shiftLeft(value, load<u64>(count), result)
}

export function shr(count: usize, value: usize, result: usize): void {
  if (shiftsAllOut(count)) set(result, 0, 0, 0, 0)
  else shiftRight(value, load<u64>(count), 0, result)
}

export function sar(count: usize, value: usize, result: usize): void {
  const sign = <u64>(<i64>load<u64>(value, 24) >> 63)
  if (shiftsAllOut(count)) set(result, sign, sign, sign, sign)
  else shiftRight(value, load<u64>(count), sign, result)
}

/** Writes the number of leading zero bits (EIP-7939): 256 for zero. */
function leadingZeros(a: usize, result: usize): void {
  const a3 = load<u64>(a, 24)
  const a2 = load<u64>(a, 16)
  const a1 = load<u64>(a, 8)
  let zeros: u64 = 0
  if (a3 != 0) zeros = clz(a3)
  else if (a2 != 0) zeros = 64 + clz(a2)
  else if (a1 != 0) zeros = 128 + clz(a1)
  else zeros = 192 + clz(load<u64>(a))
  set(result, zeros, 0, 0, 0)
}

export { leadingZeros as clz }
