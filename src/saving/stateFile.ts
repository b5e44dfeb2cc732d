/** State files: writes a whole chain, and loads it into a devnet in place of its own. */
import { remoteOf } from '../chain/chain.ts'
import type { Retention } from '../chain/history.ts'
import type { Moment } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import type { ByteSource } from '../model/block/blockStream.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import { Pool } from '../pool/pool.ts'
import type { RpcContext } from '../rpc/context.ts'
import { NO_CHEATS } from '../sequencer/cheats.ts'
import { breathe } from '../sequencer/clock.ts'
import { flawInFields } from '../sequencer/import/flawInHeader.ts'
import type { Mark } from '../sequencer/marks.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { NotFetched } from '../state/remoteState.ts'
import { State } from '../state/state.ts'
import { textOf, whenFetched } from '../state/whenFetched.ts'
import type { CachedExchange } from '../upstream/cacheFile.ts'
import { type ForkedNetwork, networkAt } from '../upstream/forkedNetwork.ts'
import { UpstreamFailed } from '../upstream/upstream.ts'
import { parseHeader } from '../wire/header.ts'
import { InvalidValue, shown } from '../wire/parser.ts'
import { LoadFailed, lineAt } from './format/loadFailed.ts'
import { exists } from './format/parseAnvilAccounts.ts'
import { type AnvilFork, parseAnvilState } from './format/parseAnvilState.ts'
import { type PlacedRecord, readStateFile, type StatePart } from './format/readStateFile.ts'
import { writeStateFile } from './format/stateLines.ts'
import { MarkRebuilder, markRecords } from './markRecords.ts'
import type {
  RecordMismatch,
  SavedFetched,
  SavedFork,
  SavedHead,
  SavedRecord,
  WholeBlock,
} from './savedChain.ts'
import { chainOf } from './savedChain.ts'
import { requireRules } from './stateOptions.ts'

/** The parts of the devnet that loads a state file. */
type Home = Pick<RpcContext, 'sequencer' | 'chain' | 'network' | 'networks' | 'nodeOfFiles'>

/** Returns the network that the chain of `mark` was forked from. */
export function networkOf({ chain }: Mark): ForkedNetwork | undefined {
  const remote = remoteOf(chain)
  return remote && networkAt(remote)
}

/** Returns the state file of `mark`, in pieces that are encoded on demand. */
export function dumpMark({ schedule, blockSettings }: Sequencer, mark: Mark): Generator<Uint8Array> {
  const { coinbase, randaoSeed } = blockSettings
  const first = BigInt(mark.chain.history.first)
  const network = networkOf(mark)
  const fork = network && { chainId: network.chainId, ...network.block, hasProofs: network.hasProofs }
  const head: SavedHead = {
    kind: 'head',
    schedule,
    first,
    coinbase,
    randaoSeed,
    ...(fork === undefined ? {} : { fork }),
  }
  return writeStateFile(allRecords(head, network?.node.used ?? [], mark))
}

function* allRecords(head: SavedHead, used: readonly CachedExchange[], mark: Mark): Generator<SavedRecord> {
  yield head
  for (const { method, params, result } of used) yield { kind: 'fetched', method, params, result }
  yield* markRecords(mark)
}

/** Reads a state file of preseal or anvil, then replaces the chain. Returns the newest block. Throws `LoadFailed` without any change. */
export async function loadState(home: Home, source: ByteSource, limit?: number): Promise<Block> {
  const { sequencer } = home
  return sequencer.clock.prepare(
    () => readMark(home, source, limit),
    async (mark) => {
      await sequencer.marks.load(mark)
      return mark.chain.history.latest.block
    },
  )
}

/** Returns the mark in a state file of preseal or anvil. Throws `LoadFailed`. */
export async function readMark(home: Home, source: ByteSource, limit?: number): Promise<Mark> {
  const { schedule } = home.sequencer
  const keep = home.chain.options
  let head: SavedHead | undefined
  const fetched: CachedExchange[] = []
  let rebuilder: MarkRebuilder | undefined
  for await (const part of readStateFile(source, limit)) {
    switch (part.kind) {
      case 'anvil':
        return anvilMark(home, part, keep)
      case 'head':
        head = part.head
        requireRules(head.schedule, schedule)
        break
      case 'records': {
        let { records } = part
        if (rebuilder === undefined) {
          const begin = head!.fork === undefined ? 0 : records.findIndex(({ record }) => !isFetched(record))
          fetched.push(...records.slice(0, begin === -1 ? undefined : begin).map(exchangeIn))
          if (begin === -1) break
          records = records.slice(begin)
          const network = head!.fork && (await networkOfFile(home, head!.fork, fetched, records[0]!.line))
          rebuilder = new MarkRebuilder(keep, head!.first, network?.state)
        }
        addAll(rebuilder, records)
        // Lets requests in between.
        await breathe()
        break
      }
      case 'end': {
        const mark = rebuilder?.finish() ?? { expected: 'a block', received: 'none' }
        if ('chain' in mark) return mark
        throw new LoadFailed(part.line, mark.expected, mark.received)
      }
    }
  }
  throw new Error('a state file without an end was not refused')
}

function isFetched({ kind }: SavedRecord): boolean {
  return kind === 'fetched'
}

function exchangeIn({ record }: PlacedRecord): CachedExchange {
  const { method, params, result } = record as SavedFetched
  return { method, params, result }
}

/** Returns the network of a file's chain: that of the devnet if it has the same block, else one with the answers in the file. */
async function networkOfFile(
  { network: ours, networks, nodeOfFiles }: Home,
  fork: SavedFork,
  exchanges: readonly CachedExchange[],
  line: number,
): Promise<ForkedNetwork> {
  const { fetchKnown, savedNetwork } = await import('./savedNetwork.ts')
  let network: ForkedNetwork | undefined
  if (nodeOfFiles === undefined) {
    network = ours?.block.hash === fork.hash ? ours : await networks?.open(fork.hash)
  }
  try {
    if (network !== undefined && network.hasProofs === fork.hasProofs) network.node.use(exchanges)
    else network = savedNetwork(fork, exchanges, nodeOfFiles ?? network?.node)
    await fetchKnown(network, exchanges)
  } catch (error) {
    if (!(error instanceof InvalidValue || error instanceof UpstreamFailed)) throw error
    throw new LoadFailed(line, 'all answers about each account in the lines above', error.message)
  }
  return network
}

function addAll(rebuilder: MarkRebuilder, records: readonly PlacedRecord[]): void {
  for (const { line, record } of records) {
    const misfit = added(rebuilder, record)
    if (misfit !== undefined) throw new LoadFailed(line, misfit.expected, misfit.received)
  }
}

function added(rebuilder: MarkRebuilder, record: PlacedRecord['record']): RecordMismatch | undefined {
  try {
    return rebuilder.add(record)
  } catch (error) {
    if (!(error instanceof NotFetched)) throw error
    return {
      expected: `what was fetched of ${textOf(error.values[0]!)}, in a line above`,
      received: 'nothing',
    }
  }
}

async function anvilMark(
  home: Home,
  { value, text }: Extract<StatePart, { kind: 'anvil' }>,
  keep: Retention,
): Promise<Mark> {
  const { schedule } = home.sequencer
  try {
    const { blocks, fork } = parseAnvilState(value, schedule)
    requireFields(blocks, schedule)
    const chain = chainOf(blocks, keep, fork && (await beneath(home, fork)))
    const nowMs = Number(chain.history.latest.block.header.timestamp) * 1_000
    return { chain, pool: new Pool().contents, clock: { nowMs, lastTickMs: nowMs }, cheats: NO_CHEATS }
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    const { path, expected } = error
    throw new LoadFailed(lineAt(text, path).line, expected, shown(error.value), path)
  }
}

/** Returns the fork block of anvil's chain, and the state after its newest block: the network's, with the accounts of the file. */
async function beneath(home: Home, fork: AnvilFork): Promise<{ first: Moment; newest: State }> {
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

/** Throws `InvalidValue` for fields of another hardfork: anvil's files do not name theirs. */
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
