/** Makes a chain of another node's blocks. */

import { SharedMemory } from '../bytes/bytes.ts'
import type { Block } from '../model/block/block.ts'
import { receiptsOf } from '../model/receipt/receipt.ts'
import { exactly } from '../state/exactly.ts'
import { State } from '../state/state.ts'
import { beginningWith, type ChainState } from './chain.ts'
import { History, type Kept } from './history.ts'
import type { Moment, SealedBlock } from './moment.ts'
import type { WholeBlock } from './savedChain.ts'

/**
 * Returns the chain with `blocks`: block 0 to a block whose accounts are known. Keeps as many as `keep` allows. The
 * states of blocks without accounts are unknown; their blocks can be read.
 *
 * `onNetwork`: the chain begins with a block of a network, and `blocks` with the next one; `newest` is the state after the last.
 */
export function chainOf(
  blocks: readonly WholeBlock[],
  keep: Kept,
  onNetwork?: { readonly first: Moment; readonly newest: State },
): ChainState {
  let history = onNetwork && History.of(onNetwork.first)
  const memory = new SharedMemory()
  let known = State.empty
  for (const { block: unchecked, results, accounts } of blocks) {
    const { header, hash, transactions, ommers, withdrawals } = unchecked
    const receipts = receiptsOf(header, transactions, results)
    if (accounts !== undefined) known = exactly(known, accounts)
    const block: Block = { header, hash, transactions, ommers, withdrawals, receipts }
    const isNewest = unchecked === blocks.at(-1)!.block
    const state = onNetwork !== undefined && isNewest ? onNetwork.newest : accounts && known
    const sealed: SealedBlock = state === undefined ? { kind: 'unknownState', block } : { block, state }
    history =
      history === undefined ? History.of(sealed) : history.with(sealed, keep, (stored) => stored.pack(memory))
  }
  return beginningWith(history!)
}
