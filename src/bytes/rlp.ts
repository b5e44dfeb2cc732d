/**
 * Recursive length prefix encoding (Yellow Paper, appendix B). `decodeRlp` uses `@ethereumjs/rlp`, which is strict.
 * `encodeRlp` is faster than the library's encoder, because it computes the length first and writes into one array.
 */
import { RLP } from '@ethereumjs/rlp'

export type RlpInput = Uint8Array | readonly RlpInput[]
export type RlpValue = Uint8Array | RlpValue[]

export function encodeRlp(input: RlpInput): Uint8Array {
  const out = new Uint8Array(encodedLength(input))
  write(input, out, 0)
  return out
}

/** Decodes `bytes`. Throws unless `bytes` is exactly one canonical encoding. */
export function decodeRlp(bytes: Uint8Array): RlpValue {
  return RLP.decode(bytes) as RlpValue
}

/** Decodes like `decodeRlp`, but returns byte strings as views of `bytes`. */
export function viewRlp(bytes: Uint8Array): RlpValue {
  if (bytes.length > 0) {
    const reader = new ViewReader(bytes)
    const value = reader.item(bytes.length)
    if (value !== undefined && reader.at === bytes.length) return value
  }
  return decodeRlp(bytes)
}

class ViewReader {
  readonly #bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Reads the next item, which must end at or before `end`; `undefined` if the item is not canonical. */
  item(end: number): RlpValue | undefined {
    const bytes = this.#bytes
    const first = bytes[this.at++]!
    if (first < 0x80) return bytes.subarray(this.at - 1, this.at)
    const isList = first >= 0xc0
    const length = this.#length(first - (isList ? 0xc0 : 0x80), end)
    const stop = this.at + length
    if (length < 0 || stop > end) return undefined
    if (isList) return this.#items(stop)
    // A single byte below 0x80 must be encoded as itself.
    if (length === 1 && bytes[this.at]! < 0x80) return undefined
    const view = bytes.subarray(this.at, stop)
    this.at = stop
    return view
  }

  #items(end: number): RlpValue[] | undefined {
    const items: RlpValue[] = []
    while (this.at < end) {
      const item = this.item(end)
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }

  /** Returns a payload's length: `short` up to 55, or the number in the next `short` - 55 bytes; -1 if malformed. */
  #length(short: number, end: number): number {
    if (short < 56) return short
    const start = this.at
    this.at += short - 55
    if (this.at > end || this.#bytes[start] === 0) return -1
    let length = 0
    for (let i = start; i < this.at; i++) length = length * 256 + this.#bytes[i]!
    return length < 56 ? -1 : length
  }
}

/** Returns the type byte followed by `payload` (EIP-2718). */
export function withType(type: number, payload: Uint8Array): Uint8Array {
  const typed = new Uint8Array(payload.length + 1)
  typed[0] = type
  typed.set(payload, 1)
  return typed
}

export function encodedLength(input: RlpInput): number {
  if (input instanceof Uint8Array) {
    return input.length === 1 && input[0]! < 0x80 ? 1 : headLength(input.length) + input.length
  }
  const length = payloadLength(input)
  return headLength(length) + length
}

/** Returns the encoded length of `length` bytes. `length` must not be 1, because a byte may be its own encoding. */
export function sizeWithHead(length: number): number {
  return headLength(length) + length
}

/** Returns the encoded length of a quantity below 2^440. */
export function quantitySize(quantity: bigint): number {
  if (quantity < 128n) return 1
  const digits = quantity < 2n ** 32n ? 8 - (Math.clz32(Number(quantity)) >> 2) : quantity.toString(16).length
  return 1 + ((digits + 1) >> 1)
}

function payloadLength(items: readonly RlpInput[]): number {
  let length = 0
  for (const item of items) length += encodedLength(item)
  return length
}

function headLength(length: number): number {
  return length < 56 ? 1 : 1 + lengthOfLength(length)
}

function lengthOfLength(length: number): number {
  if (length < 0x100) return 1
  if (length < 0x10000) return 2
  return length < 0x1000000 ? 3 : 4
}

function write(input: RlpInput, out: Uint8Array, at: number): number {
  if (input instanceof Uint8Array) {
    if (input.length === 1 && input[0]! < 0x80) {
      out[at] = input[0]!
      return at + 1
    }
    const start = writeHead(0x80, input.length, out, at)
    out.set(input, start)
    return start + input.length
  }
  let position = writeHead(0xc0, payloadLength(input), out, at)
  for (const item of input) position = write(item, out, position)
  return position
}

function writeHead(offset: number, length: number, out: Uint8Array, at: number): number {
  if (length < 56) {
    out[at] = offset + length
    return at + 1
  }
  const bytes = lengthOfLength(length)
  out[at] = offset + 55 + bytes
  for (let i = bytes, rest = length; i > 0; i--, rest >>>= 8) out[at + i] = rest & 0xff
  return at + 1 + bytes
}
