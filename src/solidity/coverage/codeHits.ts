/** Collects the code that a process executes, with the hits of each instruction. */

import { areEqual } from '../../bytes/bytes.ts'
import { type HitCollector, type HitCounts, hitsOf } from '../../engine/hits.ts'

export interface CodeHits {
  /** An identifier of the code, the same in all processes. */
  readonly key: string
  readonly isCreation: boolean
  /** Runtime code or init code. Constructor arguments are removed from init code if metadata shows where they begin. */
  readonly code: Uint8Array
  /** Number of executions of each instruction, by pc. */
  readonly hits: Float64Array
}

export interface Collected {
  readonly code: Uint8Array
  readonly isCreation: boolean
  readonly counts: HitCounts
}

/** Collects hits from engines. Creations that differ only in constructor arguments count as the same code. */
export class CollectedCode implements HitCollector {
  readonly #codes = new Map<number, Collected[]>()

  countsOf(code: Uint8Array, isCreation: boolean): HitCounts {
    const compared = isCreation ? code.subarray(0, endOfMetadata(code)) : code
    const mixed = mixOf(compared, isCreation)
    const alike = this.#codes.get(mixed) ?? []
    const known = alike.find((one) => one.isCreation === isCreation && areEqual(one.code, compared))
    if (known !== undefined) return known.counts
    const counts = new Float64Array(compared.length)
    this.#codes.set(mixed, [...alike, { code: compared.slice(), isCreation, counts }])
    return counts
  }

  codes(): Collected[] {
    return [...this.#codes.values()].flat()
  }

  hits(): CodeHits[] {
    return this.codes().map(({ code, isCreation, counts }) => ({
      key: codeKey(code, isCreation),
      isCreation,
      code,
      hits: hitsOf(code, counts),
    }))
  }
}

/** Returns an identifier of the code, the same in all processes. */
export function codeKey(code: Uint8Array, isCreation: boolean): string {
  return `${isCreation ? 'creation' : 'runtime'}-${mixOf(code, isCreation).toString(16)}-${hashOf(code)}`
}

/** The key `solc` in CBOR. Three bytes of version and two bytes of length follow. */
const SOLC = [0x64, 0x73, 0x6f, 0x6c, 0x63, 0x43] as const
const METADATA_END = SOLC.length + 5

/** Returns the offset of constructor arguments in init code: after the last metadata, otherwise the end of `code`. */
function endOfMetadata(code: Uint8Array): number {
  for (let at = code.length - METADATA_END; at >= 0; at--) {
    if (code[at] === SOLC[0] && SOLC.every((byte, i) => code[at + i] === byte)) return at + METADATA_END
  }
  return code.length
}

/** Number of bytes to hash. Few bytes are enough, because bytecodes with equal hashes are compared in full. */
const MIXED = 64

function mixOf(code: Uint8Array, isCreation: boolean): number {
  let mixed = code.length * 2 + (isCreation ? 1 : 0)
  const step = Math.max(1, Math.floor(code.length / MIXED))
  for (let i = code.length - 1; i >= 0; i -= step) mixed = Math.imul(mixed ^ code[i]!, 0x01000193) >>> 0
  return mixed
}

/** Returns a 32-bit FNV-1a hash and the length. */
function hashOf(code: Uint8Array): string {
  let hash = 0x811c9dc5
  for (const byte of code) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return `${hash.toString(16)}-${code.length}`
}

/** The hits of each bytecode by its key, as an array in which pc and hits alternate. */
export type WrittenHits = Readonly<Record<string, readonly number[]>>

/** Returns the hits by key, without instructions that were never executed. */
export function writtenHits(all: readonly CodeHits[]): WrittenHits {
  return Object.fromEntries(
    all.map(({ key, hits }) => [
      key,
      [...hits.entries()].flatMap(([pc, count]) => (count === 0 ? [] : [pc, count])),
    ]),
  )
}

/** Adds up the hits of each bytecode. `codeOf` returns the bytecode of a key; keys without bytecode are omitted. */
export function readHits(
  written: Iterable<WrittenHits>,
  codeOf: (key: string) => Uint8Array | undefined,
): CodeHits[] {
  const read = new Map<string, CodeHits>()
  for (const one of written) {
    for (const [key, pairs] of Object.entries(one)) {
      let sum = read.get(key)
      if (sum === undefined) {
        const code = codeOf(key)
        if (code === undefined) continue
        sum = { key, code, isCreation: key.startsWith('creation'), hits: new Float64Array(code.length) }
        read.set(key, sum)
      }
      for (let i = 0; i < pairs.length; i += 2) sum.hits[pairs[i]!]! += pairs[i + 1]!
    }
  }
  return [...read.values()]
}
