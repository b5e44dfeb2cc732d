/**
 * Code as a compiler wrote it, and which of its bytes a deployed contract may have otherwise: immutables, addresses of libraries,
 * metadata.
 */
import { fromHex } from '../../bytes/hex.ts'
import type { JsonPart } from './jsonPart.ts'
import type { LinkReferences } from './link.ts'
import type { SolcBytecode } from './solcJson.ts'

interface Place {
  readonly start: number
  readonly length: number
}
type Immutables = NonNullable<SolcBytecode['immutableReferences']>

/** Code that a compiler wrote: what it was read from is read when it is asked for. */
export interface WrittenCode {
  /** The number of bytes. */
  readonly size: number
  /** Returns hex digits, with placeholders where libraries are not linked. */
  digits(): string
  linkReferences(): LinkReferences | undefined
  immutables(): Immutables | undefined
}

/** Returns the code in a value; `undefined` where there is none, as of interfaces. */
export function codeOfValue(code: SolcBytecode | undefined): WrittenCode | undefined {
  const digits = typeof code?.object === 'string' ? code.object.replace(/^0x/, '') : ''
  if (digits === '' || digits.length % 2 === 1) return undefined
  return {
    size: digits.length / 2,
    digits: () => digits,
    linkReferences: () => code!.linkReferences,
    immutables: () => code!.immutableReferences,
  }
}

/** Returns the code in a JSON text, where `object` is the hex and the others are the references of solc. */
export function codeOfPart(
  object: JsonPart | undefined,
  linkReferences: JsonPart | undefined,
  immutables: JsonPart | undefined,
): WrittenCode | undefined {
  // A string of hex digits has no escapes: between the quotes two characters are a byte.
  if (object === undefined || !object.has('"')) return undefined
  const prefix = object.has('0x', 1) ? 2 : 0
  const size = (object.size - 2 - prefix) / 2
  if (size === 0 || !Number.isInteger(size)) return undefined
  return {
    size,
    digits: () => String(object.parse()).slice(prefix),
    linkReferences: () => linkReferences?.parse() as LinkReferences | undefined,
    immutables: () => immutables?.parse() as Immutables | undefined,
  }
}

/** How code fits what a compiler wrote: `exactly`, with the same metadata, or `otherwise` the same. */
export type Fit = 'exactly' | 'otherwise'

/** A range of bytes that may differ. */
interface Range {
  readonly start: number
  readonly end: number
  readonly isMetadata: boolean
}

/** What code of one contract looks like, whoever deployed it. */
export class CodePattern {
  readonly #code: WrittenCode
  #read: { readonly bytes: Uint8Array; readonly ranges: readonly Range[] } | undefined

  constructor(code: WrittenCode) {
    this.#code = code
  }

  get size(): number {
    return this.#code.size
  }

  /** The first `length` bytes as a key; `undefined` where some of them may differ, or there are not so many. */
  key(length: number): string | undefined {
    const { bytes, ranges } = this.#parsed
    if (bytes.length < length || ranges.some(({ start }) => start < length)) return undefined
    return keyOf(bytes, length)
  }

  /** Returns how the beginning of `code` fits; `undefined` where it does not. */
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

  /** Whether the code has the hash of the metadata, which is that of sources, settings and the contract's name. */
  get hasMetadata(): boolean {
    return this.#parsed.ranges.some(({ start, end, isMetadata }) => isMetadata && end - start >= 32)
  }

  get #parsed() {
    this.#read ??= parsed(this.#code)
    return this.#read
  }
}

/** Returns the first `length` bytes of code as a key. */
export function keyOf(code: Uint8Array, length: number): string {
  return String.fromCharCode(...code.subarray(0, length))
}

function isSame(one: Uint8Array, other: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (one[i] !== other[i]) return false
  return true
}

/** Placeholders of libraries: since solc 0.5 a hash, before that a name. Both are as long as an address. */
const PLACEHOLDER = /__[\w$.:/\\-]{36}__|__[^_][\w$.:/\\-]{37}/g

/** Code of a library begins with its own address, which says whether it is called by DELEGATECALL: PUSH20 ADDRESS EQ. */
const OWN_ADDRESS = new RegExp(`^73${'0'.repeat(40)}3014`)

const NO_VALUE = new RegExp(`7f${'0'.repeat(64)}`, 'g')

/** The beginning of what metadata says in CBOR, and how many bytes follow: hashes, and the compiler's version. */
const METADATA: readonly { readonly digits: string; readonly length: number }[] = [
  { digits: '64697066735822', length: 34 },
  { digits: '65627a7a72315820', length: 32 },
  { digits: '65627a7a72305820', length: 32 },
  { digits: '64736f6c6343', length: 3 },
]

/** The places in references, which solc groups by source and name, or by declaration. What has another form has none. */
function placesIn(references: unknown): Place[] {
  if (typeof references !== 'object' || references === null) return []
  const { start, length } = references as Partial<Place>
  if (Number.isInteger(start) && Number.isInteger(length)) return [{ start: start!, length: length! }]
  return Object.values(references).flatMap(placesIn)
}

function parsed(code: WrittenCode) {
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
  // Artifacts of Hardhat 2 do not say where immutables stand: where a PUSH32 has no value yet.
  if (immutables === undefined) {
    for (const { index } of digits.matchAll(NO_VALUE)) if (index % 2 === 0) add(index / 2 + 1, 32, false)
  }
  if (OWN_ADDRESS.test(digits)) add(1, 20, false)
  for (const { digits: beginning, length } of METADATA) {
    for (let at = digits.indexOf(beginning); at !== -1; at = digits.indexOf(beginning, at + 1)) {
      if (at % 2 === 0) add((at + beginning.length) / 2, length, true)
    }
  }
  // Whatever else stands there fits no code.
  const isHex = /^[0-9a-f]*$/i.test(digits)
  const isWhole = isHex && digits.length === 2 * code.size
  const bytes = isWhole ? fromHex(`0x${digits.toLowerCase()}`) : new Uint8Array(0)
  return { bytes, ranges: ranges.filter(({ end }) => end <= bytes.length).sort((a, b) => a.start - b.start) }
}
