/**
 * Generates `assembly/blake2f.ts` when the engine is compiled: the compression function F of BLAKE2b (RFC 7693, section
 * 3.2) for BLAKE2F (EIP-152), as a separate module that `precompiles/blake2f.ts` calls. The caller runs the rounds in
 * parts, because a call of BLAKE2F may request 2^32 - 1 rounds, which take minutes.
 */

/** For each round, the message words in the order of their use (section 2.7). */
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]

const WORDS = Array.from({ length: 16 }, (_, i) => i)

/** The state words that the four mixing functions of a half round change: columns, then diagonals. */
const COLUMNS = [0, 1, 2, 3].map((i) => [i, 4 + i, 8 + i, 12 + i] as const)
const DIAGONALS = [0, 1, 2, 3].map(
  (i) => [i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4)] as const,
)

/** Returns the code of the functions G (section 3.1) of a half round. `first`: the index of the first message word. */
function halfRound(quarters: typeof COLUMNS, first: number): string[] {
  const half = (offset: number, rotations: readonly [d: number, b: number]) => [
    ...quarters.map(([a, b], i) => `v${a} += v${b} + word(message, row, ${first + 2 * i + offset})`),
    ...quarters.map(([a, , , d]) => `v${d} = rotr<u64>(v${d} ^ v${a}, ${rotations[0]})`),
    ...quarters.map(([, , c, d]) => `v${c} += v${d}`),
    ...quarters.map(([, b, c]) => `v${b} = rotr<u64>(v${b} ^ v${c}, ${rotations[1]})`),
  ]
  return [...half(0, [32, 24]), ...half(1, [16, 63])]
}

export function generateBlake2f(): string {
  return `
/** \`SIGMA\` as byte offsets of the message words. */
const sigma = memory.data<u8>([${SIGMA.flat().map((word) => 8 * word)}])

/** The input (213 bytes), the sixteen words of the state, and the result (64 bytes). */
export const INPUT = memory.data(213, 16)
export const STATE = memory.data(128, 16)
export const RESULT = memory.data(64, 16)

/** Writes the state before the first round. The caller has checked that the last byte of the input is 0 or 1. */
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

@inline
function word(message: usize, row: usize, place: usize): u64 {
  return load<u64>(message + load<u8>(row + place))
}

export function mix(from: u32, to: u32): void {
  const message = INPUT + 68
  ${WORDS.map((i) => `let v${i} = load<u64>(STATE, ${8 * i})`).join('\n  ')}
  let row = sigma + ((<usize>(from % 10)) << 4)
  for (let round = from; round < to; round++) {
    ${[...halfRound(COLUMNS, 0), ...halfRound(DIAGONALS, 8)].join('\n    ')}
    row += 16
    if (row == sigma + 160) row = sigma
  }
  ${WORDS.map((i) => `store<u64>(STATE, v${i}, ${8 * i})`).join('\n  ')}
}

export function finish(): void {
  for (let i: usize = 0; i < 64; i += 8) {
    store<u64>(RESULT + i, load<u64>(INPUT + i, 4) ^ load<u64>(STATE + i) ^ load<u64>(STATE + i, 64))
  }
}
`
}
