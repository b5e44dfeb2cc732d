/** All code that a chain has had, as far as its blocks are kept: to know which of the contracts of a project are in it. */
import type { Transaction } from '../model/transaction/transaction.ts'
import type { State } from '../state/state.ts'
import type { ChainState } from './chain.ts'
import { hasState, type Moment } from './moment.ts'

/** Code by what it was: no code twice, unless two accounts were given it apart from each other. */
export interface Codes {
  /** Of accounts. */
  readonly runtime: ReadonlySet<Uint8Array>
  /** The input of transactions that create a contract, with constructor arguments behind the code. */
  readonly creation: ReadonlySet<Uint8Array>
}

/**
 * Returns the code of accounts after each kept block, in the pending one, in those that a reorg removed, and what was fetched of a
 * network below; and the input of transactions that create a contract, of those in `waiting` too.
 */
export function codesOf(
  { history, preconfirmed, open, removed }: ChainState,
  waiting: Iterable<Transaction> = [],
): Codes {
  const states = new StateCodes()
  const creation = new Set<Uint8Array>()
  const addTransactions = (transactions: Iterable<Transaction>) => {
    for (const { to, data } of transactions) if (to === undefined && data.length > 0) creation.add(data)
  }
  const addMoment = (moment: Moment | undefined) => {
    if (moment === undefined) return
    states.add(moment.state)
    addTransactions(moment.block.transactions)
  }
  for (let number = history.first; number < history.end; number++) {
    const sealed = history.held(number)
    if (sealed === undefined) continue
    if (hasState(sealed)) addMoment(sealed)
    else addTransactions(sealed.block.transactions)
  }
  addMoment(preconfirmed)
  addMoment(open)
  for (const [, moment] of removed.entries()) addMoment(moment)
  addTransactions(waiting)
  return { runtime: states.codes, creation }
}

/** The code in a series of states, of which each but the first is looked through no further than it differs from the one before. */
class StateCodes {
  readonly codes = new Set<Uint8Array>()
  #before: State | undefined

  add(state: State): void {
    const before = this.#before
    this.#before = state
    if (before !== undefined && before.remote === state.remote) {
      for (const [, , is] of state.changesSince(before)) this.#addCode(is?.code)
      return
    }
    for (const { code } of state.records()) this.#addCode(code)
    for (const { code } of state.remote?.fetched?.() ?? []) this.#addCode(code)
  }

  #addCode(code: Uint8Array | undefined): void {
    if (code !== undefined && code.length > 0) this.codes.add(code)
  }
}
