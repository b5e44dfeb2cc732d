/** Seals the open block: runs its end-of-block operations, and computes its roots and its hash. */
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import { type BlockContext, blockContext } from '../../engine/blockContext.ts'
import type { Evms } from '../../engine/evms.ts'
import { endBlock } from '../../engine/run/systemCalls.ts'
import { whenFetched } from '../../state/whenFetched.ts'
import { sealBlock } from './openBlock.ts'

/**
 * Returns the moment of `open`, sealed with its current content; `lastSlice` is its last slice. Publishes nothing.
 */
export async function sealedNow(
  evms: Evms,
  open: Preconfirmed,
  blockHash: BlockContext['blockHash'],
  lastSlice?: Preconfirmed,
): Promise<Moment> {
  const { header, receipts } = open.block
  const evm = evms.at(header)
  const context = blockContext(evm.rules, header, blockHash)
  const { state, requestsHash } = await endBlock(evm, open.state, context, receipts)
  if (state.remote !== undefined) await whenFetched(() => state.root())
  return sealBlock(open, state, requestsHash, lastSlice)
}
