/** The slices of a block, as `preseal_getSlices` has them. */
import type { Hex } from '../../bytes/hex.ts'
import type { Source } from './source.ts'

/** A slice in numbers: `show: 'counts'`. */
export interface SliceCounts {
  readonly index: Hex
  readonly transactionCount: Hex
  readonly logCount: Hex
  readonly gasUsed: Hex
  /** The block after the slice; its hash is zero while it is open. */
  readonly block: {
    readonly number: Hex
    readonly hash: Hex
    readonly timestamp: Hex
    readonly transactionCount: Hex
    readonly gasUsed: Hex
    readonly gasLimit: Hex
    readonly baseFeePerGas: Hex | null
  }
}

type Asks = Pick<Source, 'request'>

/**
 * Resolves with the slices of a block in numbers: a block may have hundreds, and whole they repeat all that came before each. `after`: those
 * behind this index alone.
 */
export function slicesOf(from: Asks, block: string, after?: Hex): Promise<readonly SliceCounts[]> {
  return from.request('preseal_getSlices', [block, { show: 'counts', ...(after !== undefined && { after }) }])
}
