/** Knows which basic blocks of code an exploration has run, and which branches of the sources it never reached. */
import type { Devnet } from '../devnet/devnet.ts'
import { collectHits, type HitCollector, type HitCounts, hitCollector, reportHits } from '../engine/hits.ts'
import { OP, pushedBytes } from '../model/opcodes.ts'
import { CollectedCode, codeKey } from '../solidity/coverage/codeHits.ts'
import { coverageOf } from '../solidity/coverage/coverage.ts'

interface Reached {
  readonly code: Uint8Array
  readonly counts: HitCounts
  /** The counts from which on runs are new. */
  before: HitCounts | undefined
  /** The beginnings of the basic blocks that have not run since. */
  blocks: number[]
}

export class ReachedCode implements HitCollector {
  readonly #collected = new CollectedCode()
  readonly #before: HitCollector | undefined
  /** By the key that a bytecode has in all threads. */
  readonly #codes = new Map<string, Reached>()

  /** Begins to count in this process, until `end`. */
  constructor() {
    this.#before = hitCollector()
    collectHits(this)
  }

  countsOf(code: Uint8Array, isCreation: boolean): HitCounts {
    const counts = this.#collected.countsOf(code, isCreation)
    const key = codeKey(code, isCreation)
    if (!this.#codes.has(key))
      this.#codes.set(key, { code, counts, before: undefined, blocks: blocksOf(code) })
    return counts
  }

  /** Forgets what ran until now, for `newBlocks`. */
  forget(): void {
    reportHits()
    for (const reached of this.#codes.values()) {
      reached.before = reached.counts.slice()
      reached.blocks = blocksOf(reached.code)
    }
  }

  /** Returns the basic blocks that ran for the first time since the last call, as texts that `note` reads. */
  newBlocks(): string[] {
    reportHits()
    const found: string[] = []
    for (const [key, reached] of this.#codes) {
      const { counts, before, blocks } = reached
      const left = blocks.filter((pc) => counts[pc] === (before?.[pc] ?? 0))
      if (left.length === blocks.length) continue
      for (const pc of blocks) if (counts[pc] !== (before?.[pc] ?? 0)) found.push(`${key} ${pc}`)
      reached.blocks = left
    }
    return found
  }

  /** Counts the basic blocks that ran in other threads, among texts of which some may mean something else. */
  note(signs: readonly string[]): void {
    for (const sign of signs) {
      const at = sign.lastIndexOf(' ')
      const reached = this.#codes.get(sign.slice(0, at))
      if (reached !== undefined) reached.counts[Number(sign.slice(at + 1))]!++
    }
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
