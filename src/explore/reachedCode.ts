/** Knows which basic blocks of code an exploration has run, and which branches of the sources it never reached. */
import type { Devnet } from '../devnet/devnet.ts'
import { collectHits, type HitCollector, type HitCounts, hitCollector, reportHits } from '../engine/hits.ts'
import { OP, pushedBytes } from '../model/opcodes.ts'
import { CollectedCode } from '../solidity/coverage/codeHits.ts'
import { coverageOf } from '../solidity/coverage/coverage.ts'

/** Bytecode with the beginnings of basic blocks that have not run yet. */
interface Unreached {
  readonly counts: HitCounts
  blocks: number[]
}

export class ReachedCode implements HitCollector {
  readonly #collected = new CollectedCode()
  readonly #before: HitCollector | undefined
  readonly #codes = new Map<HitCounts, Unreached>()

  /** Begins to count in this process, until `end`. */
  constructor() {
    this.#before = hitCollector()
    collectHits(this)
  }

  countsOf(code: Uint8Array, isCreation: boolean): HitCounts {
    const counts = this.#collected.countsOf(code, isCreation)
    if (!this.#codes.has(counts)) this.#codes.set(counts, { counts, blocks: blocksOf(code) })
    return counts
  }

  /** Whether a basic block ran for the first time since the last call. */
  hasNew(): boolean {
    reportHits()
    let isNew = false
    for (const code of this.#codes.values()) {
      const blocks = code.blocks.filter((pc) => code.counts[pc] === 0)
      if (blocks.length === code.blocks.length) continue
      code.blocks = blocks
      isNew = true
    }
    return isNew
  }

  /** Stops counting. A measurement that was in progress goes on, and gets the counts. */
  end(): void {
    reportHits()
    collectHits(this.#before)
    if (this.#before === undefined) return
    for (const { code, isCreation, counts } of this.#collected.codes()) {
      const sum = this.#before.countsOf(code, isCreation)
      if (sum !== undefined) for (const [pc, count] of counts.entries()) sum[pc]! += count
    }
  }

  /** Returns the branches that never ran, such as `Shop.sol:61`; none for contracts whose sources are not known. */
  async neverReached({ artifacts }: Devnet): Promise<readonly string[]> {
    reportHits()
    const codes = this.#collected.hits()
    await artifacts.load()
    const compilations = new Set(
      codes.flatMap(({ code, isCreation }) => {
        const match = artifacts.find(code, isCreation)
        if (match === undefined) return []
        return (match.kind === 'contract' ? [match.contract] : match.contracts).map(
          ({ compilation }) => compilation,
        )
      }),
    )
    const files = coverageOf(codes, { compilations, find: artifacts.find, counts: () => true })
    return Object.values(files).flatMap(({ path, s, b, branchMap }) => {
      if (Object.values(s).every((hits) => hits === 0)) return []
      return Object.entries(b).flatMap(([key, hits]) =>
        hits.flatMap((count, i) =>
          count === 0 ? [`${path}:${branchMap[key]!.locations[i]!.start.line}`] : [],
        ),
      )
    })
  }
}

/** Returns the positions at which basic blocks begin: at position 0, at each JUMPDEST, and after each JUMPI. */
function blocksOf(code: Uint8Array): number[] {
  const blocks = [0]
  for (let pc = 0; pc < code.length; pc += 1 + pushedBytes(code[pc]!)) {
    if (code[pc] === OP.JUMPDEST && pc > 0) blocks.push(pc)
    if (code[pc] === OP.JUMPI) blocks.push(pc + 1)
  }
  return blocks
}
