/** Executed code of a process, with the hits of each instruction, and the hits of coverage items. */
import { type HitCollector, type HitCounts, hitsOf } from '../../engine/hits.ts'
import type { SourceRange } from '../source/instructions.ts'
import type { BranchItem, FunctionItem, Step } from './items.ts'
import type { Hits, MeasuredFile, Way } from './measuredCode.ts'

/** The hits of one code. */
export interface CodeHits {
  /** The same for the same code in all processes. */
  readonly key: string
  readonly isCreation: boolean
  /** For creations, without constructor arguments where the metadata mark the end of the code. */
  readonly code: Uint8Array
  /** Executions by pc. */
  readonly hits: Float64Array
}

interface Collected {
  readonly code: Uint8Array
  readonly isCreation: boolean
  readonly counts: HitCounts
}

/** Collects hits from engines. Creations with different arguments count as one code. */
export class CollectedCode implements HitCollector {
  readonly #codes = new Map<number, Collected[]>()

  countsOf(code: Uint8Array, isCreation: boolean): HitCounts {
    const compared = isCreation ? code.subarray(0, endOfMetadata(code)) : code
    const mixed = mixOf(compared, isCreation)
    const alike = this.#codes.get(mixed)
    const known = alike?.find((one) => one.isCreation === isCreation && isSame(one.code, compared))
    if (known !== undefined) return known.counts
    const counts = new Float64Array(compared.length)
    const made = { code: compared.slice(), isCreation, counts }
    if (alike === undefined) this.#codes.set(mixed, [made])
    else alike.push(made)
    return counts
  }

  /** Returns the hits that engines have reported so far. */
  hits(): CodeHits[] {
    return [...this.#codes.values()].flat().map(({ code, isCreation, counts }) => ({
      key: `${isCreation ? 'creation' : 'runtime'}-${mixOf(code, isCreation).toString(16)}-${hashOf(code)}`,
      isCreation,
      code,
      hits: hitsOf(code, counts),
    }))
  }
}

/** The end of the metadata: `solc`, three bytes of version, two bytes of length. */
const SOLC = [0x64, 0x73, 0x6f, 0x6c, 0x63, 0x43] as const
const METADATA_END = SOLC.length + 5

/** Returns the end of the last metadata in creation code, where arguments begin, or the code's end. */
function endOfMetadata(code: Uint8Array): number {
  for (let at = code.length - METADATA_END; at >= 0; at--) {
    if (code[at] === SOLC[0] && SOLC.every((byte, i) => code[at + i] === byte)) return at + METADATA_END
  }
  return code.length
}

/** Bytes that enter a key: more cost time, and candidates are compared in full. */
const MIXED = 64

function mixOf(code: Uint8Array, isCreation: boolean): number {
  let mixed = code.length * 2 + (isCreation ? 1 : 0)
  const step = Math.max(1, Math.floor(code.length / MIXED))
  for (let i = code.length - 1; i >= 0; i -= step) mixed = Math.imul(mixed ^ code[i]!, 0x01000193) >>> 0
  return mixed
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** 32-bit FNV-1a. */
function hashOf(code: Uint8Array): string {
  let hash = 0x811c9dc5
  for (const byte of code) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return `${hash.toString(16)}-${code.length}`
}

/** The hits of each code, by its key: an array that alternates pc and hits. */
export type WrittenHits = Readonly<Record<string, readonly number[]>>

/** Returns the hits in this form, without instructions that were never executed. */
export function writtenHits(all: readonly CodeHits[]): WrittenHits {
  return Object.fromEntries(
    all.map(({ key, hits }) => [
      key,
      [...hits.entries()].flatMap(([pc, count]) => (count === 0 ? [] : [pc, count])),
    ]),
  )
}

/** Adds up the hits of each code. `codeOf` returns the code for a key; hits without a code are left out. */
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

export function plus(a: Hits, b: Hits): Hits {
  return a === undefined ? b : b === undefined ? a : a + b
}

/**
 * Returns a function's hits: the most of its entry, its first statement and its modifiers; without any of
 * these, of the instructions with the whole function's range.
 */
export function functionHits(code: MeasuredFile, one: FunctionItem): Hits {
  const { range, head, steps, isYul } = one
  const first = firstHits(code, steps)
  // The code of an assembly function stands inline and is jumped over.
  if (isYul) return first
  const told = [code.hitsOfEntry(range), first, code.hitsIn(head)].filter((hits) => hits !== undefined)
  return told.length === 0 ? code.hitsOfWhole(range) : Math.max(...told)
}

/** Returns the hits of the first statement with instructions. */
export function firstHits(code: MeasuredFile, steps: readonly Step[]): Hits {
  for (const step of steps) {
    const hits = firstHitsOf(code, step)
    if (hits !== undefined) return hits
  }
  return undefined
}

function firstHitsOf(code: MeasuredFile, step: Step): Hits {
  switch (step.kind) {
    case 'statement':
      return code.hitsIn(step.statement.range)
    case 'assembly':
      return firstHits(code, step.steps) ?? code.hitsIn(step.statement.range)
    case 'loop':
      return firstHits(code, step.body)
    default:
      return undefined
  }
}

/** Returns the hits of each path; `inside`: of the first statement with instructions in each. */
export function pathHits(code: MeasuredFile, branch: BranchItem, inside: readonly Hits[] = []): Hits[] {
  const { kind, range, paths } = branch
  switch (kind) {
    case 'if':
      return eitherHits(code, branch, inside)
    case 'require':
      return requireHits(code, range)
    default: {
      const within = paths.map((path, i) => inside[i] ?? (path && code.hitsIn(path)))
      return kind === 'cond-expr' ? eitherHits(code, branch, within) : within
    }
  }
}

/** Returns how often a condition was true and false, by its paths or the conditional jump. */
function eitherHits(
  code: MeasuredFile,
  { range, paths: [yes] }: BranchItem,
  inside: readonly Hits[],
): Hits[] {
  if (inside[0] !== undefined && inside[1] !== undefined) return [...inside]
  let told: [Hits, Hits] = [undefined, undefined]
  for (const { push, taken, next } of code.waysFrom(range)) {
    const isTakenYes =
      yes !== undefined &&
      (code.comesFrom(push, yes) || (code.leadsInto(taken.to, yes) && !code.leadsInto(next.to, yes)))
    const [is, isNot] = isTakenYes ? [taken, next] : [next, taken]
    told = [plus(told[0], is.hits), plus(told[1], isNot.hits)]
  }
  return [inside[0] ?? told[0], inside[1] ?? told[1]]
}

/** Returns how often a requirement failed and held, by its jump or the call of a generated check. */
function requireHits(code: MeasuredFile, range: SourceRange): Hits[] {
  let failed: Hits
  let held: Hits
  for (const { taken, next } of code.waysFrom(range)) {
    const isTakenFailure = code.fails(taken.to) && !code.fails(next.to)
    const [failure, pass]: [Way, Way] = isTakenFailure ? [taken, next] : [next, taken]
    failed = plus(failed, failure.hits)
    held = plus(held, pass.hits)
  }
  if (held !== undefined) return [failed, held]
  for (const { begun, ended } of code.callsFrom(range)) {
    failed = plus(failed, begun - ended)
    held = plus(held, ended)
  }
  return [failed, held]
}
