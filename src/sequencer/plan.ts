/** Decides which steps are due at a tick. A pure function. */

export type Step = 'seal' | 'reopen' | 'open' | 'slice'

export interface Situation {
  /** Number of slices and number of users' transactions in the open block; `undefined` without an open block. */
  readonly open: { readonly slices: number; readonly transactions: number } | undefined
  /** Slices in each block. With 0, each tick makes and seals one block. */
  readonly ticksPerBlock: number
  readonly sealEmptyBlocks: boolean
  /** Returns whether the next slice could include a waiting transaction. */
  hasReady(): boolean
}

/** Returns the due steps. The step `reopen` replaces an empty open block by an empty block with the current time. */
export function plan({ open, ticksPerBlock, sealEmptyBlocks, hasReady }: Situation): readonly Step[] {
  if (ticksPerBlock === 0) {
    if (!sealEmptyBlocks && (open === undefined || open.transactions === 0) && !hasReady()) return []
    return open === undefined ? ['open', 'slice', 'seal'] : ['slice', 'seal']
  }
  if (open === undefined) return ['open', 'slice']
  if (open.slices < ticksPerBlock) return ['slice']
  if (open.transactions === 0 && !sealEmptyBlocks) return ['reopen', 'slice']
  return ['seal', 'open', 'slice']
}
