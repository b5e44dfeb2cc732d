/** The code that ran in a process, and how often each of its instructions did. */
import { type HitCollector, type HitCounts, hitsOf } from '../../engine/hits.ts'
import type { SourceRange } from '../source/instructions.ts'
import type { BranchItem, FunctionItem, Step } from './items.ts'
import type { Hits, MeasuredFile, Way } from './measuredCode.ts'

/** What ran of one code. */
export interface CodeHits {
  /** The key is the same for the same code in all processes. */
  readonly key: string
  readonly isCreation: boolean
  /** In a creation without the constructor's arguments, where metadata tell where they begin. */
  readonly code: Uint8Array
  /** How often each instruction was begun, by its position in the code. */
  readonly hits: Float64Array
}

interface Collected {
  readonly code: Uint8Array
  readonly isCreation: boolean
  readonly counts: HitCounts
}

/** Collects hits from engines. Creations of one contract with different arguments are one code. */
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

  /** Returns what ran so far, as far as engines have reported it. */
  hits(): CodeHits[] {
    return [...this.#codes.values()].flat().map(({ code, isCreation, counts }) => ({
      key: `${isCreation ? 'creation' : 'runtime'}-${mixOf(code, isCreation).toString(16)}-${hashOf(code)}`,
      isCreation,
      code,
      hits: hitsOf(code, counts),
    }))
  }
}

/** `solc`, three bytes of its version, and the length of the metadata: their last bytes. */
const SOLC = [0x64, 0x73, 0x6f, 0x6c, 0x63, 0x43] as const
const METADATA_END = SOLC.length + 5

/** Returns the end of the last metadata in creation code: arguments follow. Without metadata all is code. */
function endOfMetadata(code: Uint8Array): number {
  for (let at = code.length - METADATA_END; at >= 0; at--) {
    if (code[at] === SOLC[0] && SOLC.every((byte, i) => code[at + i] === byte)) return at + METADATA_END
  }
  return code.length
}

/** The bytes that are mixed into a key: more of them take longer, and what is found is compared whole. */
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

/** FNV-1a with 32 bits, over all bytes. */
function hashOf(code: Uint8Array): string {
  let hash = 0x811c9dc5
  for (const byte of code) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return `${hash.toString(16)}-${code.length}`
}

/** What ran of a code, without the code: pairs of a position and its hits. */
export type WrittenHits = Readonly<Record<string, readonly number[]>>

/** Returns the hits by key, without those that are 0. */
export function writtenHits(all: readonly CodeHits[]): WrittenHits {
  return Object.fromEntries(
    all.map(({ key, hits }) => [
      key,
      [...hits.entries()].flatMap(([pc, count]) => (count === 0 ? [] : [pc, count])),
    ]),
  )
}

/** Returns the hits in `written` together, with the code that `codeOf` returns for a key. */
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

/** Returns the sum of what is known. */
export function plus(a: Hits, b: Hits): Hits {
  return a === undefined ? b : b === undefined ? a : a + b
}

/**
 * Returns the hits of a function: it ran as often as it was entered, or its first statement or its modifiers ran; where nothing of these is left, as the
 * instructions that come from all of it.
 */
export function functionHits(code: MeasuredFile, one: FunctionItem): Hits {
  const { range, head, steps, isYul } = one
  const first = firstHits(code, steps)
  // The code of a function in assembly stands where it is written, and is jumped over.
  if (isYul) return first
  const told = [code.hitsOfEntry(range), first, code.hitsIn(head)].filter((hits) => hits !== undefined)
  return told.length === 0 ? code.hitsOfWhole(range) : Math.max(...told)
}

/** Returns how often the first statement ran that left instructions. */
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

/** Returns the hits of each path; `inside`: of the first statement in each that left instructions. */
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

/** Returns how often a condition was true and false: by what is in the paths, or by the jump that decides. */
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

/** Returns how often a requirement failed and held: by the jump that decides, or by the call of what checks it. */
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
