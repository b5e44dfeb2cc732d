/**
 * The compression function F of BLAKE2b (RFC 7693, section 3.2) for BLAKE2F (EIP-152): a module of its own, which `precompiles/blake2f.ts`
 * calls. Some rounds run at a time, because a call may ask for 2^32 - 1 of them, which take minutes.
 */

/** Which word of the message each place of a round takes, times eight; section 2.7. */
const sigma = memory.data<u8>([
  0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 112, 80, 32, 64, 72, 120, 104, 48, 8, 96, 0, 16, 88, 56, 40, 24, 88, 64,
  96, 0, 40, 16, 120, 104, 80, 112, 24, 48, 56, 8, 72, 32, 56, 72, 24, 8, 104, 96, 88, 112, 16, 48, 40, 80, 32, 0, 120, 64, 72, 0, 40, 56,
  16, 32, 80, 120, 112, 8, 88, 96, 48, 64, 24, 104, 16, 96, 48, 80, 0, 88, 64, 24, 32, 104, 56, 40, 120, 112, 8, 72, 96, 40, 8, 120, 112,
  104, 32, 80, 0, 56, 48, 24, 72, 16, 64, 88, 104, 88, 56, 112, 96, 8, 24, 72, 40, 0, 120, 32, 64, 48, 16, 80, 48, 120, 112, 72, 88, 24, 0,
  64, 96, 16, 104, 56, 8, 32, 80, 40, 80, 16, 64, 32, 56, 48, 8, 40, 120, 88, 72, 112, 24, 96, 104, 0,
])

/** The 213 bytes of the input, the sixteen words that rounds work on, and the 64 bytes of the result. */
export const INPUT = memory.data(213, 16)
export const STATE = memory.data(128, 16)
export const RESULT = memory.data(64, 16)

/** Writes the state before the first round. The last byte of the input must be 0 or 1, which the caller checks. */
export function start(): void {
  for (let i: usize = 0; i < 64; i += 8) store<u64>(STATE + i, load<u64>(INPUT + i, 4))
  store<u64>(STATE, 0x6a09e667f3bcc908, 64)
  store<u64>(STATE, 0xbb67ae8584caa73b, 72)
  store<u64>(STATE, 0x3c6ef372fe94f82b, 80)
  store<u64>(STATE, 0xa54ff53a5f1d36f1, 88)
  store<u64>(STATE, 0x510e527fade682d1 ^ load<u64>(INPUT, 196), 96)
  store<u64>(STATE, 0x9b05688c2b3e6c1f ^ load<u64>(INPUT, 204), 104)
  const last = load<u8>(INPUT, 212) == 0 ? <u64>0 : 0xffffffffffffffff
  store<u64>(STATE, 0x1f83d9abfb41bd6b ^ last, 112)
  store<u64>(STATE, 0x5be0cd19137e2179, 120)
}

// @ts-ignore: decorators of functions
@inline
function word(message: usize, row: usize, place: usize): u64 {
  return load<u64>(message + load<u8>(row + place))
}

/** Mixes the message into the state in the rounds from `from` up to `to`, exclusive. */
export function mix(from: u32, to: u32): void {
  const message = INPUT + 68
  let v0 = load<u64>(STATE)
  let v1 = load<u64>(STATE, 8)
  let v2 = load<u64>(STATE, 16)
  let v3 = load<u64>(STATE, 24)
  let v4 = load<u64>(STATE, 32)
  let v5 = load<u64>(STATE, 40)
  let v6 = load<u64>(STATE, 48)
  let v7 = load<u64>(STATE, 56)
  let v8 = load<u64>(STATE, 64)
  let v9 = load<u64>(STATE, 72)
  let v10 = load<u64>(STATE, 80)
  let v11 = load<u64>(STATE, 88)
  let v12 = load<u64>(STATE, 96)
  let v13 = load<u64>(STATE, 104)
  let v14 = load<u64>(STATE, 112)
  let v15 = load<u64>(STATE, 120)
  let row = sigma + ((<usize>(from % 10)) << 4)
  for (let round = from; round < to; round++) {
    // The columns.
    v0 += v4 + word(message, row, 0)
    v1 += v5 + word(message, row, 2)
    v2 += v6 + word(message, row, 4)
    v3 += v7 + word(message, row, 6)
    v12 = rotr<u64>(v12 ^ v0, 32)
    v13 = rotr<u64>(v13 ^ v1, 32)
    v14 = rotr<u64>(v14 ^ v2, 32)
    v15 = rotr<u64>(v15 ^ v3, 32)
    v8 += v12
    v9 += v13
    v10 += v14
    v11 += v15
    v4 = rotr<u64>(v4 ^ v8, 24)
    v5 = rotr<u64>(v5 ^ v9, 24)
    v6 = rotr<u64>(v6 ^ v10, 24)
    v7 = rotr<u64>(v7 ^ v11, 24)
    v0 += v4 + word(message, row, 1)
    v1 += v5 + word(message, row, 3)
    v2 += v6 + word(message, row, 5)
    v3 += v7 + word(message, row, 7)
    v12 = rotr<u64>(v12 ^ v0, 16)
    v13 = rotr<u64>(v13 ^ v1, 16)
    v14 = rotr<u64>(v14 ^ v2, 16)
    v15 = rotr<u64>(v15 ^ v3, 16)
    v8 += v12
    v9 += v13
    v10 += v14
    v11 += v15
    v4 = rotr<u64>(v4 ^ v8, 63)
    v5 = rotr<u64>(v5 ^ v9, 63)
    v6 = rotr<u64>(v6 ^ v10, 63)
    v7 = rotr<u64>(v7 ^ v11, 63)
    // The diagonals.
    v0 += v5 + word(message, row, 8)
    v1 += v6 + word(message, row, 10)
    v2 += v7 + word(message, row, 12)
    v3 += v4 + word(message, row, 14)
    v15 = rotr<u64>(v15 ^ v0, 32)
    v12 = rotr<u64>(v12 ^ v1, 32)
    v13 = rotr<u64>(v13 ^ v2, 32)
    v14 = rotr<u64>(v14 ^ v3, 32)
    v10 += v15
    v11 += v12
    v8 += v13
    v9 += v14
    v5 = rotr<u64>(v5 ^ v10, 24)
    v6 = rotr<u64>(v6 ^ v11, 24)
    v7 = rotr<u64>(v7 ^ v8, 24)
    v4 = rotr<u64>(v4 ^ v9, 24)
    v0 += v5 + word(message, row, 9)
    v1 += v6 + word(message, row, 11)
    v2 += v7 + word(message, row, 13)
    v3 += v4 + word(message, row, 15)
    v15 = rotr<u64>(v15 ^ v0, 16)
    v12 = rotr<u64>(v12 ^ v1, 16)
    v13 = rotr<u64>(v13 ^ v2, 16)
    v14 = rotr<u64>(v14 ^ v3, 16)
    v10 += v15
    v11 += v12
    v8 += v13
    v9 += v14
    v5 = rotr<u64>(v5 ^ v10, 63)
    v6 = rotr<u64>(v6 ^ v11, 63)
    v7 = rotr<u64>(v7 ^ v8, 63)
    v4 = rotr<u64>(v4 ^ v9, 63)
    row += 16
    if (row == sigma + 160) row = sigma
  }
  store<u64>(STATE, v0)
  store<u64>(STATE, v1, 8)
  store<u64>(STATE, v2, 16)
  store<u64>(STATE, v3, 24)
  store<u64>(STATE, v4, 32)
  store<u64>(STATE, v5, 40)
  store<u64>(STATE, v6, 48)
  store<u64>(STATE, v7, 56)
  store<u64>(STATE, v8, 64)
  store<u64>(STATE, v9, 72)
  store<u64>(STATE, v10, 80)
  store<u64>(STATE, v11, 88)
  store<u64>(STATE, v12, 96)
  store<u64>(STATE, v13, 104)
  store<u64>(STATE, v14, 112)
  store<u64>(STATE, v15, 120)
}

/** Writes the result after the last round. */
export function finish(): void {
  for (let i: usize = 0; i < 64; i += 8) {
    store<u64>(RESULT + i, load<u64>(INPUT + i, 4) ^ load<u64>(STATE + i) ^ load<u64>(STATE + i, 64))
  }
}
