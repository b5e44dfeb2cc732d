/** Which steps a tick is made of (CONTRACT 1). Pure: the sequencer does what stands here. */

export type Step = 'seal' | 'reopen' | 'open' | 'slice'

export interface Situation {
  /** Slices of the open block, and transactions that people sent; `undefined` if none is open. */
  readonly open: { readonly slices: number; readonly transactions: number } | undefined
  /** 0: blocks are opened, run and sealed within one tick. */
  readonly ticksPerBlock: number
  readonly sealEmptyBlocks: boolean
  /** Whether anything waits that a slice could take in. */
  hasReady(): boolean
}

/** The steps that are due. `reopen` throws an empty block away and opens it anew, with the time of now. */
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
