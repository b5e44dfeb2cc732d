/**
 * How often code ran, counted by engines for whom it may concern in this process: for all its devnets, whichever
 * runs were asked for (`Evm.counted`).
 */
import { OP, OPCODES, pushedBytes } from '../model/opcodes.ts'

/** Receives how often code ran. */
export interface HitCollector {
  /**
   * Returns the counts of `code`, to which an engine adds; `undefined` if they are of no interest. `isCreation`: it is
   * the input of a creation, with constructor arguments behind the code. The bytes are valid until this returns.
   */
  countsOf(code: Uint8Array, isCreation: boolean): HitCounts | undefined
}

/**
 * Counts by position in code, one for each byte. The number at an instruction counts for it and for what follows up to the
 * end of its basic block: `hitsOf` makes the hits of each instruction of them.
 */
export type HitCounts = Float64Array

/** An engine that has counts which it did not report. */
export interface HitSource {
  reportHits(): void
}

let collector: HitCollector | undefined
const sources = new Set<HitSource>()

/** Returns who collects hits; `undefined` if nobody does, and engines need not count. */
export function hitCollector(): HitCollector | undefined {
  return collector
}

/** Makes engines report how often code runs from now on to `next`; without it, they do not count. */
export function collectHits(next: HitCollector | undefined): void {
  reportHits()
  sources.clear()
  collector = next
}

/** Makes all engines report what they have counted. */
export function reportHits(): void {
  for (const source of sources) source.reportHits()
}

/** Notes an engine that has to be asked for its counts. */
export function addHitSource(source: HitSource): void {
  sources.add(source)
}

/** Forgets an engine, which has reported what it counted. */
export function removeHitSource(source: HitSource): void {
  sources.delete(source)
}

/** The instructions behind which a basic block ends: 1 for those, and for what is no instruction. */
const ENDS_BLOCK = new Uint8Array(256).fill(1)
for (const { code, ends } of OPCODES) ENDS_BLOCK[code] = ends === undefined ? 0 : 1

/** Returns how often each instruction of `code` was begun, by its position; 0 for the data of a PUSH. */
export function hitsOf(code: Uint8Array, counts: HitCounts): Float64Array {
  const hits = new Float64Array(code.length)
  let inBlock = 0
  for (let pc = 0; pc < code.length; pc += 1 + pushedBytes(code[pc]!)) {
    const opcode = code[pc]!
    if (opcode === OP.JUMPDEST) inBlock = 0
    inBlock += counts[pc]!
    hits[pc] = inBlock
    if (ENDS_BLOCK[opcode] === 1) inBlock = 0
  }
  return hits
}

/** Counts one instruction that is about to run. */
export function countInstruction(code: Uint8Array, counts: HitCounts, pc: number): void {
  if (pc >= code.length) return
  const opcode = code[pc]!
  counts[pc]!++
  const next = pc + 1 + pushedBytes(opcode)
  if (next < code.length && ENDS_BLOCK[opcode] === 0 && code[next] !== OP.JUMPDEST) counts[next]!--
}
