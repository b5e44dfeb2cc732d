/** Builds the chain of anvil's state file. */
import { type ChainState, initialChainState } from '../chain/chain.ts'
import { History, type Retention } from '../chain/history.ts'
import type { Moment, SealedBlock } from '../chain/moment.ts'
import { Packing } from '../chain/packed/storedBlock.ts'
import type { Block } from '../model/block/block.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import { receiptsOf } from '../model/receipt/receipt.ts'
import { Pool } from '../pool/pool.ts'
import { NO_CHEATS } from '../sequencer/cheats.ts'
import { flawInFields } from '../sequencer/import/flawInHeader.ts'
import type { Mark } from '../sequencer/marks.ts'
import { State } from '../state/state.ts'
import { whenFetched } from '../state/whenFetched.ts'
import { stateWithAccounts } from '../state/wholeState.ts'
import { parseHeader } from '../wire/header.ts'
import { InvalidValue, shown } from '../wire/parser.ts'
import { LoadFailed, lineAt } from './format/loadFailed.ts'
import { exists } from './format/parseAnvilAccounts.ts'
import { type AnvilFork, parseAnvilState, type WholeBlock } from './format/parseAnvilState.ts'
import type { StatePart } from './format/readStateFile.ts'
import { type Home, networkOfFile } from './savedNetwork.ts'

export async function anvilMark(
  home: Home,
  { value, text }: Extract<StatePart, { kind: 'anvil' }>,
): Promise<Mark> {
  const { schedule } = home.sequencer
  try {
    const { blocks, fork } = parseAnvilState(value, schedule)
    requireFields(blocks, schedule)
    const chain = chainOf(blocks, home.chain.options, fork && (await networkBase(home, fork)))
    const nowMs = Number(chain.history.latest.block.header.timestamp) * 1_000
    return { chain, pool: new Pool().contents, clock: { nowMs, lastTickMs: nowMs }, cheats: NO_CHEATS }
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    const { path, expected } = error
    throw new LoadFailed(lineAt(text, path).line, expected, shown(error.value), path)
  }
}

/** Returns anvil's fork block, and the state after the newest block: the network's state with the file's accounts. */
async function networkBase(home: Home, fork: AnvilFork): Promise<{ first: Moment; newest: State }> {
  const { number, hash, touched } = fork
  const { network: ours, networks, nodeOfFiles, sequencer } = home
  if (ours?.block.hash !== hash && networks?.hasNode !== true && nodeOfFiles === undefined) {
    const expected = `blocks from block 0 on, or a devnet on the same network: the chain was forked by anvil at block ${number} (${hash}), and the file lacks the rest of the network; load it in a devnet with fork: { url, block: ${number} } (--fork-url URL@${number})`
    throw new InvalidValue('blocks', expected, `block ${number + 1n} first`)
  }
  const hasProofs = ours?.hasProofs ?? false
  const saved = { chainId: sequencer.schedule.chainId, number, hash, hasProofs }
  const network = await networkOfFile(home, saved, [], 1)
  const answer = await network.ask({ method: 'eth_getBlockByHash', params: [hash, false] })
  const header = parseHeader(answer, `block ${number}`)
  const block: Block = { header, hash, transactions: [], ommers: [], withdrawals: undefined, receipts: [] }
  const state = State.on(network.state, header.stateRoot)
  const changes = touched.map((account) =>
    exists(account) ? account : { address: account.address, deleted: true },
  )
  return { first: { block, state }, newest: await whenFetched(() => state.with(changes)) }
}

/** Throws `InvalidValue` if header fields do not fit the devnet's hardfork, which anvil's files do not name. */
function requireFields(blocks: readonly WholeBlock[], schedule: ForkSchedule): void {
  for (const { block } of blocks) {
    const { header } = block
    const rules = schedule.at(header)
    const flaw = flawInFields(rules, header)
    if (flaw === undefined) continue
    const expected = `headers as under ${rules.hardfork}, the hardfork of this devnet (option hardfork)`
    throw new InvalidValue('blocks', expected, `block ${header.number}, which differs in ${flaw.field}`)
  }
}

/**
 * Returns the chain of `blocks`, pruned as `keep` allows. States of blocks without accounts are unknown. Only on a fork
 * may the last block lack accounts. `onNetwork` has the fork block, and the state after the last block.
 */
function chainOf(
  blocks: readonly WholeBlock[],
  keep: Retention,
  onNetwork?: { readonly first: Moment; readonly newest: State },
): ChainState {
  let history = onNetwork && History.of(onNetwork.first)
  const packing = new Packing(keep.randaoSeed)
  let known = State.empty
  for (const { block: unchecked, results, accounts } of blocks) {
    const { header, hash, transactions, ommers, withdrawals } = unchecked
    const receipts = receiptsOf(header, transactions, results)
    if (accounts !== undefined) known = stateWithAccounts(known, accounts)
    const block: Block = { header, hash, transactions, ommers, withdrawals, receipts }
    const isNewest = unchecked === blocks.at(-1)!.block
    const state = onNetwork !== undefined && isNewest ? onNetwork.newest : accounts && known
    const sealed: SealedBlock = state === undefined ? { kind: 'unknownState', block } : { block, state }
    history =
      history === undefined
        ? History.of(sealed)
        : history.with(sealed, keep, (stored) => stored.pack(packing))
  }
  return initialChainState(history!)
}
