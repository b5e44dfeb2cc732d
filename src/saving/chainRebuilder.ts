/** Rebuilds a chain from records of blocks, receipts and account changes. */
import { EMPTY_BYTES, type Hash, toHex, ZERO_HASH } from '../bytes/hex.ts'
import { type ChainState, initialChainState } from '../chain/chain.ts'
import { History, type Retention } from '../chain/history.ts'
import { hasState, type Preconfirmed, type SealedBlock } from '../chain/moment.ts'
import { Packing } from '../chain/packed/storedBlock.ts'
import { keccakHash } from '../crypto/keccak.ts'
import type { Block } from '../model/block/block.ts'
import type { UncheckedBlock } from '../model/block/decodeBlock.ts'
import { shareWith } from '../model/block/header.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import { type ExecutionResult, receiptsOf } from '../model/receipt/receipt.ts'
import type { RemoteState } from '../state/remoteState.ts'
import { type AccountChange, EMPTY_CODE_HASH, State } from '../state/state.ts'
import type { ChainRecord, Saved } from './format/records.ts'

/** A record that is followed by its receipts and accounts. */
type OpenRecord = Saved<'block'> | Saved<'preconfirmed'> | Saved<'changed'>

/** The difference between a record and the value that earlier records require. */
export interface RecordMismatch {
  readonly expected: string
  readonly received: string
}

/** Number of account changes to apply together, because neighbouring accounts share nodes of the trie. */
const CHANGES_AT_ONCE = 4_096

export class ChainRebuilder {
  readonly #keep: Retention
  readonly #first: number
  readonly #remote: RemoteState | undefined
  readonly #code = new Map<Hash, Uint8Array>([[toHex(EMPTY_CODE_HASH), EMPTY_BYTES]])
  readonly #packing: Packing
  #history: History | undefined
  #preconfirmed: Preconfirmed | undefined
  #state = State.empty
  #open: OpenRecord | undefined
  #results: ExecutionResult[] = []
  #changes: AccountChange[] = []

  constructor(keep: Retention, first = 0n, remote?: RemoteState) {
    this.#keep = keep
    this.#packing = new Packing(keep.randaoSeed)
    this.#first = Number(first)
    this.#remote = remote
  }

  /** Adds the next record. Returns a mismatch if the record cannot follow the earlier records. */
  add(record: ChainRecord): RecordMismatch | undefined {
    switch (record.kind) {
      case 'code':
        this.#code.set(keccakHash(record.code), record.code)
        return undefined
      case 'account':
        return this.#change(record)
      case 'receipt':
        return this.#addResult(record.result)
      default:
        return this.#close() ?? this.#begin(record)
    }
  }

  finish(): ChainState | RecordMismatch {
    const flaw = this.#close()
    if (flaw !== undefined) return flaw
    const history = this.#history
    if (history === undefined) return { expected: 'a block', received: 'none' }
    if (!hasState(history.newest)) {
      return { expected: 'accounts after the newest block', received: 'none' }
    }
    const preconfirmed = this.#preconfirmed
    return { ...initialChainState(history), preconfirmed, open: preconfirmed }
  }

  #begin(record: OpenRecord | Saved<'pruned'>): RecordMismatch | undefined {
    if (this.#preconfirmed !== undefined) {
      return { expected: 'nothing more of the chain after the pre-confirmed block', received: shown(record) }
    }
    switch (record.kind) {
      case 'pruned':
        return this.#addPruned(record)
      case 'changed':
        if (this.#history?.end !== this.#first + 1 || Number(record.after) !== this.#first)
          return misplaced(record)
        break
      case 'block':
      case 'preconfirmed': {
        const flaw = this.#flawInPlace(record)
        if (flaw !== undefined) return flaw
        if (this.#history === undefined && this.#remote !== undefined) {
          this.#state = State.on(this.#remote, record.block.header.stateRoot)
        }
      }
    }
    this.#open = record
    return undefined
  }

  #flawInPlace(record: Saved<'block'> | Saved<'preconfirmed'>): RecordMismatch | undefined {
    const { number, parentHash } = record.block.header
    const history = this.#history
    const next = history?.end ?? this.#first
    if (Number(number) !== next) return { expected: `block ${next}`, received: shown(record) }
    if (history === undefined) return record.kind === 'block' ? undefined : misplaced(record)
    const parent = history.hash(next - 1)!
    if (parentHash === parent) return undefined
    return { expected: `the block after ${parent}`, received: `the one after ${parentHash}` }
  }

  #addPruned(record: Saved<'pruned'>): RecordMismatch | undefined {
    const history = this.#history
    // A pruned block must follow the first block or another pruned block.
    if (history === undefined || (history.end > this.#first + 1 && history.oldest < history.end)) {
      return misplaced(record)
    }
    this.#history = record.hashes.reduce((longer, hash) => longer.withPruned(hash), history)
    return undefined
  }

  #change(record: Saved<'account'>): RecordMismatch | undefined {
    const open = this.#open
    if (open === undefined || (open.kind === 'block' && !open.isStateKnown)) return misplaced(record)
    const { address, isDeleted: deleted, nonce, balance, codeHash, storage } = record
    const code = codeHash === undefined ? undefined : this.#code.get(codeHash)
    if (codeHash !== undefined && code === undefined) {
      return { expected: 'the hash of code in a line above', received: codeHash }
    }
    this.#changes.push(
      deleted
        ? { address, deleted }
        : {
            address,
            storage,
            ...(nonce === undefined ? {} : { nonce }),
            ...(balance === undefined ? {} : { balance }),
            ...(code === undefined ? {} : { code }),
          },
    )
    if (this.#changes.length === CHANGES_AT_ONCE) this.#applyChanges()
    return undefined
  }

  #applyChanges(): void {
    this.#state = this.#state.with(this.#changes)
    this.#changes = []
  }

  #addResult(result: ExecutionResult): RecordMismatch | undefined {
    const open = this.#open
    const count = open === undefined || open.kind === 'changed' ? 0 : open.block.transactions.length
    if (this.#results.length === count) {
      return { expected: `no receipt after ${count} of ${count}`, received: 'one more' }
    }
    this.#results.push(result)
    return undefined
  }

  #close(): RecordMismatch | undefined {
    const open = this.#open
    if (open === undefined) return undefined
    this.#applyChanges()
    const state = this.#state
    if (open.kind === 'changed') {
      this.#history = this.#history!.withLatest({ block: this.#history!.newest.block, state })
    } else {
      const { length } = open.block.transactions
      const results = this.#results
      if (results.length < length) {
        return { expected: `${length} receipts of ${shown(open)}`, received: `${results.length}` }
      }
      const before = this.#history?.newest.block.header
      if (before !== undefined) shareWith(before, open.block.header)
      const block = withReceipts(open.block, results)
      if (open.kind === 'preconfirmed') this.#preconfirm(block, state, open.slices)
      else this.#seal(open.isStateKnown ? { block, state } : { kind: 'unknownState', block })
    }
    this.#results = []
    this.#open = undefined
    return undefined
  }

  #seal(sealed: SealedBlock): void {
    this.#history =
      this.#history?.with(sealed, this.#keep, (stored) => stored.pack(this.#packing)) ?? History.of(sealed)
  }

  #preconfirm(unsealed: Block, state: State, slices: number): void {
    const block = { ...unsealed, hash: ZERO_HASH }
    const positions = PersistentMap.empty<number>().setAll(
      block.transactions.map(({ hash }, index) => [hash, index] as const),
    )
    const logIndex = this.#history!.logIndex.add(block)
    this.#preconfirmed = { block, state, slices, previous: undefined, positions, logIndex }
  }
}

function withReceipts(block: UncheckedBlock, results: readonly ExecutionResult[]): Block {
  const { header, hash, transactions, ommers, withdrawals } = block
  const receipts = receiptsOf(header, transactions, results)
  return {
    header,
    hash,
    transactions: compact(transactions),
    ommers: compact(ommers),
    withdrawals: withdrawals && compact(withdrawals),
    receipts: compact(receipts),
  }
}

const NONE: readonly never[] = []

/** Returns the same object for all empty lists, to save memory. Most blocks have several empty lists. */
function compact<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NONE : list
}

function misplaced(record: ChainRecord): RecordMismatch {
  return { expected: 'another record here', received: shown(record) }
}

function shown(record: ChainRecord): string {
  switch (record.kind) {
    case 'block':
      return `block ${record.block.header.number}`
    case 'preconfirmed':
      return `the pre-confirmed block ${record.block.header.number}`
    case 'account':
      return `the account ${record.address}`
    case 'pruned':
      return 'hashes of pruned blocks'
    case 'changed':
      return `accounts changed after block ${record.after}`
    default:
      return `a record of the kind ${record.kind}`
  }
}
