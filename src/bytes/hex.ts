/**
 * Converts between hexadecimal text and bytes. Addresses, hashes and topics are lower-case hex strings, because most
 * code only compares them or uses them as map keys. Payloads are `Uint8Array`; quantities are `bigint`.
 */

export type Hex = `0x${string}`
/** A 20-byte address: `0x` and 40 lower-case hex digits. */
export type Address = Hex
/** 32 bytes (a hash, a topic, a root): `0x` and 64 lower-case hex digits. */
export type Hash = Hex

export const ZERO_ADDRESS: Address = `0x${'00'.repeat(20)}`
export const ZERO_HASH: Hash = `0x${'00'.repeat(32)}`
export const EMPTY_BYTES: Uint8Array = new Uint8Array(0)

const BYTE_TO_HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

/** Returns the hex digits of `bytes`, without `0x`. */
export function toDigits(bytes: Uint8Array): string {
  if (SCRATCH !== undefined && bytes.length <= SCRATCH_BYTES) {
    write(bytes, 0, bytes.length, SCRATCH)
    return SCRATCH.toString('latin1', 2, 2 + bytes.length * 2)
  }
  // Buffer's native conversion is about ten times as fast as a loop. Browsers have no Buffer.
  if (typeof Buffer !== 'undefined') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  }
  let digits = ''
  for (const byte of bytes) digits += BYTE_TO_HEX[byte]
  return digits
}

export function toHex(bytes: Uint8Array): Hex {
  return hexOf(bytes, 0, bytes.length)
}

export function hexOf(bytes: Uint8Array, from: number, length: number): Hex {
  if (SCRATCH === undefined || length > SCRATCH_BYTES) {
    return `0x${toDigits(length === bytes.length ? bytes : bytes.subarray(from, from + length))}`
  }
  // Adding "0x" would create a rope string, which takes a quarter more memory and is slow at its first use as a key.
  write(bytes, from, length, SCRATCH)
  return SCRATCH.toString('latin1', 0, 2 + length * 2) as Hex
}

/** Longest input that uses the scratch buffer, in bytes: the length of a hash. Most inputs are hashes or addresses. */
const SCRATCH_BYTES = 32
const SCRATCH = typeof Buffer === 'undefined' ? undefined : Buffer.from(`0x${'00'.repeat(SCRATCH_BYTES)}`)
const HIGH_DIGITS = Uint8Array.from(BYTE_TO_HEX, (digits) => digits.charCodeAt(0))
const LOW_DIGITS = Uint8Array.from(BYTE_TO_HEX, (digits) => digits.charCodeAt(1))

/** Writes the digits of `length` bytes starting at index `from` into `scratch`, after its "0x". */
function write(bytes: Uint8Array, from: number, length: number, scratch: Uint8Array): void {
  let at = 2
  for (let i = from; i < from + length; i++) {
    const byte = bytes[i]!
    scratch[at++] = HIGH_DIGITS[byte]!
    scratch[at++] = LOW_DIGITS[byte]!
  }
}

/** Length in bytes from which Buffer's native conversion is faster than a loop. */
const LONG = 128

/** Decodes `hex`, which must be well-formed and of even length. Functions in `wire/` check external input. */
export function fromHex(hex: Hex): Uint8Array {
  const bytes = new Uint8Array((hex.length - 2) >> 1)
  if (bytes.length >= LONG && typeof Buffer !== 'undefined') {
    Buffer.from(bytes.buffer).write(hex.slice(2), 'hex')
    return bytes
  }
  readDigits(hex, bytes)
  return bytes
}

/** Size in bytes of a buffer that several short-lived byte arrays share. */
const BLOCK = 8192
/** Minimum length of a view of a shared buffer. V8 allocates arrays above 64 bytes outside its heap, which is slow. */
const MIN_SHARED = 65
const MAX_SHARED = 1024
let block = new ArrayBuffer(0)
let blockEnd = 0

/** Decodes hex for short-lived use; `undefined` if `text` is not hex. The result may keep an 8 kB buffer in memory. */
export function shortLivedBytes(text: string): Uint8Array | undefined {
  const length = (text.length - 2) >> 1
  if (length < MIN_SHARED || length > MAX_SHARED) return isHex(text) ? fromHex(text) : undefined
  if (!text.startsWith('0x') || (text.length & 1) === 1) return undefined
  if (blockEnd + length > block.byteLength) {
    block = new ArrayBuffer(BLOCK)
    blockEnd = 0
  }
  const bytes = new Uint8Array(block, blockEnd, length)
  // Checking digits while reading them is cheaper than a regular expression.
  if (!readDigits(text, bytes)) return undefined
  blockEnd += length
  return bytes
}

const NO_DIGIT = 0x80
/** The values of hex digits by ASCII code; `NO_DIGIT` for all other characters. */
const DIGIT_VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? NO_DIGIT : value
})

/** Does not require pairs of digits, because V8's regular expressions fail for millions of repeated groups. */
const DIGITS = /^0x[0-9a-fA-F]*$/

/** Returns whether `text` is `0x` and pairs of hex digits. */
export function isHex(text: string): text is Hex {
  return (text.length & 1) === 0 && DIGITS.test(text)
}

function readDigits(text: string, bytes: Uint8Array): boolean {
  // A character that is not a hex digit sets a bit of `seen` above the lowest four.
  let seen = 0
  for (let i = 0, at = 2; i < bytes.length; i++, at += 2) {
    const first = text.charCodeAt(at)
    const second = text.charCodeAt(at + 1)
    const high = DIGIT_VALUES[first & 0x7f]!
    const low = DIGIT_VALUES[second & 0x7f]!
    seen |= high | low | ((first | second) & ~0x7f)
    bytes[i] = (high << 4) | low
  }
  return seen <= 0xf
}

/** Returns a quantity as 32 big-endian bytes. */
export function toWord(value: bigint): Uint8Array {
  return fromHex(`0x${value.toString(16).padStart(64, '0')}`)
}

/** Returns a quantity as minimal big-endian bytes, as in RLP; zero is an empty array. */
export function toMinimalBytes(value: bigint): Uint8Array {
  if (value === 0n) return EMPTY_BYTES
  if (value < 256n) return Uint8Array.of(Number(value))
  const digits = value.toString(16)
  return fromHex(`0x${digits.length & 1 ? '0' : ''}${digits}`)
}

/** Returns the quantity that big-endian `bytes` encode; an empty array is zero. */
export function toQuantity(bytes: Uint8Array): bigint {
  // Most quantities are small. Up to 6 bytes, a number is exact and faster than a BigInt.
  let start = 0
  while (start < bytes.length && bytes[start] === 0) start++
  if (bytes.length - start <= 6) {
    let value = 0
    for (let i = start; i < bytes.length; i++) value = value * 256 + bytes[i]!
    return BigInt(value)
  }
  return BigInt(`0x${toDigits(start === 0 ? bytes : bytes.subarray(start))}`)
}
