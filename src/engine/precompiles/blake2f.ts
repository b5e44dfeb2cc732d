/**
 * BLAKE2F (EIP-152): the compression function F of BLAKE2b (RFC 7693), with any number of rounds.
 *
 * A word of 64 bits is two of 32, the lower first, because BigInt and its products of 64 bits are far slower.
 */
import type { Parts } from '../../crypto/curves/pairingCurve.ts'
import { inParts } from './precompile.ts'

/** The length of an input; calls with another fail. */
export const BLAKE2F_BYTES = 213
/** The rounds between two pauses: some 20 milliseconds. */
const ROUNDS_OF_A_PART = 50_000

/** RFC 7693, 2.6: the fractional parts of square roots. */
const START = Uint32Array.of(
  ...[0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a],
  ...[0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19],
)

/** RFC 7693, 2.7: which words of the message each of the ten kinds of rounds mixes in; hexadecimal digits. */
const SCHEDULE = Uint8Array.from(
  [
    '0123456789abcdef',
    'ea489fd61c02b753',
    'b8c052fdae367194',
    '7931dcbe265a40f8',
    '905724afe1bc683d',
    '2c6a0b834d75fe19',
    'c51fed4a0763928b',
    'db7ec13950f4862a',
    '6fe9b308c2d714a5',
    'a2847615fb9e3cd0',
  ].join(''),
  // Twice the number: the place of the lower half.
  (digit) => 2 * Number.parseInt(digit, 16),
)

/** Takes rounds (4 bytes, big-endian), h (64), m (128), t (16), and whether it is the final block (1). */
export const blake2f = inParts(
  (_, input) => (input.length === BLAKE2F_BYTES ? BigInt(viewOf(input).getUint32(0)) : 0n),
  run,
)

function* run(input: Uint8Array): Parts<Uint8Array> {
  if (input.length !== BLAKE2F_BYTES) return undefined
  const view = viewOf(input)
  const isFinal = view.getUint8(212)
  if (isFinal > 1) return undefined
  const rounds = view.getUint32(0)
  const message = new Uint32Array(32)
  for (let i = 0; i < 32; i++) message[i] = view.getUint32(68 + 4 * i, true)
  const words = new Uint32Array(32)
  for (let i = 0; i < 16; i++) {
    words[i] = view.getUint32(4 + 4 * i, true)
    words[16 + i] = START[i]!
  }
  for (let i = 0; i < 4; i++) words[24 + i]! ^= view.getUint32(196 + 4 * i, true)
  if (isFinal === 1) {
    words[28]! ^= 0xffffffff
    words[29]! ^= 0xffffffff
  }
  for (let round = 0; round < rounds; round += ROUNDS_OF_A_PART) {
    if (round > 0) yield
    mixRounds(words, message, round, Math.min(rounds, round + ROUNDS_OF_A_PART))
  }
  const output = new Uint8Array(64)
  const result = new DataView(output.buffer)
  for (let i = 0; i < 16; i++) {
    result.setUint32(4 * i, view.getUint32(4 + 4 * i, true) ^ words[i]! ^ words[16 + i]!, true)
  }
  return output
}

function mixRounds(words: Uint32Array, message: Uint32Array, first: number, end: number): void {
  for (let round = first; round < end; round++) {
    const at = 16 * (round % 10)
    mix(words, message, 0, 8, 16, 24, SCHEDULE[at]!, SCHEDULE[at + 1]!)
    mix(words, message, 2, 10, 18, 26, SCHEDULE[at + 2]!, SCHEDULE[at + 3]!)
    mix(words, message, 4, 12, 20, 28, SCHEDULE[at + 4]!, SCHEDULE[at + 5]!)
    mix(words, message, 6, 14, 22, 30, SCHEDULE[at + 6]!, SCHEDULE[at + 7]!)
    mix(words, message, 0, 10, 20, 30, SCHEDULE[at + 8]!, SCHEDULE[at + 9]!)
    mix(words, message, 2, 12, 22, 24, SCHEDULE[at + 10]!, SCHEDULE[at + 11]!)
    mix(words, message, 4, 14, 16, 26, SCHEDULE[at + 12]!, SCHEDULE[at + 13]!)
    mix(words, message, 6, 8, 18, 28, SCHEDULE[at + 14]!, SCHEDULE[at + 15]!)
  }
}

/** The function G of RFC 7693, 3.1, on the words at a, b, c and d, with the words x and y of the message. */
function mix(
  v: Uint32Array,
  m: Uint32Array,
  a: number,
  b: number,
  c: number,
  d: number,
  x: number,
  y: number,
): void {
  let [al, ah, bl, bh] = [v[a]! | 0, v[a + 1]! | 0, v[b]! | 0, v[b + 1]! | 0]
  let [cl, ch, dl, dh] = [v[c]! | 0, v[c + 1]! | 0, v[d]! | 0, v[d + 1]! | 0]
  let sum = (al + bl) | 0
  ah = (ah + bh + carry(sum, bl)) | 0
  const xl = m[x]! | 0
  al = (sum + xl) | 0
  ah = (ah + m[x + 1]! + carry(al, xl)) | 0
  let [low, high] = [dl ^ al, dh ^ ah]
  dl = high // rotated right by 32
  dh = low
  sum = (cl + dl) | 0
  ch = (ch + dh + carry(sum, dl)) | 0
  cl = sum
  low = bl ^ cl
  high = bh ^ ch
  bl = (low >>> 24) | (high << 8) // by 24
  bh = (high >>> 24) | (low << 8)
  sum = (al + bl) | 0
  ah = (ah + bh + carry(sum, bl)) | 0
  const yl = m[y]! | 0
  al = (sum + yl) | 0
  ah = (ah + m[y + 1]! + carry(al, yl)) | 0
  low = dl ^ al
  high = dh ^ ah
  dl = (low >>> 16) | (high << 16) // by 16
  dh = (high >>> 16) | (low << 16)
  sum = (cl + dl) | 0
  ch = (ch + dh + carry(sum, dl)) | 0
  cl = sum
  low = bl ^ cl
  high = bh ^ ch
  bl = (high >>> 31) | (low << 1) // by 63
  bh = (low >>> 31) | (high << 1)
  v[a] = al
  v[a + 1] = ah
  v[b] = bl
  v[b + 1] = bh
  v[c] = cl
  v[c + 1] = ch
  v[d] = dl
  v[d + 1] = dh
}

/** Returns what is carried over by a sum of 32 bits, of which one summand was `added`. */
function carry(sum: number, added: number): 0 | 1 {
  return sum >>> 0 < added >>> 0 ? 1 : 0
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}
