/** How high what the line draws is. */
import type { LiveBlock } from '../../live/rhythm.ts'

/** Returns the share of the gas limit that has the height of a block: the least that the fullest of them fits in. */
export function fullHeight(blocks: readonly Pick<LiveBlock, 'gasUsed' | 'gasLimit'>[]): number {
  const fullest = Math.max(0, ...blocks.map(({ gasUsed, gasLimit }) => gasUsed / Math.max(1, gasLimit)))
  return SHARES.find((share) => share >= fullest) ?? 1
}

const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** The share of columns that are shown in full; those that are higher are cut, with their count above. */
const HIGHEST_SHARE = 0.95

/** Returns the count that has the full height: of all columns but a few, and at least `least`. */
export function highestShown(counts: readonly number[], least: number): number {
  const ordered = counts.toSorted((a, b) => a - b)
  return Math.max(least, ordered[Math.floor(HIGHEST_SHARE * (ordered.length - 1))] ?? 0)
}
