/**
 * Coverage collected process-wide: engines count the runs that users request (`Evm.counted`), on all devnets.
 */
import { OP, OPCODES, pushedBytes } from '../model/opcodes.ts'

/** Receives how often code ran. */
export interface HitCollector {
  /**
   * Returns the counts of `code`, to which an engine adds; `undefined` if they are not collected. `isCreation`: it is
   * the input of a creation, with constructor arguments behind the code. The bytes are valid until this returns.
   */
  countsOf(code: Uint8Array, isCreation: boolean): HitCounts | undefined
}

/**
 * Counts by position in code, one for each byte. The count at an instruction is that of the rest of its basic block, too;
 * `hitsOf` returns the hits of each instruction.
 */
export type HitCounts = Float64Array

/** An engine with counts that are not reported yet. */
export interface HitSource {
  reportHits(): void
}

let collector: HitCollector | undefined
const sources = new Set<HitSource>()

/** Returns the collector; `undefined` if there is none, and engines need not count. */
export function hitCollector(): HitCollector | undefined {
  return collector
}

/** Makes engines report to `next` from now on; without it, they do not count. */
export function collectHits(next: HitCollector | undefined): void {
  reportHits()
  sources.clear()
  collector = next
}

/** Makes all engines report their counts. */
export function reportHits(): void {
  for (const source of sources) source.reportHits()
}

/** Registers an engine whose counts are to be reported. */
export function addHitSource(source: HitSource): void {
  sources.add(source)
}

/** Removes an engine, which has reported its counts. */
export function removeHitSource(source: HitSource): void {
  sources.delete(source)
}

/** By opcode: 1 if a basic block ends behind it, or if it is undefined. */
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
