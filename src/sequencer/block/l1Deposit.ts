/** The deposit transaction with which each block of an L2 begins: it contains the attributes of an L1 block. */
import type { Preconfirmed } from '../../chain/moment.ts'
import type { BlockContext } from '../../engine/blockContext.ts'
import type { Evm } from '../../engine/evm.ts'
import { runTransaction } from '../../engine/run/runMessage.ts'
import { defaultAttributes, l1AttributesDeposit, nextOrigin } from '../../model/l2/l1Attributes.ts'
import type { L2Chain } from '../../model/l2/l2.ts'
import { l1AttributesIn } from '../../state/l1Block.ts'
import { IncludedTransactions } from './includedTransactions.ts'
import { withSlice } from './openBlock.ts'
import type { PublishedSlice, Slice } from './slice.ts'

/**
 * Returns an opened block of `chain` with its deposit: the slice with index 0. The deposit sets what the one before it
 * has set, but for the L1 block, which goes on.
 */
export async function withL1Deposit(
  chain: L2Chain,
  evm: Evm,
  open: Preconfirmed,
  context: BlockContext,
): Promise<Preconfirmed> {
  const { l2Upgrade } = evm.rules
  const before = l1AttributesIn(open.state, l2Upgrade)
  const origin = nextOrigin(open.block.header.timestamp, before?.origin)
  const deposit = l1AttributesDeposit(l2Upgrade, before ?? defaultAttributes(chain), origin)
  const ran = runTransaction(evm, open.state, context, deposit)
  const run = ran instanceof Promise ? await ran : ran
  const included = new IncludedTransactions(evm.rules, context)
  included.add(deposit, run)
  return { ...withSlice(open, included.transactions, included.receipts, run.state), slices: 0 }
}

/** Returns the slices to publish with a slice: the first of a block comes with that of index 0, if there is one. */
export function toldWith(slice: Slice): readonly PublishedSlice[] {
  const { previous } = slice.open
  if (previous === undefined || previous.slices > 0) return [slice]
  return [{ open: previous, added: previous.block.transactions }, slice]
}
