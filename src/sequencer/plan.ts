/** The steps of a tick (CONTRACT 1). Pure: the sequencer runs them. */

export type Step = 'seal' | 'reopen' | 'open' | 'slice'

export interface Situation {
  /** Slices of the open block, and transactions sent by clients; `undefined` if none is open. */
  readonly open: { readonly slices: number; readonly transactions: number } | undefined
  /** 0: blocks are opened, filled and sealed within one tick. */
  readonly ticksPerBlock: number
  readonly sealEmptyBlocks: boolean
  /** Returns whether a slice could include a waiting transaction. */
  hasReady(): boolean
}

/** Returns the steps that are due. `reopen` replaces an empty block by a new one with the current time. */
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
