/** Files of whole chains: blocks as RLP, imported and exported, and the genesis that they begin with. */
import type { Chain } from '../../chain/chain.ts'
import type { History } from '../../chain/history.ts'
import { hasState } from '../../chain/moment.ts'
import { namesOf, requireOptions } from '../../model/arguments.ts'
import { encodeBlock } from '../../model/block/block.ts'
import type { ByteSource } from '../../model/block/blockStream.ts'
import type { ForkSchedule } from '../../model/hardfork/forkSchedule.ts'
import type { DevnetOptions } from '../../options/options.ts'
import type { Commands } from '../../rpc/commands.ts'
import { IMPORT_RULES, type ImportRules } from '../../sequencer/import/flawInHeader.ts'
import type { ImportProgress } from '../../sequencer/import/importBlocks.ts'
import { partialText } from '../../state/remoteState.ts'
import { accountsIn } from '../../state/wholeState.ts'
import type { ForkedNetwork } from '../../upstream/forkedNetwork.ts'
import { encodeGenesis } from '../../wire/genesis.ts'
import { stateOptions } from '../stateFile.ts'
import { ImportFailed } from './importFailed.ts'

/** Options of `import`. */
export interface ImportOptions {
  /**
   * The rules that imported blocks must keep. `ethereum` (the default): all rules of Ethereum. `devnet`: those that
   * blocks of a devnet keep: a block may have its parent's timestamp, needs no working system contracts (EIP-7002,
   * EIP-7251, EIP-6110), and is not mined even before the terminal total difficulty.
   */
  readonly rules?: ImportRules
  /** Called after each block. */
  readonly onProgress?: (progress: ImportProgress) => void
}

const IMPORT_OPTIONS = namesOf<ImportOptions>({ rules: true, onProgress: true })

/** Throws a `RangeError` where `action` needs exact state roots, and those of the chain's blocks are stand-ins. */
export function requireRoots(action: string, network: ForkedNetwork | undefined): void {
  if (network?.hasProofs !== false) return
  throw new RangeError(`${action}: ${partialText('state roots')}; fork: { proofs: true } gives them`)
}

/** Imports the blocks of `source` onto `chain`. Rejects with `ImportFailed` at the first bad block. */
export async function importChain(
  commands: Commands,
  chain: Chain,
  source: ByteSource,
  options: ImportOptions,
): Promise<{ imported: number; known: number }> {
  requireOptions('import', options, IMPORT_OPTIONS)
  const { rules = 'ethereum', onProgress = () => {} } = options
  if (!IMPORT_RULES.includes(rules)) {
    throw new TypeError(`import: expected rules ${IMPORT_RULES.join(' or ')}, got ${rules}`)
  }
  const outcome = await commands.import(source, rules, onProgress)
  const { problem, imported, known } = outcome
  if (problem === undefined) return { imported, known }
  const { header, hash } = chain.latest.block
  throw new ImportFailed(problem, outcome, { number: header.number, hash })
}

/**
 * Returns the genesis of `chain` as a genesis.json of geth. Throws a `RangeError` if the state of block 0 is unknown, or
 * is that of a network from which the chain was forked.
 */
export function genesisOf(
  schedule: ForkSchedule,
  chain: Chain,
  network: ForkedNetwork | undefined,
): Record<string, unknown> {
  if (network !== undefined) {
    throw new RangeError(
      `genesis: ${partialText('genesis files')}; a devnet without the option fork has them`,
    )
  }
  const { origin } = chain.state.history
  if (!hasState(origin)) {
    throw new RangeError(
      'genesis: the state of block 0 is not known: the file that was loaded did not have it',
    )
  }
  return encodeGenesis({ schedule, header: origin.block.header, accounts: accountsIn(origin.state) })
}

/**
 * Returns the options of a devnet into which the state file `source` can be loaded: those that decide the rules of its
 * blocks. Rejects with `LoadFailed` if it is no state file.
 */
export async function optionsOfState(source: ByteSource): Promise<DevnetOptions> {
  const said = await stateOptions(source)
  if (said === undefined) return {}
  const { genesis, coinbase, randaoSeed } = said
  return { genesis, coinbase, randaoSeed }
}

/** Returns the sealed blocks after the first as RLP, each encoded when the iteration reaches it. */
export function exportChain(history: History): Iterable<Uint8Array> {
  if (history.oldest > history.first + 1) {
    throw new RangeError(
      `export: blocks ${history.first + 1} to ${history.oldest - 1} were pruned (option history); a chain is exported from its beginning`,
    )
  }
  const { latest } = history
  if (latest.state.remote !== undefined) requireExactRoots(history)
  return encodedBlocks(history)
}

/** Throws a `RangeError` if the state root of a block above a remote state is not that of all accounts. */
function requireExactRoots(history: History): void {
  for (let number = history.first + 1; number < history.end; number++) {
    const sealed = history.held(number)!
    if (!hasState(sealed) || sealed.state.hasExactRoot) continue
    throw new RangeError(
      `export: the state root of block ${number} stands in for the real one, for which the node of the network did not have all that is needed`,
    )
  }
}

function* encodedBlocks(history: History): Generator<Uint8Array> {
  const last = Number(history.latest.block.header.number)
  for (let number = history.first + 1; number <= last; number++) yield encodeBlock(history.block(number)!)
}
