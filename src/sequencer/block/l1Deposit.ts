/** The deposit transaction with which each block of an L2 begins: it contains the attributes of an L1 block. */
import type { Preconfirmed } from '../../chain/moment.ts'
import type { BlockContext } from '../../evm/blockContext.ts'
import type { Evm } from '../../evm/evm.ts'
import { runTransaction } from '../../evm/runMessage.ts'
import { l1AttributesDeposit, nextOrigin } from '../../model/l2/l1Attributes.ts'
import type { L2Chain } from '../../model/l2/l2.ts'
import { l1PositionIn } from '../../state/l1Block.ts'
import { IncludedTransactions } from './includedTransactions.ts'
import { withSlice } from './openBlock.ts'
import type { PublishedSlice, Slice } from './slice.ts'

/** Returns an opened block of `chain` with its deposit: the slice with index 0. */
export async function withL1Deposit(
  chain: L2Chain,
  evm: Evm,
  open: Preconfirmed,
  context: BlockContext,
): Promise<Preconfirmed> {
  const origin = nextOrigin(open.block.header.timestamp, l1PositionIn(open.state))
  const deposit = l1AttributesDeposit(chain, origin)
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
