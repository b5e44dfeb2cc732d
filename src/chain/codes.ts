/** Finds all code in the kept blocks of a chain. A report uses the code to find the project's contracts. */
import type { Transaction } from '../model/transaction/transaction.ts'
import type { State } from '../state/state.ts'
import type { ChainState } from './chain.ts'
import { hasState, type Moment } from './moment.ts'

/** Runtime code and creation code. If two accounts were set to equal code, the code may occur twice. */
export interface Codes {
  readonly runtime: ReadonlySet<Uint8Array>
  /** The inputs of creation transactions: code followed by constructor arguments. */
  readonly creation: ReadonlySet<Uint8Array>
}

/** Returns the code in kept, pre-confirmed and removed blocks, in fetched accounts, and in `waiting` transactions. */
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
    const sealed = history.keptBlock(number)
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

/** Collects the code in a series of states. Reads only the differences between each state and the previous one. */
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
