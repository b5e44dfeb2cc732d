/**
 * Parts of a JSON text, found without parsing it: what compilers write has tens of megabytes, of which a failure needs a few
 * kilobytes. A pass over the bytes notes where the members stand that a shape names; each is parsed when it is asked for.
 */

/** Which members are noted: by name, `*` for all others; `true`: the value as a whole. */
export type Shape = true | { readonly [member: string]: Shape }

/** A value in a JSON text. */
export class JsonPart {
  readonly #bytes: Uint8Array
  readonly #start: number
  readonly #end: number
  /** The members that the shape named; none for a value that is no object. */
  readonly members: ReadonlyMap<string, JsonPart>

  constructor(bytes: Uint8Array, start: number, end: number, members: ReadonlyMap<string, JsonPart>) {
    this.#bytes = bytes
    this.#start = start
    this.#end = end
    this.members = members
  }

  /** Returns the part that a path of members leads to. */
  at(...path: readonly string[]): JsonPart | undefined {
    let part: JsonPart | undefined = this
    for (const name of path) part = part?.members.get(name)
    return part
  }

  /** The number of bytes in the text. */
  get size(): number {
    return this.#end - this.#start
  }

  /** Returns whether the text begins with `ascii` at `offset` bytes from its beginning. */
  has(ascii: string, offset = 0): boolean {
    for (let i = 0; i < ascii.length; i++) {
      if (this.#bytes[this.#start + offset + i] !== ascii.charCodeAt(i)) return false
    }
    return true
  }

  /** Returns the value; `undefined` where the text is no JSON. */
  parse(): unknown {
    try {
      return JSON.parse(utf8.decode(this.#bytes.subarray(this.#start, this.#end)))
    } catch {
      return undefined
    }
  }
}

const utf8 = new TextDecoder()

/** Returns the parts of the JSON text in `bytes`; `undefined` where it is no JSON, or was cut off. */
export function jsonParts(bytes: Uint8Array, shape: Shape): JsonPart | undefined {
  const skimmer = new Skimmer(bytes)
  try {
    return skimmer.whole(shape)
  } catch (error) {
    if (error === BROKEN) return undefined
    throw error
  }
}

/** Thrown inside this file where the text ends early. */
const BROKEN = Symbol('broken JSON')
const NO_MEMBERS: ReadonlyMap<string, JsonPart> = new Map()

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
/** From this length on, a native search finds the end of a string sooner than a loop. */
const LONG_STRING = 48

class Skimmer {
  readonly #bytes: Uint8Array
  readonly #end: number
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#end = bytes.length
  }

  whole(shape: Shape): JsonPart {
    // A byte order mark, which editors on Windows write.
    if (this.#bytes[0] === 0xef && this.#bytes[1] === 0xbb && this.#bytes[2] === 0xbf) this.#at = 3
    const part = this.#value(shape)
    this.#skipSpace()
    if (this.#at !== this.#end) throw BROKEN
    return part
  }

  #value(shape: Shape): JsonPart {
    this.#skipSpace()
    const start = this.#at
    const isNoted = shape !== true && this.#bytes[start] === OPEN_BRACE
    const members = isNoted ? this.#members(shape) : NO_MEMBERS
    if (!isNoted) this.#skipValue()
    return new JsonPart(this.#bytes, start, this.#at, members)
  }

  #members(shape: Exclude<Shape, true>): ReadonlyMap<string, JsonPart> {
    const members = new Map<string, JsonPart>()
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
    const name = new JsonPart(this.#bytes, start, this.#at, NO_MEMBERS).parse()
    if (typeof name !== 'string') throw BROKEN
    return name
  }

  #skipSpace(): void {
    // A space, a tab, a line's end: nothing else up to 0x20 is allowed between values.
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
