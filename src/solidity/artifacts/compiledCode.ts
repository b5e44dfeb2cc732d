/** Bytecode from a compiler, and its ranges that differ in deployed code: immutables, library addresses, metadata. */

import { fromHex } from '../../bytes/hex.ts'
import type { Json } from './jsonSlice.ts'
import type { LinkReferences } from './link.ts'
import type { SolcBytecode } from './solcJson.ts'

interface Place {
  readonly start: number
  readonly length: number
}

type Immutables = NonNullable<SolcBytecode['immutableReferences']>

export interface CompiledCode {
  /** Length of the code in bytes. */
  readonly size: number
  /** Returns the code as hex digits without `0x`. The digits may contain placeholders of unlinked libraries. */
  digits(): string
  linkReferences(): LinkReferences | undefined
  immutables(): Immutables | undefined
}

/** Returns bytecode from a compiler's JSON, with link and immutable references; `undefined` for interfaces. */
export function compiledCodeIn(
  object: Json | undefined,
  linkReferences: Json | undefined,
  immutables: Json | undefined,
): CompiledCode | undefined {
  const size = object?.hexBytes
  if (object === undefined || !size || !Number.isInteger(size)) return undefined
  return {
    size,
    digits: () => String(object.parse()).replace(/^0x/, ''),
    linkReferences: () => linkReferences?.parse() as LinkReferences | undefined,
    immutables: () => immutables?.parse() as Immutables | undefined,
  }
}

/** How deployed code matches compiled code: with equal metadata (`exactly`) or not. */
export type Fit = 'exactly' | 'otherwise'

interface Range {
  readonly start: number
  readonly end: number
  readonly isMetadata: boolean
}

/** A contract's code and the ranges in which deployed code may differ. */
export class CodePattern {
  readonly #code: CompiledCode
  #read: { readonly bytes: Uint8Array; readonly ranges: readonly Range[] } | undefined

  constructor(code: CompiledCode) {
    this.#code = code
  }

  get size(): number {
    return this.#code.size
  }

  /** Returns the first `length` bytes as a string; `undefined` if there are fewer or deployed code may differ there. */
  key(length: number): string | undefined {
    const { bytes, ranges } = this.#parsed
    if (bytes.length < length || ranges.some(({ start }) => start < length)) return undefined
    return keyOf(bytes, length)
  }

  /** Returns how the beginning of `code` matches this code; `undefined` if it differs. */
  fit(code: Uint8Array): Fit | undefined {
    const { bytes, ranges } = this.#parsed
    if (bytes.length === 0 || code.length < bytes.length) return undefined
    let at = 0
    for (const { start, end } of ranges) {
      if (!isSame(bytes, code, at, start)) return undefined
      at = Math.max(at, end)
    }
    if (!isSame(bytes, code, at, bytes.length)) return undefined
    const isExact = ranges.every(
      ({ start, end, isMetadata }) => !isMetadata || isSame(bytes, code, start, end),
    )
    return isExact ? 'exactly' : 'otherwise'
  }

  /** Whether the code contains the metadata hash, which covers sources, settings and the contract's name. */
  get hasMetadata(): boolean {
    return this.#parsed.ranges.some(({ start, end, isMetadata }) => isMetadata && end - start >= 32)
  }

  get #parsed() {
    this.#read ??= parsed(this.#code)
    return this.#read
  }
}

export function keyOf(code: Uint8Array, length: number): string {
  return String.fromCharCode(...code.subarray(0, length))
}

function isSame(one: Uint8Array, other: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (one[i] !== other[i]) return false
  return true
}

/** Matches the placeholder of an unlinked library, which has 40 characters: a hash since solc 0.5, a name before. */
const PLACEHOLDER = /__[\w$.:/\\-]{36}__|__[^_][\w$.:/\\-]{37}/g

/** Matches the start of a library's code, which detects direct calls: PUSH20 with its own address, ADDRESS, EQ. */
const OWN_ADDRESS = new RegExp(`^73${'0'.repeat(40)}3014`)

const NO_VALUE = new RegExp(`7f${'0'.repeat(64)}`, 'g')

/** CBOR keys of the metadata in hex, and the length of each value in bytes. */
const METADATA: readonly { readonly digits: string; readonly length: number }[] = [
  { digits: '64697066735822', length: 34 },
  { digits: '65627a7a72315820', length: 32 },
  { digits: '65627a7a72305820', length: 32 },
  { digits: '64736f6c6343', length: 3 },
]

/** Returns the byte ranges in solc's link references or immutable references; empty for other values. */
function placesIn(references: unknown): Place[] {
  if (typeof references !== 'object' || references === null) return []
  const { start, length } = references as Partial<Place>
  if (Number.isInteger(start) && Number.isInteger(length)) return [{ start: start!, length: length! }]
  return Object.values(references).flatMap(placesIn)
}

function parsed(code: CompiledCode) {
  const ranges: Range[] = []
  const add = (start: number, length: number, isMetadata: boolean) => {
    ranges.push({ start, end: start + length, isMetadata })
  }
  const immutables = code.immutables()
  for (const { start, length } of [...placesIn(code.linkReferences()), ...placesIn(immutables)]) {
    add(start, length, false)
  }
  const digits = code.digits().replace(PLACEHOLDER, (_, at: number) => {
    if (at % 2 === 0) add(at / 2, 20, false)
    return '0'.repeat(40)
  })
  // Artifacts of Hardhat 2 lack immutable references: any PUSH32 of zero may be an immutable.
  if (immutables === undefined) {
    for (const { index } of digits.matchAll(NO_VALUE)) if (index % 2 === 0) add(index / 2 + 1, 32, false)
  }
  if (OWN_ADDRESS.test(digits)) add(1, 20, false)
  for (const { digits: beginning, length } of METADATA) {
    for (let at = digits.indexOf(beginning); at !== -1; at = digits.indexOf(beginning, at + 1)) {
      if (at % 2 === 0) add((at + beginning.length) / 2, length, true)
    }
  }
  // Code with characters other than hex digits matches nothing.
  const isHex = /^[0-9a-f]*$/i.test(digits)
  const isWhole = isHex && digits.length === 2 * code.size
  const bytes = isWhole ? fromHex(`0x${digits.toLowerCase()}`) : new Uint8Array(0)
  return { bytes, ranges: ranges.filter(({ end }) => end <= bytes.length).sort((a, b) => a.start - b.start) }
}
