/** Import and export of chains: blocks as RLP, and their genesis. */
import type { Chain } from '../../chain/chain.ts'
import type { History } from '../../chain/history.ts'
import { hasState } from '../../chain/moment.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
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
import { stateOptions } from '../stateOptions.ts'
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

/** Throws a `RangeError` on a fork without proofs, whose state roots are not exact. */
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

/** Returns geth's genesis.json of `chain`. Throws a `RangeError` for a fork, and if the state of block 0 is unknown. */
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

/** Returns the options of a devnet that can load the state file `source`. Rejects with `LoadFailed`. */
export async function optionsOfState(source: ByteSource): Promise<DevnetOptions> {
  const said = await stateOptions(source)
  if (said === undefined) return {}
  const { genesis, coinbase, randaoSeed } = said
  return { genesis, coinbase, randaoSeed }
}

/** Returns the sealed blocks after the first as RLP, each encoded on demand. */
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

/** Throws a `RangeError` if a block of a fork has no exact state root. */
function requireExactRoots(history: History): void {
  for (let number = history.first + 1; number < history.end; number++) {
    const sealed = history.held(number)!
    if (!hasState(sealed) || sealed.state.hasExactRoot) continue
    throw new RangeError(
      `export: block ${number} has no exact state root, because the node of the network did not provide all trie nodes`,
    )
  }
}

function* encodedBlocks(history: History): Generator<Uint8Array> {
  const last = Number(history.latest.block.header.number)
  for (let number = history.first + 1; number <= last; number++) yield encodeBlock(history.block(number)!)
}
