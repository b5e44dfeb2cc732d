/** Reads large JSON, such as build info. Finds the members named by a shape, and parses a member when it is read. */

import { isRecord } from '../../model/api/arguments.ts'

/** The shapes of the members to find, by name (`*`: all other members); `true` for a value without members to find. */
export type Shape = true | { readonly [member: string]: Shape }

/** A JSON value, parsed or not. */
export interface Json {
  /** The members that the shape names; empty if the value is not an object. */
  readonly members: ReadonlyMap<string, Json>
  /** Returns the value at a path of members. */
  at(...path: readonly string[]): Json | undefined
  /** Number of bytes in a hex string, with or without `0x`; `undefined` if the value is not a string. */
  readonly hexBytes: number | undefined
  /** Returns the parsed value; `undefined` for invalid JSON. */
  parse(): unknown
}

export class JsonSlice implements Json {
  readonly #bytes: Uint8Array
  readonly #start: number
  readonly #end: number
  readonly members: ReadonlyMap<string, JsonSlice>

  constructor(bytes: Uint8Array, start: number, end: number, members: ReadonlyMap<string, JsonSlice>) {
    this.#bytes = bytes
    this.#start = start
    this.#end = end
    this.members = members
  }

  at(...path: readonly string[]): JsonSlice | undefined {
    let part: JsonSlice | undefined = this
    for (const name of path) part = part?.members.get(name)
    return part
  }

  get hexBytes(): number | undefined {
    if (this.#bytes[this.#start] !== QUOTE) return undefined
    // Hex strings contain no escapes, so each digit is one byte of the text.
    const isPrefixed = utf8.decode(this.#bytes.subarray(this.#start + 1, this.#start + 3)) === '0x'
    return (this.#end - this.#start - 2) / 2 - (isPrefixed ? 1 : 0)
  }

  parse(): unknown {
    try {
      return JSON.parse(utf8.decode(this.#bytes.subarray(this.#start, this.#end)))
    } catch {
      return undefined
    }
  }
}

const utf8 = new TextDecoder()

export class JsonValue implements Json {
  readonly #value: unknown

  constructor(value: unknown) {
    this.#value = value
  }

  get members(): ReadonlyMap<string, Json> {
    const entries = isRecord(this.#value) ? Object.entries(this.#value) : []
    return new Map(entries.map(([name, value]) => [name, new JsonValue(value)]))
  }

  at(...path: readonly string[]): Json | undefined {
    let value = this.#value
    for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
    return value === undefined ? undefined : new JsonValue(value)
  }

  get hexBytes(): number | undefined {
    return typeof this.#value === 'string' ? this.#value.replace(/^0x/, '').length / 2 : undefined
  }

  parse(): unknown {
    return this.#value
  }
}

/** Returns the JSON value in `bytes`; `undefined` for invalid or truncated JSON. */
export function sliceJson(bytes: Uint8Array, shape: Shape): JsonSlice | undefined {
  const skimmer = new Skimmer(bytes)
  try {
    return skimmer.whole(shape)
  } catch (error) {
    if (error === BROKEN) return undefined
    throw error
  }
}

const BROKEN = Symbol('broken JSON')

const NO_MEMBERS: ReadonlyMap<string, JsonSlice> = new Map()

const QUOTE = 0x22

const BACKSLASH = 0x5c

const COLON = 0x3a

const COMMA = 0x2c

const OPEN_BRACE = 0x7b

const CLOSE_BRACE = 0x7d

const OPEN_BRACKET = 0x5b

const CLOSE_BRACKET = 0x5d

/** The length of a string, in bytes, from which `indexOf` is faster than a loop. */
const LONG_STRING = 48

class Skimmer {
  readonly #bytes: Uint8Array
  readonly #end: number
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#end = bytes.length
  }

  whole(shape: Shape): JsonSlice {
    // Skips a byte order mark, which some editors on Windows write at the beginning of files.
    if (this.#bytes[0] === 0xef && this.#bytes[1] === 0xbb && this.#bytes[2] === 0xbf) this.#at = 3
    const part = this.#value(shape)
    this.#skipSpace()
    if (this.#at !== this.#end) throw BROKEN
    return part
  }

  #value(shape: Shape): JsonSlice {
    this.#skipSpace()
    const start = this.#at
    const isNoted = shape !== true && this.#bytes[start] === OPEN_BRACE
    const members = isNoted ? this.#members(shape) : NO_MEMBERS
    if (!isNoted) this.#skipValue()
    return new JsonSlice(this.#bytes, start, this.#at, members)
  }

  #members(shape: Exclude<Shape, true>): ReadonlyMap<string, JsonSlice> {
    const members = new Map<string, JsonSlice>()
    this.#at++
    this.#skipSpace()
    if (this.#bytes[this.#at] === CLOSE_BRACE) {
      this.#at++
      return members
    }
    for (;;) {
      const name = this.#name()
      this.#skipSpace()
      if (this.#bytes[this.#at++] !== COLON) throw BROKEN
      const wanted = Object.hasOwn(shape, name) ? shape[name] : shape['*']
      if (wanted === undefined) {
        this.#skipSpace()
        this.#skipValue()
      } else {
        members.set(name, this.#value(wanted))
      }
      this.#skipSpace()
      const next = this.#bytes[this.#at++]
      if (next === CLOSE_BRACE) return members
      if (next !== COMMA) throw BROKEN
    }
  }

  #name(): string {
    this.#skipSpace()
    const start = this.#at
    if (this.#bytes[start] !== QUOTE) throw BROKEN
    this.#skipString()
    const name = new JsonSlice(this.#bytes, start, this.#at, NO_MEMBERS).parse()
    if (typeof name !== 'string') throw BROKEN
    return name
  }

  #skipSpace(): void {
    // In valid JSON all characters up to 0x20 between values are white space.
    while (this.#at < this.#end && this.#bytes[this.#at]! <= 0x20) this.#at++
  }

  #skipValue(): void {
    const bytes = this.#bytes
    switch (bytes[this.#at]) {
      case undefined:
        throw BROKEN
      case QUOTE:
        this.#skipString()
        return
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#skipNested()
        return
    }
    const start = this.#at
    while (this.#at < this.#end) {
      const byte = bytes[this.#at]!
      if (byte <= 0x20 || byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) break
      this.#at++
    }
    if (this.#at === start) throw BROKEN
  }

  #skipNested(): void {
    const bytes = this.#bytes
    let depth = 0
    for (let at = this.#at; at < this.#end; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) {
        this.#at = at
        this.#skipString()
        at = this.#at - 1
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth++
      } else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) {
        this.#at = at + 1
        return
      }
    }
    throw BROKEN
  }

  #skipString(): void {
    const bytes = this.#bytes
    const near = Math.min(this.#end, this.#at + LONG_STRING)
    let at = this.#at + 1
    while (at < near) {
      const byte = bytes[at]!
      if (byte === QUOTE) {
        this.#at = at + 1
        return
      }
      at += byte === BACKSLASH ? 2 : 1
    }
    for (;;) {
      const quote = bytes.indexOf(QUOTE, at)
      if (quote === -1) throw BROKEN
      let escapes = 0
      while (quote - escapes > at && bytes[quote - escapes - 1] === BACKSLASH) escapes++
      at = quote + 1
      if (escapes % 2 === 1) continue
      this.#at = at
      return
    }
  }
}
