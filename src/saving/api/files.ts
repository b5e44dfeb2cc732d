/** The methods `import`, `export`, `genesis`, `dump` and `load` of a devnet, and `optionsOfState`. */
import type { Hash } from '../../bytes/hex.ts'
import type { History } from '../../chain/history.ts'
import { hasState } from '../../chain/moment.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import { encodeBlock } from '../../model/block/block.ts'
import type { ByteSource } from '../../model/block/blockStream.ts'
import type { DevnetOptions } from '../../options/options.ts'
import type { RpcContext } from '../../rpc/context.ts'
import { IMPORT_RULES, type ImportRules } from '../../sequencer/import/flawInHeader.ts'
import type { ImportProgress } from '../../sequencer/import/importBlocks.ts'
import { partialText } from '../../state/remoteState.ts'
import { accountsIn } from '../../state/wholeState.ts'
import { encodeGenesis } from '../../wire/genesis.ts'
import { dumpMark, readMark } from '../stateFile.ts'
import { stateOptions } from '../stateOptions.ts'
import { ImportFailed } from './importFailed.ts'

export type { ByteSource }

/** Options of `import`. */
export interface ImportOptions {
  /**
   * The rules that imported blocks must keep: all rules of Ethereum (`ethereum`, the default), or a devnet's own rules
   * (`devnet`). Under `devnet` a block may have its parent's timestamp, and needs neither working system contracts
   * (EIP-7002, EIP-7251, EIP-6110) nor proof of work before the terminal total difficulty.
   */
  readonly rules?: ImportRules
  /** The devnet calls this function after each imported block. */
  readonly onProgress?: (progress: ImportProgress) => void
}

const IMPORT_OPTIONS = namesOf<ImportOptions>({ rules: true, onProgress: true })

/** Throws a `RangeError` on a fork without proofs, which has no exact state roots. */
function requireRoots(action: string, { network }: RpcContext): void {
  if (network?.hasProofs !== false) return
  throw new RangeError(`${action}: ${partialText('state roots')}; fork: { proofs: true } gives them`)
}

/** Imports the blocks of `source`. Rejects with `ImportFailed` at the first bad block. */
export async function importBlocks(
  context: RpcContext,
  source: ByteSource,
  options: ImportOptions,
): Promise<{ imported: number; known: number }> {
  requireRoots('import', context)
  requireOptions('import', options, IMPORT_OPTIONS)
  const { rules = 'ethereum', onProgress = () => {} } = options
  if (!IMPORT_RULES.includes(rules)) {
    throw new TypeError(`import: expected rules ${IMPORT_RULES.join(' or ')}, got ${rules}`)
  }
  const outcome = await context.commands.import(source, rules, onProgress)
  const { problem, imported, known } = outcome
  if (problem === undefined) return { imported, known }
  const { header, hash } = context.chain.latest.block
  throw new ImportFailed(problem, outcome, { number: header.number, hash })
}

/** Returns a genesis.json in geth's format. Throws a `RangeError` on a fork, or if the state of block 0 is unknown. */
export function genesisOf({ network, chain, sequencer }: RpcContext): Record<string, unknown> {
  if (network !== undefined) {
    throw new RangeError(
      `genesis: ${partialText('genesis files')}; a devnet without the option fork has them`,
    )
  }
  const { origin } = chain.state.history
  if (!hasState(origin)) {
    throw new RangeError(
      'genesis: the state of block 0 is unknown, because the loaded file does not contain it',
    )
  }
  // The sequencer's schedule has the chain id of block 0, which `anvil_setChainId` does not change.
  const { schedule } = sequencer
  return encodeGenesis({ schedule, header: origin.block.header, accounts: accountsIn(origin.state) })
}

/** Returns the sealed blocks after the first as RLP. Throws a `RangeError` for pruned blocks or unknown state roots. */
export function exportBlocks(context: RpcContext): Iterable<Uint8Array> {
  requireRoots('export', context)
  const { history } = context.chain.state
  if (history.oldest > history.first + 1) {
    throw new RangeError(
      `export: blocks ${history.first + 1} to ${history.oldest - 1} were pruned (option history); a chain is exported from its beginning`,
    )
  }
  if (history.latest.state.remote !== undefined) requireExactRoots(history)
  return encodedBlocks(history)
}

/** Throws a `RangeError` if a block of a fork has no exact state root. */
function requireExactRoots(history: History): void {
  for (let number = history.first + 1; number < history.end; number++) {
    const sealed = history.keptBlock(number)!
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

export function dump(context: RpcContext): Iterable<Uint8Array> {
  return dumpMark(context, context.commands.mark)
}

/** Replaces the chain by the chain in a state file. Resolves to the newest block. Rejects with `LoadFailed`. */
export async function load(context: RpcContext, source: ByteSource): Promise<{ number: bigint; hash: Hash }> {
  const mark = await readMark(context, source)
  await context.commands.load(mark)
  const { header, hash } = mark.chain.history.latest.block
  return { number: header.number, hash }
}

/** Returns the options of a devnet that can load the state file `source`. Rejects with `LoadFailed`. */
export async function optionsOfState(source: ByteSource): Promise<DevnetOptions> {
  const said = await stateOptions(source)
  if (said === undefined) return {}
  const { genesis, coinbase, randaoSeed, pair } = said
  return { ...(pair ?? { genesis }), coinbase, randaoSeed }
}
