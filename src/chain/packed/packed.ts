/** Writes values as consecutive bytes, and reads values from any position. */

import type { ArenaBytes, ByteArena } from '../../bytes/bytes.ts'
import { type Hex, hexOf, toQuantity } from '../../bytes/hex.ts'

/** Writes values into a growing buffer. The buffer is reused after `finish`. */
export class PackWriter {
  #bytes = new Uint8Array(4_096)
  at = 0

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.at++] = value
  }

  setByte(at: number, value: number): void {
    this.#bytes[at] = value
  }

  uint32(value: number): void {
    this.#reserve(4)
    this.at += 4
    this.setUint32(this.at - 4, value)
  }

  setUint32(at: number, value: number): void {
    const bytes = this.#bytes
    bytes[at] = value >>> 24
    bytes[at + 1] = (value >>> 16) & 255
    bytes[at + 2] = (value >>> 8) & 255
    bytes[at + 3] = value & 255
  }

  /** Writes an integer below 2^32 in LEB128, a variable-length encoding. */
  count(value: number): void {
    this.#reserve(5)
    let rest = value
    for (; rest > 127; rest >>>= 7) this.#bytes[this.at++] = (rest & 127) | 128
    this.#bytes[this.at++] = rest
  }

  /** Writes an integer below 2^2040. */
  quantity(value: bigint): void {
    if (value <= MAX_EXACT) this.#number(Number(value))
    else {
      const digits = value.toString(16)
      this.byte((digits.length + 1) >> 1)
      this.#digits(digits.length & 1 ? `0${digits}` : digits, 0)
    }
  }

  /** Writes the length of `bytes`, then `bytes`. */
  bytes(bytes: Uint8Array): void {
    this.count(bytes.length)
    this.raw(bytes)
  }

  /** Writes bytes without their length. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.at)
    this.at += bytes.length
  }

  hex(hex: Hex): void {
    this.#digits(hex, 2)
  }

  /** Copies the written bytes into `memory`, and resets the writer. */
  finish(memory: ByteArena): ArenaBytes {
    const place = memory.keep(this.#bytes.subarray(0, this.at))
    this.at = 0
    // Frees the buffer after a very large block.
    if (this.#bytes.length > MAX_REUSED) this.#bytes = new Uint8Array(4_096)
    return place
  }

  #number(value: number): void {
    let length = 0
    for (let rest = value; rest >= 1; rest /= 256) length++
    this.#reserve(length + 1)
    this.#bytes[this.at] = length
    let rest = value
    for (let i = length; i > 0; i--) {
      this.#bytes[this.at + i] = rest % 256
      rest = Math.floor(rest / 256)
    }
    this.at += length + 1
  }

  #digits(digits: string, from: number): void {
    this.#reserve((digits.length - from) >> 1)
    const bytes = this.#bytes
    let { at } = this
    for (let i = from; i < digits.length; i += 2) {
      bytes[at++] = (digit(digits.charCodeAt(i)) << 4) | digit(digits.charCodeAt(i + 1))
    }
    this.at = at
  }

  #reserve(length: number): void {
    if (this.at + length <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.at + length))
    grown.set(this.#bytes.subarray(0, this.at))
    this.#bytes = grown
  }
}

const MAX_REUSED = 1 << 20
const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER)

export class PackReader {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  byte(): number {
    return this.#bytes[this.at++]!
  }

  uint32(): number {
    this.at += 4
    return uint32At(this.#bytes, this.at - 4)
  }

  count(): number {
    let value = this.byte()
    if (value < 128) return value
    value &= 127
    for (let shift = 7; ; shift += 7) {
      const byte = this.byte()
      value |= (byte & 127) << shift
      if (byte < 128) return value >>> 0
    }
  }

  quantity(): bigint {
    const length = this.byte()
    if (length > 6) return toQuantity(this.raw(length))
    let value = 0
    for (let i = 0; i < length; i++) value = value * 256 + this.byte()
    return BigInt(value)
  }

  skipQuantity(): void {
    this.at += 1 + this.#bytes[this.at]!
  }

  /** Reads a length, then returns a view of that number of bytes. */
  bytes(): Uint8Array {
    return this.raw(this.count())
  }

  skipBytes(): void {
    const length = this.count()
    this.at += length
  }

  raw(length: number): Uint8Array {
    this.at += length
    return this.#bytes.subarray(this.at - length, this.at)
  }

  hex(length: number): Hex {
    this.at += length
    return hexOf(this.#bytes, this.at - length, length)
  }
}

export function uint32At(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
}

function digit(code: number): number {
  return code <= 57 ? code - 48 : code - 87 // 0-9, a-f
}
