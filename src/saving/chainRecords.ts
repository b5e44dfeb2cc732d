/** The records of a chain, in the order of a state file. `ChainRebuilder` reads them. */
import { type Hash, toHex } from '../bytes/hex.ts'
import type { ChainState } from '../chain/chain.ts'
import type { History } from '../chain/history.ts'
import { hasState, type Moment, type SealedBlock } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import { hashHeader } from '../model/block/header.ts'
import { executionResult } from '../model/receipt/receipt.ts'
import { EMPTY_CODE_HASH, State } from '../state/state.ts'
import { type AccountDifference, differences } from '../state/wholeState.ts'
import type { ChainRecord, Saved } from './format/records.ts'

/** Maximum number of slots or hashes in one record, to keep lines readable. */
const MOST_AT_ONCE = 1_000

/** Yields each block with its receipts and the account changes since its parent. */
export function* chainRecords({ history, open }: ChainState): Generator<ChainRecord> {
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
