/** Checks whether mining ends at the chain's terminal total difficulty (EIP-3675). */
import type { History } from '../../chain/history.ts'
import { type Header, isMined } from '../../model/block/header.ts'
import type { ForkSchedule } from '../../model/hardfork/forkSchedule.ts'
import { type FieldFlaw, type ImportRules, invalid, ONLY_A_DEVNET } from './blockFlaw.ts'

/**
 * Returns the flaw if a block with `header` after the newest block of `history` is mined and must not be, or the
 * reverse.
 */
export function flawInMerge(
  { config, forks }: ForkSchedule,
  importRules: ImportRules,
  history: History,
  header: Header,
): FieldFlaw | undefined {
  // Once blocks are not mined, `flawInHeader` requires that of all later ones.
  if (!isMined(history.latest.block.header)) return undefined
  const { terminalTotalDifficulty: terminal } = config
  if (terminal === undefined) {
    const merges = forks.some(({ activation }) => activation.kind === 'merge')
    return isMined(header) || merges ? undefined : tooEarly(importRules, 'this chain has no merge')
  }
  const total = totalDifficulty(history)
  if (total === undefined) return undefined
  if (isMined(header) && total >= terminal) {
    const reason = `the total difficulty reached ${terminal} before this block (it is ${total}), so that it must be 0`
    return invalid('difficulty', 'minedAfterMerge', reason)
  }
  if (isMined(header) || total >= terminal) return undefined
  return tooEarly(importRules, `the total difficulty before it is ${total}, below ${terminal}`)
}

function tooEarly(importRules: ImportRules, why: string): FieldFlaw | undefined {
  if (importRules === 'devnet') return undefined
  const reason = `0 is that of a block after the merge, but ${why}; ${ONLY_A_DEVNET}`
  return invalid('difficulty', 'unminedBeforeMerge', reason)
}

/** Known sums, so that each block is added once. */
const totals = new WeakMap<Header, bigint>()

/** Returns the total difficulty up to the newest block; `undefined` if blocks were pruned. */
function totalDifficulty(history: History): bigint | undefined {
  let number = history.end - 1
  let total = 0n
  for (; number >= history.first; number--) {
    const header = history.block(number)?.header
    if (header === undefined) return undefined
    const known = totals.get(header)
    total += known ?? header.difficulty
    if (known !== undefined) break
  }
  totals.set(history.latest.block.header, total)
  return total
}
