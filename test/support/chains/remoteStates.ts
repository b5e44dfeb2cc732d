/** A remote state of the tests: what another state has, with time between question and answer. */
import type { Address, Hash } from '../../../src/bytes/hex.ts'
import { missingValueKey } from '../../../src/state/fetchingView.ts'
import {
  type MissingValue,
  NOT_FETCHED,
  type RemoteAccount,
  type RemoteCall,
  type RemoteState,
} from '../../../src/state/remoteState.ts'
import { State } from '../../../src/state/state.ts'

/** A question to a remote state. */
export interface Question {
  readonly values: readonly MissingValue[]
  readonly call: RemoteCall | undefined
  readonly guesses: readonly MissingValue[]
}

export class RemoteTwin implements RemoteState {
  /** The questions so far: one for each round. */
  readonly questions: Question[] = []
  /** Awaited before each answer; what it throws, `fetch` throws. */
  beforeAnswer: (question: Question) => Promise<void> | void = () => {}
  /** Whether guesses are fetched, too. */
  takesGuesses = false
  readonly #state: State
  readonly #blockHash: (number: bigint) => Hash | undefined
  readonly #fetched = new Set<string>()

  constructor(state: State, blockHash: (number: bigint) => Hash | undefined = () => undefined) {
    this.#state = state
    this.#blockHash = blockHash
  }

  account(address: Address): RemoteAccount | undefined | typeof NOT_FETCHED {
    if (!this.#has({ kind: 'account', address })) return NOT_FETCHED
    const record = this.#state.record(address)
    if (record === undefined) return undefined
    const { nonce, balance, code, codeHash } = record
    // Another node's hash is never the same object as ours.
    return { nonce, balance, code, codeHash: codeHash.slice() }
  }

  slot(address: Address, slot: bigint): bigint | typeof NOT_FETCHED {
    return this.#has({ kind: 'slot', address, slot }) ? this.#state.storage(address, slot) : NOT_FETCHED
  }

  blockHash(number: bigint): Hash | typeof NOT_FETCHED {
    if (!this.#has({ kind: 'blockHash', number })) return NOT_FETCHED
    return this.#blockHash(number)!
  }

  async fetch(
    values: readonly MissingValue[],
    call?: RemoteCall,
    guesses: readonly MissingValue[] = [],
  ): Promise<void> {
    const question = { values, call, guesses }
    this.questions.push(question)
    // An answer never comes in the same turn.
    await Promise.resolve()
    await this.beforeAnswer(question)
    for (const value of this.takesGuesses ? [...values, ...guesses] : values) {
      this.#fetched.add(missingValueKey(value))
    }
  }

  /** Every value that was asked for, once for each time. */
  get asked(): readonly string[] {
    return this.questions.flatMap(({ values }) => values.map(missingValueKey))
  }

  #has(value: MissingValue): boolean {
    return this.#fetched.has(missingValueKey(value))
  }
}

/** Returns a state on a remote one that has what `state` has, of which nothing was fetched. */
export function remoteOf(
  state: State,
  blockHash?: (number: bigint) => Hash | undefined,
): { readonly remote: RemoteTwin; readonly state: State } {
  const remote = new RemoteTwin(state, blockHash)
  return { remote, state: State.on(remote, state.root()) }
}
