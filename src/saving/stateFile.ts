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
import type { Mark } from '../sequencer/marks.ts'
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
export function dumpMark({ schedule, blockSettings }: Sequencer, mark: Mark): Generator<Uint8Array> {
  const { coinbase, randaoSeed } = blockSettings
  const first = BigInt(mark.chain.history.first)
  const network = networkOf(mark)
  const fork = network && { chainId: network.chainId, ...network.block, hasProofs: network.hasProofs }
  const head: SavedHead = { schedule, first, coinbase, randaoSeed, fork }
  return writeStateFile(jsonOf(head, network?.node.used ?? [], mark))
}

function* jsonOf(head: SavedHead, used: readonly CachedExchange[], mark: Mark): Generator<unknown> {
  yield encodeHead(head)
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
  const { schedule, marks } = home.sequencer
  if (marks.now.l1 !== undefined) {
    throw new LoadFailed(
      1,
      'a devnet without an L1, because no file has the state of the L1',
      'one with an L1',
    )
  }
  const keep = home.chain.options
  let head: SavedHead | undefined
  const fetched: CachedExchange[] = []
  let rebuilder: MarkRebuilder | undefined
  for await (const part of readStateFile(source, limit)) {
    switch (part.kind) {
      case 'anvil':
        return (await import('./anvilChain.ts')).anvilMark(home, part)
      case 'head':
        head = part.head
        requireRules(head.schedule, schedule)
        break
      case 'records': {
        let { records } = part
        if (rebuilder === undefined) {
          const begin =
            head!.fork === undefined ? 0 : records.findIndex(({ record: { kind } }) => kind !== 'fetched')
          fetched.push(...records.slice(0, begin === -1 ? undefined : begin).map(exchangeIn))
          if (begin === -1) break
          records = records.slice(begin)
          const { networkOfFile } = await import('./savedNetwork.ts')
          const network = head!.fork && (await networkOfFile(home, head!.fork, fetched, records[0]!.line))
          rebuilder = new MarkRebuilder(keep, head!.first, network?.state)
        }
        addAll(rebuilder, records)
        await yieldToEventLoop()
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
