/** Code coverage of this process: counts how often instructions run in runs that users request (`Evm.withCoverage`). */
import { OP, OPCODES, pushedBytes } from '../model/opcodes.ts'

export interface HitCollector {
  /**
   * Returns the counts of `code`, which the engine increments; `undefined` to count nothing. `isCreation`: `code` is
   * the input of a creation, which may end with constructor arguments. The callee must not keep `code`.
   */
  countsOf(code: Uint8Array, isCreation: boolean): HitCounts | undefined
}

/**
 * Execution counts by code position, one number per byte. A count applies to the instructions from its position to
 * the end of the basic block; `hitsOf` returns the count of each instruction.
 */
export type HitCounts = Float64Array

export interface HitSource {
  reportHits(): void
}

let collector: HitCollector | undefined
const sources = new Set<HitSource>()

export function hitCollector(): HitCollector | undefined {
  return collector
}

/** Sets the collector that engines report to from now on; `undefined` stops counting. */
export function collectHits(next: HitCollector | undefined): void {
  reportHits()
  sources.clear()
  collector = next
}

export function reportHits(): void {
  for (const source of sources) source.reportHits()
}

export function addHitSource(source: HitSource): void {
  sources.add(source)
}

export function removeHitSource(source: HitSource): void {
  sources.delete(source)
}

/** By opcode: 1 if the opcode ends a basic block or is undefined, otherwise 0. */
const ENDS_BLOCK = new Uint8Array(256).fill(1)
for (const { code, ends } of OPCODES) ENDS_BLOCK[code] = ends === undefined ? 0 : 1

/** Returns how often each instruction of `code` started, by position; 0 for the data of a PUSH. */
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

export function countInstruction(code: Uint8Array, counts: HitCounts, pc: number): void {
  if (pc >= code.length) return
  const opcode = code[pc]!
  counts[pc]!++
  const next = pc + 1 + pushedBytes(opcode)
  if (next < code.length && ENDS_BLOCK[opcode] === 0 && code[next] !== OP.JUMPDEST) counts[next]!--
}
