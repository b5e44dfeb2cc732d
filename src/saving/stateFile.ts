/** Writes the chain of a devnet to a state file, and replaces the chain by one from a file. */

import { type Hash, toHex } from '../bytes/hex.ts'
import { type ChainState, remoteOf } from '../chain/chain.ts'
import type { History, Retention } from '../chain/history.ts'
import { hasState, type Moment, type SealedBlock } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import type { ByteSource } from '../model/block/blockStream.ts'
import { hashHeader } from '../model/block/header.ts'
import { executionResult } from '../model/receipt/receipt.ts'
import { Pool, type PoolContents } from '../pool/pool.ts'
import { type Cheats, NO_CHEATS } from '../sequencer/cheats.ts'
import { type ClockMark, yieldToEventLoop } from '../sequencer/clock.ts'
import type { L1Mark, Mark } from '../sequencer/marks.ts'
import type { Sequencer } from '../sequencer/sequencer.ts'
import { NotFetched, type RemoteState } from '../state/remoteState.ts'
import { EMPTY_CODE_HASH, State } from '../state/state.ts'
import { textOf } from '../state/whenFetched.ts'
import { type AccountDifference, differences } from '../state/wholeState.ts'
import type { CachedExchange } from '../upstream/cacheFile.ts'
import { type ForkedNetwork, networkAt } from '../upstream/forkedNetwork.ts'
import { ChainRebuilder, type RecordMismatch } from './chainRebuilder.ts'
import { LoadFailed } from './format/loadFailed.ts'
import { type PlacedRecord, readStateFile } from './format/readStateFile.ts'
import {
  type ChainRecord,
  encodeHead,
  encodeRecord,
  type Saved,
  type SavedHead,
  type SavedRecord,
} from './format/records.ts'
import { writeStateFile } from './format/stateLines.ts'
import type { Home } from './savedNetwork.ts'
import { requireRules } from './stateOptions.ts'

export function networkOf({ chain }: Mark): ForkedNetwork | undefined {
  const remote = remoteOf(chain)
  return remote && networkAt(remote)
}

/** Yields the state file of `mark` in pieces, which are encoded on demand. */
export function dumpMark(
  { sequencer, l1 }: Pick<Home, 'sequencer' | 'l1'>,
  mark: Mark,
): Generator<Uint8Array> {
  const ofL1 = mark.l1 && l1 && { outages: mark.l1.outages, ...savedChain(l1.sequencer, mark.l1) }
  return writeStateFile(jsonOf(savedChain(sequencer, mark), ofL1))
}

/** A chain to save. `used`: the answers of its network up to now, because the file is encoded later. */
interface SavedChain {
  readonly head: Omit<SavedHead, 'l1'>
  readonly used: readonly CachedExchange[]
  readonly mark: Mark
}

function savedChain({ schedule, blockSettings }: Sequencer, mark: Mark): SavedChain {
  const { coinbase, randaoSeed } = blockSettings
  const first = BigInt(mark.chain.history.first)
  const network = networkOf(mark)
  const fork = network && { chainId: network.chainId, ...network.block, hasProofs: network.hasProofs }
  return { head: { schedule, first, coinbase, randaoSeed, fork }, used: network?.node.used ?? [], mark }
}

function* jsonOf(chain: SavedChain, l1?: SavedChain & Pick<L1Mark, 'outages'>): Generator<unknown> {
  yield encodeHead({ ...chain.head, l1: l1?.head })
  yield* recordsOf(chain)
  if (l1 === undefined) return
  yield encodeRecord({ kind: 'l1', outages: l1.outages })
  yield* recordsOf(l1)
}

function* recordsOf({ used, mark }: SavedChain): Generator<unknown> {
  for (const exchange of used) yield encodeRecord({ kind: 'fetched', ...exchange })
  for (const record of markRecords(mark)) yield encodeRecord(record)
}

/** Replaces the chain by that of a state file. Returns the newest block. Throws `LoadFailed` before any change. */
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
  let head: SavedHead | undefined
  let reader: MarkReader | undefined
  let l2: Mark | undefined
  let outages: Saved<'l1'>['outages'] | undefined
  for await (const part of readStateFile(source, limit)) {
    switch (part.kind) {
      case 'anvil':
        requireSameLayers(home, undefined)
        return (await import('./anvilChain.ts')).anvilMark(home, part)
      case 'head':
        head = part.head
        requireSameLayers(home, head)
        reader = new MarkReader(home, head)
        break
      case 'records': {
        const at = part.records.findIndex(({ record }) => record.kind === 'l1')
        const begun = part.records[at]
        if (begun === undefined) await reader!.add(part.records)
        else {
          if (head!.l1 === undefined || l2 !== undefined) throw misplacedL1(begun.line)
          await reader!.add(part.records.slice(0, at))
          l2 = reader!.finish(begun.line)
          outages = (begun.record as Saved<'l1'>).outages
          reader = new MarkReader(home.l1!, head!.l1)
          await reader.add(part.records.slice(at + 1))
        }
        await yieldToEventLoop()
        break
      }
      case 'end': {
        const mark = reader!.finish(part.line)
        if (head!.l1 === undefined) return mark
        if (l2 === undefined || outages === undefined) throw misplacedL1(part.line)
        const ofL1 = withRemovable(mark, home.l1!.chain.options.finalizedDistance)
        return { ...withRemovable(l2), l1: { ...ofL1, outages } }
      }
    }
  }
  throw new Error('a state file without an end was not refused')
}

/** Returns the mark of a chain whose loaded blocks may be removed: by a reorg of the L1, or after a sequencing window. */
function withRemovable({ chain, ...rest }: Mark, most = Number.POSITIVE_INFINITY): Mark {
  const { end, oldest } = chain.history
  return { ...rest, chain: { ...chain, removable: Math.min(most, end - 1 - oldest) } }
}

/** Throws `LoadFailed` if either the file or the devnet has an L1. */
function requireSameLayers({ l1 }: Home, head: SavedHead | undefined): void {
  const isOfPair = head?.l1 !== undefined
  if (isOfPair === (l1 !== undefined)) return
  throw isOfPair
    ? new LoadFailed(1, 'a file without an L1, unless the devnet has the option l1', 'one with an L1')
    : new LoadFailed(1, 'a file with an L1, because the devnet has one (option l1)', 'one without')
}

function misplacedL1(line: number): LoadFailed {
  return new LoadFailed(line, 'one record l1, if the first line has a member l1', 'another number of them')
}

/** Reads the records of one chain of a state file. */
class MarkReader {
  readonly #home: Home
  readonly #head: Omit<SavedHead, 'l1'>
  readonly #fetched: CachedExchange[] = []
  #rebuilder: MarkRebuilder | undefined

  /** Throws `LoadFailed` if the rules of the chain differ from those of the devnet. */
  constructor(home: Home, head: Omit<SavedHead, 'l1'>) {
    requireRules(head.schedule, home.sequencer.schedule)
    this.#home = home
    this.#head = head
  }

  async add(records: readonly PlacedRecord[]): Promise<void> {
    const { first, fork } = this.#head
    let own = records
    if (this.#rebuilder === undefined) {
      const begin = fork === undefined ? 0 : records.findIndex(({ record: { kind } }) => kind !== 'fetched')
      this.#fetched.push(...records.slice(0, begin === -1 ? undefined : begin).map(exchangeIn))
      own = begin === -1 ? [] : records.slice(begin)
      const [next] = own
      if (next === undefined) return
      const { networkOfFile } = await import('./savedNetwork.ts')
      const network = fork && (await networkOfFile(this.#home, fork, this.#fetched, next.line))
      this.#rebuilder = new MarkRebuilder(this.#home.chain.options, first, network?.state)
    }
    addAll(this.#rebuilder, own)
  }

  /** Returns the mark. Throws `LoadFailed` if records are missing before `line`. */
  finish(line: number): Mark {
    const mark = this.#rebuilder?.finish() ?? { expected: 'a block', received: 'none' }
    if ('chain' in mark) return mark
    throw new LoadFailed(line, mark.expected, mark.received)
  }
}

function exchangeIn({ record }: PlacedRecord): CachedExchange {
  const { method, params, result } = record as Saved<'fetched'>
  return { method, params, result }
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
      expected: `the fetched value of ${textOf(error.values[0]!)}, in an earlier line`,
      received: 'nothing',
    }
  }
}

/** Yields the records of `mark` after the head. */
function* markRecords({ chain, pool, clock, cheats }: Mark): Generator<SavedRecord> {
  yield* chainRecords(chain)
  for (const transaction of inOrderOfArrival(pool)) yield { kind: 'waiting', transaction }
  yield { kind: 'clock', clock: { ...clock, shiftedMs: clock.shiftedMs ?? 0 } }
  yield { kind: 'cheats', cheats }
}

function inOrderOfArrival({ byHash }: PoolContents) {
  return [...byHash.entries()]
    .map(([, pooled]) => pooled)
    .sort((a, b) => a.arrival - b.arrival)
    .map(({ transaction }) => transaction)
}

/** Rebuilds a mark from records. Call `add` for each record in order, then `finish`. */
class MarkRebuilder {
  readonly #chain: ChainRebuilder
  readonly #pool = new Pool()
  #clock: ClockMark | undefined
  #cheats: Cheats | undefined

  /** `keep` limits the number of blocks, `first` is the first block's number, and `remote` a fork's remote state. */
  constructor(keep: Retention, first: bigint, remote?: RemoteState) {
    this.#chain = new ChainRebuilder(keep, first, remote)
  }

  add(record: SavedRecord): RecordMismatch | undefined {
    switch (record.kind) {
      case 'fetched':
        return { expected: 'another record here', received: `the answer to ${record.method}` }
      case 'l1':
        return { expected: 'another record here', received: 'the L1' }
      case 'waiting':
        this.#pool.add(record.transaction)
        return undefined
      case 'clock':
        this.#clock = clockOf(record.clock)
        return undefined
      case 'cheats':
        this.#cheats = cheatsOf(record.cheats)
        return undefined
      default:
        return this.#chain.add(record)
    }
  }

  finish(): Mark | RecordMismatch {
    const chain = this.#chain.finish()
    if ('expected' in chain) return chain
    if (this.#clock === undefined) return { expected: 'the clock', received: 'none' }
    if (this.#cheats === undefined) return { expected: 'the cheats', received: 'none' }
    return { chain, pool: this.#pool.contents, clock: this.#clock, cheats: this.#cheats }
  }
}

function clockOf({ nowMs, lastTickMs, shiftedMs }: Required<ClockMark>): ClockMark {
  const mark = { nowMs, lastTickMs }
  return shiftedMs === 0 ? mark : { ...mark, shiftedMs }
}

function cheatsOf({ next, ...cheats }: Saved<'cheats'>['cheats']): Cheats {
  return {
    ...NO_CHEATS,
    ...(cheats as Partial<Cheats>),
    next: Object.keys(next).length === 0 ? NO_CHEATS.next : (next as Cheats['next']),
  }
}

/** Maximum number of slots or hashes in one record, to keep lines readable. */
const MOST_AT_ONCE = 1_000

/** Yields each block with its receipts and the account changes since its parent. */
function* chainRecords({ history, open }: ChainState): Generator<ChainRecord> {
  const accounts = new AccountRecords()
  const { origin, genesis } = history
  yield* blockRecords(origin, accounts)
  if (hasState(genesis)) yield* changedRecords(genesis, accounts)
  yield* prunedRecords(history)
  for (let number = Math.max(history.first + 1, history.oldest); number < history.end; number++) {
    yield* blockRecords(history.keptBlock(number)!, accounts)
  }
  // Saves the whole block under construction. Faults that hide slices are not saved.
  if (open === undefined) return
  const { block, state, slices } = open
  yield { kind: 'preconfirmed', block, slices }
  yield* resultRecords(block)
  yield* accounts.upTo(state)
}

function* blockRecords(sealed: SealedBlock, accounts: AccountRecords): Generator<ChainRecord> {
  const { block } = sealed
  const isForeign = hasState(sealed) && isOfNetwork(sealed)
  yield { kind: 'block', block, isStateKnown: hasState(sealed), ...(isForeign ? { isForeign } : {}) }
  yield* resultRecords(block)
  if (hasState(sealed)) yield* accounts.upTo(sealed.state)
}

/** Returns whether the network hashed header fields that preseal does not know, so that the computed hash differs. */
function isOfNetwork({ block: { header, hash }, state }: Moment): boolean {
  return state.remote?.blockHash(header.number) === hash && hashHeader(header) !== hash
}

/** Yields the changes that cheats made after the first block. For later blocks, the account changes include them. */
function* changedRecords({ block, state }: Moment, accounts: AccountRecords): Generator<ChainRecord> {
  const records = accounts.upTo(state)
  const first = records.next()
  if (first.done) return
  yield { kind: 'changed', after: block.header.number }
  yield first.value
  yield* records
}

function* resultRecords({ receipts }: Block): Generator<ChainRecord> {
  for (const receipt of receipts) yield { kind: 'receipt', result: executionResult(receipt) }
}

function* prunedRecords(history: History): Generator<ChainRecord> {
  for (let first = history.first + 1; first < history.oldest; first += MOST_AT_ONCE) {
    const hashes: Hash[] = []
    const end = Math.min(first + MOST_AT_ONCE, history.oldest)
    for (let number = first; number < end; number++) hashes.push(history.hash(number)!)
    yield { kind: 'pruned', hashes }
  }
}

/** Yields the account changes from each state to the next, and each bytecode once. */
class AccountRecords {
  #state = State.empty
  readonly #saidCode = new Set<Hash>([toHex(EMPTY_CODE_HASH)]);

  *upTo(state: State): Generator<ChainRecord> {
    // Only local changes are saved, and not the values of the remote state.
    if (state.remote !== this.#state.remote) this.#state = state.unchanged
    for (const difference of differences(this.#state, state)) {
      const codeHash = difference.code && toHex(difference.code.hash)
      if (codeHash !== undefined && !this.#saidCode.has(codeHash)) {
        this.#saidCode.add(codeHash)
        yield { kind: 'code', code: difference.code!.bytes }
      }
      yield* accountRecords(difference, codeHash)
    }
    this.#state = state
  }
}

function* accountRecords(
  { address, isDeleted, nonce, balance, storage }: AccountDifference,
  codeHash: Hash | undefined,
): Generator<Saved<'account'>> {
  yield {
    kind: 'account',
    address,
    isDeleted,
    nonce,
    balance,
    codeHash,
    storage: storage.slice(0, MOST_AT_ONCE),
  }
  for (let at = MOST_AT_ONCE; at < storage.length; at += MOST_AT_ONCE) {
    yield { kind: 'account', address, isDeleted, storage: storage.slice(at, at + MOST_AT_ONCE) }
  }
}
